"""The login node of the tests is one."""

import subprocess
from pathlib import Path

import pytest

from tests.queues.slurm import Slurm

from .ssh import LoginNode

pytestmark = pytest.mark.xdist_group("slurm")


def test_commands_run_there(login_node: LoginNode, tmp_path: Path) -> None:
    done = login_node.run(f"echo out; echo err >&2; cat > {tmp_path}/written; exit 3")
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "err\n")
    assert (tmp_path / "written").read_text() == ""
    assert login_node.run("true").returncode == 0


def test_jobs_are_submitted_from_there(login_node: LoginNode, slurm: Slurm) -> None:
    """With nothing of our own environment."""
    done = login_node.run("env -u HOME sbatch --parsable -o /dev/null --wrap 'sleep 600'")
    assert done.returncode == 0, done.stderr
    slurm.wait(lambda: slurm.job(done.stdout.strip())["JobState"] == "RUNNING", "it does not start")


def test_files_come_and_go(login_node: LoginNode, tmp_path: Path) -> None:
    (tmp_path / "here").write_bytes(b"\0" * 100_000)
    for words in (("here", f"login:{tmp_path}/there"), (f"login:{tmp_path}/there", "back")):
        subprocess.run(
            ["scp", "-q", "-F", login_node.configuration, *words], cwd=tmp_path, check=True
        )
    assert (tmp_path / "back").read_bytes() == b"\0" * 100_000


def test_only_its_own_key_opens_it(login_node: LoginNode, tmp_path: Path) -> None:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "key"])
    text = login_node.configuration.read_text()
    (tmp_path / "config").write_text(text.replace(f"{login_node.folder}/user", f"{tmp_path}/key"))
    done = subprocess.run(
        ["ssh", "-F", tmp_path / "config", "login", "true"], capture_output=True, text=True
    )
    assert done.returncode == 255
    assert "Permission denied" in done.stderr


def test_connections_end_with_it(login_node: LoginNode) -> None:
    command = ["ssh", "-F", login_node.configuration, "login", "echo up; exec sleep 600"]
    held = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert held.stdout is not None
    assert held.stdout.readline() == "up\n"
    login_node.stop()
    assert held.wait(60) == 255
    held.stdout.close()
    assert login_node.run("true").returncode == 255
    login_node.start()
    assert login_node.run("true").returncode == 0
