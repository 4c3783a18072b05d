"""The errors of Grafico: one tree, ordered by what helps.

::

    GraficoError                 every error that is meant for a person
    ├── InputError               change the input; it can never work as asked
    │   ├── NotFoundError        the thing named is not there (object, name, file)
    │   ├── QueryError           the query is malformed, not read-only or beyond the limits
    │   └── TrustError           it stands in a file that a person has to trust first
    ├── ResourceError            free something and ask again: disk, memory, time, a busy store
    │   ├── TimeLimitError       stopped at a time limit, or because nothing moved any more
    │   ├── MemoryLimitError     stopped because memory ran out, the machine's or what it was given
    │   ├── DiskFullError        a disk is full, or what somebody may use of it
    │   ├── KilledError          ended by somebody or something else; ask again
    │   └── ConsentError         a person has to agree, and none has; ask where one can answer
    ├── RecipeError              the science failed: try another method, start or threshold
    │   ├── NotConvergedError    an iteration ended at its step limit
    │   └── CrashError           the program crashed: a fault in it, met again with the same input
    ├── ComponentError           install or repair a component (a program, an extra, a server)
    └── RecordError              what is stored contradicts what was asked of it
        └── ConflictError        a property that is said once would get a second value

Each error says what was asked, what is there and what to do about it. The command line ends with
status 2 for an `InputError` and with 1 for the others.
"""

from __future__ import annotations

from collections.abc import Sequence


class GraficoError(Exception):
    """An error that a person can act on.

    Args:
        asked: what was asked and could not be done, as one clause.
        found: what is there instead.
        advice: what to do about it. It names a field in backticks, such as `max_steps`: each
            door may spell it as its own option.

    Attributes:
        run: IRI of the run that it ended, which can be resumed; empty outside of one.
    """

    run = ""

    def __init__(self, asked: str, found: str = "", advice: str = "") -> None:
        super().__init__(asked, found, advice)
        self.asked, self.found, self.advice = asked, found, advice

    def __str__(self) -> str:
        return "; ".join(part for part in (self.asked, self.found, self.advice) if part)


class InputError(GraficoError):
    """The input must change; asking again as it is will fail again."""

    @classmethod
    def of_all(cls, errors: Sequence[InputError]) -> InputError:
        """Return one error of several faults of an input, so that all can be mended at once."""
        if len(errors) == 1:
            return errors[0]
        parts = zip(*((one.asked, one.found, one.advice) for one in errors), strict=True)
        return cls(*("; ".join(filter(None, dict.fromkeys(part))) for part in parts))


class NotFoundError(InputError):
    """The thing named does not exist."""


class QueryError(InputError):
    """A query that is malformed, not read-only or beyond the limits."""


class TrustError(InputError):
    """What would be used stands in a file that nobody has trusted: look at it and say so."""


class ResourceError(GraficoError):
    """Disk, memory, time or a busy component stood in the way: free it and ask again."""


class TimeLimitError(ResourceError):
    """Stopped at a time limit, or because nothing moved any more."""


class MemoryLimitError(ResourceError):
    """Memory ran out: less must be asked of it, or more be given."""


class DiskFullError(ResourceError):
    """A disk is full, or what somebody may use of it: free space there."""


class KilledError(ResourceError):
    """A process was ended by somebody or something else, not by a fault of its own."""


class ConsentError(ResourceError):
    """A person has to agree, and said no or was not there."""


class RecipeError(GraficoError):
    """The calculation failed as specified: another method, start or threshold may work."""


class NotConvergedError(RecipeError):
    """An iteration ended at its step limit; what it had is not a result."""


class CrashError(RecipeError):
    """The program crashed (a segmentation fault, say); with the same input it will again."""


class ComponentError(GraficoError):
    """A component is missing or broken: install or repair it."""

    @classmethod
    def extra(cls, asked: str, package: str, extra: str, otherwise: str = "") -> ComponentError:
        """Return the error where a package of one of our extras is not installed.

        Args:
            asked: what was asked, as one clause.
            package: what is missing, as people call it.
            extra: the name of the extra that brings it.
            otherwise: what works without it, as one clause.
        """
        advice = f"pip install 'grafico-chem[{extra}]'" + (f", or {otherwise}" if otherwise else "")
        return cls(asked, f"{package} is not installed", advice)


class RecordError(GraficoError):
    """What is stored contradicts what was asked of it."""


class ConflictError(RecordError):
    """A property that is said once of an object would get another value beside the stored one."""
