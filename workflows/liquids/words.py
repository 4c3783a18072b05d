"""Designs in words: a language model fills them in and verifiers decide; without one, rules.

The rules read one kind of sentence, whole: each of its words and numbers is used, or it is refused.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import asyncio
import importlib.util
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from triplestore.errors import GraficoError, InputError
from workflows.trust.caller import caller, located
from workflows.trust.wording import Missing, settled

from .design import Design, Series
from .protocol import protocol
from .quantities import SPELLINGS, UNITS, Quantity, read
from .reading import FORMATS, LONGEST, SHORTER, design_of
from .substances import BENCH, looked_up

ASKED = "a design of samples was asked for in words"

SMALLEST = (
    "{name: water, chemicals: {water: {state: liquid, structure: O}}, "
    "samples: [{amounts: {water: 1 mL}}]}"
)
"""The smallest design that can be carried out."""

SENTENCE = "calibration series of naphthalene in methanol, 5, 10 and 20 mg/mL, 10 mL each"
"""One that the rules read."""

INSTRUCTIONS = """\
The form is a design of samples in vials of a liquid handler. Programs compute each amount from it \
(masses, volumes, molarities, dilutions, shares, equivalents), choose the order of additions, cap, \
and verify. Give each chemical its structure as SMILES, and its density where a volume of it has \
to be known (a liquid in mol or M; a solid whose volume counts, or solid_volume neglected): say \
where the density comes from. Say `acid` and `volatile` of what is. What is dispensed as a \
solution is a stock. Amounts as lists are crossed; groups hold what belongs together. Vials are \
filled by 10 to 80 %: 8x12 of 1 or 1.2 mL (a person caps them), 6x8 of 2, 4x6 of 4 or 8, 2x4 of \
20 mL; 25 to 180 °C, 700 rpm of stirring, 1000 rpm of vortexing. What reacts violently is never \
brought together: ask instead."""

TYPED = re.compile(r"^\s*[{\[]|^\s*(name|chemicals|stocks|samples)\s*:", re.MULTILINE)
"""What a design in YAML or JSON has, and no sentence."""

OFTEN = {
    "minutes": "min", "minute": "min", "mins": "min", "hours": "h", "hour": "h", "hrs": "h",
    "hr": "h", "seconds": "s", "sec": "s", "degrees C": "°C", "degrees": "°C", "deg C": "°C",
    "deg": "°C", "° C": "°C", "% by weight": "wt%", "% by volume": "vol%",
}  # fmt: skip
"""Units as people write them in sentences."""

_UNIT = "|".join(map(re.escape, sorted({*UNITS, *SPELLINGS, *OFTEN}, key=len, reverse=True)))
_NUMBER = r"(?:\d+\.?\d*|\.\d+)"
_LIST = rf"{_NUMBER}(?:(?:\s*,\s*(?:and|or)?\s*|\s+(?:and|or|to)\s+|\s*;\s*){_NUMBER})*"
WITH_UNITS = re.compile(rf"(?<![\w.,-])({_LIST})\s*({_UNIT})(?![\w/·^³²-])")

_SERIES = re.compile(
    rf"(?:please\s+)?(?:(?:make|prepare|plan)\s+)?(?:an?\s+|the\s+)?"
    rf"(?:(?:calibration|dilution|concentration|standard)\s+)?"
    rf"(?:series|samples|standards|solutions)\s+of\s+(?P<solute>[^\d,;:][^,;:]*?)\s+in\s+"
    rf"(?P<solvent>[^\d,;:][^,;:]*?)\s*[,;:]\s*(?P<amounts>{_LIST}\s*(?:{_UNIT}))\s*[,;.]\s*"
    rf"(?P<volume>{_NUMBER}\s*(?:{_UNIT}))\s+(?:each|per\s+vial|in\s+each\s+vial)"
    rf"(?:\s*(?:,|;|\band\b)\s*(?:and\s+)?(?:then\s+)?(?P<do>vortex|stir)(?:ed|red)?\s+(?:at\s+)?"
    rf"(?P<rate>{_NUMBER}\s*rpm)\s+for\s+(?P<time>{_NUMBER}\s*(?:{_UNIT})))?\s*[.]?",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"[;\n]\s*(state|density) of ([^:;\n]{1,80}):[ \t]*([^;\n]{1,80})$", re.IGNORECASE
)


@dataclass(frozen=True)
class Worded:
    """A design that was read from words.

    Attributes:
        design: the design.
        remarks: who read it, and what to look at.
    """

    design: Design
    remarks: tuple[str, ...]


def are_words(given: object) -> bool:
    """Tell whether a design is asked for in words: no file, no YAML, no JSON."""
    if not isinstance(given, str) or len(given.split()) < 3 or TYPED.search(given):
        return False
    if "\n" in given:
        return True
    return Path(given.strip()).suffix.lower() not in FORMATS and located(given.strip()) is None


async def worded(words: str) -> Worded | Missing:
    """Return the design that words ask for, or what they leave open.

    A model reads them where whoever asks has one (`Caller.writer`), rules otherwise; a person is
    asked for what is missing, one thing at a time.

    Raises:
        InputError: no design that can be carried out came of it; says why and what to do.
        GraficoError: the model cannot be asked.
    """
    if len(words.encode(errors="replace")) > LONGEST:
        raise InputError(ASKED, f"they have more than {LONGEST:,} bytes", SHORTER)
    here = caller()
    writer, ask = here.writer() if here.writer else None, here.question
    if writer is None:
        return await settled(words, lambda said: asyncio.to_thread(by_rules, said), ask)
    told = set[tuple[str, ...]]()

    async def by_model(said: str) -> Worded | Missing:
        async def check(design: Design) -> Worded:
            await asyncio.to_thread(protocol, design)
            unused, new = compared(said, design)
            if unused and unused not in told:
                told.add(unused)
                found = f"the words say {', '.join(unused)}, which the design does not have"
                raise InputError(
                    ASKED, found, "use each, in its unit, or leave out what is no part"
                )
            return Worded(design, (*_told(writer.name, unused, new),))

        return await writer.write(said, Design, INSTRUCTIONS, check)

    return await settled(words, by_model, ask)


def _told(name: str, unused: tuple[str, ...], new: tuple[str, ...]) -> Iterator[str]:
    yield f"{name} read this design from your words: look at it before anything is done by it"
    if new:
        yield f"numbers that your words do not have: {', '.join(new)}"
    if unused:
        yield f"numbers of your words that the design does not have: {', '.join(unused)}"


# --- numbers -------------------------------------------------------------------------------------


def quantities_in(words: str) -> Iterator[Quantity]:
    """Iterate over the numbers with units of a text; a unit behind a list is that of each."""
    for match in WITH_UNITS.finditer(words.replace("μ", "µ")):
        unit = OFTEN.get(match[2], match[2])
        for number in re.findall(_NUMBER, match[1]):
            try:
                yield read(f"{number} {unit}")
            except ValueError:
                continue


def _within(node: Any, path: str = "") -> Iterator[tuple[str, Quantity]]:
    """Iterate over the quantities of a design, each with where it stands."""
    if isinstance(node, Quantity):
        yield path, node
    elif isinstance(node, Series):
        for one in node.members:
            yield path, one
    elif isinstance(node, Mapping):
        for name, one in cast("Mapping[str, Any]", node).items():
            yield from _within(one, name)
    elif isinstance(node, tuple):
        for one in cast("tuple[Any, ...]", node):
            yield from _within(one, path)
    elif hasattr(type(node), "model_fields"):
        for name in type(node).model_fields:
            if name not in node.model_fields_set:  # what nobody said is no number of theirs
                continue
            inner = f"{path} {name}".strip() if name in ("density", "molar_mass") else path or name
            yield from _within(getattr(node, name), inner)


def compared(words: str, design: Design) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the numbers of words that a design does not have, and those of it that they have not.

    Numbers with units alone; of a density its temperature goes with it.
    """
    said, used = [*quantities_in(words)], [*_within(design)]

    def among(one: Quantity, others: list[Quantity]) -> bool:
        return any(
            one.kind == other.kind and math.isclose(one.value, other.value, rel_tol=1e-6)
            for other in others
        )

    there = [one for _, one in used]
    unused = dict.fromkeys(str(one) for one in said if not among(one, there))
    new = dict.fromkeys(
        f"{one} ({where})"
        for where, one in used
        if not among(one, said) and not (one.kind == "temperature" and where.endswith("density"))
    )
    return (*unused,), (*new,)


