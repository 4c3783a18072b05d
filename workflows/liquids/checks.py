"""Verifiers of a list of steps, whoever wrote it: each repairs what it can and refuses the rest.

They know a protocol as it is laid out, and read the steps from the first to the last; nothing is
taken from how the planner came to them.
"""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from triplestore.errors import InputError
from workflows.safety.chart import dangers, meets_no_water

from .balance import differences, fills, ledger
from .steps import (
    FILL,
    FIRST,
    SECOND,
    SETTINGS,
    Laid,
    Sample,
    Step,
    additions,
    cap,
    closes,
    planned,
    rank,
    setting,
)

MOST_PLATES, ROUNDS = 2, 5
"""Plates, and how often verifiers go round until nothing is repaired."""


@dataclass
class Review:
    """What verifiers make of some steps.

    Attributes:
        steps: as they are now.
        repairs: what was changed, and why.
        refusals: why it cannot be done, with what to do, behind a semicolon.
    """

    steps: list[Step]
    repairs: list[str] = field(default_factory=list[str])
    refusals: list[str] = field(default_factory=list[str])

    def repaired(self, steps: Sequence[Step], why: str) -> None:
        """Put other steps in their place."""
        self.steps = list(steps)
        self.repairs.append(why)


Verifier: TypeAlias = Callable[[Laid, Review], None]


def plates(laid: Laid, review: Review) -> None:
    """At most two plates; each vial that is named is there."""
    for step in review.steps:
        for plate in filter(None, (step.plate, step.to)):
            if plate not in laid.plates:
                review.refusals.append(
                    f"{step} names {plate[:40]}, which is not there; there are "
                    f"{', '.join(laid.plates)}, of {MOST_PLATES} at most"
                )
                return
        if absent := step.values.keys() - set(laid.plates[step.plate].places):
            review.refusals.append(
                f"{step} names vial {min(absent)[:20]}, which {step.plate} has not; name another"
            )


def units(laid: Laid, review: Review) -> None:
    """Solids in mg, liquids in µL, nothing negative."""
    for step in review.steps:
        if any(not 0 <= value < 1e9 for value in step.values.values()):
            review.refusals.append(f"{step} has an amount that is negative or absurd; correct it")
        if step.action != "Add" or not _known(laid, step.parameter):
            continue
        wanted = "mg" if laid.design.is_solid(step.parameter) else "µL"
        if step.unit != wanted:
            kind = "a solid" if wanted == "mg" else "a liquid"
            review.refusals.append(f"{step} counts {kind} in {step.unit}; give {wanted}")


def amounts(laid: Laid, review: Review) -> None:
    """One `Add` a chemical and plate, with the amounts of the design; none missing, none extra."""
    needed, seen, kept = laid.needed, set[tuple[str, str]](), list[Step]()
    why = list[str]()
    for step in review.steps:
        key = step.plate, step.parameter
        if step.action != "Add":
            kept.append(step)
        elif key not in needed:
            why.append(f"{step} was left out: the design has no such addition")
        elif key in seen:
            why.append(
                f"{step} was taken together with the one before: one Add a chemical and plate"
            )
        else:
            seen.add(key)
            right = step.model_copy(update={"values": dict(needed[key])})
            if dict(step.values) != right.values:
                why.append(f"amounts of {step.parameter} in {step.plate} were set to the design's")
            kept.append(right)
    for plate in laid.plates:
        for step in additions(laid, plate):
            if (plate, step.parameter) not in seen:
                why.append(f"{step} was missing")
                kept.insert(_place_of(step, kept, laid), step)
    if why:
        review.repaired(kept, "; ".join(why))


def _place_of(step: Step, kept: Sequence[Step], laid: Laid) -> int:
    """Return where a missing addition goes: before the first that comes later, or behind all."""
    there = [i for i, one in enumerate(kept) if (one.action, one.plate) == ("Add", step.plate)]
    mine = rank(laid, step.plate, step.parameter)
    later = [i for i in there if rank(laid, step.plate, kept[i].parameter) > mine]
    if later or there:
        return later[0] if later else there[-1] + 1
    drawn = [i for i, one in enumerate(kept) if one.to == step.plate]
    return drawn[0] if drawn and step.plate == SECOND else 0


