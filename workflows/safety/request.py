"""Safety data of a molecule, by the number of CAS that its InChIKey has here."""

from __future__ import annotations

import asyncio

from ontologies.atoms import ConceptualAtoms
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form
from workflows.molecule.cas import registry_number
from workflows.molecule.looking_up import inchi_key_of, registered
from workflows.molecule.subject import MOLECULE, mol_of

from .tables import Known, known

OF_LISTS = (
    "what is not known here may well be dangerous, and lists change: the supplier's safety data "
    "sheet holds"
)
NO_NUMBER = "no number of CAS is known here of exactly this molecule, by which the lists go"


class SafetyForm(Form):
    """What is asked of a molecule: all that the lists have."""


async def prepare(
    given: Given[ConceptualAtoms], asked: SafetyForm, executor: Executor, file: str
) -> PreparedAction:
    """Find out the bonds; Python is handed the facts.

    Raises:
        InputError: the bonds are not known.
        ComponentError: the lists are not installed.
    """
    mol = await mol_of(given)

    def found() -> list[Known]:
        told = [
            Known(one.name, one.value, one.unit, one.source)
            for one in registered(inchi_key_of(mol))
        ]
        number = next(registry_number(str(one.value)) for one in told if one.name == "CAS")
        return [*told, *known(number)]

    async def make() -> Product:
        facts = await asyncio.to_thread(found)
        numbered = any(one.name == "CAS" and one.source for one in facts)
        told = {"facts": [vars(one) for one in facts]}
        remarks = (*([] if numbered else [NO_NUMBER]), OF_LISTS)
        return Product("".join(f"{one}\n" for one in facts), facts, told, remarks)

    return PreparedAction(make)


SAFETY = ActionDefinition(
    (SafetyForm,),
    MOLECULE,
    prepare,
    help="A line for each: flash point, autoignition and flammability limits, melting and boiling "
    "point, occupational exposure limits, what IARC and NTP list, each with source and how it came "
    "about. “Not known here” says nothing of what is the case. Needs the extra `names`.",
    endings=(".txt",),
)
