"""Stores as somebody else may hand them over: a job that would run, end or change things."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psutil

from grafico import Grafico
from workflows.engine.jobs.desk import Desk
from workflows.engine.jobs.job import JOB, Job, JobFolder
from workflows.engine.runners.detached import id_of

XTB: dict[str, Any] = {"method": "GFN2-xTB"}


@dataclass(frozen=True)
class HostileStore:
    """A store in which a job is not what it says.

    Attributes:
        store: its folder.
        place: of the job, which is about water with GFN2-xTB.
        script: would be run, and leaves `ran` beside it.
        victim: a process of this user that has nothing to do with it.
        before: what its files were.
    """

    store: Path
    place: JobFolder
    script: Path
    victim: subprocess.Popen[bytes]
    before: dict[str, bytes]

    @property
    def harm(self) -> list[str]:
        """What has happened that must not."""
        found = ["a program was run"] * (self.script.parent / "ran").exists()
        found += ["a process was ended"] * (self.victim.poll() is not None)
        now = contents(self.place.folder)
        changed = {name for name in self.before if now.get(name) != self.before[name]}
        return found + [f"{name} was changed" for name in sorted(changed)]


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder."""
    files = (one for one in folder.rglob("*") if one.is_file())
    return {str(one.relative_to(folder)): one.read_bytes() for one in files}


def submitted(store: Path) -> tuple[str, str]:
    """Submit a job for later in a new store, and end it; return its name and its folder's job."""
    with Grafico(store, threads_per_calculation=1) as session:
        begin = datetime.now(UTC) + timedelta(hours=1)
        job = session.run("O", **XTB, on="here", begin=begin)
        assert isinstance(job, Job)
        session.cancel(job.name)
        return job.name, (JobFolder(store / "jobs" / job.name).folder / JOB).read_text()


def hostile_store(folder: Path, state: str, **more: Any) -> HostileStore:
    """Make a store whose job would be submitted, looked at or ended, as earlier versions did.

    Args:
        folder: for the store and the script.
        state: of the job's part.
        more: of what is written of the job.
    """
    name, text = submitted(folder / "store")
    script = folder / "launch.sh"
    script.write_text(f'#!/bin/sh\ntouch "{folder}/ran"\nexec "$@"\n')
    script.chmod(0o700)
    victim = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    native = id_of(psutil.Process(victim.pid))
    said = {key: value for key, value in json.loads(text).items() if key != "signed"}
    said["described"] = {
        "launch": str(script),
        "setup": [f"touch {folder}/ran"],
        "python": str(script),
        "ssh": [f"-oProxyCommand=touch {folder}/ran"],
    }
    del said["section"], said["allotted"]
    said["parts"][0] |= {"state": state, "native": native, "told": "by request"}
    place = JobFolder(folder / "store" / "jobs" / name)
    (place.folder / JOB).write_text(json.dumps({**said, **more}))
    (place.part(1) / f"began-{said['parts'][0]['attempt']}").write_text(
        json.dumps(
            {
                "attempt": said["parts"][0]["attempt"],
                "native": native,
                "host": os.uname()[1],
                "started": datetime.now(UTC).isoformat(),
                "processor": "",
            }
        )
    )
    return HostileStore(folder / "store", place, script, victim, contents(place.folder))


def desk_of(session: Grafico, **cluster: Any) -> Desk:
    """Return who looks after the jobs of a session, with what there is besides `here`."""
    from workflows.engine.runners.cluster import Cluster

    return Desk(session.kg, {"mine": Cluster(**cluster)})
