"""PSI/J, which writes the scripts of jobs and hands them to Slurm, PBS and LSF.

Nothing else knows it. It is believed only as far as it goes (0.9.11; tests show each of these):

- The name of a job is ignored: it goes through the scheduler's own option.
- A time of nought means no limit at all: it is refused before it comes here.
- A number that no job ever had is said to be of a completed one. While a scheduler does not answer,
  all jobs are said to have failed; while one waits for a reason of several words, nothing is heard
  of any. So it is not asked where jobs stand, and its thread, which would ask, sleeps.
- What a scheduler says on a job goes nowhere, so that one killed for its memory reads as one that
  could not be launched: an option puts it into a file.
- A job whose command failed is completed to the scheduler, as PSI/J's script ends with an `echo`:
  our script writes down how its command ended.
- A folder with a blank, or a value with a bracket, gets two kinds of quotes: what goes through it
  has neither.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shlex
import shutil
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from triplestore.errors import ComponentError, InputError

from .errors import missing, refused
from .scheduler import JobRequest, Scheduler

if TYPE_CHECKING:
    from psij import Job, ResourceSpecV1
    from psij.executors.batch.batch_scheduler_executor import BatchSchedulerExecutor

OWN = re.compile(r"\w[\w.\[\]-]*", re.ASCII)
"""The number that a job saw, as it is written down: it stands in paths."""

NEVER = 10**9
"""s until PSI/J asks a scheduler by itself."""

PASSED = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LD_LIBRARY_PATH", "SLURM_CONF",
          "PBS_CONF_FILE", "PBS_SERVER", "PBS_DEFAULT")  # fmt: skip
"""Variables that commands for submission see, and so jobs: nothing that could be a secret.

