"""What a job asks a cluster for."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from triplestore.errors import InputError

MEMORY = {
    "": 1,
    "m": 1,
    "mb": 1,
    "mib": 1.048576,
    "g": 1000,
    "gb": 1000,
    "gib": 1073.741824,
    "t": 1e6,
    "tb": 1e6,
    "tib": 1_099_511.627776,
}
"""MB of each unit."""

TIME = {"s": 1, "min": 60, "m": 60, "h": 3600, "d": 86400}
"""Seconds of each unit."""

SHORTEST, LONGEST = 1.0, 365 * 86400.0


@dataclass(frozen=True, kw_only=True)
class Resources:
    """What one job needs, on one node.

    Attributes:
        walltime: s on the clock after which the scheduler ends it; they count in minutes, rounded
            up.
        cores: of processors.
        memory: MB in all; None for what the cluster gives.
        gpus: whole graphics cards.
        shards: parts of a graphics card (Slurm's `gres/shard`), where several jobs share one.
        queue: called a partition by Slurm; empty for the cluster's default.
        account: that is charged; empty for the person's default.
        setup: lines of the shell before the command, such as `module load cuda`.
        environment: variables that the job sees besides what the machine gives to everybody; of
            those that are set here only a few harmless ones go along.
        attributes: anything else by the scheduler's own name of its option, such as `qos`.

    Raises:
        InputError: one of them cannot be meant.
    """

    walltime: float
    cores: int = 1
    memory: int | None = None
    gpus: int = 0
    shards: int = 0
    queue: str = ""
    account: str = ""
    setup: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        if not SHORTEST <= self.walltime <= LONGEST:  # to Slurm and PSI/J nought means: for ever
            raise InputError(
                f"a `walltime` of {self.walltime:g} s was asked for",
                "no job can have that",
                f"give {SHORTEST:g} s to {LONGEST / 86400:.0f} days, such as '2 h'",
            )
        for name, least in (("cores", 1), ("gpus", 0), ("shards", 0), ("memory", 1)):
            said = getattr(self, name)
            if said is not None and said < least:
                raise InputError(
                    f"`{name}` of {said} was asked for", f"the least is {least}", "ask for more"
                )
        if self.gpus and self.shards:
            raise InputError(
                "both `gpus` and `shards` were asked for",
                "a job gets whole cards or parts of one",
                "leave one of them out",
            )
        for name in ("queue", "account"):
            if re.search(r"[^\w@%+=:,./-]", said := getattr(self, name), re.ASCII):
                raise InputError(
                    f"the `{name}` {said!r} was asked for",
                    "no cluster has one of such a name",
                    "write it as the cluster's documentation does",
                )
        for name in self.environment:
            if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
                raise InputError(
                    f"a variable {name!r} in `environment` was asked for",
                    "that is no name of one",
                    "use letters, digits and underscores",
                )


def read_memory(text: str | float) -> int:
    """Read such as `4 GB`, `4G` or `4000`, which are MB.

    Raises:
        InputError: it is something else.
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", str(text).lower())
    if found is None or found[2] not in MEMORY:
        raise InputError(
            f"`memory` of {text!r} was asked for",
            "that is no amount of memory",
            "write a number and MB, GB or TB, such as '4 GB'",
        )
    return math.ceil(float(found[1]) * MEMORY[found[2]])


def read_walltime(text: str | float) -> float:
    """Read such as `90 min`, `2 h`, `1-12:00:00`, `02:30:00`; a bare number is seconds.

    Returns:
        Seconds.

    Raises:
        InputError: it is something else.
    """
    low = str(text).strip().lower()
    if found := re.fullmatch(r"(?:(\d+)-)?(\d+):(\d\d):(\d\d)", low):
        days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
        return days * 86400.0 + hours * 3600 + minutes * 60 + seconds
    units = "|".join(TIME)
    parts = re.findall(rf"(\d+(?:\.\d+)?)\s*({units})\b", low)
    if parts and not re.sub(rf"\d+(?:\.\d+)?\s*(?:{units})\b", "", low).strip():
        return sum(float(number) * TIME[unit] for number, unit in parts)
    if re.fullmatch(r"\d+(?:\.\d+)?", low):
        return float(low)
    raise InputError(
        f"a `walltime` of {text!r} was asked for",
        "that is no time",
        "write such as '90 min', '2 h', '1 d 12 h' or '12:00:00' with hours, minutes and seconds",
    )
