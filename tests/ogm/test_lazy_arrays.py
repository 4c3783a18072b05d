"""Large arrays are read when they are touched, and nobody can tell otherwise."""

import copy
import os
import pickle
import resource
from pathlib import Path
from typing import Annotated, Any, cast

import numpy as np
import pytest
from pydantic import ValidationError

from ogm import ArrayFiles, GraphModel, KnowledgeGraph, Shaped
from ogm.array_storage import MAPPED, StoredArray, digest
from ogm.arrays import Mapped
from tests.ogm.samples import VOCAB
from triplestore import RecordError, ResourceError, Store, open_store


class Field(GraphModel, vocab=VOCAB, identity="result"):
    name: str
    grid: Annotated[Any, Shaped("*, 3")]
    weights: Annotated[Any, Shaped("*", np.float32)] | None = None


class Labelled(Field):
    label: str = ""


def large(rows: int = 4000) -> np.ndarray:
    return np.random.default_rng(1).normal(size=(rows, 3))


def stored(store: Store, rows: int = 4000) -> Labelled:
    model = Labelled(name="a", grid=large(rows), label="x").identified("urn:f")
    KnowledgeGraph(store).push(model)
    return model


def is_mapped(array: Any) -> bool:
    while isinstance(array, np.ndarray):
        array = array.base
    return isinstance(array, Mapped)


def waiting(model: GraphModel) -> bool:
    return isinstance(model.__dict__["grid"], StoredArray)


def test_a_pull_reads_no_file(embedded: Store) -> None:
    model = stored(embedded)
    pulled = KnowledgeGraph(embedded).pull(Field, "urn:f")
    assert waiting(pulled)
    assert pulled.name == "a"
    assert hash(pulled) == hash(model)
    assert waiting(pulled)
    assert pulled.grid.shape == (4000, 3)
    assert not waiting(pulled)
    assert not pulled.grid.flags.writeable
    with pytest.raises(ValidationError, match="frozen"):
        pulled.grid = np.zeros((1, 3))


def ways() -> list[Any]:
    return [
        lambda m: m,
        repr,
        lambda m: m.model_dump()["grid"].tobytes(),
        lambda m: m.model_dump_json(),
        lambda m: pickle.loads(pickle.dumps(m)),
        copy.copy,
        copy.deepcopy,
        lambda m: m.model_copy(update={"name": "b"}),
        lambda m: dict(m)["grid"].tolist(),
        lambda m: Labelled.model_validate(m.model_dump()),
        lambda m: m.identified("urn:other").iri,
    ]


@pytest.mark.parametrize("way", ways())
def test_everything_is_as_if_it_had_been_read(embedded: Store, way: Any) -> None:
    model = stored(embedded)
    pulled = KnowledgeGraph(embedded).pull(Field, "urn:f")
    assert waiting(pulled)
    assert way(pulled) == way(model)


def test_an_array_passes_from_store_to_store_unread(embedded: Store, tmp_path: Path) -> None:
    model = stored(embedded)
    assert embedded.home is not None
    with open_store("memory:") as memory:
        kg = KnowledgeGraph(memory, arrays=embedded.home / "arrays")
        pulled = KnowledgeGraph(embedded).pull(Field, "urn:f")
        kg.push(pulled)
        assert waiting(pulled)
        assert KnowledgeGraph(memory, embedded.home / "arrays").pull(Field, "urn:f") == model
    with open_store("memory:") as memory:  # another folder: read, and written there
        KnowledgeGraph(memory, arrays=tmp_path / "elsewhere").push(
            KnowledgeGraph(embedded).pull(Field, "urn:f")
        )
        assert KnowledgeGraph(memory, tmp_path / "elsewhere").pull(Field, "urn:f") == model
    with open_store("memory:") as memory:  # no folder: a literal
        KnowledgeGraph(memory).push(KnowledgeGraph(embedded).pull(Field, "urn:f"))
        assert KnowledgeGraph(memory).pull(Field, "urn:f") == model


