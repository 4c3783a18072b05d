"""Subjects with all that can be reached from them, alike over every store."""

from triplestore import Store, Table

P, Q = "http://x/p", "http://x/q"


def fill(store: Store) -> None:
    """A chain 0 → 1 → … → 9 by P, whose ends meet by Q, each with a text; and one apart."""
    lines = [f"<http://x/{n}> <{P}> <http://x/{n + 1}> ." for n in range(9)]
    lines += [f'<http://x/{n}> <http://x/text> "{n}" .' for n in range(10)]
    lines += [f"<http://x/9> <{Q}> <http://x/0> .", '<http://x/apart> <http://x/text> "x" .']
    lines += ['<http://x/3> <http://x/text> "in a graph" <http://x/g> .']
    store.insert("\n".join([*lines, ""]).encode())


def reached(found: Table) -> set[str]:
    assert found.cut is None
    return {str(row[0].value).rpartition("/")[2] for row in found.rows}  # pyright: ignore


def test_along_some_properties(store: Store):
    fill(store)
    assert reached(store.reach(["http://x/7"], [P])) == {"7", "8", "9"}
    assert reached(store.reach(["http://x/9", "http://x/8"], [Q])) == {"8", "9", "0"}
    assert reached(store.reach(["http://x/8"], [P, Q])) == set("0123456789")
    assert reached(store.reach(["http://x/8"], ["http://x/none"])) == {"8"}
    assert reached(store.reach(["http://x/2", "http://x/apart"], ())) == {"2", "apart"}


def test_along_all_properties_and_no_further(store: Store):
    fill(store)
    assert reached(store.reach(["http://x/4"], None)) == set("0123456789")
    assert reached(store.reach(["http://x/apart"], None)) == {"apart"}
    assert reached(store.reach(["http://x/apart", "http://x/4"], None)) == {*"0123456789", "apart"}


def test_only_the_unnamed_graph_counts(store: Store):
    fill(store)
    found = store.reach(["http://x/3"], ())
    assert {str(row[2]) for row in found.rows} == {"<http://x/4>", '"3"'}
    everything = store.reach(["http://x/3"], None)
    assert '"in a graph"' not in {str(row[2]) for row in everything.rows}


def test_what_is_not_there_has_no_rows(store: Store):
    assert store.reach(["http://x/none"], None).rows == []
    fill(store)
    for along in ((), [P], None):
        assert store.reach(["http://x/none"], along).rows == []
        assert reached(store.reach(["http://x/none", "http://x/apart"], along)) == {"apart"}


def test_many_subjects_at_once(store: Store):
    count = 3000
    triples = "".join(f'<http://x/n{n}> <{P}> "{n}" .\n' for n in range(count))
    store.insert(triples.encode())
    names = [f"http://x/n{n}" for n in range(count)]
    for along in ((), [Q]):
        assert len(store.reach(names, along).rows) == count
