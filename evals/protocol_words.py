"""Experiments in words, read by a script in a model's place: ``python -m evals.protocol_words``.

The five experiments of AutoLabs, told in other words. The script answers as a model would, with
mistakes that models make (a wrong unit, a forgotten density, a wrong plate), and mends each only
when it is told what is wrong with it. So the table says what the checks catch and what becomes of
it; **how good a model is it does not say**: no model was asked.
"""

from __future__ import annotations

import asyncio
import copy
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from grafico.session.settings import Settings
from grafico.session.writing import ModelWriter
from triplestore.errors import InputError
from workflows.liquids.protocol import protocol
from workflows.liquids.reading import design_of
from workflows.liquids.steps import Step
from workflows.liquids.words import Worded, worded
from workflows.trust.caller import Caller, asked_by
from workflows.trust.mappings import mapping

from .protocols import PUBLISHED, Line, Score, lines, published, score

EVERY = (1, 2, 3, 4, 5)

WORDS = {
    1: "I need eight calibration samples of naphthalene in methanol, 10 mL each, in 20 mL vials: "
    "5, 10, 15, 20, 25, 30, 35 and 50 mg of naphthalene (1.14 g/mL at 20 °C). Vortex them at "
    "500 rpm for 10 min.",
    2: "Electrolytes of a lithium salt in propylene carbonate with ethylene carbonate as modifier. "
    "The modifier comes as a solution of 1 vol% in propylene carbonate and is to be 0, 0.2, 0.4, "
    "0.6, 0.8 and 1.0 vol% in the sample. Perchlorate and tetrafluoroborate: 20 mg a vial; "
    "hexafluorophosphate: each strength with 20 mg and with 50 mg. Fill up to 500 µL in vials of "
    "4 mL, neglecting the salts' volume. Then 30 min at 40 °C, stirred at 700 rpm.",
    3: "Imines from benzaldehyde (0.5 mmol) and one of eight halides (0.75 mmol each): "
    "1-bromobutane, 1-iodobutane, 1-chlorobutane, 3-bromopropene, benzyl bromide, "
    "3-bromobut-1-ene, 3-bromobut-2-ene, 2-bromoethyl cyanide. Ammonia, 3, 9 or 12 M in the "
    "sample, from a solution of 28 wt% in water (0.896 g/mL); water up to 1 mL. Everything twice, "
    "in vials of 2 mL, 480 min at 60 °C and 700 rpm.",
    4: "Esters: acetic acid with methanol, ethanol, propanol and glycerol; propanoic and benzoic "
    "acid with methanol and ethanol. Alcohol to acid 0.5, 1 and 2, both together 4 M, and 0.025 M "
    "sulfuric acid from a stock of 0.5 M in water; water up to 2 mL, in vials of 4 mL that have a "
    "septum. 30 min at 80 °C, 700 rpm, then cooled to 25 °C. Dilute a part of each ten times with "
    "water, to 1 mL in a vial of 2 mL, and vortex these 20 min at 1000 rpm.",
    5: "How fast acetic acid forms esters with methanol, ethanol, propanol and glycerol, 1 to 1, "
    "both together 4 M, with 0.025 M sulfuric acid from a 0.5 M stock in water; water up to 2 mL, "
    "in vials of 4 mL. At 80 °C and 700 rpm for 15, 30, 60, 90, 120 and 150 min.",
}
"""What is asked, by the number of the experiment."""


@dataclass(frozen=True)
class Slip:
    """A mistake that models make.

    Attributes:
        make: makes it in a design.
        told: what the script has to be told, as a pattern, before it mends it.
    """

    make: Callable[[dict[str, Any]], object]
    told: str


def _without_density(name: str) -> Slip:
    return Slip(lambda one: one["chemicals"][name].pop("density"), f"{name}|density is missing")


