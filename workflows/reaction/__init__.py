"""Reactions: the energies of their species, combined."""

from workflows.registry import SubjectKind, Workflow

ARROW = r"\s(?:-+>|=+>|<=+>|<-+>|>>|[→⟶⇒⇌⇄=])(?=\s|$)|(?<=\S)>>(?=\S)"
"""Spaces set it apart: within a SMILES `->` is a dative bond, and `=` a double one."""

WORKFLOWS = (
    Workflow(
        "reaction",
        "Find the energy of REACTION.",
        "workflows.reaction.request:DEFINITION",
        verb="react",
        synonyms=("reaction energy", "reaction enthalpy"),
        subject=SubjectKind("reaction", sign=ARROW),
        call="REACTION",
        wish="Reaction energy of CO + H2O -> CO2 + H2 with GFN2-xTB",
    ),
)
