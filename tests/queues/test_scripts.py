"""What PBS and LSF would be handed, and how their documented answers are read; none is live here.

A stand-in for the scheduler's command keeps what it gets. The scripts are run by the shell, as a
scheduler would.
"""

from __future__ import annotations

import json
import os
import subprocess
from datetime import datetime
from pathlib import Path

import pytest

from triplestore.errors import ComponentError, InputError
from workflows.engine.queues import Queue, QueuedJob, Resources, read_memory, read_walltime

NEEDED = Resources(
    walltime=5400,
    cores=4,
    memory=8000,
    gpus=1,
    queue="long",
    account="chem",
    environment={"GREETING": "good morning"},
    attributes={"m": "n"},
)
COMMAND = ["bash", "-c", 'echo "$GREETING" > greeting; exit 4']
ANSWERS = {"qsub": "12.server", "bsub": "Job <12> is submitted to queue <long>."}


@pytest.fixture
def handed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder with the words and the script that a command for submission got."""
    programs, folder = tmp_path / "programs", tmp_path / "handed"
    programs.mkdir()
    folder.mkdir()
    for name, answer in ANSWERS.items():
        program = programs / name
        program.write_text(
            "#!/bin/sh\n"
            f'printf "%s\\n" "$@" > {folder}/words\n'
            f'for script; do :; done\ncp "$script" {folder}/script\necho "{answer}"\n'
        )
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    return folder


def directives(script: str, mark: str) -> set[str]:
    return {line.removeprefix(mark).strip() for line in script.splitlines() if mark in line}


async def test_pbs(handed: Path, tmp_path: Path) -> None:
    queue = Queue("pbs", tmp_path / "queue")
    job = await queue.submit(
        COMMAND,
        "task-1",
        NEEDED,
        folder=tmp_path,
        begin=datetime(2030, 1, 2, 3, 4, 5),
        after=[QueuedJob("7.server", "a"), QueuedJob("8[].server", "b", 2)],
    )
    assert job == QueuedJob("12.server", "task-1")
    script = (handed / "script").read_text()
    assert directives(script, "#PBS") >= {
        '-N "task-1"',
        '-l "select=1:ncpus=4:mem=8000mb:ngpus=1"',
        "-l walltime=1:30:0",
        "-q long",
        "-A chem",
        '-a "203001020304.05"',
        '-r "n"',
        '-m "n"',
    }
    words = (handed / "words").read_text().splitlines()
    assert words[:-1] == ["-W", "depend=afterok:7.server:8[2].server"]


async def test_what_somebody_has_put_beside_scripts_leads_nowhere(
    handed: Path, tmp_path: Path
) -> None:
    folder, kept = tmp_path / "queue", tmp_path / "kept.out"
    kept.write_text("mine")
    queue = Queue("pbs", folder)
    await queue.submit(COMMAND, "task-1", NEEDED, folder=tmp_path)
    (folder / "task-1.12.server.own").write_text(str(tmp_path / "kept"))
    (folder / f"task-2.{os.getpid()}.part.sh").symlink_to(kept)
    queue.forget_all("task-1")
    with pytest.raises(OSError, match="symbolic"):
        await queue.submit(COMMAND, "task-2", NEEDED, folder=tmp_path)
    assert kept.read_text() == "mine"


async def test_lsf(handed: Path, tmp_path: Path) -> None:
    queue = Queue("lsf", tmp_path / "queue")
    jobs = await queue.submit_array(
        COMMAND,
        "task-1",
        NEEDED,
        3,
        folder=tmp_path,
        after=[QueuedJob("7", "a")],
        whatever=True,
        begin=datetime(2030, 1, 2, 3, 4, 5),
    )
    assert jobs == [QueuedJob("12", "task-1", index) for index in (1, 2, 3)]
    assert directives((handed / "script").read_text(), "#BSUB") >= {
        "-W 1:30",
        '-q "long"',
        '-G "chem"',
        '-n "4"',
        '-M "8000MB"',
        '-gpu "num=1"',
        '-b "2030:01:02:03:04"',
    }
    words = (handed / "words").read_text().splitlines()
    assert words[:-1] == [
        "-R",
        "span[hosts=1]",
        "-J",
        "task-1[1-3]",
        "-w",
        "ended(7)",
        "-rn",
    ]


@pytest.mark.parametrize(
    ("scheduler", "variables", "job"),
    [
        ("pbs", {"PBS_JOBID": "12.server"}, QueuedJob("12.server", "task")),
        ("lsf", {"LSB_JOBID": "12", "LSB_JOBINDEX": "0"}, QueuedJob("12", "task")),
        ("lsf", {"LSB_JOBID": "12", "LSB_JOBINDEX": "10"}, QueuedJob("12", "task", 10)),
    ],
)
async def test_scripts_run(
    handed: Path, tmp_path: Path, scheduler: str, variables: dict[str, str], job: QueuedJob
) -> None:
    queue = Queue(scheduler, tmp_path / "queue")
    await queue.submit(COMMAND, "task", NEEDED, folder=tmp_path)
    subprocess.run(["bash", handed / "script"], env={"PATH": "/usr/bin:/bin", **variables})
    assert (tmp_path / "greeting").read_text() == "good morning\n"
    assert queue.output(job).with_suffix(".exit").read_text() == "4\n"


def listing(program: str, answer: object, folder: Path) -> None:
    (folder / "answer").write_text(json.dumps(answer))
    path = folder / program
    path.write_text(f"#!/bin/sh\ncat {folder}/answer\nexit 1\n")  # for one that it does not know
    path.chmod(0o755)


async def test_answers_of_pbs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = {
        "1.s": {"Job_Name": "a", "job_state": "Q", "comment": "Not Running: no node"},
        "2.s": {"Job_Name": "b", "job_state": "R", "resources_used": {"walltime": "00:01:30"}},
        "3.s": {"Job_Name": "c", "job_state": "F", "Exit_status": -29},
        "4.s": {"Job_Name": "d", "job_state": "F", "Exit_status": -27},
        "5.s": {"Job_Name": "e", "job_state": "F", "Exit_status": 271},
        "6[2].s": {"Job_Name": "f", "job_state": "F", "Exit_status": 5},
        "7.s": {"Job_Name": "g", "job_state": "F", "Exit_status": 0},
        "8.s": {"Job_Name": "h", "job_state": "R", "Job_Owner": "somebody@host"},
    }
    listing("qstat", {"Jobs": told}, tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    queue = Queue("pbs", tmp_path / "queue")
    jobs = [QueuedJob(f"{n}.s", "abcde"[n - 1]) for n in range(1, 6)]
    jobs += [QueuedJob("6[].s", "f", 2), QueuedJob("7.s", "g"), QueuedJob("99.s", "z")]
    states = (await queue.statuses(jobs)).values()
    assert [(state.stage, state.cause, state.exit_code) for state in states] == [
        ("queued", None, None),
        ("running", None, None),
        ("failed", "walltime", None),
        ("failed", "memory", None),
        ("cancelled", None, 143),
        ("failed", "exit", 5),
        ("left", None, None),
        ("left", None, None),
    ]
    assert [state.used for state in states][1] == 90
    found = await queue.find(["a", "f", "h"])
    assert found == {"a": jobs[:1], "f": jobs[5:6], "h": []}


async def test_answers_of_lsf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = "TERM_RUNLIMIT: job killed after reaching LSF run time limit"
    memory = "TERM_MEMLIMIT: job killed after reaching LSF memory usage limit"
    told = [
        {"JOBID": "1", "JOBINDEX": "0", "JOB_NAME": "a", "STAT": "PEND", "PEND_REASON": "slots"},
        {"JOBID": "2", "JOBINDEX": "0", "JOB_NAME": "b", "STAT": "RUN", "RUN_TIME": "90 second(s)"},
        {"JOBID": "3", "JOBINDEX": "0", "JOB_NAME": "c", "STAT": "EXIT", "EXIT_REASON": limit,
         "EXIT_CODE": "140"},
        {"JOBID": "4", "JOBINDEX": "2", "JOB_NAME": "d[2]", "STAT": "EXIT", "EXIT_REASON": memory},
        {"JOBID": "5", "JOBINDEX": "0", "JOB_NAME": "e", "STAT": "EXIT",
         "EXIT_REASON": "TERM_OWNER: job killed by owner"},
        {"JOBID": "6", "JOBINDEX": "0", "JOB_NAME": "f", "STAT": "DONE", "EXIT_CODE": ""},
        {"JOBID": "99", "ERROR": "Job <99> is not found"},
    ]  # fmt: skip
    listing("bjobs", {"COMMAND": "bjobs", "JOBS": 6, "RECORDS": told}, tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    queue = Queue("lsf", tmp_path / "queue")
    jobs = [QueuedJob(str(n + 1), name) for n, name in enumerate("abcdef")]
    jobs[3] = jobs[3].element(2)
    states = (await queue.statuses([*jobs, QueuedJob("99", "z")])).values()
    assert [(state.stage, state.cause) for state in states] == [
        ("queued", None),
        ("running", None),
        ("failed", "walltime"),
        ("failed", "memory"),
        ("cancelled", None),
        ("left", None),
        ("left", None),
    ]


@pytest.mark.parametrize("walltime", [0, -1, float("nan"), float("inf"), 1e9])
def test_a_walltime_that_would_be_none(walltime: float) -> None:
    with pytest.raises(InputError, match="walltime"):
        Resources(walltime=walltime)


@pytest.mark.parametrize(
    "wrong",
    [
        {"cores": 0},
        {"memory": 0},
        {"gpus": -1},
        {"gpus": 1, "shards": 1},
        {"queue": "a b"},
        {"account": "a; rm"},
        {"environment": {"A-B": "x"}},
    ],
    ids=str,
)
def test_resources_that_cannot_be_meant(wrong: dict) -> None:
    with pytest.raises(InputError):
        Resources(walltime=60, **wrong)


def test_amounts() -> None:
    texts = ("4 GB", "4000", "4G", "1.5 tb", "1 GiB", 250)
    assert [read_memory(text) for text in texts] == [4000, 4000, 4000, 1_500_000, 1074, 250]
    texts = ("90 min", "2 h", "1 d 12 h", "1-12:00:00", "00:30:00", "45", 45.0)
    assert [read_walltime(text) for text in texts] == [5400, 7200, 129600, 129600, 1800, 45, 45]
    for text in ("", "four", "4 kB", "-4 GB"):
        with pytest.raises(InputError, match="memory"):
            read_memory(text)
    for text in ("", "soon", "2 years", "1:2", "-5 min"):
        with pytest.raises(InputError, match="walltime"):
            read_walltime(text)


async def test_names_folders_and_options_that_scripts_cannot_hold(
    handed: Path, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="letters, digits"):
        Queue("pbs", tmp_path / "a b")
    with pytest.raises(InputError, match="slurm, pbs, lsf"):
        Queue("condor", tmp_path)
    queue, short = Queue("pbs", tmp_path / "queue"), Resources(walltime=60)
    for name in ("", "1st", "a b", "x" * 64, "ä"):
        with pytest.raises(InputError, match="name"):
            await queue.submit(COMMAND, name, short, folder=tmp_path)
    for wrong in (
        Resources(walltime=60, shards=1),
        Resources(walltime=60, attributes={"m": "a b"}),
    ):
        with pytest.raises(InputError):
            await queue.submit(COMMAND, "job", wrong, folder=tmp_path)
    assert not list(handed.iterdir())


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psij", None)
    with pytest.raises(ComponentError, match=r"pip install 'grafico-chem\[queue\]'"):
        Queue("slurm", tmp_path)
