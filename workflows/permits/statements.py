"""What a person has stated of a material: how it is stored, and when it counts.

See `workflows.engine.request.agreed` for what makes it count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ogm import KnowledgeGraph, Link
from ontologies.consent import Consent
from ontologies.permits import MaterialStatement
from triplestore.errors import ConsentError
from workflows.controlled.gate import Finding, plain_name
from workflows.controlled.lists import lists
from workflows.controlled.parts import parts_of
from workflows.engine import Executor, StepGraph, step
from workflows.engine.graph.yeses import agreed_here
from workflows.engine.request.agreed import Shown, agreed, shown


@step("statement", effects=frozenset({"making"}), target=shown, done="is stored")
async def declare(
    state: Shown,
    executor: Executor,
    material: str,
    matched_by: str,
    called: str,
    registry_number: str,
    supplier: str,
    nothing_listed: bool,
) -> Shown:
    """Store what a person states of a material."""
    consent, _ = agreed_here(executor.kg)
    made = MaterialStatement(
        material=material,
        matched_by=matched_by,
        called=called,
        registry_number=registry_number,
        supplier=supplier,
        nothing_listed=nothing_listed,
        consent=Link[Consent](consent),
        stated=consent.agreed,
        stated_by=consent.agreed_by,
    )
    executor.record(made)
    return replace(state, found=(made,))


STATING = StepGraph("statement", declare)

SAID = (
    *("material", "matched_by", "called", "registry_number"),
    *("supplier", "nothing_listed"),
)
"""Fields of a statement that a person has agreed to."""


def counts(kg: KnowledgeGraph, one: MaterialStatement) -> bool:
    """Tell whether this person has stated exactly this, and nobody has withdrawn the run of it."""
    return agreed(kg, one, (STATING.name, declare.__name__), SAID) is not None


def statement_on(kg: KnowledgeGraph, matched_by: str) -> MaterialStatement | None:
    """Return the first statement of this person on a material; None where there is none."""
    found = [one for one in kg.find(MaterialStatement, matched_by=matched_by) if counts(kg, one)]
    return min(found, key=lambda one: (one.stated, one.iri), default=None)


def by_name(text: str) -> str:
    """Return what a material without a structure is found by."""
    return f"name {plain_name(text)}"


def by_structure(smiles: Sequence[str]) -> str:
    """Return what the parts of a substance are found by, whatever salt or configuration."""
    keys = sorted({part.key for one in smiles for part in parts_of(one)})
    return f"structure {' '.join(f'{block}/{charge}' for block, charge in keys)}"


def of_finding(one: Finding) -> str:
    """Return what a statement on that which a list names is found by."""
    entry = (one.list, one.entry, one.name)
    listed = (s for s in lists().substances if (s.on.title, s.entry, s.names[0]) == entry)
    structure = one.part or next((s.smiles for s in listed), "")
    return by_structure([structure]) if structure else by_name(one.given)


def missing(task: str, materials: Sequence[str]) -> ConsentError:
    """Return what is raised where nobody has stated what has to be."""
    named = "; ".join(dict.fromkeys(materials))
    found = f"nobody has stated what these are: {named}"
    return ConsentError(task, found, "a person states it: the command `statement`")
