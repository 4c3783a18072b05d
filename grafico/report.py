"""The report: one self-contained HTML page on runs, everything in it read from the graph."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ogm import PREFIXES, GraphModel, KnowledgeGraph, Link
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.provenance import Activity, Outcome, Run, Transition
from ontologies.quantum import ElectronicResult, Embedding, Optimisation
from ontologies.vibrations import Displacement, FrequencyAnalysis, Thermochemistry
from triplestore.errors import InputError
from workflows.molecule.notation import ground_multiplicity

if TYPE_CHECKING:
    from jinja2 import Template

LONGEST_LINEAGE = 50
"""Generations of a geometry that are told."""

KINDS = {
    "SinglePoint": "single point",
    "Optimisation": "optimisation",
    "FrequencyAnalysis": "frequencies",
}


@dataclass(frozen=True)
class Ancestor:
    """A geometry on the way to the last one: what it is, its IRI, the object that says so."""

    text: str
    iri: str
    witness: str = ""


@dataclass(frozen=True)
class Chapter:
    """What the graph knows of one run.

    Attributes:
        run: the run.
        outcome: how it ended; None if that was never recorded.
        transitions: its steps in order.
        activities: every activity whose result it took, by the IRI of that result.
        results: electronic results in order, as they are stored.
        others: other results.
        about: what it started from.
        atoms: the geometry that the last result belongs to, in the frame of the run.
        main: the last result, moved into that frame.
        stray: a last geometry for which nothing was computed.
        level: the level of theory.
        label: what is known of the geometry, and in words why.
        lineage: where the geometry comes from, youngest first.
    """

    run: Run
    outcome: Outcome | None
    transitions: Sequence[Transition]
    activities: dict[str, Activity]
    results: Sequence[ElectronicResult]
    others: Sequence[GraphModel]
    about: Sequence[GraphModel]
    atoms: ConceptualAtoms | None
    main: ElectronicResult | None
    stray: ConceptualAtoms | None
    level: LevelOfTheory | None
    label: tuple[str, str]
    lineage: Sequence[Ancestor]

    @property
    def frequencies(self) -> FrequencyAnalysis | None:
        """The vibrations at the geometry shown."""
        return next((r for r in self._here() if isinstance(r, FrequencyAnalysis)), None)

    @property
    def thermochemistry(self) -> Thermochemistry | None:
        """The thermochemistry of the geometry shown."""
        here = self.frequencies
        made = (other for other in self.others if isinstance(other, Thermochemistry))
        return next((heat for heat in made if heat.frequencies == here), None)

    @property
    def optimisations(self) -> list[Optimisation]:
        """The optimisations in order."""
        return [result for result in self.results if isinstance(result, Optimisation)]

    def _here(self) -> Iterator[ElectronicResult]:
        last = self.results[-1].atoms if self.results else None
        return (result for result in reversed(self.results) if _same(result.atoms, last))

    def reused(self, iri: str) -> bool:
        """Tell whether a result was remembered; one that no step computed was."""
        made = self.activities.get(iri)
        steps = [t for t in self.transitions if made and t.activity == Link(made)]
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
    def request(self) -> dict[str, Any]:
        """The typed request."""
        try:
            values = json.loads(self.run.request)
        except ValueError:
            values = None
        return values if isinstance(values, dict) else {"request": self.run.request}

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


def report(kg: KnowledgeGraph, runs: Sequence[str]) -> str:
    """Return one HTML document on runs, which loads nothing from anywhere.

    Args:
        kg: the graph to read from.
        runs: IRIs of the runs, in the order of their chapters.

    Raises:
        NotFoundError: nothing of such an IRI is stored.
        InputError: no run is named, or an IRI is that of something else.
    """
    if not runs:
        raise InputError("a report was asked for", "no run is named", "see `grafico runs`")
    chapters = [chapter(kg, iri) for iri in dict.fromkeys(runs)]
    return _template().render(
        chapters=chapters, lowest=_lowest(chapters), sparql=sparql(c.run.iri for c in chapters)
    )


def sparql(runs: Iterable[str]) -> str:
    """Return a query that finds the main numbers of runs again."""
    names = "\n    ".join(f"<{iri}>" for iri in runs)
    return f"""\
