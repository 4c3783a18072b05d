"""A real Slurm on loopback: one node of eight cores, two graphics cards that are none, six shards.

Folders, ports, key and socket are its own, so that several can run on a machine beside an installed
one. `python -m tests.queues.slurm FOLDER` keeps the daemons: it takes orders on standard input and
ends all of them, with the jobs that they started, when that closes, however that happens.

`cores` is what Slurm shares out, whatever the machine has.
"""

from __future__ import annotations

import ctypes
import json
import os
import secrets
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

import psutil

from tests.ports import free_port

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch")
PREFIX = "grafico-slurm-"
PATIENCE = 60.0
"""Seconds in which something must have happened, on a loaded machine."""

CARDS, SHARDS, CORES, MEMORY = 2, 6, 8, 16_000
CONFIGURATION = """
ClusterName=grafico
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
MailProg=/bin/true
SwitchType=switch/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0,bf_interval=2
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
GresTypes=gpu,shard
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
ReturnToService=2
SlurmctldTimeout=30
SlurmdTimeout=300
MessageTimeout=5
KillWait=1
CompleteWait=0
MinJobAge=300
MaxArraySize=2001
MaxJobCount=20000
JobRequeue=0
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={memory} Gres=gpu:{cards},shard:{shards}
PartitionName=main Nodes={host} Default=YES MaxTime=24:00:00 PriorityTier=10 DefMemPerCPU=100
PartitionName=spare Nodes={host} MaxTime=24:00:00 PriorityTier=1 DefMemPerCPU=100
"""


