"""The Slurm of the tests does what Slurms do, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.queues.slurm import PREFIX, Slurm, host

pytestmark = pytest.mark.xdist_group("slurm")


def submit(slurm: Slurm, script: str, *words: str) -> str:
    return slurm.run("sbatch", "--parsable", "-o", "/dev/null", *words, "--wrap", script)


def wait(slurm: Slurm, native: str, *states: str) -> dict[str, str]:
    slurm.wait(lambda: slurm.job(native)["JobState"] in states, f"{native} is not {states}")
    return slurm.job(native)


def test_a_job_runs(slurm: Slurm, tmp_path: Path) -> None:
    written = tmp_path / "written"
    native = submit(slurm, f"sleep 1; echo ran > {written}")
    wait(slurm, native, "COMPLETED")
    assert written.read_text() == "ran\n"


def test_three_jobs_share_a_card(slurm: Slurm, tmp_path: Path) -> None:
    """Six shards of two cards: the seventh waits."""
    script = f"echo $CUDA_VISIBLE_DEVICES > {tmp_path}/$SLURM_JOB_ID; sleep 600"
    jobs = [submit(slurm, script, "--gres=shard:1") for _ in range(7)]
    slurm.wait(lambda: len(list(tmp_path.iterdir())) == 6, "six do not start")
    slurm.wait(
        lambda: (
            (slurm.job(jobs[6])["JobState"], slurm.job(jobs[6])["Reason"])
            == ("PENDING", "Resources")
        ),
        "the seventh does not wait for a card",
    )
    slurm.wait(lambda: all(file.read_text() for file in tmp_path.iterdir()), "no card named")
    assert sorted(file.read_text() for file in tmp_path.iterdir()) == ["0\n"] * 3 + ["1\n"] * 3


def test_the_controller_restarts(slurm: Slurm) -> None:
    native = submit(slurm, "sleep 600")
    wait(slurm, native, "RUNNING")
    slurm.restart()
    assert slurm.job(native)["JobState"] == "RUNNING"


def test_a_controller_that_says_nothing(slurm: Slurm) -> None:
    slurm.pause()
    with pytest.raises(subprocess.TimeoutExpired):
        slurm.run("squeue", timeout=1)
    slurm.go_on()
    assert slurm.node_state() == "idle"
    assert host() in slurm.run("sinfo", "-h", "-o", "%n")


def test_nothing_outlives_a_test_process_that_was_killed(slurm: Slurm) -> None:
    """Its keeper sees that it is gone, and ends daemons and jobs."""
    assert slurm.node_state()  # there is one here
    before = set(Path("/tmp").glob(f"{PREFIX}*"))
    tests = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from tests.queues.slurm import Slurm\n"
            "import time\n"
            "slurm = Slurm()\n"
            "quiet = 'sbatch', '--parsable', '-o', '/dev/null'\n"
            "native = slurm.run(*quiet, '--wrap', 'exec sleep 600')\n"
            "slurm.wait(lambda: slurm.job(native)['JobState'] == 'RUNNING', 'it does not start')\n"
            "print(slurm.folder, flush=True)\n"
            "time.sleep(600)\n",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert tests.stdout is not None
    folder = Path(tests.stdout.readline().strip())
    tests.stdout.close()
    assert folder not in before
    assert descendants(folder)
    os.kill(tests.pid, signal.SIGKILL)
    tests.wait()
    end = time.monotonic() + 60
    while folder.exists() or descendants(folder):
        assert time.monotonic() < end, descendants(folder)
        time.sleep(0.05)


def descendants(folder: Path) -> list[str]:
    """Return what runs under a Slurm: its daemons, and jobs, in whose environment it stands."""
    found = list[str]()
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get("SLURM_CONF") == str(folder / "slurm.conf"):
                found.append(process.name())
    return found