PREFIX g: <{PREFIXES["g"]}>
PREFIX prov: <{PREFIXES["prov"]}>
SELECT DISTINCT ?run ?result ?formula ?method ?basis ?energy ?homo ?lumo
                ?stationarity ?zeroPoint ?enthalpy ?entropy ?gibbs {{
  VALUES ?run {{
    {names}
  }}
  {{ ?outcome a g:Outcome ; g:run ?run ; g:results ?result }}
  UNION {{ ?step a g:Transition ; g:run ?run ; g:activity/prov:generated ?result }}
  ?result g:energy ?energy ; g:atoms/g:formula ?formula ;
          g:level [ g:method ?method ; g:basis ?basis ] .
  OPTIONAL {{ ?result g:homo ?homo }}
  OPTIONAL {{ ?result g:lumo ?lumo }}
  OPTIONAL {{ ?result g:stationarity ?stationarity }}
  OPTIONAL {{ ?outcome g:results ?heat . ?heat g:frequencies ?result ;
      g:zeroPointEnergy ?zeroPoint ; g:enthalpy ?enthalpy ;
      g:entropy ?entropy ; g:gibbsEnergy ?gibbs }}
}} ORDER BY ?run ?result"""


def _lowest(chapters: Sequence[Chapter]) -> float | None:
    """Return the lowest energy of runs whose energies can be compared."""
    found = [(c.main.atoms, c.main.level, c.main.energy) for c in chapters if c.main]
    alike = {(a.formula, a.charge, a.multiplicity, level) for a, level, _ in found}
    comparable = len(alike) == 1 and len(found) > 1
    return min(energy for _, _, energy in found) if comparable else None


# --- reading -------------------------------------------------------------------------------------


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
    links = dict.fromkeys(step.activity.iri for step in transitions if step.activity)
    activities = {act.generated.iri: act for act in kg.pull_all(Activity, list(links))}
    known = [link.iri for link in outcome.results] if outcome else []
    products = kg.pull_all(GraphModel, list(dict.fromkeys([*known, *activities])))
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
        run=run, outcome=outcome, transitions=transitions, activities=activities, results=results,
        others=[product for product in products if not isinstance(product, ElectronicResult)],
        about=about, atoms=atoms, main=main, stray=stray, level=next(iter(levels), None),
        label=_label(results), lineage=_lineage(kg, atoms, results) if atoms else (),
    )  # fmt: skip


def _label(results: Sequence[ElectronicResult]) -> tuple[str, str]:
    """Return what is known of the last geometry and why, from the results that belong to it."""
    if not results:
        return "as given", "nothing was computed at this geometry"
    last = results[-1]
    here = [result for result in results if _same(result.atoms, last.atoms)]
    level = last.level.label
    for result in reversed(here):
        if isinstance(result, FrequencyAnalysis):
            if result.stationarity == "minimum":
                return "minimum", f"no imaginary mode was found at {level}"
            if result.stationarity == "saddle point":
                modes = f"{result.imaginary} imaginary mode{'s' * (result.imaginary != 1)}"
                return "saddle point", f"{modes} at {level}: this is not a minimum"
            found = f"{result.max_gradient:.1e} Eh/bohr at {level}".replace("-", "−")
            return "not stationary", f"the largest gradient component is {found}"
    if any(isinstance(result, Optimisation) for result in here):
        return "stationary, not verified", f"relaxed at {level}; no frequencies were computed"
    return "as given", "the geometry was not relaxed in this run"


def _same(one: ConceptualAtoms, other: ConceptualAtoms | None) -> bool:
    """Tell whether two geometries differ by their place alone."""
    return other is not None and one.motion_from(other) is not None


def _lineage(
    kg: KnowledgeGraph, atoms: ConceptualAtoms, results: Sequence[ElectronicResult]
) -> list[Ancestor]:
    found: list[Ancestor] = []
    seen: set[str] = set()
    here: ConceptualAtoms | None = atoms
    if results and atoms != results[-1].atoms:
        found.append(Ancestor("a remembered geometry, moved into the frame of this run", atoms.iri))
        here = results[-1].atoms
    while here is not None and here.iri not in seen and len(found) < LONGEST_LINEAGE:
        seen.add(here.iri)
        found.append(_ancestor(kg, here, results))
        here = _before(kg, found[-1])
    return found


def _ancestor(
    kg: KnowledgeGraph, atoms: ConceptualAtoms, results: Sequence[ElectronicResult]
) -> Ancestor:
    ours = [r for r in results if isinstance(r, Optimisation) and _same(r.atoms, atoms)]
    for made in ours or kg.find(Optimisation, atoms=atoms):
        if not _same(made.initial, atoms):
            text = f"relaxed from the geometry below at {made.level.label}"
            return Ancestor(text, atoms.iri, made.iri)
    for push in kg.find(Displacement, atoms=atoms):
        mode = f"{abs(push.wavenumber):.1f}{'i' * (push.wavenumber < 0)} cm⁻¹"
        text = f"pushed by {push.amplitude:g} Å off the geometry below, along its mode at {mode}"
        return Ancestor(text, atoms.iri, push.iri)
    for embedding in kg.find(Embedding, atoms=atoms):
        kind = {"smiles": "SMILES", "name": "name"}[embedding.kind]
        text = f"made from the {kind} {embedding.notation} by {embedding.method}"
        return Ancestor(text, atoms.iri, embedding.iri)
    return Ancestor("as given", atoms.iri)


def _before(kg: KnowledgeGraph, ancestor: Ancestor) -> ConceptualAtoms | None:
    witness = kg.pull(GraphModel, ancestor.witness) if ancestor.witness else None
    if isinstance(witness, Optimisation):
        return witness.initial
    if isinstance(witness, Displacement):
        return witness.source.load(kg).atoms
    return None


# --- writing -------------------------------------------------------------------------------------


@functools.cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined
    from scipy import constants  # CODATA 2022

    from . import picture

    here = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    hartree = constants.value("Hartree energy") * constants.N_A
    here.filters |= {"csp": _hash, "formula": _formula, "num": _num, "sci": _sci, "utc": _utc}
    names: dict[str, Any] = {
        "EV": constants.value("Hartree energy in eV"), "KJ": hartree / 1000, "J": hartree,
        "KINDS": KINDS, "markup": _markup, "picture": picture, "scalars": _scalars,
        "classname": _classname, "relative": _relative, "ground": ground_multiplicity,
    }  # fmt: skip
    text = Path(__file__).with_name("report.html").read_text(encoding="utf-8")
    return here.from_string(text, globals=names)


def _classname(model: GraphModel) -> str:
    return type(model).__name__


def _relative(series: Any, unit: float) -> list[float]:
    """Return energies above the last one."""
    return ((series - series[-1]) * unit).tolist()


def _markup(text: str) -> Any:
    """Let a picture of our own pass unescaped."""
    from markupsafe import Markup

    return Markup(text)


def _hash(text: Any) -> str:
    """Return what a content security policy calls an inline script or style by."""
    import base64
    import hashlib

    return f"'sha256-{base64.b64encode(hashlib.sha256(str(text).encode()).digest()).decode()}'"


def _data(value: float, text: str) -> Any:
    from markupsafe import Markup

    return Markup('<data value="{}">{}</data>').format(repr(float(value)), text)


def _num(value: float, digits: int = 6, sign: bool = False) -> Any:
    """Write a number with fixed digits and a real minus; the exact one stands beside it."""
    text = f"{float(value):{'+' if sign else ''}.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("+-")
    return _data(value, text.replace("-", "−"))


def _sci(value: float, digits: int = 1) -> Any:
    mantissa, _, power = f"{float(value):.{digits}e}".partition("e")
    if not power or float(mantissa) == 0:
        return _data(value, mantissa.replace("-", "−"))
    raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return _data(value, f"{mantissa}×10{raised}".replace("-", "−"))


def _utc(moment: Any) -> str:
    from datetime import UTC

    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _formula(atoms: ConceptualAtoms) -> str:
    """Write a formula with lowered counts and raised charge."""
    lowered = atoms.formula.translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
    size = str(abs(atoms.charge)) if abs(atoms.charge) > 1 else ""
    raised = size.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return lowered + (f"{raised}{'⁺' if atoms.charge > 0 else '⁻'}" if atoms.charge else "")


def _scalars(model: GraphModel) -> list[tuple[str, Any, str]]:
    """Return name, value and unit of the plain fields of an object of any class."""
    return [
        (plan.name.replace("_", " "), value, plan.unit.code if plan.unit else "")
        for plan in type(model).fields()
        if plan.kind not in ("array", "model", "link") and plan.container == "one"
        and (value := getattr(model, plan.name)) is not None
    ]  # fmt: skip
