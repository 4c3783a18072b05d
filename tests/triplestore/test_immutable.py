"""A property that is said once keeps its values, whoever asks and however many at once."""

import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.triplestore.helpers import XSD, size
from tests.triplestore.test_broker import finish, python
from triplestore import ConflictError, GraficoError, InputError, Store
from triplestore.immutable import GROWING
from triplestore.memory import MemoryStore

A, B, P, Q = "http://x/a", "http://x/b", "http://x/p", "http://x/q"


def said(subject: str, predicate: str, *objects: str, graph: str = "") -> bytes:
    return "".join(f"<{subject}> <{predicate}> {o} {graph}.\n" for o in objects).encode()


def test_another_value_of_a_settled_subject_is_refused_with_both_values_and_nothing_is_stored(
    store: Store,
):
    store.insert(said(A, P, '"1"'), settled=[A])
    with pytest.raises(ConflictError) as caught:
        store.insert(said(B, Q, '"new"') + said(A, P, '"2"'), settled=[A, B])
    error = caught.value
    assert error.asked == f"store <{A}>"
    assert error.found == f'<{P}>: "1" is stored, "2" was given'
    assert error.advice
    assert size(store) == 1
    assert store.query(f"ASK {{ <{A}> <{P}> '1' }}") is True


def test_the_same_values_again_in_any_order_change_nothing(store: Store):
    for quads in (said(A, P, '"1"', '"2"'), said(A, P, '"2"', '"1"', '"2"')):
        store.insert(quads, settled=[A])
    assert size(store) == 2


@pytest.mark.parametrize("given", [['"1"'], ['"1"', '"2"', '"3"'], ['"3"', '"4"']])
def test_fewer_more_and_other_values_than_the_stored_ones_are_refused(store: Store, given: list):
    store.insert(said(A, P, '"1"', '"2"'), settled=[A])
    with pytest.raises(ConflictError, match='"1" and "2" is stored'):
        store.insert(said(A, P, *given), settled=[A])
    assert size(store) == 2


def test_properties_may_be_added_and_those_not_given_are_left_alone(store: Store):
    store.insert(said(A, P, '"1"'), settled=[A])
    store.insert(said(A, Q, '"2"'), settled=[A])
    store.insert(b"", settled=[A])
    assert size(store) == 2


def test_subjects_that_are_not_settled_gain_values(store: Store):
    for number in range(3):
        store.insert(said(A, P, f'"{number}"') + said(B, P, '"1"'), settled=[B])
    assert size(store) == 4


@pytest.mark.parametrize("predicate", sorted(GROWING))
def test_schema_versions_and_classes_gain_values_also_of_settled_subjects(
    store: Store, predicate: str
):
    store.insert(said(A, predicate, "<http://x/1>"), settled=[A])
    store.insert(said(A, predicate, "<http://x/2>"), settled=[A])
    assert size(store) == 2


def test_named_graphs_take_no_part(store: Store):
    store.insert(said(A, P, '"1"', graph="<http://x/g>"), settled=[A])
    store.insert(said(A, P, '"2"'), settled=[A])
    store.insert(said(A, P, '"3"', graph="<http://x/g>"), settled=[A])
    with pytest.raises(ConflictError):
        store.insert(said(A, P, '"1"'), settled=[A])
    assert size(store) == 3


@pytest.mark.parametrize(
    ("text", "datatype"),
    [
        ("1.10", "decimal"),
        ("+01", "integer"),
        ("1", "boolean"),
        ("1e400", "double"),
        ("1.0", "double"),
        ("NaN", "double"),
        ("-0.0", "double"),
        ("2026-11-01T10:00:00.00Z", "dateTime"),
        ("2026-11-01T10:00:00+00:00", "dateTime"),
        ("nonsense", "integer"),
        ("  spaced ", "string"),
    ],
)
def test_a_term_that_the_store_writes_in_another_way_is_no_conflict(
    store: Store, text: str, datatype: str
):
    for _ in range(2):
        store.insert(said(A, P, f'"{text}"^^<{XSD}{datatype}>'), settled=[A])
    assert size(store) == 1


def test_links_languages_and_long_texts_are_values_like_others(store: Store):
    long = f'"{"é" * 100_000}"'
    store.insert(said(A, P, "<http://x/b>") + said(A, Q, '"x"@en') + said(B, Q, long), settled=[A])
    for quads in (said(A, P, "<http://x/c>"), said(A, Q, '"x"@de'), said(A, Q, '"x"')):
        with pytest.raises(ConflictError):
            store.insert(quads, settled=[A])
    with pytest.raises(ConflictError) as caught:
        store.insert(said(B, Q, *(f'"{number}"' for number in range(100))), settled=[B])
    assert "95 more" in caught.value.found
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("bad", ["", "no iri", "<http://x/a>", "http://x/a\nhttp://x/b", "\ud800"])
def test_a_settled_subject_that_is_no_iri_is_refused(store: Store, bad: str):
    with pytest.raises(InputError):
        store.insert(said(A, P, '"1"'), settled=[bad])
    assert size(store) == 0


def test_of_many_threads_that_say_different_things_at_once_one_is_believed(store: Store):
    errors: list[BaseException] = []
    gate = threading.Barrier(8)

    def say(number: int) -> None:
        gate.wait()
        for round in range(10):
            subject = f"http://x/{round}"
            try:
                store.insert(said(subject, P, f'"{number}"'), durable=False, settled=[subject])
            except GraficoError as error:
                errors.append(error)

    threads = [threading.Thread(target=say, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert size(store) == 10
    assert [type(error) for error in errors] == [ConflictError] * 70


def test_of_several_processes_that_say_different_things_one_is_believed(folder: Path):
    code = """if True:
        import sys
        from pathlib import Path
        from triplestore import ConflictError
        from triplestore.broker.embedded import EmbeddedStore
        won = 0
        with EmbeddedStore(Path(sys.argv[1])) as store:
            for i in range(30):
                quad = f'<http://x/{i}> <http://x/p> "{sys.argv[2]}" .'
                try:
                    store.insert(quad.encode(), durable=False, settled=[f"http://x/{i}"])
                    won += 1
                except ConflictError:
                    pass
        print(won)
    """
    processes = [python(code, folder, number) for number in range(3)]
    assert sum(int(finish(process)) for process in processes) == 30


Triple = tuple[str, str, str]
few = st.sets(st.tuples(st.sampled_from([A, B]), st.sampled_from([P, Q]), st.sampled_from("123")))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(few, st.sets(st.sampled_from([A, B]))), max_size=4))
def test_the_rule_is_the_one_that_a_set_of_triples_tells(requests):
    """The memory store against the rule in its own words; embedded stores share its code."""
    held: set[Triple] = set()

    def values(triples: set[Triple], s: str, p: str) -> set[str]:
        return {o for subject, predicate, o in triples if (subject, predicate) == (s, p)}

    with MemoryStore() as store:
        for new, settled in requests:
            fine = all(
                values(held, s, p) in (set(), values(new, s, p)) for s, p, _ in new if s in settled
            )
            quads = b"".join(said(s, p, f'"{o}"') for s, p, o in new)
            if fine:
                store.insert(quads, settled=settled)
                held |= new
            else:
                with pytest.raises(ConflictError):
                    store.insert(quads, settled=settled)
            assert size(store) == len(held)
