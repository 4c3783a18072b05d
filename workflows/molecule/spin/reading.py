"""`read_spin`: the multiplicity of a molecule that is given by its bonds, and what decided it."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from workflows.molecule.polyhedra import D_BLOCK, F_BLOCK, oxidation_state
from workflows.text.words import count as counted

from .atoms import unpaired_alone
from .free_electrons import Free, free_electrons
from .ground_states import GroundState, known, of_atoms
from .weak_field import weak_field

if TYPE_CHECKING:
    from rdkit.Chem import Mol

ReadFrom: TypeAlias = Literal["table", "rule"]

OPEN_SHELLS = ((21, 29), (39, 47), (57, 79), (89, 111))
"""Atomic numbers of the metals whose d and f electrons a SMILES leaves open."""

NONE: frozenset[int] = frozenset()

SPINS = ("singlet", "doublet", "triplet", "quartet", "quintet", "sextet", "septet", "octet")
"""Names of multiplicities, from 1."""


@dataclass(frozen=True)
class Spin:
    """A multiplicity that was read from bonds.

    Attributes:
        multiplicity: 2S+1 that is taken.
        origin: whether the table of ground states has decided, or rules.
        reason: what has decided, in words; empty where all electrons are paired but one at most.
        others: what else it can be by the electrons that are free.
        doubtful: what is not told at all, so that the lowest multiplicity is taken.
    """

    multiplicity: int
    origin: ReadFrom
    reason: str = ""
    others: tuple[int, ...] = ()
    doubtful: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """What was taken, what else it can be and how to say it; empty where nothing is open."""
        told = [f"{self.reason}: multiplicity {self.multiplicity} taken" if self.reason else ""]
        if self.others:
            *more, last = map(str, self.others)
            choices = f"{', '.join(more)} or {last}" if more else last
            usual = self.others[0]
            told[0] += (
                f", {choices} may be asked for (multiplicity={usual}, {{{name_of(usual)}}} in an "
                "equation)"
            )
        if self.doubtful:
            told.append(f"spin of {', '.join(self.doubtful)} not told: lowest multiplicity taken")
        return "; ".join(filter(None, told))


def name_of(multiplicity: int) -> str:
    """Return the name of a multiplicity, such as `triplet`."""
    return SPINS[multiplicity - 1] if multiplicity <= len(SPINS) else f"2S+1 = {multiplicity}"


@dataclass(frozen=True)
class _Part:
    """What one molecule or ion of several comes to.

    Attributes:
        unpaired: its unpaired electrons.
        free: the most there can be by its free electrons.
        reasons: what has decided.
        doubtful: symbols of what is not told.
        by_table: whether the table has decided.
    """

    unpaired: int
    free: int
    reasons: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    by_table: bool = False


def read_spin(mol: Mol, paired: frozenset[int] = NONE) -> Spin:
    """Return the multiplicity of a molecule by its bonds.

    Each of its parts by itself: the table of ground states first, then the rules (see
    `free_electrons`); unpaired electrons of several parts are parallel. An atom on its own has its
    ground level. Where nothing says anything (bonded transition metals, and their ions among
    ligands that are set apart), it is the lowest that the electron count allows, and the note says
    so.

    Args:
        mol: sanitised, with or without its hydrogens as atoms.
        paired: indices of atoms of which a file says that their two free electrons are paired.
    """
    from rdkit import Chem

    members: list[list[Any]] = [
        [mol.GetAtomWithIdx(index) for index in part] for part in Chem.GetMolFrags(mol)
    ]
    bare = all(_is_bare(part) and part[0].GetFormalCharge() >= 0 for part in members)
    parts = [_of_part(part, paired, bare) for part in members]
    unpaired, free = sum(part.unpaired for part in parts), sum(part.free for part in parts)
    reasons = [reason for part in parts for reason in part.reasons]
    doubtful = [symbol for part in parts for symbol in part.doubtful]
    open_parts = sum(part.unpaired > 0 for part in parts)
    if open_parts > 1:
        reasons.append(f"free electrons of {open_parts} parts taken as parallel")
    hydrogens = sum(atom.GetTotalNumHs() for atom in mol.GetAtoms())
    electrons = hydrogens + sum(
        atom.GetAtomicNum() - atom.GetFormalCharge() for atom in mol.GetAtoms()
    )
    by_table = any(part.by_table for part in parts)
    if (electrons - unpaired) % 2:
        unpaired += 1
        doubtful, by_table = doubtful or ["the molecule"], False
    lowest = 1 + electrons % 2
    most = max(free, unpaired) + 1
    others = [one for one in range(lowest, most + 1, 2) if one != unpaired + 1] if reasons else []
    return Spin(
        unpaired + 1,
        "table" if by_table else "rule",
        "; ".join(dict.fromkeys(reasons)),
        tuple(others),
        tuple(dict.fromkeys(doubtful)),
    )


def _is_bare(part: Sequence[Any]) -> bool:
    return len(part) == 1 and not part[0].GetTotalNumHs()


def _of_part(part: list[Any], paired: frozenset[int], bare: bool) -> _Part:
    if _is_bare(part):
        return _of_atom(part[0], bare)
    found = free_electrons(part, paired)
    most = sum(one.count for one in found)
    if not any(one.index in paired for one in found):
        state = known(*_described(part))
        if state is not None:
            return _of_state(state, found, most)
    parallel, why = weak_field(part)
    if why:
        return _Part(parallel, parallel, (why,) if parallel > 1 else ())
    unpaired = sum(one.unpaired for one in found)
    doubtful = tuple(atom.GetSymbol() for atom in part if _is_open_shell(atom))
    return _Part(unpaired, most, tuple(_words(found)) if most > 1 else (), doubtful)


def _of_state(state: GroundState, found: Sequence[Free], most: int) -> _Part:
    """Return what a state of the table means; it is told where the notation leaves it open."""
    unpaired = state.multiplicity - 1
    told = most > 1 or unpaired > most
    named = ", ".join(dict.fromkeys(one.symbol for one in found))
    whose = f"free electrons of {named} as in the " if named else ""
    reasons = (f"{whose}ground state {state.words}",) if told else ()
    return _Part(unpaired, max(most, unpaired), reasons, by_table=True)


def _words(found: Sequence[Free]) -> list[str]:
    """Return what was made of free electrons, in words."""
    several = [one for one in found if one.count > 1 or one.reason]
    told = [
        f"the {counted(one.count, 'free electron')} of {one.symbol} taken as "
        + ("parallel" if not one.reason else "paired" if one.count == 2 else "one, two paired")
        + (f" ({one.reason})" if one.reason and one.count != 3 else "")
        if one.count > 1
        else f"the free electrons of {one.symbol} taken as paired ({one.reason})"
        for one in several
    ]
    single = [one.symbol for one in found if one.unpaired and one.count == 1]
    if len(single) > 1:
        told.append(f"the free electrons of {', '.join(single)} taken as parallel")
    elif single and told:
        told.append(f"the free electron of {single[0]} parallel to them")
    return told


def _of_atom(atom: Any, bare: bool) -> _Part:
    """Return what a lone atom or ion comes to.

    Args:
        atom: of RDKit.
        bare: whether all parts are lone atoms without negative charge: an ion among ligands is
            not in the state that it has alone.
    """
    number, charge = atom.GetAtomicNum(), atom.GetFormalCharge()
    metal = number in D_BLOCK or number in F_BLOCK
    unpaired = unpaired_alone(number, charge)
    if unpaired is None or (metal and charge and not bare and unpaired > 0):
        return _Part(0, 0, doubtful=(atom.GetSymbol(),))
    state = of_atoms().get((number, charge))
    told = unpaired > 1 and state is not None
    reasons = (f"{_spelt(atom)} has the ground state {state.words}",) if told and state else ()
    return _Part(unpaired, unpaired, reasons, by_table=state is not None)


def _spelt(atom: Any) -> str:
    charge = atom.GetFormalCharge()
    size = str(abs(charge)) if abs(charge) > 1 else ""
    return str(atom.GetSymbol()) + (f"{size}{'+' if charge > 0 else '-'}" if charge else "")


def _described(part: Sequence[Any]) -> tuple[list[int], list[tuple[int, int]], int]:
    """Return atomic numbers, hydrogens too, bonds and charge of a part."""
    places = {atom.GetIdx(): place for place, atom in enumerate(part)}
    numbers = [int(atom.GetAtomicNum()) for atom in part]
    bonds: list[tuple[int, int]] = []
    for atom in part:
        place = places[atom.GetIdx()]
        bonds += [
            (place, other) for one in atom.GetNeighbors() if (other := places[one.GetIdx()]) > place
        ]
        for _ in range(atom.GetTotalNumHs()):
            bonds.append((place, len(numbers)))
            numbers.append(1)
    return numbers, bonds, sum(int(atom.GetFormalCharge()) for atom in part)


def _is_open_shell(atom: Any) -> bool:
    """Tell whether a bonded metal has d or f electrons, and its d shell places for more."""
    number = atom.GetAtomicNum()
    if not any(first <= number <= last for first, last in OPEN_SHELLS):
        return False
    return number not in D_BLOCK or D_BLOCK[number] - oxidation_state(atom) not in (0, 10)


def separate(mol: Mol) -> list[tuple[tuple[int, ...], int, int]]:
    """Return the parts that a notation sets apart: atoms from 0, charge in e and multiplicity.

    Args:
        mol: with all hydrogens.
    """
    from rdkit import Chem

    members: list[tuple[int, ...]] = []
    parts: Any = Chem.GetMolFrags(
        mol, asMols=True, sanitizeFrags=False, fragsMolAtomMapping=members
    )
    return [
        (tuple(map(int, atoms)), Chem.GetFormalCharge(part), read_spin(part).multiplicity)
        for atoms, part in zip(members, parts, strict=True)
    ]
