"""Molecules of other libraries: ASE's Atoms and RDKit's Mol are read as files of them would be.

Neither library is imported to find out: who holds such an object has imported it.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from pathlib import Path
from typing import Any

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
            of its initial charges and magnetic moments; of RDKit a `Mol`.
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
    return _of_rdkit(given, charge, multiplicity) if "rdkit.Mol" in kinds else None


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
