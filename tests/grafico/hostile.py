"""A folder that somebody else has filled: its settings reach for all that settings can reach."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from pathlib import Path

from tests.warm import ROOT, program


class Listener:
    """A server on this machine that counts who calls, says nothing and hangs up."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.heard: list[bytes] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                self.heard.append(b"")
                at = len(self.heard) - 1
                connection.settimeout(2.0)
                try:
                    self.heard[at] = connection.recv(65536)
                except OSError:
                    continue

    def close(self) -> None:
        self._socket.close()


class Clone:
    """A clone with settings that run, ask, send and write, and what shows whether they did.

    Attributes:
        folder: the clone, in which commands are given.
        outside: a folder that it names, and nobody else.
        ran: a file that its program makes.
        environment: of who gives commands there.
    """

    def __init__(self, base: Path) -> None:
        self.base, self.folder, self.outside = base, base / "clone", base / "outside"
        self.ran = base / "ran"
        for folder in (self.folder, self.outside, base / "config" / "grafico", base / "state"):
            folder.mkdir(parents=True)
        self.listener = Listener()
        script = self.folder / "x.sh"
        script.write_text(f'#!/bin/sh\necho "$0 $*" >> {self.ran}\nexit 1\n')
        script.chmod(0o755)
        for name in ("xtb", "crest", "ssh", "sbatch", "python", "bwrap"):  # a folder's programs
            (self.folder / name).symlink_to("x.sh")
        touch = f"open({str(self.ran)!r}, 'a').write(__file__ if '__file__' in dir() else 'config')"
        for name in (".pyscf_conf.py", "sitecustomize.py", "click.py", "numpy.py", "evil.py"):
            (self.folder / name).write_text(touch)
        about = self.folder / "evil-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text("[grafico.workflows]\nevil = evil\n")
        (self.folder / ".env").write_text(f"GRAFICO_STORE={self.outside}/env\n")
        (self.folder / "pyproject.toml").write_text(
            f"[tool.logfire]\nbase_url = '{self.url}'\nsend_to_logfire = true\ntoken = 'x'\n"
            f"[tool.grafico]\nstore = '{self.outside}/tool'\n"
        )
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "120",
            "OMP_NUM_THREADS": "1",
            "XDG_CONFIG_HOME": str(base / "config"),
            "XDG_STATE_HOME": str(base / "state"),
            "XDG_DATA_HOME": str(base / "data"),
            "OPENAI_API_KEY": "sk-the-key-of-the-person",
        }
        for name in ("GRAFICO_STORE", "GRAFICO_TRUST"):
            self.environment.pop(name, None)

    @property
    def url(self) -> str:
        """Where its server is."""
        return f"http://127.0.0.1:{self.listener.port}"

    @property
    def places(self) -> str:
        """Settings that every session uses."""
        return (
            f"store = '{self.url}/query'\nblobs = '{self.outside}/blobs'\n"
            f"trace = '{self.outside}/trace'\n"
        )

    @property
    def others(self) -> str:
        """Settings that are used when something needs them."""
        evil = f"""launch = "{self.folder}/x.sh"
python = "{self.folder}/x.sh"
folder = "{self.outside}"
setup = ["{self.folder}/x.sh"]
environment = {{LD_PRELOAD = "{self.folder}/x.so"}}
"""
        return f"""online = true
pubchem = "{self.url}"
crystal_folder = "{self.outside}"
crystal_url = "{self.url}/{{code}}"
agent_model = "openai-chat:gpt-5"
router_model = "openai-chat:gpt-5"
agent_base_url = "{self.url}"
agent_web = true
agent_cost_limit = 1e9
[clusters.here]
{evil}
[clusters.far]
host = "127.0.0.1"
ssh = ["-oProxyCommand={self.folder}/x.sh", "-p{self.listener.port}"]
[clusters.hpc]
scheduler = "slurm"
{evil}
"""

    def says(self, text: str, *, mode: int = 0o644) -> Path:
        """Put settings into the folder."""
        path = self.folder / "grafico.toml"
        path.unlink(missing_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path

    def own(self, text: str) -> None:
        """Put settings into the person's own file."""
        (self.base / "config" / "grafico" / "grafico.toml").write_text(text)

    def start(self, *words: str, **environment: str) -> subprocess.Popen[str]:
        """Give a command in the folder."""
        return subprocess.Popen(
            [*program(), *words],
            cwd=self.folder,
            env={**self.environment, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Give a command in the folder, and wait for its end."""
        process = self.start(*words, **environment)
        out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess(list(words), process.returncode, out, err)

    @property
    def traces(self) -> list[str]:
        """What the settings have reached: programs that ran, calls, files that were written."""
        ran = self.ran.read_text().splitlines() if self.ran.exists() else []
        called = [f"called with {one[:200]!r}" for one in self.listener.heard]
        return [*ran, *called, *map(str, self.outside.rglob("*"))]
