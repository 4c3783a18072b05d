"""What a planner knows of the device: small, hashable, without identifiers and clocks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from workflows.engine.devices.rules import UNTAUGHT, Taught


class Parameters(NamedTuple):
    """How a vial is heated; what is None is not set.

    Attributes:
        temperature: in °C.
        duration: in minutes.
        pressure: in atm.
    """

    temperature: float | None = None
    duration: float | None = None
    pressure: float | None = None

    @property
    def unset(self) -> list[str]:
        """The names of those that are not set."""
        return [name for name, value in self._asdict().items() if value is None]

    def __str__(self) -> str:
        units = ("{:g} °C", "{:g} min", "{:g} atm")
        said = [u.format(v) for u, v in zip(units, self, strict=True) if v is not None]
        return ", ".join(said) or "nothing set"


@dataclass(frozen=True)
class Situation:
    """Where the device stands. The default is a device as it was delivered.

    Attributes:
        session: whether a session is live.
        lid_open: whether the lid is open.
        vial: the vial inside, 1 to 10; None if there is none.
        temperature: set for the next heating, in °C; None while unset.
        duration: likewise, in minutes.
        pressure: likewise, in atm.
        heating: whether the vial is being heated, with these parameters.
        remaining: minutes of the heating that are left, by the clock of the device.
        heated: what the vial inside was heated with last; None if it was not.
        measured: whether the conversion has been read since the last heating, in this run.
        taught: the rules of the run.
    """

    session: bool = False
    lid_open: bool = False
    vial: int | None = None
    temperature: float | None = None
    duration: float | None = None
    pressure: float | None = None
    heating: bool = False
    remaining: float = 0.0
    heated: Parameters | None = None
    measured: bool = False
    taught: Taught = UNTAUGHT

    @property
    def parameters(self) -> Parameters:
        """What is set for the next heating."""
        return Parameters(self.temperature, self.duration, self.pressure)

    @property
    def lid_closed(self) -> bool:
        """Whether the lid is."""
        return not self.lid_open

    @property
    def busy(self) -> str | None:
        """Why no command is taken now; None if commands are."""
        if not self.heating:
            return None
        return f"vial {self.vial} is being heated, {spell(self.remaining)} are left; wait"

    @property
    def after_heating(self) -> Situation:
        """The situation when the heating is over."""
        return replace(self, heating=False, remaining=0.0, heated=self.parameters)

    def __str__(self) -> str:
        parts = [
            "session live" if self.session else "no session",
            "lid open" if self.lid_open else "lid closed",
            "no vial" if self.vial is None else f"vial {self.vial} inside",
            str(self.parameters),
        ]
        if self.heating:
            parts.append(f"heating, {spell(self.remaining)} left")
        elif self.heated:
            parts.append(f"heated at {self.heated}")
        return "; ".join(parts)


def spell(minutes: float) -> str:
    """Return a time as people say it, rounded up to a second: 12 min 30 s."""
    seconds = -int(-minutes * 60 // 1)
    whole, rest = divmod(seconds, 60)
    return " ".join(
        [*([f"{whole} min"] if whole else []), *([f"{rest} s"] if rest or not whole else [])]
    )
