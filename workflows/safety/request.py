"""Safety data of a molecule, by the number of CAS that its InChIKey has here."""

from __future__ import annotations

import asyncio

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import NotFoundError, ResourceError
from workflows.analogues.grouping import plain_smiles
from workflows.controlled.gate import gate, noted
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form
from workflows.molecule.cas import registry_number
from workflows.molecule.looking_up import NOT_KNOWN, inchi_key_of, registered
from workflows.molecule.subject import mol_of
from workflows.published.asking import TO_ASK_OF, is_allowed, would_send
from workflows.published.records import compound, hazards

from .mixing import mixing
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

    inchi_key = await asyncio.to_thread(inchi_key_of, mol)

    def found() -> list[Known]:
        told = [Known(one.name, one.value, one.unit, one.source) for one in registered(inchi_key)]
        number = next(registry_number(str(one.value)) for one in told if one.name == "CAS")
        return [*told, *known(number)]

    async def make() -> Product:
        facts = await asyncio.to_thread(found)
        numbered = any(one.name == "CAS" and one.source for one in facts)
        remarks = [] if numbered else [NO_NUMBER]
        if inchi_key and is_allowed(given):
            try:
                facts += await asyncio.to_thread(classified, inchi_key, given.detail.address)
            except ResourceError as error:  # what is known here is told all the same
                facts.append(Known("GHS", NOT_KNOWN))
                remarks.append(f"GHS is not known here: PubChem was asked, {error.found}")
        else:
            facts.append(Known("GHS", NOT_KNOWN))
            told = f"; --online asks PubChem: {would_send(inchi_key, given)}" if inchi_key else ""
            remarks.append(f"GHS is not known here{told}")
        smiles = plain_smiles(mol)
        listed = await asyncio.to_thread(lambda: noted(gate([smiles])))
        if "." in smiles:
            together = await asyncio.to_thread(mixing, [(smiles, smiles)])
            remarks += [f"together: {one}" for one in together.dangers]
        lines = "".join(f"{one}\n" for one in facts)
        told = {"facts": [vars(one) for one in facts]}
        return Product(lines, facts, told, (*listed, *remarks, OF_LISTS))

    return PreparedAction(make)


def classified(inchi_key: str, address: str) -> list[Known]:
    """Return how others classify a substance by the GHS, as PubChem has it.

    Raises:
        ResourceError: PubChem cannot be reached, is busy or answers something else.
    """
    try:
        cids, _ = compound(inchi_key, address)
        every, answer = hazards(cids[0], address)
    except NotFoundError:
        return [Known("GHS", "not known at PubChem")]
    found = list[Known]()
    for one in every:
        source = f"{one.teller}; {answer.source}"
        texts = filter(None, (one.signal, *one.statements))
        found += [Known("GHS", text, "", source, "listed") for text in texts]
    return found or [Known("GHS", "not known at PubChem")]


SAFETY = ActionDefinition(
    (SafetyForm,),
    TO_ASK_OF,
    prepare,
    help="A line for each: flash point, autoignition and flammability limits, melting and boiling "
    "point, occupational exposure limits, what IARC and NTP list, each with source and how it came "
    "about; with --online what PubChem has of the GHS. “Not known here” says nothing of what is "
    "the case. Needs the extra `names`.",
    endings=(".txt",),
    of_many=True,
)
