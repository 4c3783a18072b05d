"""Spans: what they tell, where they go, and what they never hold."""

from __future__ import annotations

import asyncio
import gzip
import http.server
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import propagate
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from grafico import Grafico
from grafico.session.tracing import open_tracing
from ogm import KnowledgeGraph
from ontologies.provenance import Activity, Part, Run, Transition
from tests.engine import toys
from tests.engine.machines import ESTATE, Estate, GrowRequest, mix
from tests.triplestore.servers import OddServer, reply
from tests.typed import typed
from triplestore import open_store
from triplestore.errors import (
    ComponentError,
    InputError,
    KilledError,
    QueryError,
    RecipeError,
    ResourceError,
)
from triplestore.spans import span, tell
from triplestore.traced import TracedStore
from workflows.engine import Executor, Slots, run_graph

ROOT = Path(__file__).parents[2]
Line = dict[str, Any]


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may trace other things."""
    for name in list(os.environ):
        if name.startswith(("OTEL_", "LOGFIRE_")) or name in ("TRACEPARENT", "TRACESTATE"):
            monkeypatch.delenv(name)


@contextmanager
def traced(where: Path | str, store: str = "memory:", cores: int = 2) -> Generator[Executor]:
    """An executor as a session makes it."""
    tracing = open_tracing(str(where))
    with TracedStore(open_store(store), tracing.tracer) as opened:
        slots = Slots(total_cores=cores)
        executor = Executor(
            KnowledgeGraph(opened), slots, threads_per_calculation=1, tracer=tracing.tracer
        )
        try:
            yield executor
        finally:
            executor.close()
            tracing.close()


def lines(file: Path) -> list[Line]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def ancestry(spans: list[Line], span: Line) -> list[str]:
    """The names of a span and of all that it is in, the innermost first."""
    known = {one["span"]: one for one in spans}
    names = [span["name"]]
    while (parent := span["parent"]) is not None:
        span = known[parent]
        names.append(span["name"])
    return names


def of(spans: list[Line], name: str) -> list[Line]:
    return [span for span in spans if span["name"] == name]


def attribute(spans: list[Line], name: str) -> set[Any]:
    return {span["attributes"].get(f"grafico.{name}") for span in spans}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "trace.jsonl"


# --- what is told ---


async def test_a_run_is_one_tree_with_the_iris_of_what_it_made(file: Path) -> None:
    with traced(file) as executor:
        request = GrowRequest(enough=1.0)
        state = Estate((("north", (1.0, 2.0)), ("south", (3.0, -4.0))))
        goal = request.goal()
        goal = type(goal)("it is autumn", lambda over: over)
        finish = await run_graph(ESTATE, state, request, goal, executor, subject="an estate")
        kg = executor.kg
        runs, transitions = kg.find(Run), kg.find(Transition)
        activities, parts = kg.find(Activity), kg.find(Part)
    spans = lines(file)
    assert len({span["trace"] for span in spans if ancestry(spans, span)[-1] == "run estate"}) == 1

    # innermost first: calculation, its part, step and run, then the part and step of the run above
    inner = of(spans, "calculation toys.double")
    assert len(inner) == 3
    for calculation in inner:
        assert ancestry(spans, calculation) == [
            "calculation toys.double",
            "part",
            "node Grow",
            "run garden",
            "part",
            "node Season",
            "run estate",
        ]
    assert {ancestry(spans, slot)[1] for slot in of(spans, "slot")} == {
        "calculation toys.double",
        "calculation toys.refuse",
    }
    # each part holds its own calculation, although they ran at once
    known = {span["span"]: span for span in spans}
    keys = {
        known[span["parent"]]["attributes"]["grafico.part"]: span["attributes"]["grafico.key"]
        for span in spans
        if span["name"].startswith("calculation")
    }
    assert set(keys) == {"0 1", "1 2", "0 3", "1 -4"}
    assert len(set(keys.values())) == 4

    garden = of(spans, "run garden") + of(spans, "run estate")
    assert attribute(garden, "run") == {run.iri for run in runs}
    assert finish.run in attribute(garden, "run")
    assert attribute(garden, "status") == {"finished"}
    nodes = [span for span in spans if span["name"].startswith("node ")]
    assert attribute(nodes, "transition") == {one.iri for one in transitions}
    assert attribute(inner, "activity") == {one.iri for one in activities}
    assert attribute(inner, "result") == {one.generated.iri for one in activities}
    assert attribute(inner, "reused") == {False}
    failed = [span for span in of(spans, "part") if span["status"] == "error"]
    assert attribute(failed, "part") == {part.part for part in parts if part.failure} == {"1 -4"}
    for line in spans:
        assert line["duration_s"] >= 0
        assert line["parent"] is None or line["start"] >= known[line["parent"]]["start"]


async def test_frames_are_events_of_the_calculation_and_slots_tell_who_waited(file: Path) -> None:
    with traced(file, cores=1) as executor:
        calls = [toys.slow.bind(toys.Number(value=float(n)), 0.25) for n in range(3)]
        answers = await asyncio.gather(*map(executor.run, calls))
        await executor.run(calls[0])
    spans = lines(file)
    *calculations, remembered = of(spans, "calculation toys.slow")
    assert attribute(calculations, "reused") == {False}
    assert attribute(calculations, "frames") == {5}
    assert attribute([remembered], "reused") == {True}
    assert attribute([remembered], "result") == {answers[0].recorded}
    slots = of(spans, "slot")
    assert len(slots) == 3
    for calculation in calculations:
        ticks = [event for event in calculation["events"] if event["name"] == "tick"]
        assert [event["attributes"]["step"] for event in ticks] == [0, 1, 2, 3, 4]
        assert [event["after_s"] for event in ticks] == sorted(e["after_s"] for e in ticks)
    by_wait = sorted(slots, key=lambda span: span["attributes"]["grafico.wait_s"])
    waits = [span["attributes"]["grafico.wait_s"] for span in by_wait]
    assert waits[0] < 0.2 < waits[1] < waits[2] - 0.2
    assert [span["attributes"]["grafico.queue"] for span in by_wait] == [0, 0, 1]
    assert "held by other calculations" in by_wait[2]["events"][0]["attributes"]["reason"]
    assert attribute(slots, "device") == {"cpu"}
    assert attribute(slots, "threads") == {1}


async def test_waiting_for_another_who_computes_the_same_is_seen(
    file: Path, tmp_path: Path
) -> None:
    call = toys.slow.bind(toys.Number(value=1.0), 0.4)
    store = str(tmp_path / "store")
    with traced(file, store) as one, traced(file, store) as other:
        answers = await asyncio.gather(one.run(call), other.run(call))
    assert {answer.reused for answer in answers} == {True, False}
    spans = of(lines(file), "calculation toys.slow")
    computed, waited = sorted(spans, key=lambda span: span["attributes"]["grafico.reused"])
    assert waited["attributes"]["grafico.claim_wait_s"] > 0.3
    assert computed["attributes"]["grafico.claim_wait_s"] < 0.3
    assert waited["events"][0]["attributes"] == {"reason": "another process computes it"}


async def test_failures_tell_their_kind_and_the_last_words_of_the_program(file: Path) -> None:
    number = toys.Number(value=1.0)
    with traced(file) as executor:
        with pytest.raises(KilledError):
            await executor.run(toys.die.bind(number, int(signal.SIGTERM)))
        with pytest.raises(RecipeError):
            await executor.run(toys.refuse.bind(number))
        task = asyncio.create_task(executor.run(toys.slow.bind(number, 5.0)))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(QueryError):
            executor.kg.store.query("SELECT nonsense-hunter2")
    spans = lines(file)
    [die], [refuse] = (of(spans, f"calculation toys.{name}") for name in ("die", "refuse"))
    [slow], [*_, query] = of(spans, "calculation toys.slow"), of(spans, "store query")
    kinds = [span["attributes"]["error.type"] for span in (die, refuse, slow, query)]
    assert kinds == ["KilledError", "RecipeError", "CancelledError", "QueryError"]
    assert {span["status"] for span in (die, refuse, slow, query)} == {"error"}
    assert "these are my last words" in die["events"][-1]["attributes"]["text"]
    assert "it cannot be had" in refuse["attributes"]["error.message"]


def test_a_session_makes_one_trace_of_a_request(file: Path) -> None:
    with Grafico("memory:", threads_per_calculation=1, trace=file) as grafico:
        result = grafico.run("[H][H]", task="optimise", method="HF", basis="STO-3G")
    spans = lines(file)
    [request] = of(spans, "request")
    assert request["attributes"]["grafico.run"] == result.run
    assert request["parent"] is None
    apart = [span for span in spans if span["trace"] != request["trace"]]
    assert not apart
    names = ["calculation dft.optimise", "node Optimise", "run dft", "request"]
    [optimise] = of(spans, names[0])
    assert ancestry(spans, optimise) == names
    energies = [
        event["attributes"]["energy"]
        for event in optimise["events"]
        if "energy" in event["attributes"]
    ]
    assert energies[-1] == pytest.approx(result.energy, abs=1e-6)


# --- what is never told ---


async def test_nothing_secret_is_told(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "hunter2"
    for name in ("GRAFICO_STORE_PASSWORD", "LOGFIRE_TOKEN", "OPENAI_API_KEY", "MY_VARIABLE"):
        monkeypatch.setenv(name, secret)
    monkeypatch.setenv("GRAFICO_STORE_USER", "ada-hunter2")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", f"authorization={secret}")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    for url in (f"http://a:{secret}@127.0.0.1:{port}/", f"http://127.0.0.1:{port}/?key={secret}"):
        with pytest.raises(InputError):
            Grafico(url, trace=file)
    with (
        Grafico(f"http://127.0.0.1:{port}/query", trace=file) as grafico,
        pytest.raises(ResourceError),
    ):
        grafico.query(f'SELECT * {{ ?s ?p "{secret}" }}')
    with traced(file) as executor:
        executor.kg.store.query(f'SELECT * {{ ?s ?p "{secret}" FILTER(?s != <x:{secret}>) }}')
        await mix(executor)
    text = file.read_text()
    assert len(text.splitlines()) > 10
    assert secret not in text
    queries = of(lines(file), "store query")
    assert attribute(queries, "form") == {"SELECT", None}  # None: the one that failed
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "words",
    [
        "see https://ada:hunter2@example.org/x for more",
        "no answer of http://example.org/sparql?key=hunter2",
        "the password is hunter2",
        "Authorization: Bearer hunter2",
    ],
)
async def test_secrets_in_the_words_of_an_error_are_left_out(file: Path, words: str) -> None:
    tracing = open_tracing(str(file))
    with suppress(RecipeError), span(tracing.tracer, "trial") as here:
        tell(here, "log", text=words)
        raise RecipeError(words)
    for _ in range(2):
        tracing.close()
    with span(tracing.tracer, "too late"):
        pass
    assert "hunter2" not in file.read_text()
    [line] = lines(file)
    assert line["attributes"]["error.type"] == "RecipeError"


# --- a file ---


def test_a_file_that_cannot_be_opened_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere.*No such file"):
        Grafico("memory:", trace=tmp_path / "nowhere" / "trace.jsonl")
    with pytest.raises(InputError, match="directory"):
        open_tracing(str(tmp_path))
    with pytest.raises(InputError, match="nothing is known"):
        open_tracing("ftp://ada:hunter2@example.org/x")
    typed("run", "O", "--store", "memory:", "--trace", str(tmp_path), status=2)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a full disk to try")
async def test_a_full_disk_is_told_once_and_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    with traced("/dev/full") as executor:
        finish = await mix(executor)
    assert finish.status == "finished"
    assert [record.getMessage() for record in caplog.records] == [
        "spans are lost: /dev/full cannot be written: No space left on device"
    ]


WRITER = """
import sys
from grafico.session.tracing import open_tracing
from triplestore.spans import span
tracing = open_tracing(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for number in range(400):
    with span(tracing.tracer, "span", text="x" * 1000, number=number):
        pass
tracing.close()
"""


def test_two_processes_write_whole_lines_into_one_file(file: Path) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(file)],
            cwd=ROOT,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    for writer in writers:
        assert writer.stdout
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:  # both are at the start
        assert writer.stdin
        writer.stdin.write("\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    spans = lines(file)
    assert sorted(span["attributes"]["grafico.number"] for span in spans) == sorted(
        [*range(400), *range(400)]
    )
    assert len({span["span"] for span in spans}) == 800


# --- a collector ---


class Collector:
    """A collector on loopback that decodes what it gets; it may never answer."""

    def __init__(self, hangs: bool = False, status: int = 200) -> None:
        self.requests: list[tuple[str, Message, bytes]] = []
        self.released = threading.Event()
        self.hangs, self.status = hangs, status
        self.server = OddServer(self.answer)
        self.url = f"http://127.0.0.1:{self.server.port}"

    def answer(self, handler: http.server.BaseHTTPRequestHandler, body: bytes) -> None:
        if handler.command == "GET":
            said = {"project_name": "trial", "project_url": self.url}
            return reply(handler, json.dumps(said).encode(), "application/json")
        if handler.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.requests.append((handler.path, handler.headers, body))
        if self.hangs:
            self.released.wait(60)
        else:
            reply(handler, b"", status=self.status)

    def spans(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for _, _, body in self.requests:
            request = ExportTraceServiceRequest.FromString(body)
            for resource in request.resource_spans:
                for scope in resource.scope_spans:
                    found.update({span.name: span for span in scope.spans})
        return found

    def close(self) -> None:
        self.released.set()
        self.server.stop()


@contextmanager
def collecting(**how: Any) -> Generator[Collector]:
    collector = Collector(**how)
    try:
        yield collector
    finally:
        collector.close()


async def test_a_collector_gets_the_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-team=chemistry")
    with collecting() as collector:
        with traced(collector.url) as executor:
            finish = await mix(executor)
        spans = collector.spans()
        assert {"run mixer", "node Open", "node Fill", "node Close", "node Stir"} <= set(spans)
        run = spans["run mixer"]
        said = {one.key: one.value.string_value for one in run.attributes}
        assert said["grafico.run"] == finish.run
        assert all(spans[f"node {n}"].parent_span_id == run.span_id for n in ("Open", "Stir"))
        path, headers, _ = collector.requests[0]
        assert (path, headers["X-Team"]) == ("/v1/traces", "chemistry")


async def test_nothing_leaves_the_machine_unless_asked(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        monkeypatch.setenv("LOGFIRE_TOKEN", "pylf_v1_us_nobody")
        monkeypatch.setenv("LOGFIRE_BASE_URL", collector.url)
        monkeypatch.setenv("LOGFIRE_SEND_TO_LOGFIRE", "true")
        before, textmap = dict(os.environ), propagate.get_global_textmap()
        for where in (str(file), "off"):
            with traced(where) as executor:
                await mix(executor)
        assert (dict(os.environ), propagate.get_global_textmap()) == (before, textmap)
        assert not collector.requests
    assert of(lines(file), "run mixer")


@pytest.mark.parametrize("how", ["hangs", "gone", "refuses"])
async def test_a_bad_collector_is_told_once_and_slows_nothing(
    how: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with collecting(hangs=how == "hangs", status=403) as collector:
        url = collector.url
        if how == "gone":
            collector.close()
        monkeypatch.setattr("grafico.session.tracing.SECONDS", 0.5)
        started = time.monotonic()
        tracing = open_tracing(url)
        with TracedStore(open_store("memory:"), tracing.tracer) as store:
            executor = Executor(
                KnowledgeGraph(store), threads_per_calculation=1, tracer=tracing.tracer
            )
            for _ in range(20):
                assert (await mix(executor)).status == "finished"
            computed = time.monotonic()
            executor.close()
        tracing.close()
        assert computed - started < 30
        assert time.monotonic() - computed < 0.5 + 8  # an exporter's own patience is 10 s
        told = [record.getMessage() for record in caplog.records]
        assert [url in words for words in told] == [True], told


def test_a_program_that_forgets_to_close_ends_in_time_with_its_last_spans() -> None:
    code = """if True:
        import sys
        from grafico.session import tracing
        from triplestore.spans import span
        tracing.SECONDS = 1.0
        with span(tracing.open_tracing(sys.argv[1]).tracer, "forgotten"):
            pass
        """
    with collecting() as well, collecting(hangs=True) as badly:
        for collector in (well, badly):
            started = time.monotonic()
            subprocess.run(
                [sys.executable, "-c", code, collector.url],
                cwd=ROOT,
                check=True,
                capture_output=True,
                timeout=60,
            )
            assert time.monotonic() - started < 40
            assert "forgotten" in collector.spans()


# --- logfire ---


def test_logfire_needs_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="LOGFIRE_TOKEN"):
        open_tracing("logfire")

    class Missing:
        """Finds no logfire, whoever else would."""

        def find_spec(self, name: str, *_: object) -> None:
            if name == "logfire":
                raise ModuleNotFoundError(name=name)

    monkeypatch.delitem(sys.modules, "logfire", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    with pytest.raises(ComponentError, match=r"grafico-chem\[tracing\]"):
        open_tracing("trace.jsonl")
    open_tracing("off").close()


async def test_logfire_gets_the_spans_where_a_token_is_given(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with collecting() as collector:
        monkeypatch.setenv("LOGFIRE_TOKEN", "pylf_v1_us_" + "a" * 43)
        monkeypatch.setenv("LOGFIRE_BASE_URL", collector.url)  # where its page would be
        with traced("logfire") as executor:
            await mix(executor)
        assert "run mixer" in collector.spans()
        assert collector.requests[0][1]["Authorization"].startswith("pylf_v1_us_")
    assert capfd.readouterr() == ("", "")
    assert not list(tmp_path.iterdir())


# --- the program around us ---


HOST = """if True:
    import asyncio, sys
    from opentelemetry import propagate, trace
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    memory = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(memory))
    trace.set_tracer_provider(provider)
    textmap = propagate.get_global_textmap()

    from grafico import Grafico
    from ontologies.atoms import ConceptualAtoms
    from tests.engine.machines import mix

    def names(where):
        memory.clear()
        with trace.get_tracer("host").start_as_current_span("cell") as cell:
            with Grafico("memory:", trace=where) as grafico:
                grafico.wait_for(lambda: mix(grafico.executor))
        assert trace.get_tracer_provider() is provider
        assert propagate.get_global_textmap() is textmap
        spans = memory.get_finished_spans()
        assert {span.context.trace_id for span in spans} == {cell.get_span_context().trace_id}
        print(f"{cell.get_span_context().trace_id:032x}", *sorted({span.name for span in spans}))

    names("off")
    names(sys.argv[1])
    names("off")
    """


def test_the_provider_of_a_host_program_stays_and_gets_our_spans(file: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HOST, str(file)],
        cwd=ROOT,
        check=True,
        text=True,
        capture_output=True,
        timeout=60,
    )
    ours, asked, again = (line.split(" ", 1) for line in done.stdout.splitlines())
    assert "node Fill" in ours[1]
    assert ours[1] == again[1]
    assert asked[1] == "cell"  # they went where they were asked to go
    spans = lines(file)
    assert of(spans, "run mixer")
    assert {span["trace"] for span in spans} == {asked[0]}


def test_the_command_line_joins_the_trace_that_the_environment_names(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"  # W3C's example
    monkeypatch.setenv("GRAFICO_TRACE", str(file))
    for given in (f"00-{trace}-{parent}-01", "nonsense"):
        monkeypatch.setenv("TRACEPARENT", given)
        typed("runs", "--store", "memory:")
    joined, apart = lines(file)[0], lines(file)[-1]
    assert (joined["trace"], joined["parent"]) == (trace, parent)
    assert apart["trace"] != trace
    assert apart["parent"] is None
