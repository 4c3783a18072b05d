"""rdflib as the judge of the guard's counts: the same sizes, from the algebra of a query."""

from collections.abc import Iterator
from typing import Any

from rdflib.paths import AlternativePath, InvPath, MulPath, NegatedPath, SequencePath
from rdflib.plugins.sparql.algebra import translateGroupGraphPattern, translateQuery
from rdflib.plugins.sparql.parser import parseQuery
from rdflib.plugins.sparql.parserutils import CompValue


def sizes(query: str, prefixes: dict[str, str] | None = None) -> dict[str, int]:
    """Triple patterns (steps of paths counted singly), depth of OPTIONAL, branches of UNION."""
    algebra = translateQuery(parseQuery(query), initNs=prefixes or {}).algebra
    found = {"triples": 0, "optional_depth": 0, "union_branches": 0}
    seen: set[int] = set()

    def walk(node: Any, depth: int, in_union: bool = False) -> None:
        if isinstance(node, list | tuple):
            for item in node:
                walk(item, depth)
            return
        if not isinstance(node, CompValue) or id(node) in seen:
            return
        seen.add(id(node))
        found["optional_depth"] = max(found["optional_depth"], depth)
        if node.name == "BGP":
            found["triples"] += sum(steps(predicate) for _, predicate, _ in node.triples)
        elif node.name == "GroupGraphPatternSub":  # of EXISTS, which rdflib translates late
            walk(translateGroupGraphPattern(node), depth)
        elif node.name == "Union":
            found["union_branches"] += 1 if in_union else 2
            walk(node.p1, depth, True)
            walk(node.p2, depth, True)
        elif node.name == "LeftJoin":
            walk(node.p1, depth)
            walk(node.p2, depth + 1)
            walk(node.expr, depth + 1)
        else:
            for name, value in node.items():
                if name != "template":
                    walk(value, depth)

    walk(algebra, 0)
    return found


def steps(predicate: Any) -> int:
    """The predicates of a property path."""
    return sum(1 for _ in leaves(predicate))


def leaves(path: Any) -> Iterator[Any]:
    match path:
        case SequencePath() | AlternativePath() | NegatedPath():
            for part in path.args:
                yield from leaves(part)
        case InvPath():
            yield from leaves(path.arg)
        case MulPath():
            yield from leaves(path.path)
        case _:
            yield path
