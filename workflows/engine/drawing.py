"""A graph as a Mermaid diagram, with the path of a run on request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic_graph import End

if TYPE_CHECKING:
    from .graph import Graph

STYLES = (
    ("taken", "fill:#d6eaf8,stroke:#1f618d,stroke-width:2px,color:#000"),
    ("failed", "fill:#f5b7b1,stroke:#922b21,stroke-width:2px,color:#000"),
)


@dataclass(frozen=True)
class Path:
    """The way that a run took.

    Attributes:
        nodes: the names of the nodes, in order.
        failed: whether the last of them failed.
        ended: whether the run came to its end.
    """

    nodes: Sequence[str] = ()
    failed: bool = False
    ended: bool = False


def draw(graph: Graph[Any], path: Path | None = None) -> str:
    """Return a state diagram in Mermaid's language.

    A run may enter at any node; beside a path only the entry that it took is drawn. On a path the
    arrows carry the numbers of the steps that they led to, and the last one `end`.
    """
    from .graph import successors

    taken = path or Path()
    labels: dict[tuple[str, str], list[str]] = {}
    for number, pair in enumerate(zip(["[*]", *taken.nodes], taken.nodes, strict=False), 1):
        labels.setdefault(pair, []).append(str(number))
    if taken.nodes and taken.ended and not taken.failed:
        labels.setdefault((taken.nodes[-1], "[*]"), []).append("end")
    lines = ["stateDiagram-v2", "    direction LR"]
    names = [node.__name__ for node in graph.nodes]
    declared: list[tuple[str, str]] = []
    for node in graph.nodes:
        follows = successors(node)
        after = [kind.__name__ for kind in graph.nodes if kind in follows]
        declared += [(node.__name__, name) for name in after]
        if End in follows:
            declared.append((node.__name__, "[*]"))
    if path is None:
        declared = [("[*]", name) for name in names] + declared
    undeclared = [pair for pair in labels if pair not in declared]
    for one, other in [*undeclared, *declared]:
        numbers = labels.get((one, other))
        lines.append(f"    {one} --> {other}" + (f": {', '.join(numbers)}" if numbers else ""))
    failed = [taken.nodes[-1]] if taken.nodes and taken.failed else []
    groups = ([name for name in names if name in taken.nodes and name not in failed], failed)
    for (style, looks), members in zip(STYLES, groups, strict=True):
        if members:
            lines.append(f"    classDef {style} {looks}")
            lines.append(f"    class {', '.join(members)} {style}")
    return "\n".join(lines)
