"""A safe place for every test: no settings, keys, store or folders of the person who runs it."""

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

import hypothesis
import pytest

Need = Callable[[str], Path]

hypothesis.settings.register_profile("default", deadline=None)
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)

_home = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    """Before any module is imported, and in every test process anew."""
    ci = os.environ.get("CI") == "true"
    hypothesis.settings.load_profile("ci" if ci else "default")

    # Tests start hundreds of processes; without bytecode each would compile the package anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False

    # A parent such as nohup, cron or a shell's `&` has it ignored, and every program inherits that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)

    for name in list(os.environ):
        foreign = name.startswith(("GRAFICO_", "OTEL_", "LOGFIRE_")) or name == "TRACEPARENT"
        if foreign or name.endswith("_API_KEY"):
            del os.environ[name]

    # Not below pytest's own folder: the path of a Unix socket is limited to about 100 characters.
    home = Path(tempfile.mkdtemp(prefix="grafico-", dir="/tmp"))
    config.stash[_home] = home
    for variable in ("DATA", "CONFIG", "STATE", "CACHE", "RUNTIME"):
        folder = home / variable.lower()
        folder.mkdir(mode=0o700)
        suffix = "DIR" if variable == "RUNTIME" else "HOME"
        os.environ[f"XDG_{variable}_{suffix}"] = str(folder)
    os.environ["GRAFICO_STORE"] = str(home / "store")
    os.environ["MPLBACKEND"] = "Agg"
    os.environ["OMP_NUM_THREADS"] = "1"
    # Threads that wait for each other take five times as long where all cores are busy.
    os.environ["GRAFICO_THREADS_PER_CALCULATION"] = "1"
    from tests import scheduling, stores
    from tests.queues import fixtures
    from workflows.programs.unread_settings import load_without_files

    load_without_files()  # else PySCF leaves an open file with each mean field of a test's own

    config.pluginmanager.register(scheduling, "tests.scheduling")
    config.pluginmanager.register(stores, "tests.stores")
    config.pluginmanager.register(fixtures, "tests.queues.fixtures")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is imported and found stays: to look for garbage there took a quarter of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_unconfigure(config: pytest.Config) -> None:
    if home := config.stash.get(_home, None):
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="session")
def need() -> Need:
    """``need("java")`` gives the program's path; without it the test skips, and fails on CI."""

    def find(program: str) -> Path:
        if path := shutil.which(program):
            return Path(path)
        message = f"{program} is not installed"
        if os.environ.get("CI") == "true":
            pytest.fail(f"{message}: see .ci/run")
        pytest.skip(message)

    return find


@pytest.fixture(scope="session")
def confined(need: Need) -> None:
    """Skip where bubblewrap is there and the kernel does not let it; on CI it has to be there."""
    from grafico.sandbox import probe

    need("bwrap")
    if reason := probe():
        pytest.skip(reason)
