"""All quads of a store, as one moment knew them, while others go on."""

import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path

import pyoxigraph as ox
import pytest
from pyoxigraph import BlankNode, Literal, NamedNode

from tests.triplestore.helpers import XSD, alive, broker_pid, many, size, wait_until
from triplestore import InputError, ResourceError, Store
from triplestore.broker.embedded import EmbeddedStore
from triplestore.broker.folder import read_holder
from triplestore.memory import MemoryStore

EACH = 20_000  # some two megabytes, more than sockets hold


def dumped(store: Store) -> bytes:
    return b"".join(store.dump())


def links(store: EmbeddedStore) -> int:
    return len(store._pool.links)


def test_a_dump_holds_every_quad_of_every_graph_and_makes_the_same_store_again(store: Store):
    terms = [
        Literal("a\tb\nc\rd\\e\"f'g \u2028 漢 😀 \0"),
        Literal("x", language="de-ch"),
        Literal("0.1", datatype=NamedNode(XSD + "decimal")),
        NamedNode("http://x/ü?q=%20#é"),
        Literal(float("inf")),
        Literal(True),
        Literal("own", datatype=NamedNode("http://x/t")),
    ]
    lines = [f"<http://x/a> <http://x/p> {term} .\n" for term in terms]
    lines += [f"<http://x/a> <http://x/p> {term} <http://x/g> .\n" for term in terms]
    store.insert("".join(lines).encode() + many(3, "<http://x/h>"))
    text = dumped(store)
    with MemoryStore() as copy:
        copy.insert(text)
        assert size(copy) == size(store) == 17
        for query in (
            "SELECT ?s ?p ?o { ?s ?p ?o }",
            "SELECT ?g ?s ?p ?o { GRAPH ?g { ?s ?p ?o } }",
        ):
            one, other = (s.query(query) for s in (copy, store))
            assert set(one.rows) == set(other.rows)  # pyright: ignore
        assert sorted(dumped(copy).splitlines()) == sorted(text.splitlines())


def test_blank_nodes_keep_their_labels_in_a_dump(embedded: EmbeddedStore):
    embedded.insert(b"_:b <http://x/p> _:c .\n")
    (quad,) = ox.parse(dumped(embedded), ox.RdfFormat.N_QUADS)
    assert (quad.subject, quad.object) == (BlankNode("b"), BlankNode("c"))


def test_the_dump_of_an_empty_store_is_empty(store: Store):
    assert dumped(store) == b""


def test_pieces_are_whole_lines_and_many(store: Store):
    store.insert(many(EACH), durable=False)
    pieces = list(store.dump())
    assert len(pieces) > 2
    assert all(piece.endswith(b"\n") for piece in pieces)
    assert len(set(b"".join(pieces).splitlines())) == EACH


def test_a_literal_larger_than_a_piece_comes_whole(store: Store):
    long = "x" * 1_000_000
    store.insert(f'<http://x/a> <http://x/p> "{long}" .\n'.encode() + many(3))
    assert dumped(store).count(long.encode()) == 1


def test_what_is_inserted_during_a_dump_takes_no_part_and_is_not_held_up(store: Store):
    store.insert(many(EACH), durable=False)
    pieces = store.dump()
    text = next(pieces)
    for number in range(20):
        store.insert(f"<http://y/{number}> <http://x/new> <http://x/o> .\n".encode())
    assert size(store) == EACH + 20
    text += b"".join(pieces)
    if isinstance(store, MemoryStore | EmbeddedStore):  # else a server gives what it can
        assert text.count(b"\n") == EACH
        assert b"http://x/new" not in text
    assert dumped(store).count(b"http://x/new") == 20


def test_a_reader_that_stops_in_the_middle_leaves_a_healthy_store(store: Store):
    store.insert(many(EACH), durable=False)
    for _ in range(3):
        pieces = store.dump()
        next(pieces)
        assert isinstance(pieces, Generator)
        pieces.close()
        assert size(store) == EACH
    pieces = store.dump()
    next(pieces)
    del pieces
    gc.collect()
    assert dumped(store).count(b"\n") == EACH


def test_a_dump_may_be_read_on_in_another_thread(store: Store):
    store.insert(many(EACH), durable=False)
    pieces = store.dump()
    text = [next(pieces)]
    thread = threading.Thread(target=lambda: text.extend(pieces))
    thread.start()
    thread.join()
    assert b"".join(text).count(b"\n") == EACH


