"""Queries of others that would take all time or memory harm nobody but who asked them."""

import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from grafico.session import inspection
from grafico.session.settings import Settings
from ogm.terms import PREFIXES
from tests.triplestore.helpers import RUNAWAY, alive, broker_pid, many, size, wait_until
from triplestore import (
    GraficoError,
    ResourceError,
    Store,
    Table,
    TimeLimitError,
    check_query,
    open_store,
)
from triplestore.bounds import LONGEST, MAX_CELLS, Bounds
from triplestore.broker import folder as places
from triplestore.broker import wire
from triplestore.broker.embedded import EmbeddedStore
from triplestore.broker.jobs import SLOW_AT_ONCE, Job, Jobs
from triplestore.broker.memory_limit import MemoryLimit
from triplestore.errors import MemoryLimitError
from triplestore.machine import memory_limit, spare_memory, used_memory
from triplestore.memory import MemoryStore

MB = 1_000_000
HUNDRED = " ".join(map(str, range(100)))
PRODUCT = " ".join(f"VALUES ?{name} {{ {HUNDRED} }}" for name in "abcdefghi")
CROSS = "?a ?b ?c . ?d ?e ?f . ?g ?h ?i"
DOUBLED = 'BIND("xxxxxxxxxxxxxxxx" AS ?x0) ' + " ".join(
    f"BIND(CONCAT(?x{i}, ?x{i}) AS ?x{i + 1})" for i in range(28)
)
SORTED = f"SELECT ?a ?d {{ {CROSS} }} ORDER BY ?i"
ATTACKS = {
    "count of a product": f"SELECT (COUNT(*) AS ?n) {{ {PRODUCT} }}",
    "order of a product": f"SELECT * {{ {PRODUCT} }} ORDER BY ?i ?a",
    "strings of a product": (
        f'SELECT (GROUP_CONCAT(CONCAT(?a, "{"x" * 5000}")) AS ?n) {{ {PRODUCT} }}'
    ),
    "groups of a product": (
        f"SELECT ?a ?b ?c ?d (COUNT(*) AS ?n) {{ {PRODUCT} }} GROUP BY ?a ?b ?c ?d"
    ),
    "distinct strings of a product": (
        "SELECT (COUNT(DISTINCT ?x) AS ?n) {"
        f" {PRODUCT} BIND(CONCAT(STR(?i), STR(?h), STR(?g), STR(?a)) AS ?x) }}"
    ),
    "order of a cross join": f"SELECT * {{ {CROSS} }} ORDER BY ?f ?c ?i",
    "described product": f"DESCRIBE ?s {{ {CROSS} . ?s ?p ?o }}",
    "constructed product": f"CONSTRUCT {{ ?a ?e ?i }} {{ {CROSS} }} ORDER BY ?i",
    "doubled string": f"SELECT (STRLEN(?x28) AS ?n) {{ {DOUBLED} }}",
    "doubled strings, sorted": (
        f"SELECT ?x20 ?s {{ ?s ?p ?o . ?t ?q ?r . {DOUBLED} }} ORDER BY ?r ?x20"
    ),
    "replaced string": (
        f"SELECT (STRLEN(REPLACE(REPLACE(?x14, 'x', '{'x' * 256}'), 'x', '{'x' * 256}')) AS ?n)"
        f" {{ {DOUBLED} }}"
    ),
    "expression of a product": (
        f"ASK {{ {PRODUCT} FILTER(REGEX(CONCAT(STR(?a), STR(?i)), '(a?){{50}}b')) }}"
    ),
    "all paths": (
        "SELECT (COUNT(*) AS ?n) { ?a (!<x:a>|^!<x:a>)* ?b . ?c (!<x:a>|^!<x:a>)* ?d . ?e ?f ?g }"
    ),
    "minus of products": f"ASK {{ {CROSS} MINUS {{ ?j ?k ?l . ?m ?n ?o }} FILTER(?a = ?nothing) }}",
    "subqueries": f"ASK {{ {{ {SORTED} }} {{ {SORTED} }} FILTER(?a = ?nothing) }}",
    "union of products": "SELECT (COUNT(*) AS ?n) { "
    + " UNION ".join(f"{{ {CROSS} . ?j ?k ?l }}" for _ in range(6))
    + " }",
}
"""Each takes hours, or more memory than there is, on a store of a few hundred quads or none."""

BOUNDS = Bounds(timeout=1.0, max_rows=1000, memory=200 * MB)
USUAL = Bounds(timeout=120.0, max_rows=1000, memory=200 * MB)
"""For what is harmless, also on a busy machine."""