To ask Slurm for none instead would have it read the person's profile as a login does, which may
take longer than the job.
"""

PREFERRED = ("SBATCH_", "LSF_", "LSB_")
"""How variables begin that tell those commands what a person prefers."""


class Submitter:
    """Submits scripts to one scheduler.

    Args:
        scheduler: which.
        folder: where PSI/J keeps its files, which jobs must see too.

    Raises:
        ComponentError: PSI/J is not installed.
        InputError: the folder's path would not survive PSI/J's quotes.
    """

    def __init__(self, scheduler: Scheduler, folder: Path) -> None:
        path = str(folder)
        if shlex.quote(path) != path or "%" in path:
            raise InputError(
                f"the folder {path!r} was given for jobs",
                "batch scripts cannot name it for its characters",
                "take one whose path has letters, digits and . _ - alone",
            )
        self._scheduler = scheduler
        self._folder = folder
        self._words = dict[str, list[str]]()
        self._patience = 60.0
        self._executor = self._make_executor()

    def _make_executor(self) -> BatchSchedulerExecutor:
        # it warns that it cannot take over a signal, which nobody wants: where it can, it does
        logging.getLogger("psij.executors.local").setLevel(logging.ERROR)
        try:
            from psij import JobExecutor
            from psij.executors.batch import batch_scheduler_executor as batch
        except ModuleNotFoundError as error:
            raise ComponentError.extra("a batch queue was asked for", "PSI/J", "queue") from error
        configuration = batch.BatchSchedulerExecutorConfig(
            work_directory=self._folder,
            initial_queue_polling_delay=NEVER,
            queue_polling_interval=NEVER,
        )
        executor = JobExecutor.get_instance(self._scheduler.name, config=configuration)
        assert isinstance(executor, batch.BatchSchedulerExecutor)
        usual = executor.get_submit_command

        def with_words(job: Job, submit_file_path: Path) -> list[str]:
            program, *rest = usual(job, submit_file_path)
            words = [*_environment(), program, *self._words.get(job.id, ()), *rest]
            return [*_at_most(self._patience), "env", "-i", *words]

        executor.get_submit_command = with_words  # no option of PSI/J reaches the command line
        return executor

    def submit(self, script: Path, asked: JobRequest, patience: float = 60.0) -> str:
        """Submit a script of bash; return its number.

        Args:
            script: what the job runs.
            asked: what it needs.
            patience: s after which a scheduler that does not answer is said to be silent.

        Raises:
            SilentQueueError: the scheduler did not answer; the job may be there all the same.
            InputError: it was refused.
            ResourceError: it was refused for now.
            ComponentError: the scheduler's commands are not here.
        """
        from psij import SubmitException
        from psij.executors.batch.batch_scheduler_executor import UNKNOWN_ERROR

        wanted = f"job {asked.name} was submitted"
        if shutil.which(self.submits) is None:
            raise missing(wanted, self.submits)
        job = self.job(script, asked)
        self._patience = patience
        try:
            self._executor.submit(job)
        except SubmitException as error:
            said = str(error)
            if said == UNKNOWN_ERROR:  # it was ended without a word
                said = f"timed out after {patience:g} s"
            raise refused(wanted, self.submits, said) from error
        finally:
            self._words.pop(job.id, None)
            if self._scheduler.copies:
                with contextlib.suppress(FileNotFoundError):
                    (self._executor.work_directory / f"{job.id}.job").unlink()
        if not job.native_id:
            raise refused(wanted, self.submits, "no number of the job")
        return job.native_id

    @property
    def submits(self) -> str:
        """The command that submits."""
        return {"slurm": "sbatch", "pbs": "qsub", "lsf": "bsub"}[self._scheduler.name]

    def cancelling(self, keys: Sequence[str]) -> list[str]:
        """Return the command that cancels jobs."""
        first, *others = keys
        return [*self._executor.get_cancel_command(first), *others]

    def job(self, script: Path, asked: JobRequest) -> Job:
        """Describe a job to PSI/J."""
        from psij import Job, JobAttributes, JobSpec

        needed = asked.resources
        options = {**self._scheduler.attributes(asked), **needed.attributes}
        for name, value in options.items():
            if shlex.quote(f"{name}={value}") != f"{name}={value}":
                raise InputError(
                    f"the option {name!r} with {value!r} was given for jobs",
                    "batch scripts cannot name it for its characters",
                    "leave it out of `attributes`",
                )
        flags = [f"-{'-' * (len(name) > 2)}{name}" for name, value in options.items() if not value]
        job = Job(
            JobSpec(
                executable="/bin/bash",
                arguments=[str(script)],
                resources=self._resources(asked),
                attributes=JobAttributes(
                    duration=timedelta(seconds=needed.walltime),
                    queue_name=needed.queue or None,
                    account=needed.account or None,
                    custom_attributes={
                        f"{self._scheduler.name}.{name}": value
                        for name, value in options.items()
                        if value
                    },
                ),
            )
        )
        self._words[job.id] = [*self._scheduler.words(asked), *flags]
        return job

    def _resources(self, asked: JobRequest) -> ResourceSpecV1 | None:
        from psij import ResourceSpecV1

        if not self._scheduler.spans_cores:
            return None
        memory = asked.resources.memory
        return ResourceSpecV1(
            process_count=1,
            cpu_cores_per_process=asked.resources.cores,
            memory=None if memory is None else memory * 10**6,
        )

    def forget(self, own: str) -> None:
        """Remove what PSI/J's script has left of a job, by the number that the job itself saw.

        Its last line writes a status which nobody reads, a moment after all else: those go too.
        """
        folder = self._executor.work_directory
        named = (folder / f"{own}.{kind}" for kind in ("nodefile", "out") if OWN.fullmatch(own))
        for path in (*named, *folder.glob("*.ec")):
            path.unlink(missing_ok=True)


def _at_most(seconds: float) -> list[str]:
    """Return words before a command that end it after a while, also when we are no more."""
    if shutil.which("timeout") is None:
        return []
    return ["timeout", "-k", "1", f"{seconds:g}"]


def _environment() -> list[str]:
    return [
        f"{name}={value}"
        for name, value in {**os.environ, "LC_ALL": "C"}.items()
        if name in (*PASSED, "LC_ALL") or name.startswith(PREFERRED)
    ]
