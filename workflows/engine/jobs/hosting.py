"""`HostRunner`: parts of jobs on another machine, whose own runner starts them there.

The folder of a job lies on both sides. `there.json` says how it is called on the host, and which of
the times it was carried is meant; checkpoints stay there.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, TypeAlias

from triplestore.errors import GraficoError, NotFoundError, ResourceError
from triplestore.release import release

from ..execution.task import cannot_write, write
from ..runners.base import Sight, Submission
from ..runners.cluster import Cluster
from ..runners.ssh import Host, Writable
from .carrying import MOST, Stretch, mirror_tasks, outgoing, receive, send
from .job import JOB, JobFolder
from .sealing import read_file

PROTOCOL = 2
"""Changes where the two sides would not understand each other any more."""

NOTE = "there.json"

Sending: TypeAlias = Callable[[Writable], None]


class HostRunner:
    """Hands parts to the runner of another machine, and brings what they leave.

    Args:
        cluster: with a host.
        most: bytes of one file that are sent at once.
    """

    def __init__(self, cluster: Cluster, most: int = MOST) -> None:
        self.most = most
        self._host = Host(cluster, "workflows.engine.jobs.remote_agent")
        self._scheduler = cluster.scheduler
        self.together = cluster.scheduler != "none"
        self._root = "" if cluster.folder is None else str(cluster.folder)

    async def carry(self, whole: Path) -> None:
        note = {
            "name": _note(whole).get("name") or f"{whole.name}-{secrets.token_hex(4)}",
            "stamp": secrets.token_hex(8),
        }
        write(whole / NOTE, json.dumps(note).encode())
        pieces = outgoing(whole)
        said = list(map(asdict, pieces))
        await self._ask("carry", [], lambda out: send(whole, pieces, out), **note, pieces=said)

    async def submit(self, part: Submission) -> Sequence[str]:
        asked = {
            "name": part.name,
            "folder": str(part.folder.relative_to(part.whole)),
            "module": part.module,
            "arguments": list(part.arguments),
            "cluster": _there(part.cluster).model_dump(mode="json"),
            "begin": part.begin and part.begin.isoformat(),
            "after": list(part.after),
            "count": part.count,
        }
        job = self._job(part.whole)
        if not (natives := await self._submit(part.whole, part=asked, job=job)):
            await self.carry(part.whole)  # it is not there any more, or has never come there whole
            natives = await self._submit(part.whole, part=asked, job=job)
        if not natives:
            raise ResourceError(
                f"{part.name} is to be submitted on {self._host.name}",
                "its folder is gone there as soon as it has come",
                "see who removes files there, or name another folder (`folder`)",
            )
        return natives

    async def _submit(self, whole: Path, **said: Any) -> list[str]:
        note = _note(whole)
        return list(await self._ask("submit", [], place=note, **said)) if note else []

    async def find(self, names: Sequence[str], folders: Sequence[Path] = ()) -> Mapping[str, str]:
        return await self._ask("find", folders, names=list(names))

    async def look(self, ids: Sequence[str], folders: Sequence[Path] = ()) -> Mapping[str, Sight]:
        said = await self._ask("look", folders, ids=list(ids))
        return {native: Sight(**sight) for native, sight in said.items()}

    async def cancel(self, ids: Sequence[str], folders: Sequence[Path] = ()) -> None:
        await self._ask("cancel", folders, ids=list(ids))

    async def forget(self, ids: Sequence[str], job: str = "") -> None:
        await self._ask("forget", [], ids=list(ids), job=job)

    async def clear(self, whole: Path) -> None:
        if note := _note(whole):
            await self._ask("clear", [], name=note["name"])
            (whole / NOTE).unlink(missing_ok=True)

    async def capacity(self) -> str:
        return f"{self._host.name}: {await self._ask('capacity', [])}"

    async def _ask(
        self, what: str, folders: Sequence[Path], more: Sending | None = None, **said: Any
    ) -> Any:
        """Have something done there, and bring by what folders of jobs have grown."""
        places = {note["name"]: one for one in folders if (note := _note(one))}
        have = {name: _have(whole) for name, whole in places.items()}
        request = {
            "protocol": PROTOCOL,
            "release": release(),
            "do": what,
            "scheduler": self._scheduler,
            "root": self._root,
            "most": self.most,
            **said,
        }
        answer, file = await self._host.ask({**request, "have": have}, more)
        while True:
            with file:
                left = _take(places, answer["grown"], have, file)
            if not left:
                return answer["done"]
            request |= {"do": "look", "ids": []}
            rest, file = await self._host.ask({**request, "have": {n: have[n] for n in left}})
            answer["grown"] = rest["grown"]

    def _job(self, whole: Path) -> str:
        """Return what is written of a job, as it is to be read there; empty for none."""
        if not (whole / JOB).exists():
            return ""
        job = JobFolder(whole).job
        others = [note["name"] for one in job.sources if (note := _note(one))]
        return job.model_copy(update={"sources": tuple(map(Path, others))}).model_dump_json(
            indent=1
        )


def _there(cluster: Cluster) -> Cluster:
    """Return a cluster as it is described on its host."""
    python = cluster.python if cluster.launch else ""
    return cluster.model_copy(update={"host": "", "ssh": (), "python": python, "folder": None})


def _note(whole: Path) -> dict[str, str]:
    """Return how a job's folder is called there; nothing where it was never carried."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        note = {key: str(said) for key, said in json.loads(read_file(whole / NOTE)).items()}
        if re.fullmatch(re.escape(whole.name) + r"-[0-9a-f]{8}", note["name"]):
            return {"name": note["name"], "stamp": note["stamp"]}
    return {}


def _have(whole: Path) -> dict[str, int]:
    """Return how much of the files that grow is here; of journals only what was taken in counts.

    What comes behind that may have been cut off or damaged on the way, and comes again.
    """
    have = {
        str(path.relative_to(whole)): path.stat().st_size
        for pattern in ("*/events.jsonl", "*/log.txt")
        for path in whole.glob(pattern)
    }
    with suppress(NotFoundError):
        have |= {f"{one.number}/journal": one.taken for one in JobFolder(whole).job.parts}
    return have


def _take(
    places: Mapping[str, Path],
    grown: Mapping[str, Any],
    have: Mapping[str, dict[str, int]],
    file: IO[bytes],
) -> list[str]:
    """Write what has come, and note that; return where more is left."""
    left: list[str] = []
    for name, said in grown.items():
        whole, pieces = places[name], [Stretch(**one) for one in said["pieces"]]
        try:
            receive(whole, pieces, file)
            mirror_tasks(whole, said["tasks"])
        except GraficoError as error:
            raise ResourceError(error.asked, error.found, error.advice) from error
        except OSError as error:
            raise cannot_write(whole, error) from error
        have[name].update({one.name: one.start + one.size for one in pieces})
        if any(one.more for one in pieces):
            left.append(name)
    return left