# --- rules ---------------------------------------------------------------------------------------


def by_rules(words: str) -> Worded | Missing:
    """Return the design of a sentence such as `SENTENCE`, or what it leaves open.

    Raises:
        InputError: it is another one; shows one that is read, and the smallest design.
    """
    sentence, answers = words.strip(), dict[tuple[str, str], str]()
    while match := _ANSWER.search(sentence):
        answers[match[1].lower(), match[2].strip().lower()] = match[3].strip()
        sentence = sentence[: match.start()].rstrip()
    match = _SERIES.fullmatch(" ".join(sentence.split()))
    if match is None:
        raise InputError(
            ASKED,
            "no language model is there to read them, and rules read one kind of sentence, such "
            f"as “{SENTENCE}”",
            f"write it like that, name a model (setting agent_model), or give a design: {SMALLEST}",
        )
    solute, solvent = match["solute"].strip(), match["solvent"].strip()
    if extra := [name for _, name in answers if name != solute.lower()]:
        raise InputError(ASKED, f"{extra[0]} is none of the solutes", f"say it of {solute}")
    volume, listed = _plain(match["volume"]), list(quantities_in(match["amounts"]))
    chemical, sources = _chemical(solute)
    state = answers.get(("state", solute.lower()), chemical.pop("state", ""))
    if not state:
        reason = "its melting point is not known here; solids are weighed, liquids pipetted"
        return Missing(field=f"state of {solute}", default="solid", reason=reason)
    said: dict[str, Any] = {
        "name": f"{solute} in {solvent}",
        "chemicals": {
            solute: {"state": state, **chemical},
            solvent: {**_chemical(solvent)[0], "state": "liquid"},
        },
        "volume": volume,
        "solvent": solvent,
        "samples": [{"amounts": {solute: [str(one) for one in listed]}}],
    }
    density = answers.get(("density", solute.lower()), "")
    if density.lower() == "neglected":
        said["solid_volume"] = "neglected"
    elif density:
        told = {"value": density, "temperature": f"{BENCH:g} °C", "source": "whoever asked"}
        said["chemicals"][solute]["density"] = told
    elif state == "solid":
        reason = f"its volume counts in {volume}, or is neglected"
        return Missing(field=f"density of {solute}", default="neglected", reason=reason)
    if match["do"]:
        step = {"do": match["do"].lower(), "rate": match["rate"], "time": _plain(match["time"])}
        said["process"] = [step]
    design = design_of(said)
    unused, _ = compared(words, design)
    if unused:
        raise InputError(ASKED, f"{', '.join(unused)} would not be used", "say it otherwise")
    return Worded(design, (f"rules read this design from your words; {sources}",))