def order(laid: Laid, review: Review) -> None:
    """Solids first, except into aqueous liquids; acid into water."""
    for plate in laid.plates:
        if not (why := _disorder(laid, review.steps, plate)):
            continue
        ordered = iter(additions(laid, plate))
        steps = [
            next(ordered) if (one.action, one.plate) == ("Add", plate) else one
            for one in review.steps
        ]
        if again := _disorder(laid, steps, plate):
            review.refusals.append(f"{again}; change `order`, or leave it out")
            return
        review.repaired(steps, f"{why}: the additions were put in order")


def _disorder(laid: Laid, steps: Sequence[Step], plate: str) -> str:
    """Return what is wrong with the order of the additions to a plate."""
    design, before = laid.design, dict[str, list[str]]()
    wanted = [name for at, name in laid.needed if at == plate]
    for step in steps:
        if (step.action, step.plate) != ("Add", plate) or step.parameter not in wanted:
            continue
        name = step.parameter
        for vial in step.values:
            there = before.setdefault(vial, [])
            if design.is_solid(name):
                wet = [one for one in there if not (design.is_solid(one) or design.is_water(one))]
                if wet:
                    return f"the solid {name} comes after {wet[0]}, which is not aqueous"
            elif design.stock_or_chemical(name).acid:
                late = [
                    one
                    for one in wanted
                    if design.is_water(one)
                    and not design.stock_or_chemical(one).acid
                    and vial in laid.needed[plate, one]
                    and one not in there
                ]
                if late:
                    return f"the acid {name} comes before {late[0]}: acid goes into water"
            there.append(name)
    return ""


def capping(laid: Laid, review: Review) -> None:
    """Caps come before heat, stirring and vortexing; nothing is added to a vial that is closed."""
    shut, kept, why = set[str](), list[Step](), list[str]()
    late = Counter(step.plate for step in review.steps if step.action == "Add")
    for step in review.steps:
        if step.action == "Add":
            late[step.plate] -= 1
            if step.plate in shut:
                at = max(i for i, one in enumerate(kept) if one.parameter == "Cap")
                kept.insert(at, step)
                why.append(f"{step} came after the caps, and was put before them")
                continue
        if step.runs:
            held = FIRST if _moved(review.steps) else step.plate
            if held not in shut:
                shut.add(held)
                kept.append(cap(laid, held))
                why.append(f"{held} is capped before {step}")
        if step.parameter == "Cap":
            if step.plate in shut:
                why.append(f"{step} was left out: the vials are capped")
                continue
            shut.add(step.plate)
            step = cap(laid, step.plate)
        if step.parameter == "Uncap":
            shut.discard(step.plate)
        kept.append(step)
    if why:
        review.repaired(kept, "; ".join(why))
    for plate in sorted(shut):
        held = laid.plates[plate]
        if not closes(held) and not held.capped_by_hand:
            review.refusals.append(
                f"vials of {held.capacity} in {plate} have to be capped, which no device does; "
                "choose other vials, or say `capped_by_hand: true`"
            )
    for plate in laid.plates:
        names = [n for at, n in laid.needed if at == plate or (plate == SECOND and laid.dilution)]
        volatile = [
            n for n in names if n in laid.design.chemicals and laid.design.chemicals[n].volatile
        ]
        if volatile and plate not in shut and (plate == FIRST or laid.dilution):
            review.repaired(
                [*review.steps, cap(laid, plate)],
                f"{plate} is capped at the end: {volatile[0]} is volatile",
            )


def _moved(steps: Sequence[Step]) -> bool:
    """Tell whether vials are carried to the second plate, caps and all."""
    return any(step.parameter == "Uniform" for step in steps)