SLIPS: Mapping[int, tuple[Slip, ...]] = {
    1: (
        Slip(lambda one: one.update(volume="10 mg"), "'10 mg' is a mass"),
        Slip(
            lambda one: one["samples"][0]["amounts"].update(naphthalene=["10 mg", "50 mg"]),
            r"the words say 5 mg, 15 mg",
        ),
        _without_density("naphthalene"),
    ),
    2: (
        Slip(
            lambda one: next(iter(one["stocks"].values())).update(concentration="1 %"),
            "write wt% or vol%",
        ),
        Slip(
            lambda one: one.update(plate={"array": "8x12", "capacity": "1 mL"}),
            "have to be capped, which no device does",
        ),
    ),
    3: (
        Slip(lambda one: one["process"][0].update(stir=700), "700 has no unit"),
        _without_density("2-bromoethyl cyanide"),
        Slip(lambda one: one["process"][0].update(time="8 min"), "the words say 480 min"),
    ),
    4: (
        Slip(lambda one: one["process"][0].update(temperature="800 °C"), "give 25 to 180 °C"),
        Slip(
            lambda one: one["process"][1].update(plate={"array": "8x12", "capacity": "1.2 mL"}),
            "have to be capped",
        ),
        Slip(lambda one: one["chemicals"].pop("glycerol"), "names 'glycerol', which is not there"),
    ),
    5: (
        Slip(lambda one: one["process"][0]["times"].pop(), "the words say 150 min"),
        Slip(lambda one: one.update(volume="2 L"), "no plate has|2e\\+06|choose other vials"),
    ),
}
"""Mistakes of the script, by experiment."""


def right(number: int) -> dict[str, Any]:
    """Return the design that an experiment is meant to come to."""
    path = PUBLISHED.parent / "designs" / f"exp{number}.yaml"
    loaded = mapping(path.read_text(encoding="utf-8"), "a design was asked for", "")
    return json.loads(json.dumps(loaded))


@dataclass
class Script:
    """What answers in a model's place.

    Attributes:
        design: the right one.
        slips: that are left in it.
        rounds: how often it was asked.
        heard: what it was told.
    """

    design: dict[str, Any]
    slips: list[Slip] = field(default_factory=list[Slip])
    rounds: int = 0
    heard: list[str] = field(default_factory=list[str])

    @property
    def model(self) -> FunctionModel:
        """The same as a model."""
        return FunctionModel(self._answer, model_name="a script")

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.rounds += 1
        last = messages[-1]
        assert isinstance(last, ModelRequest)
        kinds = ("retry-prompt", "tool-return")
        parts: list[Any] = [part for part in last.parts if part.part_kind in kinds]
        told = [str(part.content) for part in parts]
        self.heard += told
        self.slips = [
            one for one in self.slips if not any(re.search(one.told, text) for text in told)
        ]
        made = copy.deepcopy(self.design)
        for one in self.slips:
            one.make(made)
        [fill] = [one.name for one in info.output_tools if one.name == "fill_in"]
        return ModelResponse(parts=[ToolCallPart(fill, made)])


def asked(words: str, model: FunctionModel, question: Any = None) -> Any:
    """Return what words come to with a model: a `Worded`, or what is `Missing`.

    Raises:
        InputError: see `worded`.
    """

    async def ask() -> Any:
        writer = ModelWriter(model, Settings())
        with asked_by(Caller(is_person=True, writer=lambda: writer, question=question)):
            return await worded(words)

    return asyncio.run(ask())


# --- what a model does that writes the steps itself -----------------------------------------------


