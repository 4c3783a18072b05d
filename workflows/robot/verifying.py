"""Verifiers of a synthesis: each repairs what it can, and asks or refuses where it cannot.

They follow the flask through the actions, whoever wrote these. A repair is told in words. They go
round until nothing changes, five times at most.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from triplestore.errors import InputError
from workflows.engine.devices.card import packaged
from workflows.liquids.quantities import read

from .actions import (
    KINDS,
    ROOM,
    STIRRED,
    WORK_UP,
    Add,
    Atmosphere,
    Collect,
    Concentrate,
    Degas,
    Dosing,
    Dry,
    Extract,
    Filter,
    Other,
    Purify,
    Quench,
    Reflux,
    SetTemperature,
    Stir,
    SynthesisAction,
    Wash,
    millilitres,
)
from .chemistry import MINERAL_ACIDS, Materials
from .flask import Flask, Synthesis, boiling

CARD = packaged(__package__, "robot.toml")
ROUNDS = 5
FULL, STIRRABLE = 0.8, 0.1
"""Of a flask: at most, and at least where it is stirred."""

DENSEST = 0.5
"""mol/L of the limiting reactant at most, so that what precipitates is stirred still."""

WARM = 30.0
"""°C above which nothing is opened."""

EXCESS = "in excess may meet water after the reaction, which makes heat and acid"

APART = 5.0
"""°C below its boiling point that a solvent is kept without a condenser."""

FLASKS = [int(one) for one in CARD.commands["take_flask"].arguments["flask"].choices if one]
LIMITS = CARD.commands["set_temperature"].arguments["to"]
BY_PERSON = (
    *("chromatography", "column", "column chromatography", "flash chromatography", "hplc"),
    *("distil", "distill", "distillation", "sublimation"),
)
RECRYSTALLIZE = {"recrystallize", "recrystallise", "recrystallization", "recrystallisation"}
ROBOT_HAS = f"it has {', '.join(KINDS)}"


# --- the verifiers: each returns after one repair, and is called again in the next round ----------


def supported(plan: Synthesis) -> None:
    """See that the robot has each action; what it has not is replaced, or asked."""
    for place, step in enumerate(plan.steps):
        shaken = isinstance(step, Extract | Wash) or getattr(step, "over", None)
        if shaken and isinstance(step, Dosing) and not plan.liquid(step):
            found = f"step {place + 1}: {step.chemical} is no liquid here"
            plan.open.append(f"{found}; give mL of a solution, or its density if it is one")
        if isinstance(step, Other):
            if step.do == "sonicate" and step.time:
                steps = [*plan.steps]
                steps[place] = Stir(time=step.time)
                return plan.repaired(f"sonicate is stir for {step.time}: it cannot sonicate", steps)
            plan.open.append(f"step {place + 1}: the robot cannot {step.do[:60]}; {ROBOT_HAS}")
        if not isinstance(step, Purify) or step.method in RECRYSTALLIZE:
            if isinstance(step, Purify) and not (step.chemical and step.amount):
                plan.open.append(
                    f"step {place + 1}: of what it is to be recrystallized is not said; give "
                    "chemical and amount"
                )
            continue
        if step.method is None or step.method.lower() not in BY_PERSON:
            found = f"by {step.method}" if step.method else "without a method"
            plan.open.append(
                f"step {place + 1}: purify {found} is not valid; say `method`: recrystallize, "
                "which the robot does, or chromatography or distil, which a person does afterwards"
            )
            continue
        rest = plan.steps[place + 1 :]
        if rest and not all(isinstance(one, Concentrate | Collect | Stir) for one in rest):
            found = f"the robot cannot purify by {step.method}, and other steps follow"
            plan.open.append(f"step {place + 1}: {found}; end the procedure with it")
            continue
        plan.by_person.append(f"a person purifies the product by {step.method} afterwards")
        steps = [*plan.steps[:place], Concentrate(), *rest]
        if any(isinstance(one, Concentrate) for one in (*plan.steps[place - 1 : place], *rest)):
            steps = [*plan.steps[:place], *rest]
        return plan.repaired(f"purify by {step.method} is concentrate: a person purifies", steps)
    return None


def ordered(plan: Synthesis) -> None:
    """See that nothing follows the end, that quenching is before work-up, and reactants too."""
    kinds = [type(one) for one in plan.steps]
    if Collect in kinds and kinds.index(Collect) != len(kinds) - 1:
        found = f"step {kinds.index(Collect) + 1} collects the product, and other steps follow"
        plan.open.append(f"{found}; end with collect")
    first = next((n for n, one in enumerate(plan.steps) if isinstance(one, WORK_UP)), None)
    for place, step in enumerate(plan.steps):
        if first is None or place < first:
            continue
        if isinstance(step, Quench):
            steps = [one for one in plan.steps if one is not step]
            steps.insert(first, step)
            return plan.repaired(f"{step} comes before {plan.steps[first]}: quench first", steps)
        if isinstance(step, Add) and step.chemical in plan.materials.of.reactants:
            found = f"step {place + 1} adds {step.chemical} after the work-up has begun"
            plan.open.append(f"{found}; add it before")
    return None


def acids(plan: Synthesis) -> None:
    """See that acid is added to water, not water to acid."""
    known = plan.materials.known
    for place, step, at, _ in plan.walk():
        strong = [
            one for one in at.held if known[one].groups & MINERAL_ACIDS and not known[one].wet
        ]
        if not isinstance(step, Dosing) or not known[step.chemical].wet or not strong:
            continue
        if any(known[one].wet for one in at.held):
            continue
        cold = at.temperature <= 5 and getattr(step, "over", None)
        begin = next(n for n, x in enumerate(plan.steps) if getattr(x, "chemical", "") in strong)
        if all(isinstance(one, Add) for one in plan.steps[begin : place + 1]):
            steps = [*plan.steps[:begin], step, *plan.steps[begin:place], *plan.steps[place + 1 :]]
            return plan.repaired(
                f"{step.chemical} comes before {strong[0]}: acid into water", steps
            )
        if not cold:
            plan.open.append(
                f"step {place + 1}: {step.chemical} onto {strong[0]}, which boils and spits; add "
                "the acid to the water, or cool to 0 °C and add it `over` a time"
            )
    return None


def waters(plan: Synthesis) -> None:
    """See that what reacts with water meets none, and is kept under a dry gas."""
    known, limiting = plan.materials.known, plan.materials.limiting()[0]
    for place, step, at, then in plan.walk():
        if not isinstance(step, Dosing | Purify) or not step.chemical:
            continue
        dry = [one for one in then.held if known[one].dry] or (
            [one for one in at.held if known[one].dry] if known[step.chemical].wet else []
        )
        wet = known[step.chemical].wet or any(known[one].wet for one in at.held)
        spent = [one for one in dry if at.reacted and (one == limiting or known[one].organic)]
        for one in spent if wet else ():
            gone = "is used up when water comes to it" if one == limiting else EXCESS
            plan.assumed[f"{one} {gone}"] = None
        dry = [one for one in dry if one not in spent]
        if dry and wet:
            found = f"step {place + 1}: water in {step.chemical} and {dry[0]}"
            plan.open.append(
                f"{found}, of the {known[dry[0]].dry}, would meet; quench with an alcohol, or "
                "concentrate, first, and use dry solvents"
            )
        elif dry and at.gas == "air" and not at.opened and not isinstance(step, Quench):
            why = f"atmosphere nitrogen from the beginning: {dry[0]} reacts with moist air"
            return plan.insert(0, Atmosphere(), why=why)
    return None


def solvent(plan: Synthesis) -> None:
    """See that there is enough solvent to stir, and to keep it dilute."""
    for place, _, at, then in plan.walk():
        if not then.reacted or at.reacted:
            continue
        least = max(STIRRABLE * plan.flask, plan.limit / DENSEST)
        lacks = least - at.volume
        if lacks <= 1e-6:
            return None
        named = plan.solvents(at.held)
        adds = [n for n, one in enumerate(plan.steps[:place]) if isinstance(one, Add)]
        mine = [n for n in adds if named and getattr(plan.steps[n], "chemical", "") == named[0]]
        if not mine:
            plan.open.append(
                f"step {place + 1}: {at.volume:.3g} mL are not enough to stir, of which "
                f"{least:.3g} mL are the least; add a solvent, in mL"
            )
            return None
        old = plan.steps[mine[0]]
        assert isinstance(old, Add)
        more = millilitres(plan.liquid(old) + lacks)
        steps = [*plan.steps]
        steps[mine[0]] = old.model_copy(update={"amount": read(more)})
        why = f"{STIRRABLE:.0%} of the flask and {DENSEST:g} mol/L of the limiting reactant"
        was = f"{old.amount} to {more} of {old.chemical}"
        return plan.repaired(f"not enough solvent to stir: {was} ({why})", steps)
    if not any(then.reacted for *_, then in plan.walk()):
        plan.open.append("nothing lets the reactants react; stir, wait or reflux for a time")
    return None


def fill(plan: Synthesis) -> None:
    """See that the flask is never too full; a larger one is taken."""
    fullest = max((then.peak for *_, then in plan.walk()), default=0.0)
    if fullest <= FULL * plan.flask and plan.flask in FLASKS:
        return None
    mine = [one for one in FLASKS if fullest <= FULL * one]
    fits = next((one for one in mine if one >= plan.flask), mine[-1] if mine else None)
    if fits is None:
        found = f"{fullest:.3g} mL would fill the largest flask, {FLASKS[-1]} mL, over {FULL:.0%}"
        plan.open.append(f"{found}; make less")
        return None
    why = f"{fullest:.3g} mL fill it over {FULL:.0%}" if plan.flask in FLASKS else "it has no other"
    plan.repairs.append(f"a flask of {fits} mL in place of {plan.flask} mL: {why}")
    plan.flask = fits
    return None


def temperatures(plan: Synthesis) -> None:
    """See that temperatures can be, and that nothing boils off or into what is hot."""
    for place, step, at, _ in plan.walk():
        if isinstance(step, SetTemperature | Concentrate):
            low, high = LIMITS.low, LIMITS.high
            to = step.to if isinstance(step, SetTemperature) else step.temperature
            if isinstance(step, Concentrate):
                bath = CARD.commands["evaporate"].arguments["temperature"]
                low, high = bath.low, bath.high
            assert low is not None
            assert high is not None
            if not low <= to.value <= high:
                plan.open.append(
                    f"step {place + 1}: {to} is outside of what the robot reaches; give {low:g} to "
                    f"{high:g} °C"
                )
                continue
        first = boiling(plan, at.held)
        if isinstance(step, SetTemperature) and first and _boils(step, first[1]):
            to = read(f"{min(step.to.value, first[1]):g} °C")
            steps = [*plan.steps]
            steps[place] = SetTemperature(to=to, condenser=True)
            why = f"{first[0]} boils at {first[1]:g} °C"
            return plan.repaired(f"{step}: {to} under a condenser, {why}", steps)
        if isinstance(step, Reflux):
            if first is None and step.temperature is None:
                names = ", ".join(plan.solvents(at.held)) or "a solvent"
                plan.open.append(
                    f"step {place + 1}: where {names} boils is not known here; give `temperature`, "
                    "or `boiling` under chemicals"
                )
                continue
            given = step.temperature.value if step.temperature else None
            if first and (given is None or abs(given - first[1]) > APART):
                steps = [*plan.steps]
                steps[place] = step.model_copy(update={"temperature": read(f"{first[1]:g} °C")})
                was = "no temperature is said" if given is None else f"not at {given:g} °C"
                why = f"reflux at {first[1]:g} °C, where {first[0]} boils: {was}"
                return plan.repaired(why, steps)
        if isinstance(step, Dosing) and _too_hot(plan, step, at):
            return _cooled(plan, place, step, at)
        if (step.opens or isinstance(step, Atmosphere | Degas)) and at.temperature > WARM:
            why = f"cooled to {ROOM} before {step.do}: {at.temperature:g} °C is too hot to open"
            return plan.insert(place, SetTemperature(to=ROOM), why=why)
    return None


def _boils(step: SetTemperature, boils: float) -> bool:
    return step.to.value > boils - (0 if step.condenser else APART)


def _too_hot(plan: Synthesis, step: Dosing, at: Flask) -> bool:
    boils = plan.materials.known[step.chemical].boiling
    if boils is None or (at.condenser and getattr(step, "over", None)):
        return False
    return not plan.materials.known[step.chemical].wet and at.temperature > boils - APART


def _cooled(plan: Synthesis, place: int, step: Dosing, at: Flask) -> None:
    """Cool before what boils is added; what cannot be is asked."""
    boils = plan.materials.known[step.chemical].boiling
    assert boils is not None
    assert LIMITS.low is not None
    to = min(ROOM.value, 5 * math.floor((boils - 2 * APART) / 5))
    if to < LIMITS.low:
        plan.open.append(
            f"step {place + 1}: {step.chemical} boils at {boils:g} °C, and is no liquid here; "
            "name a solution of it, with its structure, such as Cl.O"
        )
        return
    cold = SetTemperature(to=read(f"{to:g} °C"))
    warm = SetTemperature(to=read(f"{at.temperature:g} °C"), condenser=at.condenser)
    then = plan.steps[place + 1 : place + 2]
    follows = any(isinstance(one, SetTemperature | Quench | Reflux) for one in then)
    steps = [*plan.steps[:place], cold, step, *([] if follows else [warm])]
    why = f"cooled to {to:g} °C for {step.chemical}, which boils at {boils:g} °C"
    plan.repaired(why, [*steps, *plan.steps[place + 1 :]])


def stirring(plan: Synthesis) -> None:
    """See that it is stirred while it is heated, and while something is added dropwise."""
    for place, step, at, _ in plan.walk():
        hot = isinstance(step, Reflux) or (
            isinstance(step, SetTemperature) and step.to.value > WARM
        )
        drops = getattr(step, "over", None) is not None
        stops = isinstance(step, Stir) and not step.rate.value and at.temperature > WARM
        if (hot or drops) and not at.rate:
            return plan.insert(place, Stir(), why=f"stirred at {STIRRED} from {step.do} on")
        if stops:
            why = f"cooled to {ROOM} before stirring ends: it is {at.temperature:g} °C hot"
            return plan.insert(place, SetTemperature(to=ROOM), why=why)
    return None


def dried(plan: Synthesis) -> None:
    """See that a drying agent is filtered off before anything is evaporated."""
    for place, step in enumerate(plan.steps):
        if not isinstance(step, Dry):
            continue
        rest = plan.steps[place + 1 :]
        if not rest or not isinstance(rest[0], Filter):
            why = f"filter after dry: {step.chemical} is still in it"
            return plan.insert(place + 1, Filter(), why=why)
    return None


def ended(plan: Synthesis) -> None:
    """See that it ends cold, not heated and not stirred, with the product given out."""
    at = next(iter([then for *_, then in plan.walk()][-1:]), Flask())
    last = isinstance(plan.steps[-1], Collect)
    more = list[SynthesisAction]()
    if at.temperature != ROOM.value:
        more.append(SetTemperature(to=ROOM))
    if at.rate:
        more.append(Stir(rate=read("0 rpm")))
    if more or not last:
        told = [str(one) for one in more] + ([] if last else ["collect"])
        steps = [*plan.steps[: -1 if last else None], *more, Collect()]
        return plan.repaired(f"at the end: {', '.join(told)}", steps)
    return None


Verifier: TypeAlias = Callable[[Synthesis], None]
VERIFIERS: tuple[Verifier, ...] = (
    supported, ordered, acids, waters, solvent, fill, temperatures, stirring, dried, ended,
)  # fmt: skip


def verified(materials: Materials, steps: tuple[SynthesisAction, ...]) -> Synthesis:
    """Return a synthesis that all verifiers let pass, with what they have repaired.

    Raises:
        InputError: something cannot be repaired; says what, and what to do.
    """
    asked = f"the synthesis {materials.of.name} was asked for"
    size = materials.of.flask.value / 1e3
    plan = Synthesis(materials, list(steps), math.ceil(size))
    for _ in range(ROUNDS):
        before = len(plan.repairs)
        for one in VERIFIERS:
            _until_it_rests(plan, one)
        if plan.open:
            found, _, advice = plan.open[0].partition("; ")
            more = [text.partition("; ")[0] for text in plan.open[1:3]]
            raise InputError(asked, "; ".join([found, *more]), advice)
        if len(plan.repairs) == before:
            return plan
    found = f"verifiers still repair after {ROUNDS} rounds: {'; '.join(plan.repairs[-2:])}"
    raise InputError(asked, found, "write these steps otherwise")


def _until_it_rests(plan: Synthesis, one: Verifier) -> None:
    """Let a verifier repair one place after the other, as many as there are steps."""
    for _ in range(3 * len(plan.steps) + 3):
        before = len(plan.repairs)
        opened = len(plan.open)
        one(plan)
        if len(plan.repairs) == before or len(plan.open) > opened:
            return
