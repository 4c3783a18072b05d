"""How people ask for a scaled infrared spectrum: "IR spectrum of acetone, scaled by 0.97"."""

from __future__ import annotations

import re

from workflows.registry.spoken import Sentence

SCALE = re.compile(
    r"(?i),? ?\b(?:and |please )*(?:scaled?|scaling)"
    r"(?: (?:it|them|the (?:frequencies|wavenumbers)))?"
    r"(?: (?:by|with|factor(?: of)?|of|a|the))* (?P<scale>[01]\.\d{1,5})(?![\w.]*\d)"
)


def wholes(at: Sentence) -> None:
    """Take out a factor on wavenumbers; its source is whoever asks."""
    if re.search(r"\bIR\b|(?i:infra-?red|frequenc|vibration)", at.text):
        for one in at.take(SCALE):
            at.workflow = "spectra"
            said = {"scale": float(one["scale"]), "scale_source": "as it was asked for"}
            at.ask("scale", {"kind": "ir", **said})


def settle(at: Sentence) -> None:
    """A spectrum is made of frequencies: nobody has to ask for them."""
    if at.workflow == "spectra":
        if at.asked.get("task") == [{"task": "frequencies"}]:
            del at.asked["task"]
        at.reads = [one for one in at.reads if one[1] not in ("infrared", "frequencies")]
        at.reads.append((0, "spectrum"))