def _own_steps(number: int) -> list[Step]:
    """Return steps as a model writes them that computes by itself, with what goes wrong then.

    1: the volume of the solid is forgotten. 2: the modifier is added neat. 3: no stirring, no
    cooling (the published example). 4: methanol and ethanol are taken for each other, and nothing
    cools. 5: one delay in place of six timers.
    """
    found = [*protocol(right(number)).steps]

    def changed(name: str, **update: Any) -> None:
        for at, one in enumerate(found):
            if one.parameter == name and one.plate == "Plate 1":
                found[at] = one.model_copy(update=update)
                return

    match number:
        case 1:
            added = next(one for one in found if one.parameter == "methanol")
            changed("methanol", values=dict.fromkeys(added.values, 10_000.0))
        case 2:
            name = "1% ethylene carbonate in propylene carbonate"
            added = next(one for one in found if one.parameter == name)
            neat = {vial: dose / 100 for vial, dose in added.values.items()}
            changed(name, parameter="ethylene carbonate", values=neat)
        case 3:
            found = [one for one in found if one.parameter != "StirRate"]
            found = [one for one in found if (one.parameter, one.value) != ("HeatingTemp", 25.0)]
        case 4:
            swap = {"methanol": "ethanol", "ethanol": "methanol"}
            found = [
                one.model_copy(update={"parameter": swap.get(one.parameter, one.parameter)})
                for one in found
                if (one.parameter, one.value) != ("HeatingTemp", 25.0)
            ]
        case _:
            at = next(i for i, one in enumerate(found) if one.parameter == "VialTimers")
            found[at] = Step(
                action="Set", parameter="Delay", plate="Plate 2", unit="min", value=150.0
            )
            found = [one for one in found if one.parameter != "Uniform"]
    return found


# --- with and without -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What became of an experiment.

    Attributes:
        score: None where nothing came of it.
        why: then, the reason.
        rounds: how often the script was asked.
    """

    score: Score | None
    why: str = ""
    rounds: int = 0


def _scored(number: int, steps: Sequence[Step], rounds: int) -> Outcome:
    design = design_of(right(number))
    made: list[Line] = lines(steps, design)
    return Outcome(score(made, published(number, design)), rounds=rounds)


def no_model(number: int) -> Outcome:
    """Let rules read the words."""
    found = asyncio.run(worded(WORDS[number]))
    assert isinstance(found, Worded)
    return _scored(number, protocol(found.design).steps, 0)


def _written(number: int) -> tuple[Worded, Script]:
    script = Script(right(number), [*SLIPS[number]])
    return asked(WORDS[number], script.model), script


def first_answer(number: int) -> Outcome:
    """Take the first design of the script, which is never told what is wrong."""
    script = Script(right(number), [*SLIPS[number]])
    for one in script.slips:
        one.make(script.design)
    return _scored(number, protocol(script.design).steps, 1)


def own_steps(number: int) -> Outcome:
    """Take the steps that the script writes itself: no tool computes, nothing is checked."""
    return _scored(number, _own_steps(number), 1)


def own_steps_checked(number: int) -> Outcome:
    """Have the same steps verified beside a right design, and repaired."""
    found = protocol(right(number), _own_steps(number))
    return _scored(number, found.steps, 1)


def whole(number: int) -> Outcome:
    """Let the script fill in the design, tools compute, and verifiers send back what cannot be."""
    found, script = _written(number)
    return _scored(number, protocol(found.design).steps, script.rounds)


CONFIGURATIONS: Mapping[str, Callable[[int], Outcome]] = {
    "no model (rules)": no_model,
    "model alone: its own steps": own_steps,
    "model and checks: its own steps, repaired": own_steps_checked,
    "model and tools: its first design": first_answer,
    "model, tools and checks": whole,
}
"""What is there, and what is not."""


def outcome(name: str, number: int) -> Outcome:
    """Return what an experiment comes to in a configuration."""
    try:
        return CONFIGURATIONS[name](number)
    except InputError as error:
        return Outcome(None, error.found)


def table() -> Iterator[str]:
    """Iterate over the lines of a table in Markdown, a row an experiment and configuration."""
    yield "| what is there | experiment | F1 | strict | nRMSE | strict | order | rounds |"
    yield "|---|---|---|---|---|---|---|---|"
    for name in CONFIGURATIONS:
        for number in EVERY:
            found = outcome(name, number)
            cells = ["refused", "", "", "", "", ""]
            if found.score is not None:
                one = replace(found.score)
                cells = [f"{one.f1:.3f}", f"{one.strict_f1:.3f}", f"{one.nrmse:.4f}"]
                cells += [f"{one.strict_nrmse:.4f}", f"{one.spearman:.3f}", str(found.rounds)]
            yield f"| {name} | {number} | {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.stdout.write("".join(f"{line}\n" for line in table()))
