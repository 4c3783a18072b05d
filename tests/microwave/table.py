"""The device as its specification says it: a table of commands, written apart from the code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ogm import KnowledgeGraph
from ontologies.laboratory import HeatingParameters, SynthesizerCommand, SynthesizerState


@dataclass(frozen=True)
class Model:
    """The state as the specification lists it; °C, min and atm are None while unset."""

    session: bool = False
    lid_open: bool = False
    vial: int | None = None
    temperature: float | None = None
    duration: float | None = None
    pressure: float | None = None
    heating: bool = False
    heated: bool = False


@dataclass(frozen=True)
class Told:
    """A command with its values."""

    name: str
    vial: int | None = None
    temperature: float | None = None
    duration: float | None = None
    pressure: float | None = None


def complete(at: Model) -> bool:
    return None not in (at.temperature, at.duration, at.pressure)


MAY: dict[str, Callable[[Model], bool]] = {
    "allocate_session": lambda at: not at.session,
    "open_lid": lambda at: at.session and not at.lid_open,
    "close_lid": lambda at: at.session and at.lid_open,
    "load_vial": lambda at: at.session and at.lid_open and at.vial is None,
    "unload_vial": lambda at: at.session and at.lid_open and at.vial is not None,
    "update_heating_parameters": lambda at: at.session,
    "heat_vial": lambda at: at.session and not at.lid_open and at.vial is not None and complete(at),
    "get_percent_conversion": lambda at: at.heated,
}


def may(at: Model, told: Told) -> bool:
    """Whether a command is done; none is while the device is heating."""
    if told.name == "update_heating_parameters" and not any(
        (told.temperature, told.duration, told.pressure)
    ):
        return False
    return not at.heating and MAY[told.name](at)


def after(at: Model, told: Told) -> Model:
    """What a command makes of the device."""
    match told.name:
        case "allocate_session":
            return replace(at, session=True)
        case "open_lid":
            return replace(at, lid_open=True)
        case "close_lid":
            return replace(at, lid_open=False)
        case "load_vial":
            return replace(at, vial=told.vial, heated=False)
        case "unload_vial":
            return replace(at, vial=None, heated=False)
        case "update_heating_parameters":
            return replace(
                at,
                temperature=told.temperature or at.temperature,
                duration=told.duration or at.duration,
                pressure=told.pressure or at.pressure,
            )
        case "heat_vial":
            return replace(at, heating=True, heated=False)
        case _:
            return at


def later(at: Model) -> Model:
    """What becomes of the device when the duration has run."""
    return replace(at, heating=False, heated=True) if at.heating else at


def reachable(commands: list[Told]) -> set[Model]:
    """Every state that commands and time lead to from the first."""
    found, new = {Model()}, [Model()]
    while new:
        at = new.pop()
        ways = [after(at, told) for told in commands if may(at, told)]
        for way in {*ways, later(at)} - found:
            found.add(way)
            new.append(way)
    return found


# --- what is stored, in the words of the table ---------------------------------------------------


def values(parameters: HeatingParameters | None) -> dict[str, float | None]:
    """Temperature, duration and pressure by their names here."""
    if parameters is None:
        return {}
    return {
        "temperature": parameters.heating_temperature,
        "duration": parameters.heating_duration,
        "pressure": parameters.heating_pressure,
    }


def as_model(state: SynthesizerState | None) -> Model:
    """A stored state in the words of the table."""
    if state is None:
        return Model()
    return Model(
        state.session is not None,
        state.lid_open,
        state.vial,
        heating=state.heating,
        heated=state.heated,
        **values(state.parameters),
    )


def as_told(command: SynthesizerCommand) -> Told:
    """A stored command in the words of the table."""
    return Told(command.name, command.vial, **values(command.parameters))


def history(kg: KnowledgeGraph, device: str) -> list[SynthesizerState]:
    """The states of a device in order."""
    found = kg.find(SynthesizerState, synthesizer={"name": device})
    return sorted(found, key=lambda state: state.step)


def check_history(kg: KnowledgeGraph, device: str) -> list[SynthesizerState]:
    """Check that every stored state follows from the one before by the table, and return them.

    And that no command was refused that the table allows, nor one done that it forbids.
    """
    states = history(kg, device)
    assert [state.step for state in states] == list(range(1, len(states) + 1))
    by_step: dict[int, SynthesizerState | None] = {0: None, **{s.step: s for s in states}}
    for before, state in zip([None, *states], states, strict=False):
        check_limits(as_model(state))
        assert (state.previous.iri if state.previous else None) == (before and before.iri)
        assert not before or state.session == before.session
        if state.command is None:
            assert before is not None
            assert before.heating
            assert as_model(state) == later(as_model(before))
            continue
        command = state.command.load(kg)
        assert command.refusal == ""
        assert command.step == state.step - 1
        assert may(as_model(before), as_told(command)), (before, command)
        assert as_model(state) == after(as_model(before), as_told(command))
    for command in kg.find(SynthesizerCommand, synthesizer={"name": device}):
        if command.refusal and "another process" not in command.refusal:
            assert not may(as_model(by_step[command.step]), as_told(command)), command
    return states


def check_limits(at: Model) -> None:
    """The invariants of a state on its own."""
    assert at.vial is None or 1 <= at.vial <= 10
    assert at.temperature is None or 25 <= at.temperature <= 100
    assert at.duration is None or 1 <= at.duration <= 120
    assert at.pressure is None or 1 <= at.pressure <= 10
    assert not (at.heating and at.heated)
    assert not (at.heating or at.heated) or (at.session and at.vial is not None and complete(at))
    assert not (at.heating and at.lid_open)
    assert at.session or at == Model()


def steps(states: list[SynthesizerState], kg: KnowledgeGraph) -> Iterator[str]:
    """The names of the commands that led to states; "" where a heating came to its end."""
    for state in states:
        yield state.command.load(kg).name if state.command else ""
