"""The check of a store: each kind of damage done to a real store and found again."""

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given, settings

from ogm import PROV, GraphModel, KnowledgeGraph, Link, Term, encode
from ogm.array_storage import digest
from ogm.keeping.check import FAULTS, LISTED, NOTICES, check_store
from ogm.literals import literal
from triplestore import InputError, Store, open_store
from triplestore.store import is_remote

from . import samples
from .samples import VOCAB, Arrays, Chain, Everything, Happened, Leaf, Measured

XSD = "http://www.w3.org/2001/XMLSchema#"
G = "https://w3id.org/grafico/"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
DAYS = 3 * 24 * 3600


class Bough(GraphModel, vocab=VOCAB, schema=2):
    """A class that has had another schema."""

    name: str
    length: float = 1.0


class Keyed(GraphModel, vocab=VOCAB, key=("name",)):
    name: str
    note: str = ""


class Making(GraphModel, vocab=VOCAB, identity="event"):
    """What made a result, as activities do."""

    generated: Annotated[Link[GraphModel], Term(PROV.term("generated"))]


class Pointer(GraphModel, vocab=VOCAB, identity="event"):
    to: Link[Leaf]


def big(seed: int) -> Arrays:
    return Arrays(f8=np.random.default_rng(seed).random((100, 100)))


def name_of(model: Arrays) -> str:
    return digest(model.f8)


def prop(name: str) -> str:
    return VOCAB.term(name)


def insert(kg: KnowledgeGraph, subject: str, predicate: str, term: str) -> None:
    kg.store.insert(f"<{subject}> <{predicate}> {term} .\n".encode())


def stored_raw(kg: KnowledgeGraph, iri: str, cls: type[GraphModel], version: int = 1) -> None:
    insert(kg, iri, TYPE, f"<{cls.term()}>")
    insert(kg, iri, G + "schemaVersion", f'"{version}"^^<{XSD}integer>')
    if cls.identity() == "result":
        kg.push(Making(generated=Link(iri)))


@pytest.fixture
def kg(store: Store, tmp_path: Path) -> KnowledgeGraph:
    """Memory and a folder; memory with a folder for arrays."""
    kg = KnowledgeGraph(store, None if store.home else tmp_path / "arrays")
    leaf = Leaf(name="sound")
    kg.push(
        leaf,
        Chain(index=1, next=Chain(index=0)),
        big(1),
        Happened(what="x"),
        Keyed(name="k"),
        Measured(value=1.0, of=leaf).identified("urn:result"),
        Bough(name="b"),
        Making(generated=Link("urn:result")),
    )
    return kg


def found(kg: KnowledgeGraph, **more: Any) -> set[tuple[str, str, str]]:
    """Kind, subject and place of each finding."""
    return {(f.kind, f.subject, f.place) for f in check_store(kg, **more).findings}


def test_a_sound_store_is_clean(kg: KnowledgeGraph):
    report = check_store(kg)
    assert report.clean
    assert (report.findings, report.counts) == ([], {})
    assert (report.objects, report.arrays) == (9, 1)
    assert report.triples == sum(piece.count(b"\n") for piece in kg.store.dump())


@given(samples.everything)
@settings(max_examples=25)
def test_whatever_is_pushed_is_clean_but_for_its_links(model: Everything):
    with open_store("memory:") as store:
        kg = KnowledgeGraph(store)
        kg.push(model)
        assert {f.kind for f in check_store(kg).findings} <= {"dangling", "unmade"}


def test_links_that_lead_nowhere(kg: KnowledgeGraph):
    lost = Leaf(name="never stored")
    everything = Chain(index=7)
    kg.push(everything)
    insert(kg, "urn:result2", prop("of"), f"<{lost.iri}>")
    insert(kg, "urn:result2", prop("value"), f'"1.0"^^<{XSD}double>')
    stored_raw(kg, "urn:result2", Measured)
    assert found(kg) == {("dangling", "urn:result2", prop("of"))}


def test_links_to_things_of_unknown_classes_lead_somewhere(kg: KnowledgeGraph):
    insert(kg, "urn:thing", "urn:p", '"x"')
    stored_raw(kg, "urn:linked", Pointer)
    insert(kg, "urn:linked", prop("to"), "<urn:thing>")
    assert found(kg) == {("unknown", "urn:thing", TYPE)}
    assert check_store(kg).clean


