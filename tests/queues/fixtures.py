"""One Slurm for all tests with batch queues, and a login node from which its commands work.

`tests/conftest.py` registers it as a plugin. Its tests are of the group `slurm`, so that one worker
runs all of them: `pytestmark = pytest.mark.xdist_group("slurm")`.
"""

import os
from collections.abc import Iterator

import pytest

from tests.queues import slurm as slurms
from tests.queues.slurm import Slurm

from . import ssh
from .ssh import LoginNode


def must_have(lacking: str) -> None:
    """Skip where something is lacking; on CI it has to be there."""
    if lacking and os.environ.get("CI") == "true":
        pytest.fail(f"{lacking}: see .ci/run")
    if lacking:
        pytest.skip(lacking)


@pytest.fixture(scope="session")
def slurm_daemons() -> Iterator[Slurm]:
    must_have(slurms.lacking())
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


@pytest.fixture
def login_node(
    slurm_daemons: Slurm, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LoginNode]:
    """A login node of that Slurm, where commands find it too."""
    must_have(ssh.lacking())
    node = LoginNode(tmp_path_factory.mktemp("login"), slurm_daemons.environment)
    yield node
    node.stop()
