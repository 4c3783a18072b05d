"""Documents that people wrote, in which passages are looked for and quoted with their place."""

from workflows.registry import Action

ACTIONS = (
    Action(
        "documents",
        "Quote what DOCUMENTS say about something: file, page and lines.",
        "workflows.documents.request:QUOTING",
        computes=True,
    ),
)