def _plain(text: str) -> str:
    """Return a number with its unit as designs have it."""
    return next((str(one) for one in quantities_in(text)), text)


def _chemical(name: str) -> tuple[dict[str, Any], str]:
    """Return what is known of a chemical by its name, its state if that is known, and by whom.

    Raises:
        InputError: nothing is called so.
    """
    from workflows.molecule.looking_up import inchi_key_of
    from workflows.molecule.names import smiles_of
    from workflows.molecule.notation import read_smiles

    try:
        smiles, source = smiles_of(name)
    except GraficoError as error:
        raise InputError(ASKED, f"{name}: {error.found}", error.advice) from error
    told: dict[str, Any] = {"structure": smiles}
    key = inchi_key_of(read_smiles(smiles, name))
    if looked_up(key) is not None:
        told["state"] = "liquid"
    elif (melting := _melting(key)) is not None and melting > BENCH + 273.15:
        told["state"] = "solid"
    return told, f"{name} is {smiles} ({source})"


def _melting(inchi_key: str) -> float | None:
    """Return a melting point in K; None if it is not known."""
    if importlib.util.find_spec("chemicals") is None:
        return None
    from chemicals import Tm

    from workflows.molecule.cas import registry_number
    from workflows.molecule.looking_up import registered

    told = next((str(one.value) for one in registered(inchi_key) if one.name == "CAS"), "")
    number = registry_number(told)
    found: float | None = Tm(number) if number else None
    return found