def test_arrays_that_are_missing_or_damaged(kg: KnowledgeGraph):
    models = [big(seed) for seed in (2, 3, 4)]
    kg.push(*models)
    assert kg.files is not None
    paths = [kg.files.path(name_of(model)) for model in models]
    paths[0].unlink()
    raw = paths[1].read_bytes()
    paths[1].write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
    paths[2].write_bytes(raw)
    said = {f.subject: f.found for f in check_store(kg).findings}
    assert {*said} == {model.iri for model in models}
    assert "its file is missing" in said[models[0].iri]
    assert "its checksum differs" in said[models[1].iri]
    assert "its checksum differs" in said[models[2].iri]
    assert check_store(kg).counts == {"array": 3}


def test_an_array_that_is_another_than_said(kg: KnowledgeGraph):
    name = name_of(big(1))
    insert(kg, "urn:a", "urn:p", f'"<f4 3 sha256:{name}"^^<{G}array>')
    insert(kg, "urn:b", "urn:p", f'"<f4 3 sha256:../../x"^^<{G}array>')
    kinds = found(kg)
    assert {("array", "urn:a", "urn:p"), ("array", "urn:b", "urn:p")} < kinds


def test_values_that_are_not_what_their_name_says(kg: KnowledgeGraph):
    iri = f"{G}id/Leaf/0123456789abcdef0123456789abcdef"
    stored_raw(kg, iri, Leaf)
    insert(kg, iri, prop("name"), '"forged"')
    key = f"{G}id/Keyed/0123456789abcdef0123456789abcdef"
    stored_raw(kg, key, Keyed)
    insert(kg, key, prop("name"), '"forged"')
    assert found(kg) == {("altered", iri, ""), ("altered", key, "")}


def test_only_the_altered_part_is_blamed(kg: KnowledgeGraph):
    part = f"{G}id/Chain/0123456789abcdef0123456789abcdef"
    stored_raw(kg, part, Chain)
    insert(kg, part, prop("index"), f'"5"^^<{XSD}integer>')
    whole = Chain(index=6, next=Chain(index=4))
    owner = f"{G}id/Chain/whole"
    stored_raw(kg, owner, Chain)
    insert(kg, owner, prop("index"), f'"6"^^<{XSD}integer>')
    insert(kg, owner, prop("next"), f"<{part}>")
    assert found(kg) == {("altered", part, "")}
    assert whole.iri != owner


def test_values_of_earlier_schema_versions_are_told_apart(kg: KnowledgeGraph):
    iri = f"{G}id/Bough/0123456789abcdef0123456789abcdef"
    stored_raw(kg, iri, Bough, 1)
    insert(kg, iri, prop("name"), '"old"')
    assert found(kg) == {("older", iri, "")}
    assert check_store(kg).clean
    insert(kg, iri, G + "schemaVersion", f'"2"^^<{XSD}integer>')
    assert found(kg) == {("older", iri, "")}, "also after a migration"


@pytest.mark.parametrize(
    ("predicate", "term", "words"),
    [
        ("what", f'"5"^^<{XSD}integer>', "no plain text"),
        ("what", "<urn:x>", "no literal"),
        ("other", '"x"', "Field required, but nothing is stored"),
    ],
)
def test_objects_that_their_class_refuses(
    kg: KnowledgeGraph, predicate: str, term: str, words: str
):
    stored_raw(kg, "urn:happened", Happened)
    insert(kg, "urn:happened", prop(predicate), term)
    [finding] = check_store(kg).findings
    assert (finding.kind, finding.subject) == ("refused", "urn:happened")
    assert finding.place == prop("what")
    assert words in finding.found


def test_one_refused_object_hides_no_other(kg: KnowledgeGraph):
    for number in range(3):
        iri = f"urn:happened{number}"
        stored_raw(kg, iri, Happened)
        insert(kg, iri, prop("what"), f'"{number}"^^<{XSD}integer>')
    iri = f"{G}id/Leaf/0123456789abcdef0123456789abcdef"
    stored_raw(kg, iri, Leaf)
    insert(kg, iri, prop("name"), '"forged"')
    assert check_store(kg).counts == {"refused": 3, "altered": 1}


def test_a_part_of_another_class(kg: KnowledgeGraph):
    stored_raw(kg, "urn:result2", Measured)
    insert(kg, "urn:result2", prop("value"), f'"1.0"^^<{XSD}double>')
    insert(kg, "urn:result2", prop("of"), "<urn:result>")
    assert found(kg) == {("refused", "urn:result2", "")}


def test_an_object_that_holds_itself(kg: KnowledgeGraph):
    iri = f"{G}id/Chain/0123456789abcdef0123456789abcdef"
    stored_raw(kg, iri, Chain)
    insert(kg, iri, prop("index"), f'"5"^^<{XSD}integer>')
    insert(kg, iri, prop("next"), f"<{iri}>")
    [finding] = check_store(kg).findings
    assert finding.kind == "refused"
    assert "holds itself" in finding.found


