"""SMILES, InChI and SELFIES read with RDKit, and what is wrong with one in plain words."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import functools
import importlib
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from triplestore.errors import ComponentError, InputError
from workflows.text.words import count as counted

from .recognition import smiles_fault
from .spin.reading import read_spin

if TYPE_CHECKING:
    from rdkit.Chem import Mol

MOST_ATOMS = 500
MOST_NEIGHBOURS = 16
"""Of one atom: uranocene has as many. With more the search for a geometry does not end."""
STEREO = re.compile(r"/[btms][^/]*")
"""Layers of an InChI."""

LONGEST = 5000
"""Characters; more than 500 atoms need."""


def read_smiles(smiles: str, source: str) -> Mol:
    """Return the molecule of a SMILES, sanitised and without added hydrogens.

    Atom-map numbers are dropped.

    Args:
        smiles: the notation.
        source: what the person gave, for the error message.

    Raises:
        InputError: not a SMILES, or no possible molecule, or one that is not supported.
    """
    from rdkit import Chem

    with suppress(InputError):
        return Chem.Mol(_read_before(smiles))
    return _read(smiles, source)  # names the source in its error


@functools.lru_cache(64)
def _read_before(smiles: str) -> Mol:
    """Return the molecule of a SMILES; the steps of one entry of a library read the same."""
    return _read(smiles, "")


def _read(smiles: str, source: str) -> Mol:
    from rdkit import Chem, rdBase

    if len(smiles) > LONGEST:
        raise _too_large(source, f"its SMILES has {len(smiles)} characters; {LONGEST} are allowed")
    parameters = Chem.SmilesParserParams()
    parameters.sanitize = parameters.removeHs = False
    parameters.allowCXSMILES = False
    parameters.parseName = False
    with rdBase.CaptureErrorLog() as log:
        mol = None if re.search(r"\s", smiles) else Chem.MolFromSmiles(smiles, parameters)
    if mol is None or not mol.GetNumAtoms():
        reason = smiles_fault(smiles) or first_line(log.messages)
        raise InputError(
            f"the SMILES of {source} cannot be read", reason, "mend it, or give a name or a file"
        )
    check_atoms(mol, source)
    hypervalent = check_bonding(mol, source)
    if hypervalent:
        with rdBase.BlockLogs():
            mol = Chem.RemoveHs(mol, sanitize=False)
    else:
        parameters.sanitize = parameters.removeHs = True
        with rdBase.BlockLogs():
            mol = Chem.MolFromSmiles(smiles, parameters)  # now as RDKit does it by default
    for atom in mol.GetAtoms():
        atom.SetAtomMapNum(0)
    return mol


def canonical(smiles: str, source: str) -> str:
    """Return the one SMILES by which a molecule is embedded, however it was written.

    The text itself where RDKit's canonical form would not read as the same molecule again.

    Raises:
        InputError: see `read_smiles`.
    """
    from rdkit import Chem

    mol = read_smiles(smiles, source)
    written = str(Chem.MolToSmiles(mol))
    try:
        again = read_smiles(written, source)
    except InputError:
        return smiles
    same = str(Chem.MolToSmiles(again)) == written and read_spin(again) == read_spin(mol)
    return written if same else smiles


def smiles_of_inchi(inchi: str, source: str) -> tuple[str, str]:
    """Return a SMILES of an InChI, and what of it was not understood.

    Raises:
        InputError: no InChI, or one of which RDKit makes another molecule.
    """
    from rdkit import Chem, rdBase

    asked = f"the InChI of {source} cannot be read"
    if len(inchi) > LONGEST:
        raise _too_large(source, f"its InChI has {len(inchi)} characters; {LONGEST} are allowed")
    with rdBase.BlockLogs():
        try:
            mol = Chem.MolFromInchi(inchi, sanitize=False, removeHs=False)
        except RuntimeError:  # an element that does not exist
            mol = None
        if mol is None or not mol.GetNumAtoms():
            raise InputError(asked, "RDKit finds a fault in it", "copy it whole, or give a SMILES")
        smiles = Chem.MolToSmiles(mol)
        again = str(Chem.MolToInchi(read_smiles(smiles, source)))
    if STEREO.sub("", again) != STEREO.sub("", inchi) and inchi.startswith("InChI=1S/"):
        raise InputError(asked, f"RDKit makes {again} of it", "give a SMILES")
    lost = inchi.startswith("InChI=1S/") and again != inchi
    return smiles, f"stereochemistry read as in {again}" if lost else ""


def smiles_of_selfies(text: str, source: str) -> str:
    """Return a SMILES of SELFIES.

    Raises:
        InputError: no SELFIES, or nothing is left of it.
        ComponentError: the package selfies is not installed.

    Source: M. Krenn et al., Mach. Learn.: Sci. Technol. 1, 045024 (2020).
    """
    selfies = import_selfies()
    asked = f"the SELFIES of {source} cannot be read"
    if len(text) > LONGEST:
        raise _too_large(source, f"its SELFIES has {len(text)} characters; {LONGEST} are allowed")
    try:
        smiles = str(selfies.decoder(text))
    except (selfies.DecoderError, ValueError, IndexError) as error:
        said = " ".join(str(error).split())[:120]
        raise InputError(asked, said, "mend it, or give a SMILES or a name") from error
    if not smiles:
        raise InputError(asked, "no molecule is left of it", "mend it, or give a SMILES or a name")
    return smiles


def import_selfies() -> Any:
    """Return the package selfies.

    Raises:
        ComponentError: it is not installed.
    """
    try:
        return importlib.import_module("selfies")
    except ImportError as error:
        asked = "cannot read or write SELFIES"
        raise ComponentError.extra(asked, "selfies", "selfies", "use a SMILES") from error


def check_atoms(mol: Mol, source: str, most: int = MOST_ATOMS) -> None:
    """Refuse what is no plain molecule of elements.

    Raises:
        InputError: dummy atoms, isotopes or query bonds; more than `most` atoms, or more bonds of
            one atom than there can be.
    """
    from rdkit import Chem

    if mol.GetNumAtoms() > most:
        raise _too_large(source, f"it has {mol.GetNumAtoms()} atoms; {most} are allowed")
    for atom in mol.GetAtoms():
        if atom.GetAtomicNum() == 0:
            problem = f"atom {atom.GetIdx() + 1} is a placeholder, not an element"
            raise InputError(f"the structure of {source} was asked for", problem, "name each atom")
        if atom.GetDegree() > MOST_NEIGHBOURS:
            problem = (
                f"atom {_name(atom)} has {atom.GetDegree()} bonds; {MOST_NEIGHBOURS} are allowed"
            )
            raise InputError(f"the structure of {source} was asked for", problem, "check its bonds")
        if atom.GetIsotope():
            problem = f"atom {_name(atom)} names the isotope {atom.GetIsotope()}"
            raise InputError(
                f"the structure of {source} was asked for",
                problem,
                "isotopes are not supported yet: leave the mass out",
            )
    unclear = (Chem.BondType.UNSPECIFIED, Chem.BondType.OTHER, Chem.BondType.ZERO)
    for bond in mol.GetBonds():
        if bond.GetBondType() in unclear or bond.HasQuery():
            ends = f"{_name(bond.GetBeginAtom())} and {_name(bond.GetEndAtom())}"
            problem = f"the bond between atoms {ends} has no kind"
            raise InputError(
                f"the structure of {source} was asked for", problem, "write it as -, = or #"
            )


def check_bonding(mol: Mol, source: str) -> bool:
    """Sanitise in place; say in plain words why that is impossible.

    RDKit's table of valences lacks some that exist (ClF3, IF7, KrF2). An atom of the p block from
    period 3 on may have as many bonds as it has electrons for, and boron a fourth that its
    neighbour gives (B2H6, H3N->BH3).

    Returns:
        Whether an atom has more bonds than RDKit allows.

    Raises:
        InputError: too many bonds at an atom, or a ring that cannot be aromatic.
    """
    from rdkit import Chem, rdBase

    from .polyhedra import lone_electrons, takes_pair

    def is_hypervalent(problem: Any) -> bool:
        if problem.GetType() != "AtomValenceException":
            return False
        mol.UpdatePropertyCache(strict=False)
        atom = mol.GetAtomWithIdx(problem.GetAtomIdx())
        left = lone_electrons(atom)
        return takes_pair(atom) if left is None else left >= 0

    with rdBase.BlockLogs():
        faults = list(Chem.DetectChemistryProblems(mol))
        problems = [problem for problem in faults if not is_hypervalent(problem)]
        if not problems:
            all_but = Chem.SANITIZE_PROPERTIES if faults else Chem.SANITIZE_NONE
            mol.UpdatePropertyCache(strict=False)
            try:
                Chem.SanitizeMol(mol, Chem.SANITIZE_ALL ^ all_but)
                for atom in (mol.GetAtomWithIdx(problem.GetAtomIdx()) for problem in faults):
                    atom.SetNumRadicalElectrons((lone_electrons(atom) or 0) % 2)
                return bool(faults)
            except Chem.MolSanitizeException as error:  # a hydrogen with two bonds, say
                problems = [cast(Any, error).cause]
    reasons = dict.fromkeys(_plain(mol, problem) for problem in problems)
    raise InputError(
        f"the structure of {source} cannot be",
        "; ".join(reasons),
        "atoms are counted as they are written, without implied hydrogens",
    )


def _plain(mol: Mol, problem: Any) -> str:
    match problem.GetType():
        case "AtomValenceException":
            atom = mol.GetAtomWithIdx(problem.GetAtomIdx())
            atom.UpdatePropertyCache(strict=False)
            bonds = re.search(r", (\d+), is greater", problem.Message())
            count = counted(int(bonds[1]), "bond") if bonds else "its bonds"
            charge = atom.GetFormalCharge()
            state = f" with charge {charge:+d}" if charge else ""
            return f"atom {_name(atom)}{state} cannot have {count}"
        case "KekulizeException":
            numbers = ", ".join(str(index + 1) for index in problem.GetAtomIndices())
            return (
                f"the aromatic atoms {numbers} cannot be given alternating single and double "
                "bonds (is a hydrogen as in [nH] missing?)"
            )
        case "AtomKekulizeException":
            atom = mol.GetAtomWithIdx(problem.GetAtomIdx())
            return f"atom {_name(atom)} is written as aromatic but lies in no ring"
        case _:
            return str(problem.Message())


def _name(atom: Any) -> str:
    return f"{atom.GetIdx() + 1} ({atom.GetSymbol()})"


def first_line(log: str) -> str:
    """Return the first line that RDKit has logged."""
    lines = [re.sub(r"^\[[\d:]+\]\s*", "", line).strip() for line in log.splitlines()]
    lines = [line.removeprefix("SMILES Parse Error: ") for line in lines if re.search(r"\w", line)]
    return lines[0] if lines else "it has another syntax"


def _too_large(source: str, found: str) -> InputError:
    advice = "give its geometry as an XYZ file"
    return InputError(f"the structure of {source} was asked for", found, advice)
