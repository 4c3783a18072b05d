"""Batch queues: what a job needs, where it stands, and how Slurm, PBS and LSF spell it.

A `Queue` submits, asks, cancels and finds again. It knows nothing of tasks and results: that a job
has left its queue says that somebody should look into its folder, and no more.
"""

from .errors import SilentQueueError
from .queue import Queue
from .resources import Resources, read_memory, read_walltime
from .state import Cause, QueuedJob, QueueState, Stage

__all__ = [
    "Cause",
    "Queue",
    "QueueState",
    "QueuedJob",
    "Resources",
    "SilentQueueError",
    "Stage",
    "read_memory",
    "read_walltime",
]
