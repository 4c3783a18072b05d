"""A synthesis as its flask goes through the actions, whoever wrote these."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from .actions import (
    ROOM,
    WORK_UP,
    Atmosphere,
    Concentrate,
    Degas,
    Dosing,
    Extract,
    Filter,
    Purify,
    Quench,
    Reflux,
    SetTemperature,
    Stir,
    SynthesisAction,
    Wait,
    Wash,
)
from .chemistry import ALCOHOLS, Materials

EVAPORATES = 150.0
"""°C below which it boils what an evaporator takes away."""

SOME = 0.05
"""Of the volume: what there is less of sets no boiling point."""


@dataclass(frozen=True)
class Flask:
    """The flask before an action.

    Attributes:
        held: mL of each chemical in it; of solids nought.
        temperature: in °C.
        rate: at which it is stirred, in rpm.
        condenser: whether one is on it.
        gas: over it.
        reacted: whether all reactants have been stirred together.
        opened: whether work-up has begun.
        peak: the most mL that are in it in the action.
    """

    held: dict[str, float] = field(default_factory=dict[str, float])
    temperature: float = 20.0
    rate: float = 0.0
    condenser: bool = False
    gas: str = "air"
    reacted: bool = False
    opened: bool = False
    peak: float = 0.0

    @property
    def volume(self) -> float:
        """ML of liquid in it."""
        return math.fsum(self.held.values())


@dataclass
class Synthesis:
    """What verifiers make of a procedure.

    Attributes:
        materials: its chemicals.
        steps: as they are now.
        flask: in mL.
        repairs: what was changed, and why.
        by_person: what a person does, as the robot cannot.
        open: what cannot be repaired, each with what to do, behind a semicolon.
        assumed: what is taken to be so.
    """

    materials: Materials
    steps: list[SynthesisAction]
    flask: int
    repairs: list[str] = field(default_factory=list[str])
    by_person: list[str] = field(default_factory=list[str])
    open: list[str] = field(default_factory=list[str])
    assumed: dict[str, None] = field(default_factory=dict[str, None])

    def repaired(self, why: str, steps: list[SynthesisAction] | None = None) -> None:
        """Put other steps in place of these."""
        self.steps = self.steps if steps is None else steps
        self.repairs.append(why)

    def insert(self, at: int, *steps: SynthesisAction, why: str) -> None:
        """Put steps before one."""
        self.repaired(why, [*self.steps[:at], *steps, *self.steps[at:]])

    @property
    def limit(self) -> float:
        """The most mmol of the product that there can be."""
        return self.materials.limiting()[1]

    def liquid(self, step: Dosing | Purify) -> float:
        """Return the mL that an action brings."""
        assert step.chemical
        assert step.amount
        return self.materials.millilitres(step.chemical, step.amount)

    def solvents(self, held: dict[str, float]) -> list[str]:
        """Return liquids that are no reactants, those of which there is most first."""
        mine = (one for one in held if held[one] > SOME * math.fsum(held.values()))
        found = [one for one in mine if one not in self.materials.of.reactants]
        return sorted(found, key=lambda one: -held[one])

    def walk(self) -> Iterator[tuple[int, SynthesisAction, Flask, Flask]]:
        """Iterate over actions with their numbers from 0, and the flask before and after each."""
        now = Flask()
        for place, step in enumerate(self.steps):
            then = _after(self, step, now)
            yield place, step, now, then
            now = then


def _after(plan: Synthesis, step: SynthesisAction, at: Flask) -> Flask:
    """Return the flask after an action."""
    held, known = dict(at.held), plan.materials.known
    peak, reacted = at.volume, at.reacted
    kept = dict(held)
    match step:
        case Extract() | Wash():
            more = plan.liquid(step)
            peak += more
            wet = {one for one in held if known[one].wet}
            kept = {one: ml for one, ml in held.items() if one not in wet}
            if isinstance(step, Extract):
                kept[step.chemical] = kept.get(step.chemical, 0.0) + more * step.times
        case Dosing():
            kept[step.chemical] = held.get(step.chemical, 0.0) + plan.liquid(step)
            if isinstance(step, Quench) and ALCOHOLS in known[step.chemical].groups:
                kept = {one: ml for one, ml in kept.items() if not known[one].dry}
        case Concentrate():
            kept = {one: ml for one, ml in held.items() if not _evaporates(plan, one)}
        case Filter(keep="solid"):
            kept = {}
        case Purify() if step.chemical and step.amount:
            peak, kept = peak + plan.liquid(step), {}
        case Stir() | Wait() | Reflux() if step.time:
            reacted = reacted or set(plan.materials.of.reactants) <= held.keys()
        case _:
            pass
    after = replace(
        at,
        held=kept,
        reacted=reacted,
        opened=at.opened or isinstance(step, WORK_UP),
    )
    match step:
        case SetTemperature():
            after = replace(after, temperature=step.to.value, condenser=step.condenser)
        case Reflux():
            after = replace(after, temperature=ROOM.value, condenser=False)
        case Stir():
            after = replace(after, rate=step.rate.value)
        case Atmosphere() | Degas():
            after = replace(after, gas=step.gas)
        case _:
            pass
    return replace(after, peak=max(peak, after.volume))


def _evaporates(plan: Synthesis, name: str) -> bool:
    boils = plan.materials.known[name].boiling
    return plan.materials.known[name].wet or (boils is not None and boils < EVAPORATES)


def boiling(plan: Synthesis, held: dict[str, float]) -> tuple[str, float] | None:
    """Return what boils first of the liquids in a flask, and where; None if nothing is known."""
    known = plan.materials.known
    mine = [one for one, ml in held.items() if ml > SOME * math.fsum(held.values())]
    pairs = [(one, boils) for one in mine if (boils := known[one].boiling) is not None]
    return min(pairs, key=lambda one: one[1], default=None)