@pytest.fixture(params=["memory", "folder"])
def full(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "memory":
        opened: Store = MemoryStore()
    else:
        opened = open_store(str(request.getfixturevalue("folder")))
    with opened as store:
        store.insert(many(400))
        yield store


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_costs_its_author_the_answer_and_nobody_anything(name: str, full: Store) -> None:
    check_query(ATTACKS[name], prefixes=PREFIXES)  # it looks harmless: the guard alone lets it pass
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises((TimeLimitError, MemoryLimitError)):
        full.query_guarded(ATTACKS[name], BOUNDS)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kB
    assert size(full) == 400
    assert full.query_guarded("ASK { ?s ?p ?o }", USUAL) is True


def test_the_check_of_a_query_evaluates_nothing() -> None:
    """Of itself it takes milliseconds; evaluating any of them takes hours."""
    code = """if True:
        import sys
        from triplestore import check_query
        for query in sys.stdin.read().split("\\0"):
            check_query(query)
        assert "pyoxigraph" not in sys.modules or not hasattr(check_query, "Store")
        print("checked")
    """
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="\0".join(ATTACKS.values()),
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.strip() == "checked", done.stderr


def test_eight_attacks_at_once_hold_up_nobody(full: Store) -> None:
    """Own queries and insertions go on, and ordinary queries of others are answered afterwards."""
    chosen = list(ATTACKS.values())[:8]

    def attack(query: str) -> str:
        try:
            full.query_guarded(query, BOUNDS)
        except (ResourceError, TimeLimitError) as error:
            return type(error).__name__
        return "answered"

    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(attack, query) for query in chosen]
        count = 0
        while not all(one.done() for one in asked):
            full.insert(f'<http://y/{count}> <http://y/p> "{count}" .\n'.encode())
            count += 1
            assert size(full) == 400 + count
        said = {one.result() for one in asked}
    assert said <= {"TimeLimitError", "MemoryLimitError", "ResourceError"}
    assert full.query_guarded("ASK { ?s ?p ?o }", USUAL) is True


def test_memory_that_ran_out_is_told_with_the_setting(full: Store) -> None:
    """Whether it was noticed in time or by the kernel, which ends the process at once."""
    settings = Settings(query_memory=200, query_seconds=60)
    with pytest.raises(
        MemoryLimitError, match=r"(memory ran out|want of memory).*raise query_memory"
    ):
        inspection.query(full, ATTACKS["order of a product"], settings=settings)


def test_a_ceiling_is_a_quarter_of_what_there_is_and_can_be_set(tmp_path: Path) -> None:
    assert spare_memory() == memory_limit() // 4
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text("0::/a/b\n")
    (tmp_path / "sys/fs/cgroup/a/b").mkdir(parents=True)
    (tmp_path / "sys/fs/cgroup/a/memory.max").write_text("100000000\n")
    (tmp_path / "sys/fs/cgroup/a/b/memory.max").write_text("max\n")
    assert memory_limit(tmp_path) == 100_000_000


