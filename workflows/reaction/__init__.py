"""Reactions: the energies of their species, combined."""

from workflows.registry import SubjectKind, Workflow

WORKFLOWS = (
    Workflow(
        "reaction",
        "Find the energy of REACTION.",
        "workflows.reaction.request:DEFINITION",
        verb="react",
        synonyms=("reaction energy", "reaction enthalpy"),
        subject=SubjectKind("reaction"),
        call="REACTION",
        wish="Reaction energy of CO + H2O -> CO2 + H2 with GFN2-xTB",
    ),
)