class Slurm:
    """Slurm as tests see it.

    Attributes:
        environment: with which its commands find it.
    """

    def __init__(self) -> None:
        clean_up()
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir="/tmp"))
        self.folder.chmod(0o755)  # munged wants to be reached by others
        self.environment = {"SLURM_CONF": str(self.folder / "slurm.conf")}
        self.path = os.environ["PATH"]
        self._keeper = subprocess.Popen(
            [sys.executable, "-m", "tests.queues.slurm", str(self.folder)],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )
        try:
            self._ask("start", "all")
            self.wait(lambda: self.node_state() == "idle", "Slurm does not come up")
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End everything and remove the folder."""
        assert self._keeper.stdin is not None
        self._keeper.stdin.close()
        self._keeper.wait(PATIENCE)
        assert self._keeper.stdout is not None
        self._keeper.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *words: str, timeout: float = PATIENCE) -> str:
        """Run one of Slurm's commands; return what it printed."""
        done = subprocess.run(
            words,
            env={**os.environ, "PATH": self.path, **self.environment},
            text=True,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
        )
        assert not done.returncode, f"{words}: {done.stdout}{done.stderr}\n{self.logs()}"
        return done.stdout.strip()

    def wait(self, until: Callable[[], bool], otherwise: str) -> None:
        end = time.monotonic() + PATIENCE
        while not until():
            assert time.monotonic() < end, f"{otherwise}\n{self.logs()}"
            time.sleep(0.05)

    def logs(self) -> str:
        """Return what the daemons said last."""
        said = ""
        for log in sorted(self.folder.glob("*.log")):
            said += f"--- {log.name}\n{log.read_text(errors='replace')[-2000:]}\n"
        return said

    def node_state(self) -> str:
        """Return such as `idle`, `mixed` or `down`; empty while nobody answers."""
        with suppress(AssertionError, subprocess.TimeoutExpired):
            return self.run("sinfo", "-h", "-o", "%T")
        return ""

    def job(self, native: str) -> dict[str, str]:
        """Return what Slurm says of a job that it still keeps."""
        said = self.run("scontrol", "--oneliner", "show", "job", native).split("\n")[0]
        return dict(word.split("=", 1) for word in said.split() if "=" in word)

    def clear(self) -> None:
        """Cancel what there is and make everything run as it should."""
        for daemon in ("munged", "slurmctld", "slurmd"):
            self.go_on(daemon)
            self.start(daemon)
        self.run("scancel", "--signal=KILL", "--full", "--user=root")
        self.run("scancel", "--user=root")
        self.wait(lambda: not self.run("squeue", "-h"), "jobs do not end")
        self._ask("kill", "jobs")  # those of a controller that was killed, whose numbers come again
        self.mend_node()

    def kill(self, daemon: str) -> None:
        """Kill a daemon as a power cut would."""
        self._ask("kill", daemon)

    def start(self, daemon: str) -> None:
        """Start a daemon, if it does not run."""
        self._ask("start", daemon)

    def restart(self, daemon: str = "slurmctld", *, hard: bool = False) -> None:
        """End a daemon and start it again; return when Slurm answers.

        Args:
            daemon: which.
            hard: as after a power cut. Slurm writes down a job up to five seconds after it has
                accepted it: what is younger is forgotten, and its number given to another.
        """
        self._ask("kill" if hard else "end", daemon)
        self.start(daemon)
        self.wait(lambda: bool(self.node_state()), "Slurm does not come up again")

    def forget(self) -> None:
        """Let it know nothing of jobs that have ended; there must be no others."""
        daemons = ("slurmctld", "slurmd")  # numbers are given anew, so that both must forget
        for daemon in daemons:
            self._ask("end", daemon)
        for path in (self.folder / "state", self.folder / "spool"):
            shutil.rmtree(path)
            path.mkdir(mode=0o700)
        for daemon in daemons:
            self.start(daemon)
        self.wait(lambda: self.node_state() == "idle", "Slurm does not come up again")

    def pause(self, daemon: str = "slurmctld") -> None:
        """Let a daemon answer nothing any more."""
        self._ask("pause", daemon)

    def go_on(self, daemon: str = "slurmctld") -> None:
        """Let a daemon that was paused answer again."""
        self._ask("go on", daemon)

    def fail_node(self) -> None:
        """Lose the node with all that runs there, and let the controller know."""
        self._ask("kill", "slurmd")
        self._ask("kill", "jobs")
        self.run("scontrol", "update", f"nodename={host()}", "state=down", "reason=test")

    def mend_node(self) -> None:
        """Have the node again."""
        self.start("slurmd")
        with suppress(AssertionError):  # it was never lost
            self.run("scontrol", "update", f"nodename={host()}", "state=resume")
        up = ("idle", "mixed", "allocated", "completing")
        self.wait(lambda: self.node_state() in up, "no node")

    def look_after(self) -> None:
        """Resume a node that Slurm has drained, as an administrator would.

        A controller that was killed gives the numbers of its last five seconds anew; where a node
        still knows such a number Slurm drains it ("Duplicate jobid"), and nothing begins any more.
        """
        if self.node_state().startswith(("drain", "down")):
            self.mend_node()

    def _ask(self, order: str, daemon: str) -> None:
        keeper = self._keeper
        assert keeper.stdin is not None
        assert keeper.stdout is not None
        keeper.stdin.write(json.dumps([order, daemon]) + "\n")
        keeper.stdin.flush()
        answer = keeper.stdout.readline().strip()
        assert answer == "done", f"{order} {daemon}: {answer}\n{self.logs()}"


def lacking() -> str:
    """Return why no Slurm can be had here; empty where it can."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    missing = [name for name in PROGRAMS if not shutil.which(name, path=path)]
    if missing:
        return f"{', '.join(missing)} not installed"
    return "" if os.geteuid() == 0 else "only root can start a Slurm"


def host() -> str:
    """Return the name of this machine, as Slurm spells it."""
    return socket.gethostname().partition(".")[0]


def clean_up() -> None:
    """End and remove what a keeper that was killed has left."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError, ValueError):
            keeper = int((folder / "keeper.pid").read_text())
            if psutil.pid_exists(keeper) and folder.name in " ".join(
                psutil.Process(keeper).cmdline()
            ):
                continue
            for process in psutil.process_iter():
                with suppress(psutil.Error):
                    if process.environ().get("SLURM_CONF") == str(folder / "slurm.conf"):
                        process.kill()
            shutil.rmtree(folder, ignore_errors=True)


# What follows runs in the process that keeps the daemons.