def test_an_object_of_a_newer_schema(kg: KnowledgeGraph):
    stored_raw(kg, "urn:new", Happened, 9)
    insert(kg, "urn:new", prop("what"), '"x"')
    [finding] = check_store(kg).findings
    assert finding.kind == "refused"
    assert "schema 9" in finding.found


def test_several_values_where_there_can_be_one(kg: KnowledgeGraph):
    insert(kg, "urn:result", prop("value"), f'"2.5"^^<{XSD}double>')
    [finding] = check_store(kg).findings
    assert (finding.kind, finding.subject, finding.place) == (
        "several",
        "urn:result",
        prop("value"),
    )
    assert "2.5" in finding.found


class Listed(GraphModel, vocab=VOCAB, identity="event"):
    texts: tuple[str, ...] = ()
    reals: tuple[float, ...] = ()


@pytest.mark.parametrize(
    "order",
    [None, '["\\"a\\""]', '["\\"a\\"", "\\"b\\"", "\\"c\\""]', "5", "[", '["a"]', '[["a"]]'],
)
def test_orders_that_contradict_the_values(kg: KnowledgeGraph, order: str | None):
    stored_raw(kg, "urn:listed", Listed)
    for value in ("a", "b"):
        insert(kg, "urn:listed", prop("texts"), f'"{value}"')
    if order is not None:
        insert(kg, "urn:listed", prop("texts"), literal(order, G + "order"))
    assert found(kg) == {("order", "urn:listed", prop("texts"))}


def test_two_orders_and_good_ones(kg: KnowledgeGraph):
    good = Listed(texts=("b", "a", "b"), reals=(1e-5, 1.0, float("inf"), 1e300))
    kg.push(good)
    assert found(kg) == set()
    insert(kg, good.iri, prop("texts"), f'"[]"^^<{G}order>')
    assert found(kg) == {("order", good.iri, prop("texts"))}


def test_quads_elsewhere_are_counted(kg: KnowledgeGraph):
    blank = 0 if is_remote(kg.store.url) else 1  # servers take none
    kg.store.insert(
        b'<urn:a> <urn:b> "text with <x> . and \\" in it" <urn:g> .\n'
        b"<urn:a> <urn:b> <urn:c> <urn:g> .\n"
        b'<urn:a> <urn:b> "x"@en <urn:g> .\n' + blank * b"_:a <urn:b> <urn:c> .\n"
    )
    report = check_store(kg)
    assert report.counts == {"foreign": 3 + blank}
    assert report.clean


def test_many_findings_are_counted_and_some_listed(kg: KnowledgeGraph):
    lines = [f'<urn:{i}> <urn:p> "x" .\n' for i in range(LISTED + 50)]
    kg.store.insert("".join(lines).encode())
    report = check_store(kg)
    assert report.counts == {"unknown": LISTED + 50}
    assert len(report.findings) == LISTED


def test_every_kind_has_words():
    assert not {*FAULTS} & {*NOTICES}


# --- files ---------------------------------------------------------------------------------


@pytest.fixture
def on_disk(embedded: Store) -> KnowledgeGraph:
    kg = KnowledgeGraph(embedded)
    kg.push(big(1))
    return kg


def age(path: Path, seconds: float = DAYS) -> Path:
    then = time.time() - seconds
    os.utime(path, (then, then))
    return path


def test_arrays_that_nothing_names_are_removed_only_when_old_and_asked(on_disk: KnowledgeGraph):
    assert on_disk.files is not None
    names = [on_disk.files.put(big(seed).f8) for seed in (5, 6, 7)]
    old, new, fresh = (on_disk.files.path(name) for name in names)
    age(old)
    age(new, 2 * 3600)
    named = age(on_disk.files.path(name_of(big(1))))
    expected = {("unnamed", str(old), ""), ("unnamed", str(new), "")}
    assert found(on_disk) == expected
    assert check_store(on_disk).clean
    assert old.exists()
    report = check_store(on_disk, prune=True)
    assert (report.pruned, report.counts) == (1, {"unnamed": 1})
    left = [path.exists() for path in (old, new, fresh, named)]
    assert left == [False, True, True, True]
    assert sorted(p.name for p in old.parent.iterdir()) in ([], [new.name])


