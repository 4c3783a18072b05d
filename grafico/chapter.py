"""What the graph knows of one run, read for a report."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from ogm import GraphModel, KnowledgeGraph, Link
from ontologies.atoms import ConceptualAtoms
from ontologies.comparison import FragmentEnergy, InteractionEnergy, SpinStateScan
from ontologies.excitations import ExcitedStates
from ontologies.level import LevelOfTheory, LevelResolution
from ontologies.provenance import Activity, Outcome, Part, Run, Transition
from ontologies.quantum import ElectronicResult, Optimisation
from ontologies.vibrations import FrequencyAnalysis, Thermochemistry
from ontologies.wavefunction import StabilityAnalysis, WavefunctionAnalysis
from triplestore.errors import InputError
from workflows.dft.request import DFTRequest
from workflows.dft.spin_states import SpinStatesRequest
from workflows.dft.thermo import soft_modes
from workflows.engine.form import For, Form

from .lineage import Ancestor, ancestors, same
from .words import count

ResultT = TypeVar("ResultT", bound=ElectronicResult)

UNITS = {
    "dft": {"temperature": "K", "pressure": "Pa"},
    "microwave": {"temperature": "°C", "duration": "min", "pressure": "atm"},
}
"""Of what is asked for, by the graph."""

FORMS: dict[str, type[Form]] = {"dft": DFTRequest, "spin-states": SpinStatesRequest}
"""Of what has fields that mean nothing without another, by the graph."""


@dataclass(frozen=True)
class Chapter:
    """What the graph knows of one run.

    Attributes:
        run: the run.
        outcome: how it ended; None if that was never recorded.
        transitions: its steps in order.
        parts: what steps did in parallel, in order.
        activities: every activity whose result it took, by the IRI of that result.
        results: electronic results in order, as they are stored.
        others: other results.
        about: what it started from.
        atoms: the geometry that the last result belongs to, in the frame of the run.
        main: the last result, moved into that frame.
        names: what the names of method and basis set mean, in words.
        stray: a last geometry for which nothing was computed.
        level: the level of theory.
        label: what is known of the geometry, and in words why.
        lineage: where the geometry comes from, youngest first.
    """

    run: Run
    outcome: Outcome | None
    transitions: Sequence[Transition]
    parts: Sequence[Part]
    activities: dict[str, Activity]
    results: Sequence[ElectronicResult]
    others: Sequence[GraphModel]
    about: Sequence[GraphModel]
    atoms: ConceptualAtoms | None
    main: ElectronicResult | None
    stray: ConceptualAtoms | None
    level: LevelOfTheory | None
    names: Sequence[str]
    label: tuple[str, str]
    lineage: Sequence[Ancestor]

    @property
    def frequencies(self) -> FrequencyAnalysis | None:
        """The vibrations at the geometry shown."""
        return self._here(FrequencyAnalysis)

    @property
    def thermochemistry(self) -> Thermochemistry | None:
        """The thermochemistry of the geometry shown."""
        here = self.frequencies
        made = (other for other in self.others if isinstance(other, Thermochemistry))
        return next((heat for heat in made if heat.frequencies == here), None)

    @property
    def analysis(self) -> WavefunctionAnalysis | None:
        """The analysis of the wavefunction shown, in the frame of the run."""
        found = self._here(WavefunctionAnalysis)
        motion = self.atoms.motion_from(found.atoms) if found and self.atoms else None
        return found.transformed(motion) if found and motion else found

    @property
    def excitations(self) -> ExcitedStates | None:
        """The excited states at the geometry shown."""
        return self._here(ExcitedStates)

    @property
    def optimisations(self) -> list[Optimisation]:
        """The optimisations in order."""
        return [result for result in self.results if isinstance(result, Optimisation)]

    @property
    def scan(self) -> SpinStateScan | None:
        """The comparison of multiplicities, if the run made one."""
        return next((one for one in self.others if isinstance(one, SpinStateScan)), None)

    @property
    def interaction(self) -> InteractionEnergy | None:
        """The interaction of fragments, if the run found one."""
        return next((one for one in self.others if isinstance(one, InteractionEnergy)), None)

    def renumbered(self, result: ElectronicResult) -> bool:
        """Tell whether a result counts the atoms otherwise than the geometry shown."""
        motion = self.atoms.motion_from(result.atoms) if self.atoms else None
        order = motion.order if motion else None
        return order is not None and list(order) != sorted(order)

    @property
    def stabilities(self) -> list[StabilityAnalysis]:
        """The analyses of stability in order."""
        return [result for result in self.results if isinstance(result, StabilityAnalysis)]

    @property
    def stability(self) -> str:
        """What is known of the stability of the wavefunction shown."""
        found = self._here(StabilityAnalysis) or self.main
        return found.stability if found else "not analysed"

    @property
    def remarks(self) -> list[str]:
        """What a reader must know of the numbers, each once."""
        told = [*self.results, *filter(None, [self.scan, self.interaction])]
        said = dict.fromkeys(remark for one in told for remark in one.remarks)
        said |= dict.fromkeys(self._saddles())
        if self.thermochemistry and (soft := soft_modes(self.thermochemistry)):
            said[soft] = None
        return [text for text in said if not any(s.endswith(f": {text}") for s in said)]

    def _saddles(self) -> Iterator[str]:
        """Say which saddle points were met before the last geometry."""
        last = self.main.atoms if self.main else None
        found = [one for one in self.results if isinstance(one, FrequencyAnalysis)]
        for met in found:
            if met.stationarity == "saddle point" and not same(met.atoms, last):
                modes = count(met.imaginary, "imaginary mode")
                yield f"on the way a saddle point was met ({modes}) and left along a mode"

    @property
    def gap(self) -> float | None:
        """The HOMO–LUMO gap in Eh; of an open shell the least within one spin."""
        found = self.analysis or self.main
        return found.homo_lumo_gap if found else None

    @property
    def point_group(self) -> str:
        """In the Schoenflies notation; empty if nothing found it."""
        found = self.analysis or self.thermochemistry
        return found.point_group if found else ""

    @property
    def energies(self) -> dict[str, float]:
        """Energies in Eh of the results, by their IRIs."""
        made = [one for one in self.others if isinstance(one, FragmentEnergy)]
        return {one.iri: one.energy for one in (*self.results, *made)}

    def _here(self, kind: type[ResultT]) -> ResultT | None:
        """Return the last result of a kind at the geometry and the level of the last of all."""
        last = self.results[-1] if self.results else None
        for result in reversed(self.results if last else ()):
            here = last and result.level == last.level and same(result.atoms, last.atoms)
            if here and isinstance(result, kind):
                return result
        return None

    def reused(self, iri: str) -> bool:
        """Tell whether a result was remembered; one that no step computed was."""
        made = self.activities.get(iri)
        done = (*self.transitions, *self.parts)
        steps = [step for step in done if made and step.activity == Link(made)]
        return all(step.reused for step in steps)

    @property
    def remembered(self) -> str:
        """How much of it was remembered rather than computed, in words."""
        made = [result.iri for result in (*self.results, *self.others)]
        iris = [iri for iri in made if iri in self.activities]
        count, whole = sum(map(self.reused, iris)), len(iris)
        if not made:
            return "No result was recorded"
        if not iris:
            return "Nothing was calculated"
        if count == whole:
            return "Everything was remembered from earlier runs; nothing was computed anew"
        if count:
            return f"{count} of {whole} results were remembered, the others computed in this run"
        return "Everything was computed in this run; nothing was remembered"

    @property
    def request(self) -> list[tuple[str, str]]:
        """What was asked, in words; not what was left open or has no effect."""
        try:
            values: Any = json.loads(self.run.request)
        except ValueError:
            values = None
        if not isinstance(values, dict):
            return [("as it is stored", self.run.request)]
        asked, units = cast("dict[str, Any]", values), UNITS.get(self.run.graph, {})
        rules = _rules(self.run.graph)
        return [
            (name.replace("_", " "), f"{_words(value)} {units.get(name, '')}".strip())
            for name, value in asked.items()
            if value not in (None, False, "", [])  # 0 too
            and all(rule.holds(asked.get(rule.field)) for rule in rules.get(name, ()))
        ]

    @property
    def file(self) -> tuple[str, str]:
        """A name for an XYZ file of the geometry, and the file as a data URI."""
        from urllib.parse import quote

        if self.atoms is None:
            return "", ""
        notes = [self.label[0], self.level.label if self.level else "", self.run.iri]
        if self.atoms.cell is not None and self.atoms.periodic is not None:
            cell = " ".join(f"{x:.9f}" for x in self.atoms.cell.ravel())
            pbc = " ".join("FT"[int(flag)] for flag in self.atoms.periodic)
            notes.insert(0, f'Lattice="{cell}" pbc="{pbc}"')
        text = self.atoms.to_xyz(" ".join(" ".join(notes).split()))
        name = "".join(c for c in self.atoms.formula if c.isascii() and c.isalnum())[:80]
        return f"{name or 'structure'}.xyz", "data:chemical/x-xyz;charset=utf-8," + quote(text, "")

    @property
    def software(self) -> list[tuple[str, str]]:
        """Names and versions of what it ran with."""
        made = [program for act in self.activities.values() for program in act.software]
        return sorted({(program.name, program.version) for program in [self.run.software, *made]})


def chapter(kg: KnowledgeGraph, iri: str) -> Chapter:
    """Read what the graph knows of a run; see `report`."""
    run = kg.pull(GraphModel, iri)
    if not isinstance(run, Run):
        raise InputError(
            f"a report on {iri} was asked for",
            f"that is a {type(run).__name__}",
            "give the IRI of a run: see `grafico runs`",
        )
    ends = sorted(kg.find(Outcome, run=run), key=lambda end: end.ended)
    outcome = ends[-1] if ends else None
    transitions = sorted(kg.find(Transition, run=run), key=lambda step: step.index)
    parts = sorted(kg.find(Part, run=run), key=lambda part: (part.index, part.part))
    links = dict.fromkeys(s.activity.iri for s in (*transitions, *parts) if s.activity)
    activities = {act.generated.iri: act for act in kg.pull_all(Activity, list(links))}
    known = [link.iri for link in outcome.results] if outcome else []
    # those of parts first: what the run says it came to is what is shown
    order = [iri for iri in activities if iri not in known] if parts else []
    products = kg.pull_all(GraphModel, list(dict.fromkeys([*order, *known, *activities])))
    for product in products:
        if product.iri not in activities:  # known before the first step
            made = kg.find(Activity, generated=Link[GraphModel](product))
            activities |= {product.iri: made[0]} if made else {}
    results = [product for product in products if isinstance(product, ElectronicResult)]
    about = kg.pull_all(GraphModel, sorted(link.iri for link in run.about))
    given = [model for model in about if isinstance(model, ConceptualAtoms)]
    last = kg.pull(GraphModel, outcome.geometry.iri) if outcome and outcome.geometry else None
    atoms = last if isinstance(last, ConceptualAtoms) else next(iter(given), None)
    stray, main = None, None
    if results:
        main = results[-1]
        motion = last.motion_from(main.atoms) if isinstance(last, ConceptualAtoms) else None
        if motion is not None:
            main = main.transformed(motion)
        else:
            stray, atoms = last if isinstance(last, ConceptualAtoms) else None, main.atoms
    levels = [model for model in (main and main.level, *about) if isinstance(model, LevelOfTheory)]
    return Chapter(
        run=run, outcome=outcome, transitions=transitions, parts=parts, activities=activities,
        results=results,
        others=[product for product in products if not isinstance(product, ElectronicResult)],
        about=about, atoms=atoms, main=main, stray=stray, level=next(iter(levels), None),
        names=_names(kg, levels[0]) if levels else (),
        label=_label(results), lineage=ancestors(kg, atoms, results) if atoms else (),
    )  # fmt: skip


def _rules(graph: str) -> dict[str, list[For]]:
    """Return what fields of the request of a graph need to have an effect, by their names."""
    fields = FORMS[graph].model_fields if graph in FORMS else {}
    return {
        name: [rule for rule in field.metadata if isinstance(rule, For)]
        for name, field in fields.items()
    }


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_words, cast("list[Any]", value)))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _label(results: Sequence[ElectronicResult]) -> tuple[str, str]:
    """Return what is known of the last geometry and why, from the results that belong to it."""
    if not results:
        return "as given", "nothing was computed at this geometry"
    last = results[-1]
    here = [r for r in results if r.level == last.level and same(r.atoms, last.atoms)]
    level = last.level.label
    for result in reversed(here):
        if isinstance(result, FrequencyAnalysis):
            if result.stationarity == "minimum":
                return "minimum", f"no imaginary mode was found at {level}"
            if result.stationarity == "saddle point":
                modes = count(result.imaginary, "imaginary mode")
                return "saddle point", f"{modes} at {level}: this is not a minimum"
            found = f"{result.max_gradient:.1e} Eh/bohr at {level}".replace("-", "−")
            return "not stationary", f"the largest gradient component is {found}"
    relaxed = [result for result in here if isinstance(result, Optimisation)]
    if relaxed and relaxed[-1].constraints is not None:
        return "relaxed under constraints", f"held at {level}: not a stationary point"
    if relaxed:
        return "stationary, not verified", f"relaxed at {level}; no frequencies were computed"
    return "as given", "the geometry was not relaxed in this run"


def _names(kg: KnowledgeGraph, level: LevelOfTheory) -> list[str]:
    """Return what was said when names were found out to mean this level."""
    found = kg.find(LevelResolution, level=level)
    said = dict.fromkeys(remark for one in found for remark in one.remarks)
    return list(said)