def test_a_closed_store_dumps_nothing(store: Store):
    store.close()
    with pytest.raises(InputError, match="closed"):
        next(iter(store.dump()))


def test_a_whole_dump_gives_its_connection_back_and_a_broken_off_one_does_not(
    embedded: EmbeddedStore,
):
    embedded.insert(many(EACH), durable=False)
    assert links(embedded) == 1
    dumped(embedded)
    assert links(embedded) == 1
    pieces = embedded.dump()
    next(pieces)
    assert links(embedded) == 0
    del pieces
    assert links(embedded) == 0
    assert size(embedded) == EACH


def test_a_broker_that_dies_in_the_middle_is_told_and_nothing_passes_for_the_whole(
    embedded: EmbeddedStore, folder: Path
):
    embedded.insert(many(EACH))
    pieces = embedded.dump()
    next(pieces)
    pid = broker_pid(folder)
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not alive(pid))
    with pytest.raises(ResourceError, match="in the middle") as caught:
        list(pieces)
    assert "begin anew" in caught.value.advice
    assert dumped(embedded).count(b"\n") == EACH


def test_a_broker_that_died_before_is_replaced_for_a_dump(embedded: EmbeddedStore, folder: Path):
    embedded.insert(many(3))
    pid = broker_pid(folder)
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not alive(pid))
    assert dumped(embedded).count(b"\n") == 3


def test_a_reader_that_is_killed_in_the_middle_leaves_a_healthy_broker(
    embedded: EmbeddedStore, folder: Path
):
    embedded.insert(many(EACH))
    code = """if True:
        import sys, time
        from pathlib import Path
        from triplestore.broker.embedded import EmbeddedStore
        pieces = EmbeddedStore(Path(sys.argv[1])).dump()
        next(pieces)
        print("begun", flush=True)
        time.sleep(60)
    """
    reader = subprocess.Popen(
        [sys.executable, "-c", code, str(folder)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert reader.stdout
    with reader, reader.stdout:
        assert reader.stdout.readline() == b"begun\n"
        pid = broker_pid(folder)
        reader.kill()
    assert size(embedded) == EACH
    assert dumped(embedded).count(b"\n") == EACH
    assert broker_pid(folder) == pid


def test_a_reader_that_takes_nothing_more_is_left_in_the_end(folder: Path):
    """A real broker, with less patience than usual."""
    with EmbeddedStore(folder) as store:
        code = (
            "import sys\n"
            "from triplestore.broker import __main__ as broker, serving\n"
            "serving.STALLED = 0.5\n"
            "sys.exit(broker.main(sys.argv[1:]))"
        )
        broker = subprocess.Popen(
            [sys.executable, "-c", code, str(folder), "--idle", "0.3"],
            cwd=Path(__file__).parents[2],
        )
        wait_until(lambda: (holder := read_holder(folder)) is not None and bool(holder.socket))
        store.insert(many(EACH))
        assert broker_pid(folder) == broker.pid
        pieces = store.dump()
        next(pieces)
        store.close()
        assert broker.wait(20) == 0  # nobody is connected any more: it has ended as usual
        with pytest.raises(ResourceError, match="a reader who paused"):
            list(pieces)


def test_a_dump_needs_little_memory_on_either_side(embedded: EmbeddedStore, folder: Path):
    long = "x" * 1000
    for part in range(6):
        lines = (f'<http://x/{part}> <http://x/p> "{i} {long}" .\n' for i in range(5000))
        embedded.insert("".join(lines).encode(), durable=False)
    embedded.flush()
    # A fresh broker: what insertions needed before is not to be mistaken for the dump's.
    os.kill(broker_pid(folder), signal.SIGKILL)
    embedded.query("ASK {}")
    status = Path(f"/proc/{broker_pid(folder)}/status")
    if not status.exists():
        pytest.skip("there is no /proc here")

    def peak() -> int:
        (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1])

    before, ours = peak(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert sum(map(len, embedded.dump())) > 30_000_000
    assert peak() - before < 25_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - ours < 10_000


def test_queries_are_answered_between_the_pieces_of_a_dump(embedded: EmbeddedStore):
    embedded.insert(many(EACH), durable=False)
    longest = 0.0
    for _ in embedded.dump():
        started = time.monotonic()
        assert embedded.query("ASK { <http://x/1> ?p ?o }") is True
        longest = max(longest, time.monotonic() - started)
    assert longest < 1.0
