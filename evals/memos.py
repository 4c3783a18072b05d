"""Whether the right memo is recalled first: corrections of a laboratory, asked for in other words.

Memos 1 to 4 say what those say that A. Vriza et al., "Operating robotic laboratories with large
language models and teachable agents" (2025), A.3 and A.4, publish; the others and all requests were
written for Grafico, before any of them was ranked.
"""

from __future__ import annotations

from typing import Literal

from workflows.text.minilm import required
from workflows.text.ranking import By, by_meaning, by_words, fused

MEMOS = (
    (
        "switch on the vacuum of the coating stage before the gripper lets go of the substrate",
        "place a substrate on the coating stage and release it",
        "how is a glass slide kept from moving once it lies on the coater?",
    ),
    (
        "bring the substrate to the coating station first and fetch the vial afterwards",
        "to make a film, is the substrate or the vial moved first?",
        "in which sequence are the wafer and the solution brought?",
    ),
    (
        "import procedure from robotics as proc",
        "which name does the script have for the procedure module?",
        "what is the module with the routines called in the script?",
    ),
    (
        "move the arm all the way up before it travels to another place",
        "go from the rack to the clamp with the arm",
        "how do I drive the robot around without hitting anything?",
    ),
    (
        "close the clamp before opening the gripper",
        "put the vial into the clamp and let go",
        "hand a bottle over to its holder",
    ),
    (
        "never uncap a vial while it is hot",
        "heat the vial to 80 °C, then uncap it",
        "when may I take the lid off a heated flask?",
    ),
    (
        "shake suspensions for two minutes before aspirating",
        "aspirate 0.5 mL of a suspension of carbon black",
        "the particles have settled in the ink",
    ),
    (
        "rinse the needle with methanol after each acid",
        "take up hydrochloric acid, then sodium hydroxide, with one needle",
        "avoid carry-over between corrosive samples",
    ),
    (
        "dry the solvent over molecular sieves overnight",
        "prepare dry THF as the solvent",
        "remove traces of water from THF",
    ),
    (
        "weigh hygroscopic salts inside the glove box only",
        "weigh out lithium chloride, a hygroscopic salt",
        "where do I portion lithium chloride?",
    ),
    (
        "tare the balance with the empty vial on it",
        "weigh 20 mg of a powder into a vial",
        "how do I get the net mass of a powder?",
    ),
    (
        "let the lamp of the spectrometer warm up for twenty minutes",
        "measure the spectrum of a dye",
        "the baseline of the absorbance drifts in the morning",
    ),
    (
        "use a fresh pipette tip for every sample",
        "distribute three samples with the pipette",
        "contamination from one well to the next",
    ),
    (
        "degas the electrolyte with argon before cyclic voltammetry",
        "record a cyclic voltammogram of ferrocene",
        "an oxygen reduction wave disturbs the electrochemistry",
    ),
    (
        "add acid to water, not the other way round",
        "make 1 M sulfuric acid of the concentrated acid",
        "how do I dilute concentrated sulfuric acid?",
    ),
)
"""Corrections, each with a task that it is to be recalled for, and a question in no word of it."""


def recalled_first(by: By, asked: Literal["tasks", "questions"]) -> int:
    """Return of how many requests the right memo is the first.

    Raises:
        ComponentError: the weights of all-MiniLM-L6-v2 are not installed, and are needed.
    """
    memos = [one[0] for one in MEMOS]
    right = 0
    for at, (_, *requests) in enumerate(MEMOS):
        request = requests[asked == "questions"]
        ranked = by_words(request, memos)
        if by != "words":
            encoder = required("memos were to be recalled")
            meant = by_meaning(encoder.vectors([request])[0], encoder.vectors(memos))
            ranked = meant if by == "meaning" else fused(ranked, meant)
        right += bool(ranked) and ranked[0][0] == at
    return right
