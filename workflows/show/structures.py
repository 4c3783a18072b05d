"""The structures that a run came to, each with what was computed at it.

They are found by following parts and links to the results of levels, whatever class holds them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ogm import GraphModel, KnowledgeGraph, Link
from ogm.fields import FieldPlan, members
from ontologies.level import Level
from ontologies.quantum import EnergyResult, RelaxedGeometry
from ontologies.vibrations import Thermochemistry, VibrationalAnalysis
from workflows.show.blocks import Fact, Section, Structure
from workflows.show.object_blocks import called, structure_of, title_of
from workflows.show.run_blocks import RunSummary, run_blocks

WAY = "geometries"
"""The field of results that are a way, of many geometries, and not one structure."""


@dataclass
class StructureEntry:
    """A structure with what was computed at it, of each level for itself.

    Attributes:
        title: what it is called among the others.
        iri: of the geometry.
        drawn: its atoms.
        results: what was computed at it, energies first.
        sections: what is shown of it.
        source: of what was read from files, which those are and what wrote them; else empty.
    """

    title: str
    iri: str
    drawn: Structure
    results: list[GraphModel] = field(default_factory=list[GraphModel])
    sections: tuple[Section, ...] = ()
    source: str = ""

    @property
    def facts(self) -> dict[str, Fact]:
        """The facts of it by their names, and those that are said in one breath with them."""
        found = [one for part in self.sections for one in part.blocks if isinstance(one, Fact)]
        flat = (inner for one in found for inner in (one, *one.also))
        return {one.name: one for one in reversed(list(flat)) if one.name}

    @property
    def levels(self) -> list[Level]:
        """Those of its results."""
        return [one.level for one in self.results if isinstance(one, EnergyResult)]


def last_structure(ran: RunSummary) -> list[StructureEntry]:
    """Return the structure that a run is about in the end, with what was computed there.

    Geometries that it left, such as a saddle point on its way to a minimum, are no part of it.
    """
    drawn = structure_of(ran.about[0]) if ran.about else None
    if drawn is None or not any(isinstance(one, EnergyResult) for one in ran.results):
        return []
    about = ran.about[0]
    title = drawn.title or called(about) or ran.subject
    ran = replace(
        ran,
        answers=tuple(one for one in ran.answers if _is_at(one.result, about)),
        made=tuple(one for one in ran.made if _is_at(one, about)),
    )
    return [StructureEntry(title, about.iri, drawn, list(ran.results), run_blocks(ran)[:-1])]


def _is_at(result: GraphModel, geometry: GraphModel) -> bool:
    """Tell whether a result is of a geometry, or of none."""
    held = isinstance(result, EnergyResult | Thermochemistry)
    return not held or _geometry(result).iri == geometry.iri


def structures_behind(kg: KnowledgeGraph, roots: Iterable[GraphModel]) -> list[StructureEntry]:
    """Return the structures that lie behind what speaks for a run."""
    found: dict[str, StructureEntry] = {}
    seen: set[str] = set()
    for root in roots:
        _follow(kg, root, title_of(type(root)), found, seen)
    for one in found.values():
        here = {level.iri for level in one.levels}
        for ended in kg.find(RelaxedGeometry, atoms=_geometry(one.results[0])):
            if ended.iri not in seen and ended.level.iri in here:
                one.results.append(ended)
        one.results.sort(key=_rank)
        about = (_geometry(one.results[0]), *_each(one.levels))
        ran = RunSummary("", "finished", about=about, made=tuple(one.results))
        one.sections = run_blocks(ran)[:-1]
    return list(found.values())


def _follow(
    kg: KnowledgeGraph,
    model: GraphModel,
    name: str,
    found: dict[str, StructureEntry],
    seen: set[str],
) -> None:
    if isinstance(model, EnergyResult | Thermochemistry):
        if isinstance(model, Thermochemistry):
            _follow(kg, model.frequencies, name, found, seen)
        if WAY in type(model).model_fields or model.iri in seen:
            return
        seen.add(model.iri)
        atoms = _geometry(model)
        if drawn := structure_of(atoms):
            entry = StructureEntry(name, atoms.iri, replace(drawn, title=name))
            found.setdefault(f"{atoms.iri} {_level(model).iri}", entry).results.append(model)
        return
    links: list[tuple[str, str]] = []
    for plan in type(model).fields():
        if plan.kind not in ("model", "link"):  # an array is not read
            continue
        for number, one in enumerate(members(getattr(model, plan.name), plan), 1):
            if isinstance(one, Link):
                links.append((one.iri, name))
            elif isinstance(one, GraphModel) and not isinstance(one, Level):
                _follow(kg, one, _name(one, plan, number, name), found, seen)
    for iri, label in links:
        if iri not in seen:
            target = kg.pull(GraphModel, iri)
            if type(target) is not type(model):  # what it took the place of
                if not isinstance(target, EnergyResult | Thermochemistry):
                    seen.add(iri)
                _follow(kg, target, label, found, seen)


def _name(one: GraphModel, plan: FieldPlan, number: int, above: str) -> str:
    """Return what a part is called: by itself, by a part of it, else by its field."""
    if plan.container == "one":
        return called(one) or plan.name.replace("_", " ")
    parts: list[GraphModel] = list(one.parts())
    own = next((name for name in (called(one), *map(_own_name, parts)) if name), "")
    place = getattr(one, "number", number)
    return own or f"{title_of(type(one))} {place}"


def _own_name(part: GraphModel) -> str:
    name = getattr(part, "name", "")
    return name if isinstance(name, str) and not isinstance(part, Level) else ""


def _geometry(result: GraphModel) -> GraphModel:
    return _energies(result).atoms


def _level(result: GraphModel) -> Level:
    return _energies(result).level


def _energies(result: GraphModel) -> EnergyResult:
    held = result.frequencies if isinstance(result, Thermochemistry) else result
    assert isinstance(held, EnergyResult)
    return held


def _rank(result: GraphModel) -> int:
    kinds = (Thermochemistry, VibrationalAnalysis)
    return next((2 - place for place, one in enumerate(kinds) if isinstance(result, one)), 0)


def _each(levels: Iterable[Level]) -> list[Level]:
    return list({one.iri: one for one in levels}.values())
