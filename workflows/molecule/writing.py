"""Structures to text: XYZ, extended XYZ, MOL, SDF, CIF, POSCAR, PDB, SMILES, InChI and SELFIES."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import InputError

from .bonds import perceive
from .notation import check_atoms, import_selfies, read_smiles
from .polyhedra import is_metal
from .spin import read_spin
from .xyz import UNREAD

if TYPE_CHECKING:
    from rdkit.Chem import Mol

Format = Literal[
    "xyz",
    "extxyz",
    "mol",
    "mol2",
    "sdf",
    "cif",
    "vasp",
    "espresso",
    "pdb",
    "smiles",
    "inchi",
    "selfies",
]
LONGEST_TITLE = 80
PDB_ATOMS, PDB_WIDTH = 99_999, 999.0
DECIMALS = {"V2000": 4, "V3000": 6}
"""Of coordinates in a MOL file."""
LARGEST_V2000 = 999
"""Atoms or bonds."""


@dataclass(frozen=True)
class Written:
    """A structure as text.

    Attributes:
        text: ends with a newline.
        form: the format.
        notes: what the format cannot hold, and what was assumed to write it.
    """

    text: str
    form: Format
    notes: tuple[str, ...]


def write(atoms: ConceptualAtoms, form: str, mol: Mol | None = None, title: str = "") -> Written:
    """Write a structure in a format, and say what gets lost.

    Args:
        atoms: the structure.
        form: the format.
        mol: its bonds, atom by atom; None to perceive them where the format has bonds.
        title: goes where the format has a place for it, as one line.

    Raises:
        InputError: there is no such format, or it cannot hold this structure.
        ComponentError: a package for this format is not installed.
    """
    title = " ".join("".join(c if c.isprintable() else " " for c in title).split())[:LONGEST_TITLE]
    match form:
        case "xyz":
            text, notes = _xyz(atoms, title)
        case "extxyz":
            text, notes = _extxyz(atoms, title)
        case "cif":
            text, notes = _cif(atoms, title)
        case "vasp":
            text, notes = _poscar(atoms, title)
        case "mol2":
            from .writing_programs import mol2

            text, notes = mol2(atoms, _mol(atoms, "sdf", mol, title), title)
        case "espresso":
            from .writing_programs import espresso

            text, notes = espresso(atoms, title)
        case "mol" | "sdf":
            text, notes = _mol(atoms, form, mol, title)
        case "pdb":
            text, notes = _pdb(atoms, title)
        case "smiles" | "inchi" | "selfies":
            text, notes = _notation(atoms, form, mol)
        case _:
            known = ", ".join(get_args(Format))
            raise InputError(
                f"cannot write {atoms.formula} as {form!r}",
                "there is no such format",
                f"choose one of {known}",
            )
    return Written(text, form, tuple(notes))


def _electrons(atoms: ConceptualAtoms, what: str) -> list[str]:
    """Say that charge and multiplicity are lost or displaced, if they are not the usual ones."""
    if atoms.charge or atoms.multiplicity != 1 + atoms.electrons % 2:
        state = f"charge {atoms.charge:+d}, multiplicity {atoms.multiplicity}"
        return [f"{what}: {state}"]
    return []


# --- positions -----------------------------------------------------------------------------------


def _comment(title: str) -> tuple[str, list[str]]:
    """Return a title that a reader of XYZ files takes for nothing else."""
    if "=" in title or UNREAD.search(title):
        return "", [f"the title is left out, as it reads like settings: {title!r}"]
    return title, []


def _xyz(atoms: ConceptualAtoms, title: str) -> tuple[str, list[str]]:
    comment, notes = _comment(title)
    if atoms.cell is not None:
        notes.append("XYZ has no place for the cell: left out (extxyz has one)")
    notes += _electrons(atoms, "XYZ has no fields for these, they stand in the comment line")
    return atoms.to_xyz(comment), notes


def _extxyz(atoms: ConceptualAtoms, title: str) -> tuple[str, list[str]]:
    comment, notes = _comment(title.replace('"', "'").replace("\\", "/"))
    head = list[str]()
    if atoms.cell is not None and atoms.periodic is not None:
        lattice = " ".join(repr(x) for x in atoms.cell.ravel().tolist())
        flags = " ".join("T" if flag else "F" for flag in atoms.periodic.tolist())
        head += [f'Lattice="{lattice}"', f'pbc="{flags}"']
    head += ["Properties=species:S:1:pos:R:3"]
    head += [f"charge={atoms.charge}", f"multiplicity={atoms.multiplicity}"]
    head += [f'comment="{comment}"'] if comment else []
    rows = [
        " ".join([f"{symbol:2s}", *(f"{x!r:>24s}" for x in place)])
        for symbol, place in zip(atoms.symbols, atoms.positions.tolist(), strict=True)
    ]
    return "\n".join([str(len(rows)), " ".join(head), *rows, ""]), notes


def _check_repeats(atoms: ConceptualAtoms, form: str) -> None:
    if atoms.cell is None or atoms.periodic is None or not atoms.periodic.all():
        raise InputError(
            f"cannot write {atoms.formula} as {form}",
            "it does not repeat in three directions",
            "choose xyz, extxyz, mol or sdf",
        )


def _cif(atoms: ConceptualAtoms, title: str) -> tuple[str, list[str]]:
    _check_repeats(atoms, "CIF")
    from .cif import write_cif

    return write_cif(atoms, title), _electrons(atoms, "CIF has no fields for these, left out")


def _poscar(atoms: ConceptualAtoms, title: str) -> tuple[str, list[str]]:
    """Write a POSCAR of VASP 5; its atoms stand by elements, in the order in which these come."""
    from .writing_programs import REPEATED, spans_a_cell

    layer = spans_a_cell(atoms)
    if not layer:
        _check_repeats(atoms, "POSCAR")
    assert atoms.cell is not None
    kinds = list(dict.fromkeys(atoms.symbols))
    order = sorted(range(len(atoms.symbols)), key=lambda n: kinds.index(atoms.symbols[n]))
    counts = [str(atoms.symbols.count(kind)) for kind in kinds]
    rows = [*atoms.cell.tolist(), *atoms.positions[order].tolist()]
    lines = ["  ".join(f"{x:.12f}" for x in row) for row in rows]
    notes = [] if order == sorted(order) else ["its atoms are sorted by element"]
    notes += [REPEATED] * layer
    notes += _electrons(atoms, "POSCAR has no fields for these, left out")
    head = [title or atoms.formula, "1.0", *lines[:3], " ".join(kinds), " ".join(counts)]
    return "\n".join([*head, "Cartesian", *lines[3:], ""]), notes


def _pdb(atoms: ConceptualAtoms, title: str) -> tuple[str, list[str]]:
    """Write atoms of one residue, without bonds or charges of single atoms."""
    if len(atoms.numbers) > PDB_ATOMS or abs(atoms.positions).max() > PDB_WIDTH:
        found = f"it holds {PDB_ATOMS} atoms within {PDB_WIDTH:g} Å of the origin at most"
        raise InputError(f"cannot write {atoms.formula} as PDB", found, "choose xyz or extxyz")
    rows = [
        f"HETATM{n:5d} {symbol.upper():>2s}   UNL     1    {x:8.3f}{y:8.3f}{z:8.3f}"
        f"  1.00  0.00          {symbol.upper():>2s}"
        for n, (symbol, (x, y, z)) in enumerate(
            zip(atoms.symbols, atoms.positions.tolist(), strict=True), 1
        )
    ]
    plain = title.encode("ascii", "replace").decode()[:70]
    notes = ["no bonds"]
    if abs(atoms.positions - atoms.positions.round(3)).max() > 1e-9:
        notes.append("coordinates rounded to 3 decimals")
    if atoms.cell is not None:
        notes.append("the cell is left out (extxyz and cif have one)")
    notes += _electrons(atoms, "PDB has no fields for these, left out")
    return "\n".join([*([f"TITLE     {plain}"] if plain else []), *rows, "END", ""]), notes


# --- bonds ---------------------------------------------------------------------------------------


def placed(atoms: ConceptualAtoms, mol: Mol | None) -> tuple[Any, list[str]]:
    """Return a molecule with the bonds and positions of a structure, and how they were found."""
    from rdkit import Chem

    if mol is None:
        found, how = perceive(atoms)
        return Chem.Mol(found), [how]
    known = Chem.Mol(mol)
    numbers = [atom.GetAtomicNum() for atom in known.GetAtoms()]
    if numbers != atoms.numbers.tolist() or Chem.GetFormalCharge(known) != atoms.charge:
        return placed(atoms, None)
    conformer = Chem.Conformer(len(numbers))
    conformer.Set3D(True)
    for index, place in enumerate(atoms.positions.tolist()):
        conformer.SetAtomPosition(index, place)
    known.RemoveAllConformers()
    known.AddConformer(conformer)
    return known, []


def _mol(atoms: ConceptualAtoms, form: str, mol: Mol | None, title: str) -> tuple[str, list[str]]:
    from rdkit import Chem, rdBase

    known, notes = placed(atoms, mol)
    known.SetProp("_Name", title)
    large = max(known.GetNumAtoms(), known.GetNumBonds()) > LARGEST_V2000
    with rdBase.BlockLogs():
        block = Chem.MolToMolBlock(known, forceV3000=large, kekulize=True)
        block = re.sub(r"-(0\.0+)\b(?!\d)", r" \1", block) if "V2000" in block else block
        check_atoms(known, atoms.formula, known.GetNumAtoms())
        implied = read_spin(known).multiplicity
    decimals = DECIMALS["V2000" if "V2000" in block else "V3000"]
    if abs(atoms.positions - atoms.positions.round(decimals)).max() > 1e-9:
        notes.append(f"coordinates rounded to {decimals} decimals")
    if form == "mol":
        if implied != atoms.multiplicity:
            said = (
                f"MOL has no field for the multiplicity {atoms.multiplicity}: it reads as {implied}"
            )
            notes.append(said + " (sdf has one)")
        return block, notes
    fields = {"charge": atoms.charge, "multiplicity": atoms.multiplicity}
    data = "".join(f"> <{name}>\n{value}\n\n" for name, value in fields.items())
    return f"{block.rstrip()}\n{data}$$$$\n", notes


def _notation(atoms: ConceptualAtoms, form: str, mol: Mol | None) -> tuple[str, list[str]]:
    from rdkit import Chem, rdBase

    known, notes = placed(atoms, mol)
    metals = sorted({a.GetSymbol() for a in known.GetAtoms() if is_metal(a.GetAtomicNum())})
    source = f"{atoms.formula} as {form}"
    with rdBase.BlockLogs():
        plain = Chem.RemoveHs(known, sanitize=False)
        plain.RemoveAllConformers()
        plain.UpdatePropertyCache(strict=False)
    notes.append("no coordinates")
    if form == "inchi":
        with rdBase.BlockLogs():
            text = str(Chem.MolToInchi(plain))
        if not text:
            raise InputError(f"{source} was asked for", "InChI cannot hold it", "choose smiles")
        if metals:
            notes.append(f"InChI leaves out the bonds of {', '.join(metals)}")
        if atoms.multiplicity != 1:
            notes.append(f"InChI has no place for the multiplicity {atoms.multiplicity}")
        return text + "\n", notes
    with rdBase.BlockLogs():
        smiles = str(Chem.MolToSmiles(plain))
        spin = read_spin(Chem.AddHs(read_smiles(smiles, source))).multiplicity
    if spin != atoms.multiplicity:
        notes.append(f"it reads as multiplicity {spin}, the structure has {atoms.multiplicity}")
    return (smiles if form == "smiles" else _selfies(smiles, source)) + "\n", notes


def _selfies(smiles: str, source: str) -> str:
    from rdkit import Chem

    selfies = import_selfies()
    asked = f"{source} was asked for"
    try:
        text = str(selfies.encoder(smiles))
        again = str(selfies.decoder(text))
    except (selfies.EncoderError, selfies.DecoderError) as error:
        reason = re.sub(r"\s+", " ", str(error)).strip()[:160]
        raise InputError(asked, f"SELFIES cannot hold it: {reason}", "choose smiles") from error
    if Chem.MolToSmiles(read_smiles(again, source)) != Chem.MolToSmiles(
        read_smiles(smiles, source)
    ):
        raise InputError(asked, f"SELFIES make {again} of it", "choose smiles")
    return text
