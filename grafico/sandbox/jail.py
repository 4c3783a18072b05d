"""The command line that confines a process with bubblewrap, and whether it works here."""

from __future__ import annotations

import functools
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from .inside.confine import MACHINES
from .limits import SandboxLimits

LIBRARIES = ("numpy", "scipy", "pandas", "matplotlib")
"""Distributions that snippets may import, with what these need."""

SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")
DEVICES = ("/dev/null", "/dev/urandom")
"""The host's own, and bubblewrap cannot mount them read-only: see `confine.IGNORED`."""

INSIDE = Path(__file__).parent / "inside"
PATIENCE = 20.0
"""Seconds for a trial."""

ENVIRONMENT = {
    "HOME": "/work",
    "TMPDIR": "/tmp",
    "MPLCONFIGDIR": "/tmp",
    "LANG": "C.UTF-8",
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
}


def jailed(code: str, limits: SandboxLimits, kept: Path | None = None) -> list[str]:
    """Return the command that runs Python code confined, with an empty environment around it.

    The kernel's view of processes (`/proc`) is not mounted: as root, even without capabilities,
    one could write to files below `/proc/sys` through which the host's kernel starts programs.

    Args:
        code: finds the package `inside`.
        limits: of its working folder.
        kept: a folder that it may read.
    """
    command = [
        shutil.which("bwrap") or "bwrap",
        "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--clearenv",
        "--cap-drop", "ALL", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox",
    ]  # fmt: skip
    for name, value in ENVIRONMENT.items():
        command += ["--setenv", name, value]
    base = Path(sys.base_prefix)
    for folder in dict.fromkeys([*SYSTEM, str(base / "lib")]):
        command += ["--ro-bind-try", folder, folder]
    for folder in _other_packages(base):
        command += ["--size", "4096", "--tmpfs", str(folder), "--remount-ro", str(folder)]
    python = _interpreter()
    command += ["--ro-bind", str(python), str(python)]
    for path in _library_paths():
        command += ["--ro-bind", str(path), f"/packages/{path.name}"]
    command += ["--ro-bind", str(INSIDE), "/grafico/inside"]
    for device in DEVICES:
        command += ["--dev-bind", device, device]
    if kept is not None:
        command += ["--ro-bind", str(kept), "/kept"]
    for folder in ("/work", "/tmp"):
        command += ["--perms", "0700", "--size", str(limits.disk), "--tmpfs", folder]
    command += ["--remount-ro", "/", "--chdir", "/work", "--", str(python)]
    paths = "import sys; sys.path[:0] = ['/grafico', '/packages']; "
    return [*command, "-I", "-S", "-B", "-X", "utf8", "-c", paths + code]


def _interpreter() -> Path:
    """Return the interpreter itself, not a virtual environment's link to it."""
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


def _other_packages(base: Path) -> Iterator[Path]:
    """Yield folders of packages below those that are mounted: snippets see `LIBRARIES` alone."""
    standard = Path(sysconfig.get_path("stdlib"))
    for folder in (standard, base / "lib" / "python3", Path("/usr/lib/python3"), standard.parent):
        for name in ("site-packages", "dist-packages"):
            if (folder / name).is_dir():
                yield folder / name


@functools.cache
def _library_paths() -> tuple[Path, ...]:
    """Return the files and folders of the libraries.

    Raises:
        PackageNotFoundError: one is not installed.
    """
    from packaging.requirements import Requirement

    found: dict[Path, None] = {}
    waiting, seen = [*LIBRARIES], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        distribution = metadata.distribution(name)
        for line in distribution.requires or ():
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(requirement.name)
        record = distribution.read_text("RECORD")  # of thousands of lines, slow as objects
        files = map(str, distribution.files or ()) if record is None else record.splitlines()
        for top in dict.fromkeys(re.split("[/,]", one.lstrip('"'), maxsplit=1)[0] for one in files):
            if top not in ("..", "__pycache__", "/") and not top.endswith(".dist-info"):
                found[Path(str(distribution.locate_file(top)))] = None
    return tuple(found)


def probe() -> str | None:
    """Return why nothing can be run confined here, or None if it can; tried once."""
    return _trial()


@functools.cache
def _trial() -> str | None:
    if not sys.platform.startswith("linux"):
        return f"code is confined by bubblewrap, which needs Linux; this is {sys.platform}"
    if platform.machine() not in MACHINES:
        return f"no table of system calls for {platform.machine()}"
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed (Debian, Fedora, Arch: the package bubblewrap)"
    try:
        command = jailed(
            "from inside import confine; confine.refuse_calls(); print('confined')", SandboxLimits()
        )
    except metadata.PackageNotFoundError as error:
        return f"{error.name} is not installed (pip install 'grafico-chem[agent]')"
    try:
        done = subprocess.run(
            command,
            env={},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap could not be tried: {error}"
    if done.stdout == "confined\n":
        return None
    said = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
    return (
        f"bubblewrap cannot confine a process here ({said}): it needs user namespaces, which this "
        "machine or container may forbid (see user.max_user_namespaces, "
        "kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns)"
    )
