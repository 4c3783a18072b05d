"""How people ask for the gap of the first excited states: "S1-T1 gap of pyrazine"."""

from __future__ import annotations

import re

from workflows.registry.spoken import Sentence

GAP = re.compile(r"(?i)(?<!\w)S1 ?[-/] ?T1 (?:energy )?(?:gap|splitting|difference)(?!\w)")


def wholes(at: Sentence) -> None:
    """Take out the gap before S1 and T1 are read as states of the usual run."""
    for one in at.take(GAP):
        at.workflow = "excitations"
        at.reads.append((one.start(), "excite"))
