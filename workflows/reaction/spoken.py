"""How people ask for a reaction: "reaction enthalpy of C=C + [H][H] -> CC at HF/STO-3G"."""

from __future__ import annotations

import re

from workflows.registry.spoken import Named, Sentence

TERM = r"(?:(?:\d{1,4}(?:\.\d{1,4}|/\d{1,4})?|½) )?[^\s\0+,;:]\S*(?: ?\{[^{}\0]{1,40}\})?"
SIDE = rf"{TERM}(?: \+ {TERM}){{0,9}}"
EQUATION = re.compile(rf"(?<!\S){SIDE} (?:-+>|<=+>|[→⟶⇌⇄]) {SIDE}(?!\S)")


OF_IT = ("enthalpy", "gibbs", "react")
"""What is told of a reaction whatever is asked for."""


def wholes(at: Sentence) -> None:
    """Take out equations: before their parts are read as molecules, or `2 F` as a temperature."""
    for found in EQUATION.finditer(at.rest):
        text = found[0].rstrip(",;:.?!")
        start = found.start()
        at.blank(start, start + len(text))
        at.subjects.append(Named(start, start + len(text), text))
        at.reads.append((start, "react"))
        at.workflow = "reaction"


def settle(at: Sentence) -> None:
    """Enthalpy and Gibbs energy of a reaction are told with it."""
    if at.workflow == "reaction":
        at.reads = [one for one in at.reads if one[1] not in OF_IT] + [(0, "react")]
