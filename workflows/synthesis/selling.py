"""Whether a molecule is sold or patented, as far as a filter can tell; never that it is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from ontologies.permits import MakingPlan
from workflows.analogues.grouping import plain_smiles
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form
from workflows.molecule.looking_up import NOT_KNOWN, Fact
from workflows.molecule.subject import MOLECULE, mol_of
from workflows.permits.permission import permitted_where_listed, refused_where_it_stops
from workflows.programs.isolated import in_subprocess

from .filters import Filtered, of_file, of_package

PROBABLY = "probably sold"
NOTHING = "what is not in a filter may be sold all the same, and what is in it, no longer"
NO_PRICE = f"{NOT_KNOWN}: no supplier is asked, which takes their key"
NO_PATENTS = f"{NOT_KNOWN}: it takes a filter of patents that you bring (patents)"


class SoldForm(Form):
    """Where a molecule is looked for."""

    catalogue: Annotated[
        str, Field(description="A filter file of molbloom, of a catalogue.  [default: ZINC20's]")
    ] = ""
    patents: Annotated[str, Field(description="A filter file of molbloom, of patents.")] = ""


@dataclass(frozen=True)
class Told(Fact):
    """What a filter says.

    Attributes:
        filtered: how that was found; None where nothing was asked.
    """

    filtered: Filtered | None = None


async def prepare(
    given: Given[ConceptualAtoms], asked: SoldForm, executor: Executor, file: str
) -> PreparedAction:
    """Find out the bonds; Python is handed the facts.

    Raises:
        InputError: the bonds are not known, or it stands on a list of what is not made, whoever
            asks.
        ConsentError: it stands on a list, and somebody has to state or to permit something.
    """
    smiles = plain_smiles(await mol_of(given))
    plan = MakingPlan(title=f"who sells {smiles}", notations=(smiles,))
    await refused_where_it_stops(executor, plan)

    async def make() -> Product:
        await permitted_where_listed(executor, plan)
        task = f"whether {smiles[:80]} is sold"
        if asked.catalogue:
            sold = await in_subprocess(task, of_file, smiles, asked.catalogue)
        else:
            sold = await in_subprocess(task, of_package, smiles)
        patents = None
        if asked.patents:
            patents = await in_subprocess(task, of_file, smiles, asked.patents)
        found = [
            _told("sold", PROBABLY, sold),
            _told("patents", "probably named in one", patents)
            if patents
            else Told("patents", NO_PATENTS),
            Told("price", NO_PRICE),
        ]
        facts = [
            {
                "name": one.name,
                "value": one.value,
                "source": one.source,
                **(vars(one.filtered) if one.filtered else {}),
            }
            for one in found
        ]
        return Product("".join(f"{one}\n" for one in found), found, {"facts": facts}, (NOTHING,))

    return PreparedAction(make)


def _told(name: str, there: str, found: Filtered) -> Told:
    value = there if found.is_there else NOT_KNOWN
    return Told(name, value, "", found.source, found)


SOLD = ActionDefinition(
    (SoldForm,),
    MOLECULE,
    prepare,
    help="By a Bloom filter, which may take a molecule for one of the catalogue, with the share of "
    "such slips; what it lacks is “not known here”, never “no”. Of what a list of controlled "
    "chemicals names it is told by a person's permission alone. Needs the extra `synthesis`.",
    endings=(".txt",),
    of_many=True,
)
