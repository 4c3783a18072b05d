"""The report: one self-contained HTML page on runs, everything in it read from the graph."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ogm import PREFIXES, GraphModel, KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.factors import EV_NM, HARTREE
from ontologies.quantum import Optimisation
from ontologies.wavefunction import WavefunctionAnalysis
from triplestore.errors import InputError
from workflows.dft.blocks import WEAK
from workflows.molecule.notation import ground_multiplicity
from workflows.showing import structure_of
from workflows.shown import printable

from .chapter import Chapter, chapter
from .inspection import shorten
from .picture import Scene, scene

if TYPE_CHECKING:
    from jinja2 import Template

KINDS = {
    "SinglePoint": "single point",
    "Optimisation": "optimisation",
    "FrequencyAnalysis": "frequencies",
    "Thermochemistry": "thermochemistry",
    "WavefunctionAnalysis": "analysis",
    "StabilityAnalysis": "stability",
    "ExcitedStates": "excited states",
    "FragmentEnergy": "fragment with ghosts",
    "SpinStateScan": "spin states",
    "InteractionEnergy": "interaction",
}

SPINS = ("", "singlet", "doublet", "triplet", "quartet", "quintet", "sextet", "septet", "octet")
"""Names of multiplicities."""


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


def _shown(value: Any) -> Any:
    """Return what stands in the page for a value: texts of others without what is not seen."""
    return printable(value) if type(value) is str else value  # markup is made here


@functools.cache
def _template() -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from . import charts, orbitals, picture

    here = Environment(
        loader=FileSystemLoader(Path(__file__).parent, encoding="utf-8"),
        autoescape=True, finalize=_shown, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    here.filters |= {
        "csp": _hash, "formula": _formula, "num": _num, "sci": _sci, "utc": _utc,
        "short": shorten, "sentence": _sentence,
    }  # fmt: skip
    names: dict[str, Any] = {
        "EV": HARTREE["eV"], "KJ": HARTREE["kJ/mol"], "KCAL": HARTREE["kcal/mol"],
        "KINDS": KINDS, "markup": _markup, "picture": picture, "scene": _scene, "charts": charts,
        "classname": _classname, "relative": _relative, "ground": ground_multiplicity,
        "scalars": _scalars, "orbitals": orbitals, "bonds": _bonds, "constraints": _constraints,
        "SPINS": SPINS, "EV_NM": EV_NM, "base": PREFIXES["g"],
    }  # fmt: skip
    here.globals |= names
    return here.get_template("report.html")


def _scene(atoms: ConceptualAtoms) -> Scene:
    structure = structure_of(atoms)
    assert structure is not None
    return scene(structure)


def _sentence(text: str) -> str:
    """Begin a sentence with words of ours; names keep their letters (r2SCAN)."""
    return text[:1].upper() + text[1:]


def _classname(model: GraphModel) -> str:
    return type(model).__name__


def _relative(series: Any, unit: float) -> list[float]:
    """Return energies above the last one."""
    return ((series - series[-1]) * unit).tolist()


def _bonds(found: WavefunctionAnalysis) -> list[tuple[str, float, float, float]]:
    """Return the atoms, the length in Å and both orders of each bond that is not weak."""
    names = [f"{symbol}{n}" for n, symbol in enumerate(found.atoms.symbols, 1)]
    places, mayer, wiberg = found.atoms.positions, found.bond_orders, found.wiberg_bond_orders
    return [
        (
            f"{names[one]}–{names[two]}",
            float(np.linalg.norm(places[two] - places[one])),
            float(mayer[one, two]),
            float(wiberg[one, two]),
        )
        for one, two in np.argwhere(np.triu(mayer) >= WEAK).tolist()
    ]


def _constraints(found: Optimisation) -> Iterator[str]:
    """Say what an optimisation held fixed; atoms are counted from 1 in the order of its start."""
    held = found.constraints
    if held is None:
        return
    names = [f"{symbol}{n}" for n, symbol in enumerate(found.initial.symbols, 1)]
    if held.frozen is not None and held.frozen.size:
        yield f"{', '.join(names[atom] for atom in held.frozen)} frozen"
    for atoms, values, unit in (
        (held.distance_atoms, held.distances, " Å"),
        (held.angle_atoms, held.angles, "°"),
        (held.dihedral_atoms, held.dihedrals, "°"),
    ):
        if atoms is not None and values is not None:
            for group, value in zip(atoms.tolist(), values.tolist(), strict=True):
                yield f"{'–'.join(names[atom] for atom in group)} = {value:g}{unit}"


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
