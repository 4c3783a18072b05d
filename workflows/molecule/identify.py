"""Which substance a structure or a text is, and whether two are the same."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ogm import Link
from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import PERCEPTION
from ontologies.elements import hill_formula
from ontologies.identification import Identification
from triplestore.errors import GraficoError, InputError

from .bonds import assign_stereo, perceive
from .embedding import smiles_of_given
from .notation import read_smiles
from .recognition import Kind, recognise
from .writing import placed, write

if TYPE_CHECKING:
    from rdkit.Chem import Mol

AS_GIVEN = "as given"

INCHI_KEY = re.compile(r"([A-Z]{14})(?:-([A-Z]{8})[SN][A-Z]-([A-Z]))?")
LEFT_OPEN = re.compile(r"/[btmsi]")
"""Layers of an InChI that say stereochemistry or isotopes."""


@dataclass(frozen=True)
class Substance:
    """A substance that is looked for.

    Attributes:
        smiles: canonical; empty where only an InChIKey is known.
        inchi_key: standard InChIKey, or its first block alone; empty where there is none.
        formula: in the Hill order; empty where it is not known.
        is_open: whether stereochemistry and isotopes are left open, so that any will do.
    """

    smiles: str
    inchi_key: str
    formula: str
    is_open: bool

    @property
    def skeleton(self) -> str:
        """The first block of the InChIKey."""
        return self.inchi_key[:14]

    def matches(self, smiles: str, inchi_key: str) -> bool:
        """Tell whether another is this substance; what this one leaves open may be any there.

        Args:
            smiles: canonical SMILES of the other.
            inchi_key: its InChIKey.
        """
        if not self.inchi_key or not inchi_key:
            return bool(self.smiles) and self.smiles == smiles
        if inchi_key[:14] != self.skeleton or (
            self.protonation and inchi_key[-1] != self.protonation
        ):
            return False
        return self.is_open or inchi_key == self.inchi_key or self._partly(smiles)

    @property
    def protonation(self) -> str:
        """The last letter of the InChIKey; empty where that is not known."""
        return self.inchi_key[-1] if len(self.inchi_key) > 14 else ""

    def _partly(self, smiles: str) -> bool:
        """Tell whether the other has the stereochemistry that is said here, of some centres."""
        if not self.smiles:
            return False
        one, two = (read_smiles(text, text[:80]) for text in (self.smiles, smiles))
        same = one.GetNumAtoms() == two.GetNumAtoms()
        return same and bool(two.HasSubstructMatch(one, useChirality=True))


def bonds_or_reason(atoms: ConceptualAtoms) -> Mol | str:
    """Return the molecule of a structure, or in words why it has none."""
    try:
        return perceive(atoms)[0]
    except GraficoError as error:
        return error.found
    except (ValueError, RuntimeError) as error:  # what RDKit cannot make a molecule of
        return _no_molecule(error)


def _no_molecule(error: Exception) -> str:
    return f"RDKit makes no molecule of it: {str(error).strip().splitlines()[0][:160]}"


def identify(atoms: ConceptualAtoms, mol: Mol | None = None, rule: str = "") -> Identification:
    """Return which substance a structure is, or why that cannot be said.

    Args:
        atoms: the structure.
        mol: its bonds, atom by atom, where they are known; None to perceive them.
        rule: how these bonds were found; empty where they were given.
    """
    rule = rule or (PERCEPTION if mol is None else AS_GIVEN)
    try:
        if mol is None:
            mol, _ = perceive(atoms)
        else:  # a notation may leave open what the geometry says
            mol, _ = placed(atoms, mol)
            assign_stereo(mol)
        smiles = write(atoms, "smiles", mol).text.strip()
    except GraficoError as error:
        return unidentified(atoms, error.found, rule)
    except (ValueError, RuntimeError) as error:  # what RDKit cannot make a molecule of
        return unidentified(atoms, _no_molecule(error), rule)
    try:
        key = _key(write(atoms, "inchi", mol).text.strip())
    except InputError:
        key = ""
    return Identification(
        identifies=Link[ConceptualAtoms](atoms.iri),
        perception=rule,
        inchi_key=key,
        skeleton=key[:14],
        smiles=smiles,
    )


def unidentified(
    atoms: ConceptualAtoms, reason: str, perception: str = PERCEPTION
) -> Identification:
    """Return why the substance of a structure cannot be said."""
    structure = Link[ConceptualAtoms](atoms.iri)
    return Identification(identifies=structure, perception=perception, reason=reason)


def _key(inchi: str) -> str:
    from rdkit import Chem

    return str(Chem.InchiToInchiKey(inchi) or "")


def substance(text: str, kind: Kind | None = None, online: str = "") -> Substance:
    """Return the substance that a notation, a name or an InChIKey means; nothing is computed.

    Args:
        text: what was given.
        kind: how to read it, if not by its looks.
        online: address of PubChem's PUG REST for names that are not known here; empty: never ask.

    Raises:
        InputError: it cannot be read, or is no notation and no name.
        NotFoundError: no molecule of that name is known.
    """
    from rdkit import Chem, rdBase

    plain = text.strip()
    if kind is None and INCHI_KEY.fullmatch(plain):
        return Substance("", plain, "", False)
    read_as = recognise(plain, kind)
    if read_as in ("file", "iri"):
        raise InputError(f"cannot read the substance {plain[:80]!r}", f"that is a {read_as}")
    smiles, _, _ = smiles_of_given(plain, read_as, f"{plain[:80]!r}", online)
    mol: Any = read_smiles(smiles, f"{plain[:80]!r}")
    with rdBase.BlockLogs():
        inchi = str(Chem.MolToInchi(mol))
        numbers = [atom.GetAtomicNum() for atom in Chem.AddHs(mol).GetAtoms()]
    return Substance(
        str(Chem.MolToSmiles(mol)),
        _key(inchi) if inchi else "",
        hill_formula(numbers),
        bool(inchi) and not LEFT_OPEN.search(inchi),
    )


def substance_of(found: Identification, formula: str) -> Substance:
    """Return the substance of a structure that was identified.

    Raises:
        InputError: it could not be.
    """
    if not found.smiles:
        raise InputError(
            f"cannot find the substance of {formula}",
            found.reason,
            "search by its formula, or by the IRI of the structure",
        )
    return Substance(found.smiles, found.inchi_key, formula, False)