def test_arrays_of_task_folders_are_named(on_disk: KnowledgeGraph):
    assert on_disk.files is not None
    assert on_disk.store.home is not None
    model = big(7)
    text = encode([model], on_disk.files)
    path = age(on_disk.files.path(name_of(model)))
    task = on_disk.store.home / "tasks" / "key"
    task.mkdir(parents=True)
    (task / "input.nq").write_bytes(text)
    report = check_store(on_disk, prune=True)
    assert report.counts == {"task": 1}
    assert "no result yet" in report.findings[0].found
    (task / "output.nq").write_bytes(b"")
    assert "has its result" in check_store(on_disk).findings[0].found
    assert path.exists()


def test_an_array_that_is_named_meanwhile_stays(on_disk: KnowledgeGraph):
    model = big(8)
    assert on_disk.files is not None
    path = age(on_disk.files.path(on_disk.files.put(model.f8)))

    def tell(text: str) -> None:
        if text.startswith("array folder"):  # the quads have been read
            on_disk.push(model)

    assert check_store(on_disk, prune=True, tell=tell).pruned == 0
    assert path.exists()
    assert check_store(on_disk).findings == []


def test_temporary_files_that_were_left(on_disk: KnowledgeGraph):
    assert on_disk.files is not None
    assert on_disk.store.home is not None
    one = next(on_disk.files.folder.iterdir()) / "tmpabc.part"
    two = on_disk.store.home / "store.json.4711"
    for path in (one, two):
        path.write_text("half")
    age(one)
    age(two, 2 * 3600)
    (one.with_name("tmpnew.part")).write_text("in flight")
    assert found(on_disk) == {("leftover", str(one), ""), ("leftover", str(two), "")}
    report = check_store(on_disk, prune=True)
    assert (report.pruned, report.counts) == (1, {"leftover": 1})
    assert (one.exists(), two.exists()) == (False, True)


def test_what_a_killed_pruning_left_is_put_back(on_disk: KnowledgeGraph):
    assert on_disk.files is not None
    path = on_disk.files.path(name_of(big(1)))
    path.rename(path.with_name(path.name + ".pruned"))
    age(path.with_name(path.name + ".pruned"))
    assert check_store(on_disk).counts == {"array": 1, "leftover": 1}
    check_store(on_disk, prune=True)
    assert check_store(on_disk).counts == {}


def test_a_shared_folder_of_arrays_is_not_pruned(tmp_path: Path):
    with open_store("memory:") as store:
        kg = KnowledgeGraph(store, tmp_path / "shared")
        assert kg.files is not None
        old = age(kg.files.path(kg.files.put(big(1).f8)))
        assert check_store(kg).counts == {"unnamed": 1}
        with pytest.raises(InputError, match="may belong to other stores"):
            check_store(kg, prune=True)
        assert old.exists()


def test_no_room_for_temporary_files():
    code = """
from ogm import KnowledgeGraph
from ogm.keeping.check import check_store
from triplestore import ResourceError, open_store
kg = KnowledgeGraph(open_store("memory:"))
kg.store.insert("".join(f'<urn:{i}> <urn:p> "{"x" * 90000}{i}" .\\n' for i in range(900)).encode())
try:
    check_store(kg)
except ResourceError as error:
    print(error)
"""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    done = subprocess.run(
        [sys.executable, "-c", code],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert "set TMPDIR" in done.stdout, done.stderr


class Difference(GraphModel, vocab=VOCAB):
    """A value that is made of results."""

    first: Link[Measured]
    amount: float


class Account(GraphModel, vocab=VOCAB):
    """Holds values that are made of results."""

    differences: tuple[Difference, ...]


def test_results_of_which_nothing_says_how_they_were_made(kg: KnowledgeGraph):
    kg.push(Measured(value=2.0).identified("urn:planted"))
    report = check_store(kg)
    assert found(kg) == {("unmade", "urn:planted", "")}
    assert not report.clean
    assert report.counts == {"unmade": 1}
    kg.push(Making(generated=Link("urn:planted")))
    assert check_store(kg).clean


def test_values_made_of_results_that_nothing_leads_to_are_told(kg: KnowledgeGraph):
    one = Difference(first=Link("urn:result"), amount=1.0)
    kg.push(one)
    assert found(kg) == {("unclaimed", one.iri, "")}
    assert check_store(kg).clean  # a process that was killed leaves them
    whole = Account(differences=(one,))
    kg.push(whole)
    assert found(kg) == {("unclaimed", whole.iri, "")}
    insert(kg, "urn:outcome", G + "results", f"<{whole.iri}>")
    assert {kind for kind, *_ in found(kg)} == {"unknown"}
