"""What a published chart has of substances that come together: heat, fire, toxic gas and the like.

Two tables stand beside this module: the combinations of groups as the chart has them, and which
substances belong to a group, which is ours: structures, for the report goes by names of groups and
lists of examples; a `source` says who names a substance where the group's name does not. Groups
from 201 are none of the report's: few, for what others name by itself. What is in no group, and a
combination that the chart leaves empty, is not known here; neither says that two go together well.

Sources: H. K. Hatayama et al., A Method for Determining the Compatibility of Hazardous Wastes,
EPA-600/2-80-076, US Environmental Protection Agency (1980), a work of the United States' government
and in the public domain; where the source is CFR, 40 CFR 264, appendix V, likewise. Azides stand
with group 8 and pyridines with 7 as in the Chemical Reactivity Worksheet of NOAA that continues the
chart. Ammonia is taken as an amine: Prudent Practices in the Laboratory (1995), table 3.9, has
hypochlorite among what it must not meet. Toxic metals are those of 40 CFR 261.24.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import csv
import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from triplestore.errors import InputError
from workflows.controlled.gate import ARROW
from workflows.controlled.parts import Part, is_metal, parts_of

CONSEQUENCES: Mapping[str, str] = {
    "H": "heat",
    "F": "fire",
    "G": "gas that neither burns nor poisons",
    "GT": "toxic gas",
    "GF": "flammable gas",
    "E": "explosion",
    "P": "violent polymerisation",
    "S": "something toxic goes into solution",
    "U": "unknown, but may be dangerous",
    "X": "extremely reactive, to be mixed with nothing",
}
"""What the codes of the chart mean."""

WATER_REACTIVE, ALKALI_METALS, SATURATED = 107, 21, 29
WATER, CARBON_MONOXIDE = "O", "[C-]#[O+]"
NO_HYDRATES = frozenset({ALKALI_METALS, 25, 105, WATER_REACTIVE, 204})
"""Nitrides, reducing agents and calcium oxide, too: water beside them is none of theirs."""

UNSATURATED = frozenset({16, 28})
"""Hydrocarbons that are not saturated."""

SOURCES: Mapping[str, str] = {
    "EPA": "EPA-600/2-80-076 (1980)",
    "CFR": "40 CFR 264, appendix V",
    "PP": "Prudent Practices in the Laboratory (1995), table 3.9",
    "CI": "Chlorine Institute, Sodium Hypochlorite Incompatibility Chart",
    "ILO": "ILO Encyclopaedia of Occupational Health and Safety, chemical hazards",
    "CLP": "Regulation (EC) 1272/2008, annexes II and VI",
    "ERG": "Emergency Response Guidebook, water-reactive materials",
    "UIOWA": "University of Iowa, Water Reactive Chemicals, appendix VI",
    "ASTRONAUTICA": "Encyclopedia Astronautica, diborane",
    "CHEMWATCH": "Chemwatch 1733-1, antimony trichloride (2011)",
}


@dataclass(frozen=True)
class Group:
    """A group of the chart.

    Attributes:
        number: in the chart.
        name: likewise.
    """

    number: int
    name: str

    def __str__(self) -> str:
        return f"{self.number} {self.name}"


@dataclass(frozen=True)
class Together:
    """What the chart has of two substances that come together.

    Attributes:
        first: a substance, as it was named.
        second: another.
        groups: of the first and of the second, for which this holds; of what must be mixed with
            nothing that alone where the other is in none.
        codes: the chart's, such as `H` and `GT`.
        source: which table says so.
    """

    first: str
    second: str
    groups: tuple[Group, ...]
    codes: tuple[str, ...]
    source: str

    @property
    def consequences(self) -> str:
        """What may come of it, in words."""
        return ", ".join(CONSEQUENCES[one] for one in self.codes)

    def __str__(self) -> str:
        why = (*map(str, self.groups), " ".join(self.codes), self.source)
        return f"{self.first} with {self.second}: {self.consequences} ({'; '.join(why)})"


def groups_of(smiles: str) -> tuple[Group, ...]:
    """Return the groups that a substance belongs to, in the chart's order; none if in no group.

    Raises:
        InputError: it cannot be read.
    """
    return _groups(smiles)


def dangers(substances: Mapping[str, str]) -> tuple[Together, ...]:
    """Return what the chart has of each two of several substances; one for each two groups.

    Args:
        substances: what each is called, and its SMILES.

    Raises:
        InputError: one cannot be read.
    """
    groups = {name: groups_of(smiles) for name, smiles in substances.items()}
    return tuple(
        found
        for (first, ones), (second, others) in itertools.combinations(groups.items(), 2)
        for found in _between(first, ones, second, others)
    )


def separate(smiles: str) -> tuple[str, ...]:
    """Return the substances of a mixture or of what a reaction takes: ions together are one.

    What is bonded to a metal stays one with it, and so does carbon monoxide beside one. Water
    beside ions is theirs, of a hydrate or a solution, unless they react with it.

    Raises:
        InputError: it cannot be read.
    """
    found = list[str]()
    for text in filter(None, (one.strip() for one in ARROW.split(smiles)[:2])):
        parts = parts_of(text)
        if "." not in text or _is_carbonyl(parts):
            found.append(".".join(part.smiles for part in parts))
            continue
        neutral = [part.smiles for part in parts if not part.charge]
        ions = [part.smiles for part in parts if part.charge]
        wet = [*ions, *(one for one in neutral if one == WATER)]
        if ions and NO_HYDRATES.isdisjoint(one.number for one in groups_of(".".join(wet))):
            neutral, ions = [one for one in neutral if one != WATER], wet
        found += [*neutral, *([".".join(ions)] if ions else [])]
    return tuple(dict.fromkeys(found))


def _is_carbonyl(parts: Sequence[Part]) -> bool:
    """Tell whether there are a metal and carbon monoxide alone."""
    of_metal = [is_metal(p.mol.GetAtomWithIdx(0).GetAtomicNum()) for p in parts]
    others = {p.smiles for p, metal in zip(parts, of_metal, strict=True) if not metal}
    return any(of_metal) and others == {CARBON_MONOXIDE}


def meets_no_water(smiles: str) -> str:
    """Return the group of a substance that must not meet water; empty if it is in none.

    Raises:
        InputError: it cannot be read.
    """
    for one in groups_of(smiles):
        if one.number in (WATER_REACTIVE, ALKALI_METALS):
            return one.name
    return ""


def _between(
    first: str, ones: Sequence[Group], second: str, others: Sequence[Group]
) -> Iterator[Together]:
    combinations = _combinations()
    for one, other in itertools.product(ones, others):
        if WATER_REACTIVE in (one.number, other.number):
            continue
        low, high = sorted((one.number, other.number))
        if found := combinations.get((low, high)):
            yield Together(first, second, (one, other), *found)
    for (name, its), (foe, against) in (
        ((first, ones), (second, others)),
        ((second, others), (first, ones)),
    ):
        reactive = next((one for one in its if one.number == WATER_REACTIVE), None)
        if reactive is not None:
            yield Together(name, foe, (reactive, *against[:1]), ("X",), SOURCES["EPA"])
            return


@functools.cache
def _combinations() -> Mapping[tuple[int, int], tuple[tuple[str, ...], str]]:
    """Return codes and source of two groups, the smaller number first."""
    return {
        (int(row["first"]), int(row["second"])): (
            tuple(row["codes"].split()),
            SOURCES[row["source"]],
        )
        for row in rows("combinations.csv")
    }


@functools.cache
def _patterns() -> tuple[tuple[Group, Any, frozenset[str]], ...]:
    """Return groups with a pattern each, and the elements beside which there may be no other."""
    from rdkit import Chem

    return tuple(
        (
            Group(int(row["group"]), row["name"]),
            Chem.MolFromSmarts(row["smarts"]),
            frozenset(row["only"].split()),
        )
        for row in rows("reactivity.csv")
    )


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a table beside this module."""
    text = (files(__package__ or "") / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


@functools.lru_cache(maxsize=1000)
def _groups(smiles: str) -> tuple[Group, ...]:
    if ">" in smiles.replace("->", ""):
        raise InputError(f"{smiles[:80]!r} was looked for", "it is a reaction", "name a substance")
    mol = _combined(parts_of(smiles))
    elements = {atom.GetSymbol() for atom in mol.GetAtoms()} - {"H"}
    found = {
        group.number: group
        for group, pattern, only in _patterns()
        if not (only and elements - only) and mol.HasSubstructMatch(pattern)
    }
    if found.keys() & UNSATURATED:
        found.pop(SATURATED, None)  # of chains beside double bonds
    return tuple(found[number] for number in sorted(found))


def _combined(parts: Sequence[Part]) -> Any:
    from rdkit import Chem, rdBase

    mol: Any = functools.reduce(Chem.CombineMols, [part.mol for part in parts])
    with rdBase.BlockLogs():
        Chem.SanitizeMol(mol, catchErrors=True)
    return mol