def test_very_large_arrays_are_mapped(embedded: Store) -> None:
    model = stored(embedded, MAPPED // 24 + 1)
    pulled = KnowledgeGraph(embedded).pull(Field, "urn:f")
    grid = pulled.grid
    assert is_mapped(grid)
    assert digest(grid) == digest(model.grid)
    for array in (grid, grid[1:], grid.T):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    again = model.model_copy(update={"grid": grid})
    assert np.shares_memory(again.grid, grid)  # not copied: nobody can write to it
    base: Any = grid
    while isinstance(base, np.ndarray):
        cast(Any, base).shape = (-1,)  # whatever is reached from here, the object keeps its own
        base = base.base
    assert not hasattr(base, "close")
    assert pulled == model
    del pulled, again
    assert digest(grid) == digest(grid.copy())  # it outlives the object


def test_where_descriptors_are_scarce_arrays_are_read(embedded: Store) -> None:
    rows = MAPPED // 24 + 1
    model = stored(embedded, rows)
    kg = KnowledgeGraph(embedded)
    assert kg.files is not None
    name = digest(model.grid)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with open(os.devnull) as null:
        free = null.fileno()
    resource.setrlimit(resource.RLIMIT_NOFILE, (2 * free + 8, hard))
    taken: list[int] = []
    try:
        held = [kg.files.get(name) for _ in range(12)]
        while True:  # none is left, whoever has them
            try:
                taken.append(os.open(os.devnull, os.O_RDONLY))
            except OSError:
                break
        with pytest.raises(ResourceError, match="too many files are open") as caught:
            kg.files.get(name)
    finally:
        for number in taken:
            os.close(number)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert "backup" not in str(caught.value)
    assert {is_mapped(array) for array in held} == {True, False}
    assert {digest(array) for array in held} == {name}
    assert is_mapped(kg.files.get(name))


def test_type_and_shape_are_checked_without_reading(embedded: Store) -> None:
    kg = KnowledgeGraph(embedded)
    assert kg.files is not None
    name = kg.files.put(np.zeros((4, 5, 6)))
    kg.files.path(name).unlink()
    for number, head in enumerate(("<f8 5000,5", "<f8 5000", "<i8 5000,3")):
        text = f'"{head} sha256:{name}"^^<https://w3id.org/grafico/array>'
        iri = f"urn:{number}"
        rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
        lines = [f"<{rdf}> <{Field.term()}>", f'<{VOCAB.iri}name> "x"', f"<{VOCAB.iri}grid> {text}"]
        embedded.insert("".join(f"<{iri}> {line} .\n" for line in lines).encode())
        with pytest.raises(RecordError, match=r"#grid"):
            kg.pull(Field, iri)


def test_another_array_under_the_name_is_refused(embedded: Store) -> None:
    model = stored(embedded)
    kg = KnowledgeGraph(embedded)
    assert kg.files is not None
    path = kg.files.path(digest(model.grid))
    other = kg.files.path(kg.files.put(large() + 1))
    path.write_bytes(other.read_bytes())
    with pytest.raises(RecordError, match=r"#grid> of urn:f.*checksum"):
        assert kg.pull(Field, "urn:f").grid.size


def test_a_file_of_the_wrong_length_is_written_anew(tmp_path: Path) -> None:
    files = ArrayFiles(tmp_path / "arrays")
    array = large()
    path = files.path(files.put(array))
    whole = path.read_bytes()
    path.write_bytes(whole[:-100])
    assert files.put(array) == digest(array)
    assert path.read_bytes() == whole
    assert not list(tmp_path.rglob("*.part"))


def test_arrays_in_any_layout_come_back(embedded: Store) -> None:
    wide = np.random.default_rng(2).normal(size=(3, 5000))
    first = Field(name="first", grid=wide.T).identified("urn:1")
    view = Field(name="view", grid=first.grid[::2]).identified("urn:2")
    KnowledgeGraph(embedded).push(first, view)
    kg = KnowledgeGraph(embedded)
    assert kg.pull(Field, "urn:1") == first
    assert kg.pull(Field, "urn:2") == view
    assert kg.files is not None
    array = np.asfortranarray(large())
    assert (kg.files.get(kg.files.put(array)) == array).all()


def test_memory_that_others_write_to_is_copied(tmp_path: Path) -> None:
    theirs = np.memmap(tmp_path / "raw", dtype="f8", mode="w+", shape=(2, 3))
    theirs[0, 0] = -0.0
    model = Field(name="a", grid=theirs)
    theirs[:] = 7
    assert model.grid.tolist() == [[0, 0, 0], [0, 0, 0]]
    assert type(model.grid) is np.ndarray
    with pytest.raises(ValueError, match="masked"):
        Field(name="a", grid=np.ma.masked_array(model.grid, [[True, False, False]] * 2, copy=False))


def test_one_array_may_be_stored_in_both_forms(tmp_path: Path) -> None:
    class Value(GraphModel, vocab=VOCAB):
        grid: Annotated[Any, Shaped("*, 3")]

    with open_store("memory:") as store:
        KnowledgeGraph(store).push(Value(grid=large()))
        KnowledgeGraph(store, tmp_path / "arrays").push(Value(grid=large()))
        iri = Value(grid=large()).iri
        assert KnowledgeGraph(store, tmp_path / "arrays").pull(Value, iri) == Value(grid=large())


def test_arrays_annotated_by_a_later_name_are_lazy_too(embedded: Store) -> None:
    class Later(GraphModel, vocab=VOCAB):
        grid: "Grid"  # pyright: ignore[reportUndefinedVariable]  # noqa: F821

    Later.model_rebuild(_types_namespace={"Grid": Annotated[Any, Shaped("*, 3")]})
    model = Later(grid=large())
    KnowledgeGraph(embedded).push(model)
    pulled = KnowledgeGraph(embedded).pull(Later, model.iri)
    assert waiting(pulled)
    assert pulled == model
