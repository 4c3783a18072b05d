"""Spans of OpenTelemetry, as every layer makes them.

Only the API of OpenTelemetry is used here. It does nothing until a tracer of some SDK is handed in,
or the program around us has set a provider of its own.

What a span says is chosen word by word: IRIs, names, counts, times and errors. It never says the
text of a query, the URL of a store, a header or a variable of the environment.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

from opentelemetry.trace import (
    Span,
    Status,
    StatusCode,
    Tracer,
    get_current_span,
    get_tracer,
    use_span,
)

NAME = "grafico"
"""The instrumentation scope of our spans, and what the names of their attributes begin with."""

MOST = 2000
"""Letters of a text that are kept."""

_LOGIN = re.compile(r"(?<=://)[^/\s@'\"]+@")
_ASKED = re.compile(r"(://[^\s?'\"]*\?)[^\s'\"]+")


def any_tracer() -> Tracer:
    """Return the tracer of the provider that this program has set, or will: none does nothing."""
    return get_tracer(NAME)


@contextmanager
def span(tracer: Tracer, name: str, /, **said: Any) -> Generator[Span]:
    """Be within a span that ends with the block, and with the error that the block ends with.

    Args:
        tracer: makes it.
        name: of few values: the kind of thing, and the calculation, node or graph.
        said: attributes, as `note` takes them.
    """
    here = tracer.start_span(name)
    if not here.is_recording() and not get_current_span().is_recording():
        yield here  # nobody listens: as quick as can be
        return
    with use_span(here, True, record_exception=False, set_status_on_exception=False):
        note(here, **said)
        try:
            yield here
        except BaseException as error:
            fail(here, error)
            raise


def note(here: Span, /, **said: Any) -> None:
    """Add attributes to a span; None says nothing."""
    if here.is_recording():
        here.set_attributes({f"{NAME}.{name}": value for name, value in plain(said).items()})


def note_here(**said: Any) -> None:
    """Add attributes to the span that we are in, if we are in one."""
    note(get_current_span(), **said)


def tell(here: Span, what: str, /, **said: Any) -> None:
    """Add an event to a span."""
    if here.is_recording():
        here.add_event(cut(what), plain(said))


def fail(here: Span, error: BaseException) -> None:
    """Say that what a span stands for ended with an error: its kind, and what it says.

    No stack: it would repeat the source, and the paths of whoever runs it.
    """
    if here.is_recording():
        kind = type(error).__name__
        cancelled = isinstance(error, asyncio.CancelledError)
        # not in the status, which no SDK looks through for secrets
        here.set_attributes({"error.type": kind, "error.message": cut(str(error))})
        here.set_status(Status(StatusCode.ERROR, "cancelled" if cancelled else kind))


def plain(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as attributes can be: text, numbers and truth; what else there is, as JSON."""
    found: dict[str, Any] = {}
    for name, value in said.items():
        if isinstance(value, str):
            found[name] = cut(value)
        elif isinstance(value, bool | int | float):
            found[name] = value
        elif value is not None:
            found[name] = cut(json.dumps(value, default=str))
    return found


def cut(text: str) -> str:
    """Return the beginning and the end of a long text, without what may be secret in URLs."""
    text = _ASKED.sub(r"\1…", _LOGIN.sub("…@", text))
    half = MOST // 2
    return text if len(text) <= MOST else f"{text[:half]} … {text[-half:]}"