def limits(laid: Laid, review: Review) -> None:
    """Temperatures and rates are such as the device has."""
    longest = SETTINGS["Delay"].most
    for step in review.steps:
        value, one = step.value or 0.0, SETTINGS.get(step.parameter)
        if one and one.rest is not None and not one.least <= value <= one.most:
            wanted = f"{one.least:g} to" if one.least else "at most"
            review.refusals.append(
                f"{step} asks for {value:g} {one.unit}; give {wanted} {one.most:g} {one.unit}"
            )
        waits = [value] if step.parameter == "Delay" else []
        waits += step.values.values() if step.parameter == "VialTimers" else []
        if any(not 0 < one <= longest for one in waits):
            review.refusals.append(
                f"{step.parameter} of {max(waits):g} min was asked for; give up to two weeks"
            )


def rests(laid: Laid, review: Review) -> None:
    """What is begun is waited for, and set back after the delay."""
    kept, why = list(review.steps), list[str]()
    for what, rest in ((what, one.rest) for what, one in SETTINGS.items()):
        for plate in laid.plates if rest is not None else ():
            places = [i for i, s in enumerate(kept) if (s.parameter, s.plate) == (what, plate)]
            running = 0
            for number, place in enumerate(places):
                if not kept[place].runs:
                    continue
                running = number + 1
                end = places[running] if running < len(places) else len(kept)
                waits = [
                    i
                    for i in range(place, end)
                    if kept[i].parameter == "Delay" or "WaitVialTimer" in kept[i].note
                ]
                if not waits:
                    review.refusals.append(f"{kept[place]} goes with no Delay; say for how long")
                elif running == len(places):
                    kept.insert(waits[-1] + 1, setting(what, plate, rest))
                    why.append(f"{what} of {plate} was set back to {rest:g} after the delay")
                    break
    if why:
        review.repaired(kept, "; ".join(why))


def process(laid: Laid, review: Review) -> None:
    """All that the design asks to be done is done, once, in its order, and nothing else."""

    def others(steps: Sequence[Step]) -> list[Step]:
        return [step for step in steps if step.action != "Add"]

    right = planned(laid)
    wanted, there = others(right), others(review.steps)
    if [_whole(one) for one in wanted] == [_whole(one) for one in there] and _placed(
        review.steps, right
    ):
        return
    names = Counter(str(one) for one in wanted)
    found = Counter(str(one) for one in there)
    told = [f"{name} was missing" for name in names - found]
    told += [f"{name} was left out: the design does not ask for it" for name in found - names]
    rest = iter(_adds(laid, review.steps))
    steps = [next(rest) if one.action == "Add" else one for one in right]
    review.repaired(steps, "; ".join(told or ["steps were put in the order of the design"]))


def _whole(step: Step) -> tuple[object, ...]:
    return (*step.key, step.to, tuple(sorted(step.values.items())))


def _adds(laid: Laid, steps: Sequence[Step]) -> list[Step]:
    return [s for plate in laid.plates for s in steps if (s.action, s.plate) == ("Add", plate)]


def _placed(steps: Sequence[Step], right: Sequence[Step]) -> bool:
    """Tell whether additions stand between the same other steps."""

    def shape(some: Sequence[Step]) -> list[tuple[str, str]]:
        return [(one.action, one.plate) for one in some]

    return shape(steps) == shape(right)


def filling(laid: Laid, review: Review) -> None:
    """No vial is fuller than 80 % at any time, nor emptier than 10 % when it is done with."""
    for sample in laid.samples:
        if not any(sample.doses.values()):
            review.refusals.append(f"nothing goes into vial {sample.vial}; leave the sample out")
            return
    seen = set[tuple[str, str, str]]()
    for number in range(1, len(review.steps) + 1):
        step = review.steps[number - 1]
        if step.action == "Set" or not step.values:
            continue
        try:
            now = fills(ledger(review.steps[:number]), laid)
        except ValueError as error:
            review.refusals.append(f"{error}; dilute less, or make larger samples")
            return
        for (plate, vial), volume in now.items():
            share = volume / laid.plates[plate].capacity.value
            last = _last(review.steps, number, plate)
            much = share > FILL[1] * (1 + 1e-9)
            if not much and not (last and share < FILL[0] * (1 - 1e-9)):
                continue
            key = plate, vial, "much" if much else "little"
            if key not in seen:
                seen.add(key)
                found = f"{volume:.6g} µL in vial {vial} of {plate} fill it by {share:.1%}"
                review.refusals.append(f"{found}; 10 to 80 % are allowed: choose other vials")


