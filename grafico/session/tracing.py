"""Where spans go: nowhere, to a file, to logfire, or to a collector of OpenTelemetry.

A session makes its spans through a tracer of its own. Without one they go to the provider that the
program around us has set, if it has set any: nothing that is set for a whole process is changed.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit, urlunsplit

from opentelemetry.context import attach, detach
from opentelemetry.trace import StatusCode, Tracer, TracerProvider, get_tracer_provider
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from triplestore.errors import ComponentError, InputError
from triplestore.release import release
from triplestore.spans import NAME

if TYPE_CHECKING:
    from logfire import ScrubMatch
    from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor

OFF, LOGFIRE = "off", "logfire"

SECONDS = 3.0
"""How long a collector has for a batch of spans, and a session's end for what is on its way."""

IDENTITIES = {"run", "transition", "result", "activity", "atoms", "parent", "key"}
"""Attributes that are IRIs and digests: what looks like a secret in them is chance."""

Lose: TypeAlias = Callable[..., None]

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Tracing:
    """The spans of one session.

    Attributes:
        provider: for libraries that make spans of their own, which then are part of the same trace.
        close: sends what is on its way, for `SECONDS` at most; may be called twice.
    """

    provider: TracerProvider
    close: Callable[[], None]

    @property
    def tracer(self) -> Tracer:
        """What makes our spans."""
        return self.provider.get_tracer(NAME, release())


def open_tracing(where: str) -> Tracing:
    """Return what makes spans and takes them somewhere.

    Args:
        where: `off`; `logfire`, with the project's token in `LOGFIRE_TOKEN`; the URL of a collector
            that takes OTLP over HTTP; or else a file, to which a line of JSON is added for each
            span.

    Raises:
        InputError: the file cannot be opened, there is no token, or it is another kind of URL.
        ComponentError: logfire is not installed.
    """
    if where == OFF:
        return Tracing(get_tracer_provider(), lambda: None)
    asked = f"tracing to {_shown(where)} was asked for"
    loaded: dict[str, Any] = {**sys.modules}
    if loaded.get("logfire", "") is None:  # left out by the command line
        del sys.modules["logfire"]
    try:
        import logfire
        from opentelemetry import propagate
    except ImportError as error:
        raise ComponentError.extra(asked, "logfire", "tracing", "turn tracing off") from error
    lose = _once()
    sender = _sender(where, asked, lose)
    textmap = propagate.get_global_textmap()
    with _without_collectors():
        told = logfire.configure(
            local=True,
            config_dir=os.devnull,  # not that of the working folder, which may be somebody else's
            send_to_logfire=False,
            service_name=NAME,
            service_version=release(),
            console=False,
            metrics=False,
            inspect_arguments=False,
            add_baggage_to_attributes=False,
            distributed_tracing=True,
            sampling=logfire.SamplingOptions(),
            min_level="trace",
            scrubbing=logfire.ScrubbingOptions(callback=_scrub),
            additional_span_processors=[sender],
            advanced=logfire.AdvancedOptions(emit_configuration_span=False),
        )
    propagate.set_global_textmap(textmap)  # logfire wraps, or unwraps, that of the whole process

    def close() -> None:
        atexit.unregister(close)
        # who sends may hang; it is left behind then, and ends with the program
        ending = threading.Thread(target=told.shutdown, kwargs={"flush": False}, daemon=True)
        ending.start()
        ending.join(SECONDS)
        if ending.is_alive():
            lose("%s did not take the last ones in %g s", _shown(where), SECONDS)

    atexit.register(close)
    return Tracing(told.config.get_tracer_provider(), close)


def _sender(where: str, asked: str, lose: Lose) -> SpanProcessor:
    if where == LOGFIRE:
        return _logfire(asked, lose)
    if re.match(r"https?://", where, re.IGNORECASE):
        return _collector(where, lose)
    if "://" in where:
        raise InputError(asked, "nothing is known of such URLs", "give a file or an http(s):// URL")
    return _file(where, asked, lose)


@contextmanager
def joined() -> Generator[None]:
    """Be part of the trace that the environment names by `TRACEPARENT` (W3C), if it names one."""
    names = ("traceparent", "tracestate")
    carrier = {name: os.environ.get(name.upper(), "") for name in names}
    token = attach(TraceContextTextMapPropagator().extract(carrier))
    try:
        yield
    finally:
        detach(token)


def _once() -> Lose:
    """Return what says that spans are lost, the first time that it is called."""
    said: list[bool] = []

    def lose(how: str, *details: object) -> None:
        if not said:
            said.append(True)
            logger.warning("spans are lost: " + how, *details)

    return lose


# --- a file --------------------------------------------------------------------------------------


