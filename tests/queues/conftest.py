"""The session of tests of jobs."""

from tests.jobs.conftest import session

__all__ = ["session"]
