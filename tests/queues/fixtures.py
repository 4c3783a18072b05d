"""One Slurm for all tests with batch queues.

`tests/conftest.py` registers it as a plugin. Its tests are of the group `slurm`, so that one worker
runs all of them: `pytestmark = pytest.mark.xdist_group("slurm")`.
"""

import os
from collections.abc import Iterator

import pytest

from .slurm import Slurm, lacking


@pytest.fixture(scope="session")
def slurm_daemons() -> Iterator[Slurm]:
    if reason := lacking():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{reason}: see .ci/run")
        pytest.skip(reason)
    slurm = Slurm()
    yield slurm
    slurm.stop()


@pytest.fixture
def slurm(slurm_daemons: Slurm, monkeypatch: pytest.MonkeyPatch) -> Iterator[Slurm]:
    """Slurm with nothing to do, found by its commands; what a test leaves there is cancelled."""
    for name, value in slurm_daemons.environment.items():
        monkeypatch.setenv(name, value)
    yield slurm_daemons
    slurm_daemons.clear()
