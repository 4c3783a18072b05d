"""A graph as a Mermaid diagram, with the path of a run on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

END = "[*]"
"""Where a run enters and ends."""

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


def draw(after: Mapping[str, Sequence[str]], path: Path | None = None) -> str:
    """Return a state diagram in Mermaid's language.

    A run may enter at any node; beside a path only the entry that it took is drawn. On a path the
    arrows carry the numbers of the steps that they led to, and the last one `end`.

    Args:
        after: what may follow each node; `END` where a run may end.
        path: the way of a run.
    """
    taken = path or Path()
    labels: dict[tuple[str, str], list[str]] = {}
    for number, pair in enumerate(zip([END, *taken.nodes], taken.nodes, strict=False), 1):
        labels.setdefault(pair, []).append(str(number))
    if taken.nodes and taken.ended and not taken.failed:
        labels.setdefault((taken.nodes[-1], END), []).append("end")
    lines = ["stateDiagram-v2", "    direction LR"]
    names = list(after)
    declared = [(name, other) for name, others in after.items() for other in others]
    if path is None:
        declared = [(END, name) for name in names] + declared
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