class Keeper:
    """The daemons of one Slurm, and what they have started."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment: Mapping[str, str] = {
            **os.environ,
            "SLURM_CONF": str(folder / "slurm.conf"),
            "PATH": f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin",
        }
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self._configure()

    def _configure(self) -> None:
        folder = self.folder
        for name in ("state", "spool"):
            (folder / name).mkdir(mode=0o700)
        key = folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        ports = {"controller_port": free_port(), "node_port": free_port()}
        sizes = {"cores": CORES, "memory": MEMORY, "cards": CARDS, "shards": SHARDS}
        configuration = CONFIGURATION.format(folder=folder, host=host(), **sizes, **ports)
        (folder / "slurm.conf").write_text(configuration)
        for number in range(CARDS):
            os.mknod(folder / f"card{number}", stat.S_IFCHR | 0o666, os.makedev(1, 3))
        (folder / "gres.conf").write_text(
            f"Name=gpu File={folder}/card[0-{CARDS - 1}]\nName=shard Count={SHARDS}\n"
        )

    def start(self, daemon: str) -> None:
        if daemon == "all":
            for one in ("munged", "slurmctld", "slurmd"):
                self.start(one)
            return
        running = self.running.get(daemon)
        if running is not None and running.poll() is None:
            return
        folder = self.folder
        words = {
            "munged": [
                "munged",
                "--foreground",
                f"--key-file={folder}/munge.key",
                f"--socket={folder}/munge.socket",
                f"--pid-file={folder}/munged.pid",
                f"--seed-file={folder}/munge.seed",
                f"--log-file={folder}/munged.log",
                "--force",
            ],
            "slurmctld": ["slurmctld", "-D"],
            "slurmd": ["slurmd", "-D"],
        }[daemon]
        with (folder / f"{daemon}.out.log").open("ab") as log:
            self.running[daemon] = subprocess.Popen(
                words,
                env=self.environment,
                cwd="/",
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=_end_with_parent,
            )
        if daemon == "munged":
            end = time.monotonic() + PATIENCE
            while subprocess.run(
                ["munge", "-n", f"--socket={folder}/munge.socket"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            ).returncode:
                if time.monotonic() > end:
                    raise RuntimeError("munged does not start")
                time.sleep(0.02)

    def kill(self, daemon: str) -> None:
        if daemon == "jobs":
            ours = {one.pid for one in self.running.values()}
            for process in psutil.Process().children(recursive=True):
                if process.pid not in ours:
                    with suppress(psutil.Error):
                        process.kill()
        elif daemon in self.running:
            self.running[daemon].kill()
            self.running[daemon].wait()

    def end_gently(self, daemon: str) -> None:
        """Let a daemon save what it knows. Slurm's controller at times hangs once it has."""
        self.signal(daemon, signal.SIGTERM)
        try:
            self.running[daemon].wait(5)
        except subprocess.TimeoutExpired:
            self.kill(daemon)

    def signal(self, daemon: str, number: int) -> None:
        if daemon in self.running and self.running[daemon].poll() is None:
            self.running[daemon].send_signal(number)

    def obey(self, orders: IO[str]) -> None:
        for line in orders:
            order, daemon = json.loads(line)
            try:
                if order == "start":
                    self.start(daemon)
                elif order == "kill":
                    self.kill(daemon)
                elif order == "end":
                    self.end_gently(daemon)
                else:
                    stop = order == "pause"
                    self.signal(daemon, signal.SIGSTOP if stop else signal.SIGCONT)
                answer = "done"
            except Exception as error:
                answer = repr(error)
            print(answer, flush=True)

    def end(self) -> None:
        """End all that descends from here; orphans come here, so that none is forgotten."""
        for daemon in self.running:
            self.kill(daemon)
        while children := psutil.Process().children(recursive=True):
            for process in children:
                with suppress(psutil.Error):
                    process.kill()
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            time.sleep(0.02)
        shutil.rmtree(self.folder, ignore_errors=True)


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _stay(*_: object) -> None:
    """Go on."""


def main() -> None:
    """Keep the daemons until standard input closes."""
    ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stay)  # jobs would inherit that it is ignored
    folder = Path(sys.argv[1])
    (folder / "keeper.pid").write_text(str(os.getpid()))
    keeper = Keeper(folder)
    try:
        keeper.obey(sys.stdin)
    finally:
        keeper.end()


if __name__ == "__main__":
    main()