def _last(steps: Sequence[Step], number: int, plate: str) -> bool:
    return not any(
        s.action != "Set" and s.values and plate in (s.plate, s.to) for s in steps[number:]
    )


def water(laid: Laid, review: Review) -> None:
    """Nothing that reacts with water meets water in a vial."""
    for sample in laid.samples:
        held = _held(laid, sample)
        wet = [name for name in held if laid.design.is_water(name)]
        for name in held if wet else ():
            structure = _structure(laid, name)
            if what := structure and meets_no_water(structure):
                review.refusals.append(
                    f"{name} ({what}) meets {wet[0]} in vial {sample.vial}; they react violently, "
                    "leave out one of them"
                )
                return


def meeting(laid: Laid) -> list[str]:
    """Return what may come of chemicals that meet in a vial, each two once; it warns.

    What is dissolved and its solvent have met before.
    """
    dissolved = {(one.of, one.solvent) for one in laid.design.stocks.values()}
    found = dict[tuple[str, str], str]()
    for sample in laid.samples:
        held = {n: s for n in _held(laid, sample) if (s := _structure(laid, n))}
        for one in dangers(held):
            if (one.first, one.second) in dissolved or (one.second, one.first) in dissolved:
                continue
            found.setdefault((one.first, one.second), f"in vial {sample.vial} {one}")
    return [*found.values()]


def _held(laid: Laid, sample: Sample) -> list[str]:
    """Return the chemicals that come together in a vial, those of stocks too."""
    held = [name for name, dose in sample.doses.items() if dose]
    if laid.dilution:
        held.append(laid.dilution.diluent)
    stocks = laid.design.stocks
    within = [one for n in held if n in stocks for one in (stocks[n].of, stocks[n].solvent)]
    return list(dict.fromkeys([*held, *within]))


def _structure(laid: Laid, name: str) -> str:
    chemicals = laid.design.chemicals
    return chemicals[name].structure if name in chemicals else ""


def balanced(laid: Laid, review: Review) -> None:
    """The second path agrees, vial by vial."""
    try:
        review.refusals += differences(laid, review.steps)
    except ValueError as error:
        review.refusals.append(f"{error}; dilute less, or make larger samples")


BEFORE: Mapping[str, Verifier] = {"plates": plates, "units": units, "water": water}
REPAIRING: Mapping[str, Verifier] = {
    "amounts": amounts,
    "order": order,
    "capping": capping,
    "process": process,
    "rests": rests,
}
AFTER: Mapping[str, Verifier] = {"limits": limits, "filling": filling, "balance": balanced}


def _known(laid: Laid, name: str) -> bool:
    return name in laid.design.chemicals or name in laid.design.stocks


def verified(laid: Laid, steps: Sequence[Step]) -> Review:
    """Return what the verifiers make of some steps, after at most `ROUNDS` rounds.

    Raises:
        InputError: the protocol cannot be carried out; says all reasons.
    """
    review = Review(list(steps))
    for verifier in BEFORE.values():
        verifier(laid, review)
    _refuse(laid, review)
    for _ in range(ROUNDS):
        number = len(review.repairs)
        for verifier in REPAIRING.values():
            verifier(laid, review)
            if review.refusals:
                break
        if len(review.repairs) == number or review.refusals:
            break
    else:
        review.refusals.append(f"it needs repairs after {ROUNDS} rounds; correct the steps")
    if not review.refusals:
        for verifier in AFTER.values():
            verifier(laid, review)
    _refuse(laid, review)
    return review


def _refuse(laid: Laid, review: Review) -> None:
    if review.refusals:
        each = list(dict.fromkeys(review.refusals))
        found, _, advice = each[0].partition("; ")
        others = (one.removesuffix(f"; {advice}") for one in each[1:4])
        more = "".join(f"; also: {one}" for one in others)
        rest = f"; and {len(each) - 4} more" if len(each) > 4 else ""
        raise InputError(
            f"a protocol for {laid.design.name} was asked for",
            found + more + rest,
            advice or "correct the design",
        )