def test_a_ceiling_is_noticed_and_its_backstop_goes_with_the_query() -> None:
    noticed = threading.Event()
    before = resource.getrlimit(resource.RLIMIT_DATA)
    ceiling = MemoryLimit(noticed.set)
    with ceiling.over(used_memory() + 10_000 * MB):
        assert resource.getrlimit(resource.RLIMIT_DATA)[0] >= 20_000 * MB
        assert not noticed.wait(0.2)
        with ceiling.over(used_memory() // 2):
            assert noticed.wait(30)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


# --- the broker -------------------------------------------------------------------------------


def test_a_broker_without_memory_is_replaced_and_our_own_requests_are_repeated(
    folder: Path,
) -> None:
    with EmbeddedStore(folder) as store, EmbeddedStore(folder) as own:
        store.insert(many(400))
        first = broker_pid(folder)
        with ThreadPoolExecutor(1) as pool:
            # ten seconds of work of our own, in flight when the memory runs out
            slow = pool.submit(
                own.query,
                "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?a = ?d) }",
                timeout=300,
            )
            with pytest.raises(MemoryLimitError):
                store.query_guarded(
                    ATTACKS["order of a cross join"], Bounds(120, None, memory=300 * MB)
                )
            answer = slow.result()
        assert isinstance(answer, Table)
        assert str(answer.rows[0][0]).startswith('"160000"')
        wait_until(lambda: not alive(first), 30)


def test_a_query_of_our_own_that_takes_too_much_gets_an_error_and_no_other(folder: Path) -> None:
    code = f"""if True:
        from pathlib import Path
        from triplestore.broker import serving
        from triplestore.broker.__main__ import open_folder
        serving.OWN = {300 * MB}
        open_folder(Path({str(folder)!r}), 30.0).serve()
    """
    folder.mkdir(exist_ok=True)
    with subprocess.Popen([sys.executable, "-c", code]) as small:
        wait_until(lambda: places.read_holder(folder) is not None)
        with EmbeddedStore(folder) as store, EmbeddedStore(folder) as other:
            store.insert(many(400))
            assert broker_pid(folder) == small.pid
            with ThreadPoolExecutor(1) as pool:
                asked = pool.submit(store.query, ATTACKS["order of a cross join"], timeout=60)
                while not asked.done():
                    assert size(other) == 400
                with pytest.raises(MemoryLimitError, match="held more than 286 MiB"):
                    asked.result()
            assert small.wait(30) == 0
            assert size(store) == 400


def test_no_query_of_our_own_is_blamed_for_what_another_was_granted(folder: Path) -> None:
    """Somebody else's may take 1000 MB here, and one of our own a fifth; it is asked again."""
    code = f"""if True:
        from pathlib import Path
        from triplestore.broker import serving
        from triplestore.broker.__main__ import open_folder
        serving.OWN = {200 * MB}
        open_folder(Path({str(folder)!r}), 30.0).serve()
    """
    folder.mkdir(exist_ok=True)
    with subprocess.Popen([sys.executable, "-c", code]) as small:
        wait_until(lambda: places.read_holder(folder) is not None)
        with EmbeddedStore(folder) as store, EmbeddedStore(folder) as own:
            store.insert(many(400))
            with ThreadPoolExecutor(1) as pool:
                slow = pool.submit(
                    own.query,
                    f"SELECT (COUNT(*) AS ?n) {{ VALUES ?g {{ {HUNDRED[:139]} }}"
                    " ?a ?b ?c . ?d ?e ?f FILTER(STRLEN(CONCAT(STR(?c), STR(?f), STR(?g))) > 0) }",
                    timeout=300,
                )
                time.sleep(1.5)  # longer than what may be too young to blame
                assert not slow.done()
                with pytest.raises(MemoryLimitError, match="queries of others"):
                    store.query_guarded(
                        ATTACKS["order of a cross join"], Bounds(120, None, memory=1000 * MB)
                    )
                answer = slow.result()
            assert isinstance(answer, Table)
            assert str(answer.rows[0][0]).startswith('"8000000"')
            assert small.wait(30) == 0


def test_a_client_that_hangs_up_makes_its_query_no_older() -> None:
    """Else the youngest would be blamed for the memory that is held."""
    ours, theirs = socket.socketpair()
    jobs = Jobs()
    with ours, jobs.waited_for(ours, Bounds(600)) as job, jobs.answering(job):
        begun = job.begun
        assert abs(begun - time.monotonic()) < 60
        theirs.close()
        assert jobs.late() == []
        assert job.client_gone
        assert job.deadline < begun + 60
        assert job.begun == begun


def test_a_last_word_comes_after_the_part_that_is_being_sent() -> None:
    ours, theirs = socket.socketpair()
    part = b"x" * (8 << 20)  # more than a socket holds
    with ours, theirs, ThreadPoolExecutor(2) as pool:
        job = Job(ours, Bounds(600), time.monotonic() + 600)
        sent = pool.submit(job.send, wire.DATA, part)
        wait_until(job.talking.locked)
        told = pool.submit(job.tell, wire.ERROR, b"memory ran out", 30.0)
        until = time.monotonic() + 30
        assert wire.receive(theirs, until) == (wire.DATA, part)
        assert wire.receive(theirs, until) == (wire.ERROR, b"memory ran out")
        sent.result()
        told.result()
        assert job.given_up


def test_a_query_of_somebody_else_that_was_in_flight_at_a_death_is_not_repeated(
    folder: Path,
) -> None:
    with EmbeddedStore(folder) as store, EmbeddedStore(folder) as own:
        store.insert(many(2000))
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(store.query_guarded, RUNAWAY, Bounds(600))
            busy = Path(f"/proc/{broker_pid(folder)}/task")
            quiet = len(list(busy.iterdir()))
            wait_until(lambda: len(list(busy.iterdir())) > quiet or busy_for(folder), 30)
            os.kill(broker_pid(folder), signal.SIGKILL)
            with pytest.raises(MemoryLimitError, match="not asked again"):
                asked.result(timeout=60)
        assert size(own) == 2000


def busy_for(folder: Path) -> bool:
    """Whether the broker has used some processor time since it was asked."""
    ticks = Path(f"/proc/{broker_pid(folder)}/stat").read_text().rpartition(")")[2].split()
    return int(ticks[11]) > 50


def test_a_runaway_of_another_costs_an_innocent_query_nothing(folder: Path) -> None:
    """The broker leaves in good order; what it had not finished is asked of the next."""
    with EmbeddedStore(folder) as store, EmbeddedStore(folder) as other:
        store.insert(many(2000))
        with ThreadPoolExecutor(1) as pool:
            innocent = pool.submit(
                other.query_guarded,
                "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f"
                " FILTER(STRLEN(CONCAT(STR(?c), STR(?f))) > 3) }",
                Bounds(300),
            )
            with pytest.raises(TimeLimitError):
                store.query_guarded(RUNAWAY, Bounds(0.5))
            answer = innocent.result()
        assert isinstance(answer, Table)


def talk(folder: Path) -> socket.socket:
    """A connection of a client that keeps to no rules."""
    holder = places.read_holder(folder)
    assert holder
    link = socket.socket(socket.AF_UNIX)
    link.connect(holder.socket)
    return link


@pytest.mark.parametrize("memory", [None, 400 * MB], ids=["own", "of somebody else"])
def test_a_query_whose_client_has_hung_up_is_not_computed_to_its_end(
    folder: Path, memory: int | None
) -> None:
    with EmbeddedStore(folder) as store:
        store.insert(many(2000))
        first = broker_pid(folder)
        with talk(folder) as link:
            wire.send(link, wire.QUERY, wire.Query(Bounds(3600, memory=memory), RUNAWAY).pack())
            wait_until(lambda: busy_for(folder), 60)
            assert alive(first)
        wait_until(lambda: not alive(first), 60)
        assert size(store) == 2000


def test_clients_that_never_read_leave_room_for_others(folder: Path) -> None:
    with EmbeddedStore(folder) as store:
        store.insert(many(40_000))
        links = [talk(folder) for _ in range(SLOW_AT_ONCE + 8)]
        everything = wire.Query(Bounds(LONGEST), "SELECT * { ?s ?p ?o }").pack()
        for link in links:
            wire.send(link, wire.QUERY, everything)
        for _ in range(20):
            assert store.query("ASK { ?s ?p ?o }", timeout=30) is True
        wait_until(lambda: not answered(store, 0.5), 60)
        assert store.query("ASK { ?s ?p ?o }", timeout=30) is True
        for link in links:
            link.close()
        wait_until(lambda: answered(store, 5), 60)


def answered(store: Store, seconds: float) -> bool:
    with suppress(ResourceError):
        return store.query_guarded("ASK { ?s ?p ?o }", Bounds(seconds)) is True
    return False


def test_no_query_may_take_longer_than_a_day() -> None:
    assert Bounds(1e9).timeout == LONGEST == 24 * 3600


def test_an_answer_of_very_many_small_cells_is_cut(full: Store) -> None:
    """Each is an object of a hundred bytes for who asked, although a byte on the way."""
    columns = " ".join(f"(1 AS ?x{i})" for i in range(60))
    answer = full.query_guarded(f"SELECT {columns} {{ ?a ?b ?c . ?d ?e ?f }}", Bounds(120))
    assert isinstance(answer, Table)
    assert MAX_CELLS * 0.9 < 60 * len(answer.rows) < MAX_CELLS * 1.1
    assert f"{MAX_CELLS:,} cells" in str(answer.cut)


# --- memory -----------------------------------------------------------------------------------


def test_a_copy_follows_its_store_and_outlives_nothing() -> None:
    with MemoryStore() as store:
        for count in range(1, 30):
            store.insert(f'<http://y/{count}> <http://y/p> "{count}" .\n'.encode())
            answer = store.query_guarded("SELECT * { ?s ?p ?o }", USUAL)
            assert isinstance(answer, Table)
            assert len(answer.rows) == count
        assert store._replica
        pid = store._replica.process
        os.kill(pid, signal.SIGKILL)  # as the system does when memory is short
        assert size(store) == 29
        assert store.query_guarded("ASK { ?s ?p ?o }", USUAL) is True
        assert store._replica
        pid = store._replica.process
        assert alive(pid)
    wait_until(lambda: not alive(pid), 30)


def test_a_query_in_flight_ends_when_its_store_is_closed(full: Store) -> None:
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(full.query_guarded, ATTACKS["count of a product"], Bounds(3600))
        time.sleep(0.5)
        full.close()
        with pytest.raises(GraficoError, match="closed"):
            asked.result(timeout=60)


def test_a_child_of_a_fork_has_a_copy_of_its_own() -> None:
    with MemoryStore() as store:
        store.insert(many(3))
        assert store.query_guarded("ASK { ?s ?p ?o }", USUAL) is True
        reading, writing = os.pipe()
        if (child := os.fork()) == 0:
            try:
                store.insert(b'<http://y/1> <http://y/p> "1" .\n')
                found = store.query_guarded("SELECT * { ?s ?p ?o }", USUAL)
                os.write(writing, str(len(found.rows)).encode())  # pyright: ignore
            finally:
                os._exit(0)
        os.close(writing)
        assert os.read(reading, 10) == b"4"
        os.close(reading)
        os.waitpid(child, 0)
        answer = store.query_guarded("SELECT * { ?s ?p ?o }", USUAL)
        assert isinstance(answer, Table)
        assert len(answer.rows) == 3
