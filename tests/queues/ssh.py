"""A login node on loopback: a throw-away sshd with a host key and a user's key of its own.

`ssh -F CONFIGURATION login COMMAND` runs a command there as whoever runs the tests.
"""

from __future__ import annotations

import ctypes
import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import psutil

from tests.ports import free_port

PROGRAM = Path("/usr/sbin/sshd")
PATIENCE = 60.0
"""Seconds in which it must have come up, on a loaded machine."""

SERVER = """
ListenAddress 127.0.0.1:{port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
PrintMotd no
MaxSessions 100
MaxStartups 100
Subsystem sftp internal-sftp
"""
CLIENT = """
Host login
    HostName 127.0.0.1
    Port {port}
    User {user}
    IdentityFile {folder}/user
    IdentitiesOnly yes
    UserKnownHostsFile {folder}/known
    GlobalKnownHostsFile /dev/null
    StrictHostKeyChecking yes
    BatchMode yes
    LogLevel ERROR
"""


class LoginNode:
    """An sshd, and how it is reached.

    Args:
        folder: for its files.
        environment: variables that commands there see besides those of a login.

    Attributes:
        name: of the host, in the configuration.
        configuration: for `ssh -F`.
    """

    name = "login"

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder, self.configuration = folder, folder / "config"
        for key in ("host", "user"):
            subprocess.run(
                ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key], check=True
            )
        port = free_port()
        variables = " ".join(f'"{name}={value}"' for name, value in environment.items())
        server = SERVER.format(port=port, folder=folder)
        (folder / "sshd_config").write_text(server + (f"SetEnv {variables}\n" if variables else ""))
        public = " ".join((folder / "host.pub").read_text().split()[:2])
        (folder / "known").write_text(f"[127.0.0.1]:{port} {public}\n")
        self.configuration.write_text(
            CLIENT.format(port=port, folder=folder, user=getpass.getuser())
        )
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # it wants that, as root
        self._address = ("127.0.0.1", port)
        self.start()

    def start(self) -> None:
        """Start it, where it was stopped."""
        with (self.folder / "sshd.log").open("ab") as log:
            self._process = subprocess.Popen(
                [PROGRAM, "-D", "-e", "-f", self.folder / "sshd_config"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=_end_with_parent,
            )
        end = time.monotonic() + PATIENCE
        while True:
            with suppress(OSError), socket.create_connection(self._address, 1):
                return
            said = (self.folder / "sshd.log").read_text()
            assert self._process.poll() is None, said
            assert time.monotonic() < end, said
            time.sleep(0.02)

    def stop(self) -> None:
        """End it, with all connections and what runs through them."""
        with suppress(psutil.NoSuchProcess):
            for process in psutil.Process(self._process.pid).children(recursive=True):
                with suppress(psutil.NoSuchProcess):
                    process.kill()
        self._process.kill()
        self._process.wait()

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run a line of the shell there."""
        return subprocess.run(
            ["ssh", "-F", self.configuration, self.name, command],
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )


def lacking() -> str:
    """Return why there can be none here; empty where there can."""
    if not PROGRAM.exists():
        return "sshd is not installed"
    return "" if shutil.which("ssh") else "ssh is not installed"


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
