"""Whether PubChem may be asked of a molecule: one yes for each question, of a person."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import InputError
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import Given
from workflows.engine.request.form import Form
from workflows.molecule.looking_up import inchi_key_of
from workflows.molecule.subject import Bonded, Molecule, Reading


class Told(Bonded):
    """What is known of a molecule, and whether PubChem may be asked of it, and where."""

    online: bool = False
    address: str = ""


class MoleculeToAskOf(Molecule):
    """A molecule, with who may be asked of it."""

    async def read(self, given: object, said: Form, executor: Executor) -> Given[ConceptualAtoms]:
        found = await super().read(given, said, executor)
        assert isinstance(said, Reading)
        told = Told(found.detail.title, found.detail.mol, found.detail.told)
        told.online, told.address = said.online, said.pubchem
        return replace(found, detail=told)


TO_ASK_OF = MoleculeToAskOf()


def is_allowed(given: Given[ConceptualAtoms]) -> bool:
    """Tell whether a person has said yes to this question.

    The setting `online` allows that names are looked up: it is no yes to what a structure is.
    """
    told = given.detail
    return isinstance(told, Told) and told.online and "online" in given.said


def would_send(inchi_key: str, given: Given[ConceptualAtoms]) -> str:
    """Say what would be sent where, and that nobody has said yes."""
    told: Told = given.detail
    return f"its InChIKey, {inchi_key}, would be sent to {told.address}, and nobody has said yes"


def key_to_send(mol: Any, given: Given[ConceptualAtoms], task: str) -> str:
    """Return the InChIKey of a molecule, which may be sent.

    Raises:
        InputError: there is none, or nobody has said yes.
    """
    inchi_key = inchi_key_of(mol)
    if not inchi_key:
        raise InputError(task, "no InChIKey can be made of it", "look it up by hand")
    if not is_allowed(given):
        advice = "allow PubChem to be asked (online)"
        raise InputError(task, would_send(inchi_key, given), advice)
    return inchi_key
