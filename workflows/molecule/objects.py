"""Molecules of other libraries, such as ASE's Atoms and RDKit's Mol, and of lists and arrays.

Neither library is imported to find out: who holds such an object has imported it.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from ogm.validation_errors import readable
from ontologies.atoms import ConceptualAtoms
from triplestore.errors import InputError
from workflows.text.words import listed

from .files import FileContent, content_of, content_of_values

READ = "ASE atoms were to be read"
WHOLE = 0.05
"""By which charges and moments that should add up to a whole number may miss it."""


def content_of_object(
    given: object, charge: int | None = None, multiplicity: int | None = None
) -> FileContent | str | None:
    """Return what an object of another library says of a structure.

    Args:
        given: of ASE an `Atoms`, with `charge` and `multiplicity` of its `info`, else of the sums
            of its initial charges and magnetic moments; of RDKit a `Mol`; of pymatgen a `Molecule`
            or `Structure`, of QCElemental a `Molecule`, of PySCF a `Mole`, of cclib what it has
            parsed (the last geometry).
        charge: total charge in e; None for what the object says.
        multiplicity: 2S+1; None for what the object says.

    Returns:
        The structure; SMILES for a `Mol` that has no three dimensions; None for anything else.

    Raises:
        InputError: it is no structure that can be; of a `Mol`, hydrogen atoms have no positions.
    """
    kinds = {f"{one.__module__.partition('.')[0]}.{one.__name__}" for one in type(given).__mro__}
    if "ase.Atoms" in kinds:
        return content_of_values(Path("the ASE atoms"), _of_ase(given), charge, multiplicity)
    if "rdkit.Mol" in kinds:
        return _of_rdkit(given, charge, multiplicity)
    for name, (called, values_of) in _OTHERS.items():
        if name in kinds:
            return content_of_values(Path(called), values_of(given), charge, multiplicity)
    return None


def as_xyz(given: object) -> str | None:
    """Return as XYZ what lists and arrays say of a structure, in Å; None if that is no structure.

    Args:
        given: symbols or atomic numbers, and places of shape (atoms, 3); or for each atom its
            symbol or number and its place, as PySCF has them; or a mapping with `positions` and
            `numbers` or `symbols`.
    """
    held: Any = given
    if isinstance(given, Mapping):
        kinds = held.get("symbols", held.get("numbers"))
        return None if kinds is None else as_xyz((kinds, held.get("positions")))
    if not isinstance(given, list | tuple) or not held:
        return None
    pair = _columns(*held) if len(held) == 2 else None
    return pair or _columns([_first(one) for one in held], [_place(one) for one in held])


def _first(row: Any) -> Any:
    return row[0] if isinstance(row, list | tuple) and row else None


def _place(row: Any) -> Any:
    if not isinstance(row, list | tuple):
        return None
    return row[1] if len(row) == 2 else row[1:]


def _columns(kinds: Any, places: Any) -> str | None:
    """Return atoms as XYZ; None where these are no kinds and places."""
    from ase.data import atomic_numbers, chemical_symbols

    try:
        numbers = [
            atomic_numbers[one.strip().capitalize()] if isinstance(one, str) else int(one)
            for one in kinds
        ]
        positions = np.asarray(places, float)
    except (KeyError, TypeError, ValueError):
        return None
    if positions.shape != (len(numbers), 3) or not 0 < min(numbers) <= max(numbers) < 119:
        return None
    rows = zip(numbers, positions.tolist(), strict=True)
    lines = [f"{chemical_symbols[one]} {x!r} {y!r} {z!r}" for one, (x, y, z) in rows]
    return "\n".join([str(len(lines)), "", *lines, ""])


def _of_pymatgen(given: Any) -> dict[str, Any]:
    read = ConceptualAtoms.from_pymatgen(given)
    values: dict[str, Any] = {"numbers": read.numbers, "positions": read.positions}
    values["charge"] = read.charge
    if read.cell is not None:
        return values | {"cell": read.cell, "periodic": read.periodic}
    said = read.multiplicity != 1 + read.electrons % 2  # else it is what pymatgen fills in
    return values | ({"multiplicity": read.multiplicity} if said else {})


def _of_qcelemental(given: Any) -> dict[str, Any]:
    read = ConceptualAtoms.from_qcelemental(given)
    said = {"charge": read.charge, "multiplicity": read.multiplicity}
    return {"numbers": read.numbers, "positions": read.positions, **said}


def _of_pyscf(given: Any) -> dict[str, Any]:
    from ase.data import atomic_numbers

    if not given.natm:  # not built
        given = given.copy().build()
    said = {"charge": given.charge, "multiplicity": given.spin + 1}
    kinds = [atomic_numbers[given.atom_pure_symbol(one)] for one in range(given.natm)]
    return {"numbers": kinds, "positions": given.atom_coords(unit="Angstrom"), **said}


def _of_cclib(given: Any) -> dict[str, Any]:
    said = {"charge": getattr(given, "charge", 0), "multiplicity": getattr(given, "mult", None)}
    known = {name: value for name, value in said.items() if value is not None}
    return {"numbers": given.atomnos, "positions": given.atomcoords[-1], **known}


_OTHERS: dict[str, tuple[str, Callable[[Any], dict[str, Any]]]] = {
    "pymatgen.SiteCollection": ("the pymatgen structure", _of_pymatgen),
    "qcelemental.Molecule": ("the QCElemental molecule", _of_qcelemental),
    "pyscf.Mole": ("the PySCF molecule", _of_pyscf),
    "cclib.ccData": ("what cclib has parsed", _of_cclib),
}
"""What objects of other libraries are called, and what returns their values, by class."""


def _of_ase(atoms: Any) -> dict[str, Any]:
    said: dict[str, int] = {}
    charges, moments = atoms.get_initial_charges(), atoms.get_initial_magnetic_moments()
    if charges.any() and "charge" not in atoms.info:
        said["charge"] = _whole(float(charges.sum()), "initial charges")
    if moments.any() and "multiplicity" not in atoms.info:
        said["multiplicity"] = 1 + abs(_whole(float(moments.sum()), "initial magnetic moments"))
    try:
        read = ConceptualAtoms.from_ase(atoms, **said)
    except ValidationError as error:
        why = "; ".join(readable(error))
        raise InputError(READ, why, "change their places, charge or multiplicity") from error
    values: dict[str, Any] = {"numbers": read.numbers, "positions": read.positions}
    values["charge"] = read.charge
    if "multiplicity" in said or "multiplicity" in atoms.info:
        values["multiplicity"] = read.multiplicity
    if read.cell is not None:
        values |= {"cell": read.cell, "periodic": read.periodic}
    told = listed([f"the {name} {number}" for name, number in said.items()])
    whence = "initial charges and magnetic moments of its atoms"
    return values | {"remark": f"{told} taken from the {whence}" if told else ""}


def _whole(total: float, what: str) -> int:
    if abs(total - round(total)) > WHOLE:
        raise InputError(
            READ,
            f"their {what} are {total:.3g} in all, no whole number",
            "set `info['charge']` and `info['multiplicity']`",
        )
    return round(total)


def _of_rdkit(mol: Any, charge: int | None, multiplicity: int | None) -> FileContent | str:
    from rdkit import Chem

    if not mol.GetNumConformers() or (mol.GetNumAtoms() > 1 and not mol.GetConformer().Is3D()):
        return Chem.MolToSmiles(Chem.RemoveHs(mol))
    block = Chem.MolToV3KMolBlock(mol, kekulize=True)
    exact = mol.GetConformer().GetPositions()  # the text rounds them
    return content_of(
        Path("the RDKit molecule"), ".mol", block, charge, multiplicity, positions=exact
    )


def as_subject(given: object) -> object:
    """Return an object of another library as a structure or a SMILES; anything else as it is.

    Raises:
        InputError: it is no structure that can be.
    """
    content = content_of_object(given)
    if content is None:
        return given
    return content.atoms if isinstance(content, FileContent) else content
