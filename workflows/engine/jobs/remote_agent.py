"""The program on a host: it does what requests from another machine ask for, and answers.

It reads lines of JSON from its standard input, and after that of a `carry` its files, and uses the
runner that a cluster on this machine has. Several of it may be at work at a time, and a request may
come again where its answer was lost: a part that was submitted is not submitted twice.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import IO, Any, TypeAlias

import platformdirs

from triplestore.errors import GraficoError, InputError, ResourceError
from triplestore.release import release

from ..execution.task import CHECKPOINT, write
from ..runners.base import Runner, Submission
from ..runners.cluster import Cluster
from ..runners.ssh import MARK, error_as_dict
from .carrying import Stretch, grown, receive, send, tasks_of
from .hosting import PROTOCOL
from .job import BEGAN, END, JOB
from .running import runner_of

NAME = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)

CARRIED, SUBMITTED = "carried", "submitted.json"
"""Which of the times it was carried a job's folder is of; which attempt at a part, or at all of
them together, was submitted."""


Answer: TypeAlias = tuple[dict[str, Any], list[tuple[Path, list[Stretch]]]]
"""What is answered, and stretches of files that follow it, by the folders of jobs."""


class Answerer:
    """Does what is asked for in a folder of jobs.

    Args:
        root: where jobs lie; empty for a folder in the person's home.
        scheduler: of the cluster.

    Raises:
        InputError: the folder is not there.
        ComponentError: the extra `queue` is not installed.
    """

    def __init__(self, root: str, scheduler: str) -> None:
        if root:
            self.root = Path(root).expanduser()
        else:
            self.root = platformdirs.user_data_path("grafico") / "jobs"
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self.root.is_dir() or not os.access(self.root, os.W_OK):
            raise InputError(
                f"jobs are to lie in {self.root} of {os.uname().nodename}",
                "there is no such folder in which you may write",
                "make that folder there, or name another one that the compute nodes see (`folder`)",
            )
        described = Cluster.model_validate({"scheduler": scheduler})
        self.runner: Runner = runner_of(described, self.root)

    def place(self, name: str) -> Path:
        """Return the folder of a job by its name here."""
        if not NAME.fullmatch(name):
            raise InputError(f"the job {name!r} was asked for", "no job is called so")
        return self.root / name

    async def do(self, request: Mapping[str, Any], source: IO[bytes]) -> Any:
        """Do what is asked for; return what is to be said of it."""
        places = [self.place(name) for name in request["have"]]
        match request["do"]:
            case "carry":
                return self._carry(request, source)
            case "submit":
                return await self._submit(request["part"], request["job"], request["place"])
            case "find":
                return dict(await self.runner.find(request["names"], places))
            case "look":
                if not request["ids"]:
                    return {}
                seen = await self.runner.look(request["ids"], places)
                return {native: asdict(sight) for native, sight in seen.items()}
            case "cancel":
                return await self.runner.cancel(request["ids"], places)
            case "forget":
                return await self.runner.forget(request["ids"], request["job"])
            case "clear":
                return shutil.rmtree(self.place(request["name"]), ignore_errors=True)
            case _:
                return await self.runner.capacity()

    def _carry(self, request: Mapping[str, Any], source: IO[bytes]) -> None:
        """Put the files of a job into its folder, all of them or none."""
        place, stamp = self.place(request["name"]), str(request["stamp"])
        with tempfile.TemporaryDirectory(prefix=f".{place.name}-", dir=self.root) as temporary:
            come = Path(temporary)
            receive(come, [Stretch(**one) for one in request["pieces"]], source)
            place.mkdir(mode=0o700, exist_ok=True)
            with _alone(place):
                if _read(place / CARRIED) == stamp:
                    return
                (place / CARRIED).unlink(missing_ok=True)
                old = ("journal", "events.jsonl", f"{BEGAN}-*", END, SUBMITTED)
                for path in (one for name in old for one in place.glob(f"*/{name}")):
                    path.unlink()
                (place / SUBMITTED).unlink(missing_ok=True)
                for path in (one for one in sorted(come.rglob("*")) if one.is_file()):
                    target = place / path.relative_to(come)
                    if target.name == CHECKPOINT and target.exists():
                        continue  # it has come further here
                    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                    path.replace(target)
                write(place / CARRIED, stamp.encode())

    async def _submit(
        self, part: Mapping[str, Any], job: str, note: Mapping[str, str]
    ) -> list[str]:
        """Submit a part, or all, once; return the ids, or nothing if its job is not here whole."""
        whole = self.place(note["name"])
        if _read(whole / CARRIED) != note["stamp"]:
            return []
        folder, many = whole / part["folder"], int(part["count"])
        name, begin = str(part["name"]), part["begin"]
        numbers = range(1, many + 1) if many > 1 else ()
        for one in (folder, *(folder / str(number) for number in numbers)):
            one.mkdir(mode=0o700, exist_ok=True)
        with _alone(whole):
            before = json.loads(_read(folder / SUBMITTED) or "{}")
            if before.get("name") == name:
                names = [f"{name}[{number}]" for number in numbers] or [name]
                known = before["natives"] or list((await self.runner.find(names, [whole])).values())
                if len(known) == many:
                    return known
            if job:
                said = json.loads(job)
                said["sources"] = [str(self.place(one)) for one in said["sources"]]
                write(whole / JOB, json.dumps(said, indent=1).encode())
            write(folder / SUBMITTED, json.dumps({"name": name, "natives": []}).encode())
            natives = await self.runner.submit(
                Submission(
                    name,
                    whole,
                    folder,
                    part["module"],
                    part["arguments"],
                    Cluster.model_validate(part["cluster"]),
                    begin and datetime.fromisoformat(begin),
                    part["after"],
                    many,
                )
            )
            known = list(natives)
            write(folder / SUBMITTED, json.dumps({"name": name, "natives": known}).encode())
            return known


class Serving:
    """What is kept from one request to the next.

    Args:
        loop: in which they are met.
    """

    def __init__(self, loop: asyncio.Runner) -> None:
        self.loop = loop
        self._known: dict[tuple[str, str], Answerer] = {}

    def answerer(self, root: str, scheduler: str) -> Answerer:
        """Return who answers for a folder of jobs."""
        if (root, scheduler) not in self._known:
            self._known[root, scheduler] = Answerer(root, scheduler)
        return self._known[root, scheduler]


@contextmanager
def _alone(place: Path) -> Generator[None]:
    handle = os.open(place / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _read(path: Path) -> str:
    with suppress(FileNotFoundError):
        return path.read_text(encoding="utf-8")
    return ""


def _same_release(request: Mapping[str, Any]) -> None:
    """Refuse a request of another Grafico, unless it is about a job that is here already.

    Raises:
        InputError: it is refused.
    """
    same = request["protocol"] == PROTOCOL
    if same and (request["do"] != "carry" or request["release"] == release()):
        return
    raise InputError(
        f"Grafico {request['release']} asks {os.uname().nodename}",
        f"Grafico is {release()} there",
        "install the same on both",
    )


def answered(request: Mapping[str, Any], serving: Serving, source: IO[bytes]) -> Answer:
    """Do what is asked for; return the answer, and what is to follow it."""
    _same_release(request)
    answerer = serving.answerer(request["root"], request["scheduler"])
    done = serving.loop.run(answerer.do(request, source))
    said: dict[str, Any] = {}
    pieces: list[tuple[Path, list[Stretch]]] = []
    for name, have in request["have"].items():  # after that: what has ended has left its end
        whole = answerer.place(name)
        found = grown(whole, have, request["most"])
        pieces.append((whole, found))
        said[name] = {"pieces": list(map(asdict, found)), "tasks": tasks_of(whole)}
    return {"said": {"done": done, "grown": said}}, pieces


def main(source: IO[bytes], out: IO[bytes]) -> None:
    """Answer one request after the other, up to the first that cannot be met."""
    with asyncio.Runner() as loop:
        serving = Serving(loop)
        while line := source.readline():
            pieces: list[tuple[Path, list[Stretch]]] = []
            answer: dict[str, Any]
            try:
                answer, pieces = answered(json.loads(line), serving, source)
            except GraficoError as error:
                answer = {"error": error_as_dict(error)}
            except Exception as error:
                asked = f"{os.uname().nodename} is to do what was asked for"
                found = f"{type(error).__name__}: {error}"
                told = ResourceError(asked, found, "see what is wrong there")
                answer = {"error": error_as_dict(told)}
            answer["length"] = sum(one.size for _, several in pieces for one in several)
            out.write(b"\n" + MARK + json.dumps(answer).encode() + b"\n")
            for whole, several in pieces:
                send(whole, several, out)
            out.flush()
            if "error" in answer:  # what follows the request may not have been read
                return


if __name__ == "__main__":
    os.umask(0o077)
    with open(os.dup(1), "wb") as own:
        os.dup2(2, 1)  # what anything prints is no answer
        main(sys.stdin.buffer, own)
