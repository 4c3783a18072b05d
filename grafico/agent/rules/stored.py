"""Plain requests about stored runs: those that are to be put side by side."""

from __future__ import annotations

import re

from workflows.text.words import SPELT

from .calls import ToolCall

RUN = r"(?:#\d{1,9}|(?:https?://w3id\.org/grafico/id/|(?:g:)?id/)Run/[\w-]+|last(?:~\d{1,6})?)"
"""What means a run and nothing else."""

BETWEEN = r"(?:,? (?:and|with|to|against|versus|vs)(?: the)?(?: run)? |, ?| )"
COMPARED = re.compile(
    r"(?i)(?:please )?(?:compare|put side by side) (?:(?:the|my|our) )?(?:stored )?(?:"
    rf"(?:last|latest) (?P<count>\d{{1,2}}|{'|'.join(SPELT[2:])}) (?:runs|results|calculations)"
    rf"|(?:runs? )?(?P<names>{RUN}(?:{BETWEEN}{RUN})+)(?: run)?)(?: side by side)?"
)


def side_by_side(text: str) -> ToolCall | None:
    """Return the call that compares stored runs, where that is what is asked."""
    found = COMPARED.fullmatch(text)
    if found is None:
        return None
    runs = " ".join(re.findall(f"(?i){RUN}", found["names"] or ""))
    if word := found["count"]:
        many = word if word.isdecimal() else SPELT.index(word.lower())
        runs = f"last {many}"
    return ToolCall("run_workflow", {"name": "compare", "subjects": [runs]})
