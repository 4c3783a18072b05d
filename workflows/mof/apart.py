"""A framework taken apart: its net, its nodes and its linkers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import hill_formula
from ontologies.mof_parts import SolventChoice, TakenApart
from ontologies.mofs import Framework, Net, Placement
from triplestore.errors import InputError
from workflows.engine import Backend, calculation
from workflows.text.words import count

from .checking import doubts
from .codes import is_metal
from .fingerprints import Recognition, recognise
from .found_blocks import blocks_of, placements_of
from .nets import Component, components, simplified
from .pieces import CARBON, Bonds, Pieces, bonds_of_crystal, divided, parts, quotient
from .redesign import redesigned
from .solvent import lacking_hydrogens, sort_atoms, told
from .standing import Stands, stands

MOST_ATOMS = 20_000
"""Of a cell. Bonds of more take minutes to find."""

GEOMETRY = Backend(
    name="geometry",
    epoch="1",
    preload=("ase.neighborlist",),
    packages=("numpy", "ase", "pormake"),
)

WORDS = {1: "rods", 2: "layers", 3: "a network"}
"""What an inorganic part that goes on is, by the number of directions."""


@dataclass(frozen=True)
class NetFound:
    """One of the nets of a framework.

    Attributes:
        part: its nodes and linkers.
        found: its names; None for what is no net but chains.
    """

    part: Component
    found: Recognition | None


@calculation("mof.apart", version="5", backend=GEOMETRY, title="taking apart")
def take_apart(
    atoms: ConceptualAtoms,
    solvent: SolventChoice = "free",
    found_in: str = "",
    decided: tuple[str, ...] = (),
) -> TakenApart:
    """Find nodes, linkers and net of a framework.

    Args:
        atoms: a crystal.
        solvent: which solvent is removed.
        found_in: where it comes from, for people.
        decided: what was decided about it before, in words.

    Raises:
        InputError: it is no metal-organic framework with nodes and linkers; says why.
    """
    asked = f"{found_in or atoms.formula} was to be taken apart"
    _check_size(atoms, asked)
    numbers: list[int] = atoms.numbers.tolist()
    bonds = bonds_of_crystal(atoms)
    kinds = sort_atoms(atoms, bonds, solvent)
    _check_kind(numbers, kinds.framework, asked)
    pieces = divided(numbers, bonds, kinds.framework)
    endless = {piece.kind for piece in pieces.pieces if piece.dimension} == {"linker"}
    again = redesigned(atoms, bonds, kinds.framework, ()) if endless else None
    if again and again.pieces:
        pieces = again.pieces
    _check_pieces(numbers, pieces, asked)
    dimension = max(net.dimension for net, _ in parts(bonds.edges, kinds.framework))
    nets = [NetFound(part, _recognised(part)) for part in components(quotient(pieces))]
    remarks = [*decided, *doubts(atoms, dimension), *_remarks(nets)]
    if again:
        remarks.append(
            "its organic part goes on without end between the metals: it is cut where blocks of "
            "the library end"
        )
    lacking = lacking_hydrogens(atoms, bonds, kinds.framework)
    if lacking:
        remarks.append(
            f"{count(lacking, 'carbon atom')} of the cell lack hydrogens: the blocks are without "
            "them, and are others than those with them"
        )
    removed = [] if solvent == "none" else [*kinds.guests, *kinds.bound]
    if kinds.guests and solvent == "none":
        remarks.append(f"in the pores: {', '.join(told(numbers, kinds.guests))}")
    left = {atom for one in removed for atom in one}
    kept = [atom for atom in range(len(numbers)) if atom not in left]
    blocks = blocks_of(atoms, pieces, found_in)
    where = stands(blocks, [(one.part, one.found) for one in nets])
    if where.remark:
        remarks.append(where.remark)
    placed = placements_of(blocks, where.places)
    codes = [one.block.block_code for one in blocks]
    again = again or redesigned(atoms, bonds, kinds.framework, codes)
    if again.remark:
        remarks.append(again.remark)
    framework = _framework(atoms, bonds, kept, nets, (where, placed), found_in, remarks)
    named = [one.found for one in nets if one.found]
    key = named[0].key if named and len({one.key.text for one in named}) == 1 else None
    return TakenApart(
        atoms=atoms,
        framework=framework,
        solvent_choice=solvent,
        removed=told(numbers, removed),
        net_key=key.text if key else "",
        key_is_exact=key.exact if key else True,
        net_vertices=key.vertices if key else 0,
        net_edges=key.edges if key else 0,
        lacking_hydrogens=lacking,
        designs=again.designs,
        remarks=tuple(remarks),
    )


def _check_size(atoms: ConceptualAtoms, asked: str) -> None:
    if not atoms.is_periodic or atoms.cell is None:
        raise InputError(asked, f"{atoms.formula} is a molecule", "give a crystal, as a CIF file")
    if len(atoms.numbers) > MOST_ATOMS:
        found = f"its cell has {len(atoms.numbers):,} atoms; {MOST_ATOMS:,} are allowed"
        raise InputError(asked, found, "give the primitive cell")


def _check_kind(numbers: Sequence[int], framework: Sequence[int], asked: str) -> None:
    """Refuse what is no framework of metals and organic parts."""
    if not framework:
        raise InputError(
            asked,
            "nothing in it goes on without end: it consists of separate molecules or ions",
            "give a framework; a file that says P 1 must hold all atoms of the cell",
        )
    kinds = {numbers[atom] for atom in framework}
    if not any(map(is_metal, kinds)):
        raise InputError(
            asked,
            "its framework has no metal: it is no metal-organic framework",
            "give one with metal nodes",
        )
    if CARBON not in kinds:
        raise InputError(
            asked,
            "its framework has no carbon: it is no metal-organic framework",
            "give one with organic linkers",
        )


def _check_pieces(numbers: Sequence[int], pieces: Pieces, asked: str) -> None:
    """Refuse nodes and linkers that have no end."""
    for piece in pieces.pieces:
        if not piece.dimension:
            continue
        formula = hill_formula([numbers[atom] for atom in piece.members])
        if piece.kind == "linker":
            raise InputError(
                asked,
                f"its organic part {formula} goes on without end in "
                f"{count(piece.dimension, 'direction')}",
                "it has no linkers",
            )
        like = "rod-like" if piece.dimension == 1 else "inorganic"
        raise InputError(
            asked,
            f"its metals form {WORDS[piece.dimension]} ({formula} in the cell) that go on "
            f"without end: {like} nodes are not supported",
            "measure it as it is; only frameworks with separate nodes are taken apart",
        )
    if not any(piece.kind == "linker" for piece in pieces.pieces) and not pieces.cuts:
        raise InputError(
            asked, "its metals have no organic linkers", "give a metal-organic framework"
        )


def _recognised(part: Component) -> Recognition | None:
    """Return the names of a net; None for chains."""
    if part.net.dimension < 2:
        return None
    net = simplified(part.net)
    return recognise(net) if min(net.degrees, default=0) >= 3 else None


def _remarks(nets: Sequence[NetFound]) -> list[str]:
    """Return what is to be known of nets."""
    told: list[str] = []
    keys = {one.found.key.text if one.found else "" for one in nets}
    if len(keys) > 1:
        names = [
            one.found.names[0] if one.found and one.found.names else "without a name"
            for one in nets
        ]
        told.append(f"different nets go through each other: {', '.join(sorted(names))}")
    for found in {one.found.key.text: one.found for one in nets if one.found}.values():
        if not found.names:
            told.append("the net has no name among those that are known")
        elif len(found.names) > 1:
            why = (
                "they are one graph that lies in space in several ways, or in two colours"
                if found.key.exact
                else "coordination sequences and rings do not tell them apart"
            )
            told.append(f"the net has several names: {', '.join(found.names)}: {why}")
    if any(one.part.net.dimension < 2 for one in nets):
        told.append("it consists of chains, which have no net")
    parallel = sum(len(edges) - len(set(edges)) for edges in (one.part.net.edges for one in nets))
    if parallel:
        told.append("some nodes and linkers are held by several bonds, which count as one edge")
    return told


def _framework(
    atoms: ConceptualAtoms,
    bonds: Bonds,
    kept: Sequence[int],
    nets: Sequence[NetFound],
    stand: tuple[Stands, tuple[Placement, ...]],
    found_in: str,
    remarks: Sequence[str],
) -> Framework:
    """Return the framework of the atoms that stay."""
    where, blocks = stand
    dimension = max(one.part.net.dimension for one in nets)
    whole = [one for one in nets if one.part.net.dimension == 3]
    called = {one.found.names if one.found else () for one in nets}
    names = next(iter(called)) if len(called) == 1 else ()
    formulas = dict.fromkeys(one.block.formula for one in blocks)
    title = [names[0] if names else "unknown net", *formulas]
    places = {atom: place for place, atom in enumerate(kept)}
    pairs = {(places[a], places[b]) for a, b, _ in bonds.edges if a in places and b in places}
    if len(kept) < len(atoms.numbers):
        atoms = ConceptualAtoms(
            numbers=atoms.numbers[list(kept)],
            positions=atoms.positions[list(kept)],
            cell=atoms.cell,
            periodic=atoms.periodic,
        )
    return Framework(
        framework_name=" ".join(title),
        atoms=atoms,
        framework_origin="measured",
        net=where.net or (Net(name=names[0], net_dimensionality=dimension) if names else None),
        other_nets=names[1:],
        blocks=blocks,
        found_in=found_in,
        bonded=np.array(sorted(pairs), np.int64).reshape(-1, 2),
        catenation=sum(one.part.copies for one in whole) if len(whole) == len(nets) else None,
        framework_dimensionality=dimension,
        remarks=tuple(remarks),
    )
