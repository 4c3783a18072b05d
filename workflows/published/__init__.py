"""What others have published of a molecule, asked of PubChem where a person allows it."""

from workflows.registry import Action

ACTIONS = (
    Action(
        "published",
        "Say what PubChem has of MOLECULE: number, properties, measured activities.",
        "workflows.published.request:PUBLISHED",
    ),
)
