"""Geometries in a row as files."""

from __future__ import annotations

from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import EnergyResult
from workflows.molecule.writing import Format, write
from workflows.show.frames import Frames

ENERGY = "energy_hartree"


def extended(frames: Frames) -> tuple[str, tuple[str, ...]]:
    """Return geometries as extended XYZ.

    Lengths are in Å; each frame has its energy in eV (`energy`, as ASE reads it) and in Eh.
    """
    from ase.units import Hartree

    parts = list[str]()
    for frame in frames.each:
        atoms, energy = frame.atoms, frame.energy
        head = "Properties=species:S:1:pos:R:3"
        head += f" charge={atoms.charge} multiplicity={atoms.multiplicity}"
        if energy is not None:
            head += f" energy={energy * Hartree!r} {ENERGY}={energy!r}"
        if atoms.cell is not None and atoms.periodic is not None:
            head += f' Lattice="{" ".join(map(repr, np.ravel(atoms.cell).tolist()))}"'
            head += f' pbc="{" ".join("FT"[bool(one)] for one in atoms.periodic)}"'
        rows = [
            f"{kind:2s} {x!r} {y!r} {z!r}"
            for kind, (x, y, z) in zip(atoms.symbols, atoms.positions.tolist(), strict=True)
        ]
        parts.append("\n".join([str(len(rows)), head, *rows, ""]))
    return "".join(parts), ()


def plain(frames: Frames) -> tuple[str, tuple[str, ...]]:
    """Return geometries as XYZ in Å; the comment line of each tells its energy in Eh."""
    found = [write(one.atoms, "xyz", None, one.told) for one in frames.each]
    notes = dict.fromkeys(note for one in found for note in one.notes)
    return "".join(one.text for one in found), tuple(notes)


def bonded(frames: Frames) -> tuple[str, tuple[str, ...]]:
    """Return geometries as SDF, with bonds; the field `energy_hartree` has the energy in Eh."""
    texts, notes, mol = list[str](), dict[str, None](), bonds_of(frames)
    for one in frames.each:
        written = write(one.atoms, "sdf", mol, one.told)
        text = written.text
        if one.energy is not None:
            text = text.removesuffix("$$$$\n") + f"> <{ENERGY}>\n{one.energy!r}\n\n$$$$\n"
        texts.append(text)
        notes |= dict.fromkeys(written.notes)
    return "".join(texts), tuple(notes)


def alone(result: EnergyResult, form: Format) -> tuple[str, tuple[str, ...]]:
    """Return the geometry of a result in a format of structures, in Å.

    Raises:
        InputError: the format cannot hold it.
    """
    title = f"{result.atoms.formula} at {result.level.label}"
    written = write(result.atoms, form, None, title)
    return written.text, written.notes


def bonds_of(frames: Frames) -> Any:
    """Return the bonds of geometries as RDKit has them; None where they are not known."""
    owner = frames.owner
    molecule, smiles = getattr(owner, "molecule", None), getattr(owner, "smiles", "")
    if not isinstance(molecule, ConceptualAtoms) or not smiles:
        return None
    from workflows.conformer.numbering import numbered

    return numbered(molecule, smiles)