def _file(where: str, asked: str, lose: Lose) -> SpanProcessor:
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult

    path = Path(where).expanduser()
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except (OSError, ValueError) as error:
        found = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(asked, str(found), "give a file that can be written") from error

    class FileExporter(SpanExporter):
        """Adds a line for each span: in one piece, so that several processes can share a file."""

        torn = closed = False
        lock = threading.Lock()

        def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
            for span in spans:
                line = json.dumps(as_line(span), ensure_ascii=False, default=str).encode() + b"\n"
                with self.lock:
                    problem = "" if self.closed else self.add(line)
                if problem:
                    lose("%s cannot be written: %s", path, problem)
                    return SpanExportResult.FAILURE
            return SpanExportResult.SUCCESS

        def add(self, line: bytes) -> str:
            """Add a line; return why it could not be added."""
            line = b"\n" + line if self.torn else line
            try:
                self.torn = os.write(file, line) < len(line)
            except OSError as error:
                return error.strerror or str(error)
            return "the disk is full" if self.torn else ""

        def shutdown(self) -> None:
            with self.lock:
                if not self.closed:
                    os.close(file)
                self.closed = True

    return SimpleSpanProcessor(FileExporter())


def as_line(span: ReadableSpan) -> dict[str, Any]:
    """Return a span as JSON can hold it; times in s, identifiers as W3C writes them."""
    context, start, end = span.get_span_context(), span.start_time or 0, span.end_time or 0
    line: dict[str, Any] = {
        "name": span.name,
        "start": datetime.fromtimestamp(start / 1e9, UTC).isoformat(),
        "duration_s": (end - start) / 1e9,
        "trace": f"{context.trace_id:032x}" if context else "",
        "span": f"{context.span_id:016x}" if context else "",
        "parent": f"{span.parent.span_id:016x}" if span.parent else None,
        "status": "error" if span.status.status_code is StatusCode.ERROR else "ok",
        "attributes": _ours(span.attributes or {}),
    }
    if span.events:
        line["events"] = [
            {"name": event.name, "after_s": (event.timestamp - start) / 1e9}
            | {"attributes": _ours(event.attributes or {})}
            for event in span.events
        ]
    return line


def _ours(attributes: Any) -> dict[str, Any]:
    """Leave out what logfire adds for its own page, and the tools, which every request repeats."""
    left_out = ("logfire.", "gen_ai.tool.definitions")
    return {name: value for name, value in attributes.items() if not name.startswith(left_out)}


# --- a collector ---------------------------------------------------------------------------------


def _collector(where: str, lose: Lose, headers: dict[str, str] | None = None) -> SpanProcessor:
    """Return what sends spans to a collector; headers come from OTEL_EXPORTER_OTLP_HEADERS."""
    from opentelemetry.exporter.otlp.proto.http import trace_exporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult

    parts = urlsplit(where)
    if not parts.path.endswith("/v1/traces"):
        parts = parts._replace(path=parts.path.rstrip("/") + "/v1/traces")
    sending = threading.local()
    quiet = logging.getLogger(trace_exporter.__name__)
    quiet.addFilter(lambda _: not getattr(sending, "ours", False))

    class Collector(trace_exporter.OTLPSpanExporter):
        """Says once that spans are lost, instead of each time."""

        def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
            sending.ours = True
            try:
                done = super().export(spans)
            except Exception:
                done = SpanExportResult.FAILURE
            finally:
                sending.ours = False
            if done is not SpanExportResult.SUCCESS:
                lose("%s does not take them", _shown(where))
            return done

    exporter = Collector(urlunsplit(parts), timeout=SECONDS, headers=headers)
    return BatchSpanProcessor(exporter, schedule_delay_millis=1000)


def _logfire(asked: str, lose: Lose) -> SpanProcessor:
    """Return what sends spans to logfire, by the same way as to any collector.

    What logfire itself would send with asks its server about the token first, in a thread for which
    a program waits when it ends, and prints what goes wrong.
    """
    import logfire

    token = os.environ.get("LOGFIRE_TOKEN", "")
    if not token:
        advice = "set LOGFIRE_TOKEN to the write token of your project, or trace to a file"
        raise InputError(asked, "there is no token for it", advice)
    options = logfire.AdvancedOptions(base_url=os.environ.get("LOGFIRE_BASE_URL"))
    with _without_collectors():
        return _collector(options.generate_base_url(token), lose, {"Authorization": token})


@contextmanager
def _without_collectors() -> Generator[None]:
    """Hide the environment's collectors, to which logfire would send besides."""
    names = [name for name in os.environ if name.startswith("OTEL_EXPORTER_OTLP_")]
    hidden = {name: os.environ.pop(name) for name in names}
    try:
        yield
    finally:
        os.environ.update(hidden)


def _scrub(match: ScrubMatch) -> Any:
    """Keep what only looks like a secret."""
    name = str(match.path[-1]).removeprefix(f"{NAME}.")
    return match.value if name in IDENTITIES else None


def _shown(where: str) -> str:
    """Return a place without what may be a password or a key in it."""
    if "://" not in where:
        return where
    scheme, _, rest = where.partition("://")
    return f"{scheme}://" + rest.partition("?")[0].rpartition("@")[2]
