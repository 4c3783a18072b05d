"""What the station can do: its situation, and the commands of `station.toml`."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from importlib.resources import files
from typing import Any, ClassVar, TypeAlias, cast

from workflows.engine.devices.command import RefusedError, refused
from workflows.engine.devices.rules import UNTAUGHT, Taught

Value: TypeAlias = str | float | None

PRECISE = 1e-9
"""mL that are nothing."""


@functools.cache
def table() -> Mapping[str, Any]:
    """Return the table of the station."""
    text = (files(__package__ or "") / "station.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@functools.cache
def commands() -> Mapping[str, Mapping[str, Any]]:
    """Return the commands by their names, in the order of the table; needs are spelt out."""
    known = table()["conditions"]
    found: dict[str, Mapping[str, Any]] = {}
    for one in table()["command"]:
        ways = [
            {
                "needs": [known[n] if isinstance(n, str) else n for n in way["needs"]],
                "makes": way["makes"],
            }
            for way in one["ways"]
        ]
        found[one["name"]] = {**one, "ways": ways}
    return found


@dataclass(frozen=True)
class Situation:
    """Where the station stands. The default is one as it was delivered, its racks full.

    Attributes:
        ready: whether its components are initialised, in this run.
        arm: where it is.
        tool: what it carries: gripper, substrate tool or pipette.
        vial_found: label of the vial that was located; empty for none.
        substrate_found: whether the place of a substrate is known.
        gripper: open or closed.
        gripped: what it holds: vial, cap or nothing.
        clamp: open or closed.
        vial: label of the vial that is out of the rack; empty for none.
        vial_at: where it is: rack, gripper or clamp.
        tool_vacuum: whether the substrate tool holds a substrate.
        stage_vacuum: whether the coating stage does.
        substrate: where the one is that is used: rack, tool or stage.
        film: what is on it: none, solution or film.
        film_of: label of the vial from which that is.
        temperature: set for coating, in °C.
        velocity: of the blade when it has coated, in mm/s.
        drawn: mL in the pipette.
        new_substrates: how many are left; no plan depends on how many.
        pipettes: likewise.
        taught: the rules of the run.
    """

    ready: bool = False
    arm: str = "home"
    tool: str = "gripper"
    vial_found: str = ""
    substrate_found: bool = False
    gripper: str = "open"
    gripped: str = ""
    clamp: str = "open"
    vial: str = ""
    vial_at: str = "rack"
    tool_vacuum: bool = False
    stage_vacuum: bool = False
    substrate: str = "rack"
    film: str = "none"
    film_of: str = ""
    temperature: float | None = None
    velocity: float | None = None
    drawn: float = 0.0
    new_substrates: int = field(default=table()["new_substrates"], compare=False)
    pipettes: int = field(default=table()["pipettes"], compare=False)
    taught: Taught = UNTAUGHT
    busy: ClassVar[str | None] = None

    @property
    def parts(self) -> dict[str, str]:
        """How each of its parts stands, in words."""
        where = f"at {self.arm}{' in the rack' * (self.arm in table()['vials'])}"
        vial = f"{self.vial} in the {self.vial_at}" if self.vial else "all in the rack"
        heated = "" if self.temperature is None else f", {self.temperature:g} °C"
        on = {"rack": "none out of the rack", "tool": "at the tool", "stage": "on the stage"}
        film = f", {self.film} of {self.film_of}" if self.film_of else ""
        return {
            "arm": f"{self.tool} {where}" + f", {self.drawn:g} mL drawn" * (self.drawn > 0),
            "gripper": self.gripper + f" around the {self.gripped}" * bool(self.gripped),
            "clamp": self.clamp,
            "vials": vial,
            "substrate": on[self.substrate] + film,
            "stage": f"vacuum {'on' if self.stage_vacuum else 'off'}{heated}",
        }

    def __str__(self) -> str:
        return "; ".join(f"{name}: {text}" for name, text in self.parts.items())


READ = frozenset(one.name for one in fields(Situation)) - {"taught"}
"""What a station reads."""


def reading_of(at: Situation) -> dict[str, Any]:
    """Return a situation as a station reads it."""
    return {name: getattr(at, name) for name in READ}


def situation_of(reading: Any) -> Situation | None:
    """Return the situation that a station reads; None where that is none."""
    if not isinstance(reading, dict) or reading.keys() != READ:  # pyright: ignore[reportUnknownMemberType]
        return None
    return Situation(**reading)  # pyright: ignore[reportUnknownArgumentType]


def reason_against(name: str, value: Value, at: Situation) -> str | None:
    """Return what stands in the way of a command; None if nothing does.

    Where it has several ways, that of the way is told of which most is so.
    """
    if name != "init_components" and not at.ready:
        return "the components are not initialised; initialise them first"
    unmet = [[*_unmet(way["needs"], value, at)] for way in commands()[name]["ways"]]
    shortest = min(unmet, key=len)
    return shortest[0].format(**vars(at)) if shortest else None


def _unmet(needs: list[Any], value: Value, at: Situation) -> Iterator[str]:
    for name, wanted, otherwise in needs:
        now = getattr(at, name)
        if isinstance(wanted, str) and wanted[:1] == "=":
            wanted = getattr(at, wanted[1:])
        if isinstance(wanted, dict):
            holds = now + PRECISE >= (value or 0)
        elif wanted is True:
            holds = bool(now)
        else:
            holds = now in wanted if isinstance(wanted, list) else now == wanted
        if not holds:
            yield otherwise


def after(name: str, value: Value, at: Situation) -> Situation:
    """Return what a command makes of a situation in which it is possible."""
    ways = commands()[name]["ways"]
    way = next((one for one in ways if not [*_unmet(one["needs"], value, at)]), ways[0])
    return replace(at, **{n: _made(made, value, at, n) for n, made in way["makes"].items()})


def _made(made: Any, value: Value, at: Situation, name: str) -> Any:
    if isinstance(made, dict):
        said = cast("dict[str, Any]", made)["less"]
        less = value if said == "$" else said
        left: Any = getattr(at, name) - less
        return 0.0 if isinstance(left, float) and abs(left) < PRECISE else left
    if isinstance(made, str) and made[:1] in ("$", "="):
        return value if made == "$" else getattr(at, made[1:])
    return made


def code_of(name: str, value: Value) -> list[str]:
    """Return the lines of code of a command."""
    return [line.format(value=value) for line in commands()[name]["code"]]


class SimulatedStation:
    """A station in which nothing moves: it refuses what a real one could not do.

    Args:
        name: of the station.
    """

    simulated = True
    halt = None

    def __init__(self, name: str) -> None:
        self.name = name
        self.at = Situation()

    def begin(self, at: Situation) -> None:
        """Stand as the records say."""
        self.at = at

    async def do(self, command: Any, /) -> dict[str, Any]:
        """Carry out a command; return how the station stands.

        Raises:
            RefusedError: it is not possible; the station stands as before.
        """
        if reason := reason_against(command.command, command.value, self.at):
            raise refused(command, reason)
        self.at = after(command.command, command.value, self.at)
        return reading_of(self.at)


class AbsentStation:
    """A real station to which nobody has connected a driver: it refuses everything."""

    simulated = False
    halt = None

    def __init__(self, name: str) -> None:
        self.name = name

    def begin(self, at: Situation) -> None:
        """Do nothing: a real station stands as it stands."""

    async def do(self, command: Any, /) -> dict[str, Any]:
        """Refuse a command.

        Raises:
            RefusedError: always.
        """
        raise RefusedError(
            command.cannot, f"no driver is connected to {self.name} here", "say `simulate`"
        )
