"""Which runner starts the jobs of a cluster."""

from __future__ import annotations

from pathlib import Path

from ..runners.base import Runner
from ..runners.cluster import Cluster
from ..runners.detached import DetachedRunner


def runner_of(cluster: Cluster, home: Path) -> Runner:
    """Return what starts the jobs of a cluster.

    Args:
        cluster: which.
        home: folder for jobs, where the cluster names none.

    Raises:
        ComponentError: the extra `queue` is not installed.
    """
    if cluster.host:
        from .hosting import HostRunner

        return HostRunner(cluster)
    if cluster.scheduler == "none":
        return DetachedRunner()
    from ..runners.queued import QueuedRunner

    return QueuedRunner(cluster.scheduler, (cluster.folder or home).expanduser() / "queue")
