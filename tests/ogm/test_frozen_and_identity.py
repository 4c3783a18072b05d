"""Nothing changes in place; equal content has equal names."""

import copy
import pickle
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from pydantic import Field, ValidationError

from ogm import GraphModel, Link, Shaped, Term, Unit
from ogm.array_storage import digest
from ogm.arrays import locked
from ogm.model import subclasses
from ogm.terms import SCHEMA_VERSION
from tests.ogm import samples
from tests.ogm.samples import VOCAB, Arrays, Happened, Leaf, Measured
from triplestore import GraficoError, NotFoundError, RecordError


def twins() -> list[Any]:
    model = Arrays(f8=[[1.0, 2.0]], i8=np.zeros((0, 3), int))
    return [model, pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model)]


@pytest.mark.parametrize("model", twins(), ids=["new", "pickle", "copy", "deepcopy"])
def test_nothing_can_be_written(model: Arrays) -> None:
    with pytest.raises(ValidationError, match="frozen"):
        model.f8 = np.zeros(1)
    with pytest.raises(ValidationError, match="frozen"):
        del model.f8
    with pytest.raises(ValueError, match="read-only"):
        model.f8[0, 0] = 5
    arrays: list[Any] = [model.f8, model.i8, model.f8.T, model.f8[:1]]
    for array in arrays:
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    assert model == twins()[0]
    assert model.iri == twins()[0].iri


def changed(array: Any, how: str) -> None:
    """Try to make another array of one in place."""
    other = {
        "shape": (array.size,),
        "dtype": np.dtype("i8"),
        "strides": (0,) * array.ndim,
    }
    if how == "state":
        array.__setstate__((1, (1,), np.dtype("<f8"), False, bytes(8)))
    elif how == "size":
        array.resize((array.size, 1), refcheck=False)
    elif how == "flags":
        array.setflags(write=True)
    else:
        setattr(array, how, other[how])


WAYS_IN: dict[str, Callable[[Any], Any]] = {
    "field": lambda m: m.f8,
    "base": lambda m: m.f8[:1].base,
    "dump": lambda m: m.model_dump()["f8"],
    "dict": lambda m: dict(m)["f8"],
    "state": lambda m: m.__getstate__()["__dict__"]["f8"],
    "pickle": lambda m: pickle.loads(pickle.dumps((m, m.f8)))[1],
}


@pytest.mark.filterwarnings("ignore:Setting the :DeprecationWarning")
@pytest.mark.parametrize("how", ["shape", "dtype", "strides", "state", "size", "flags"])
@pytest.mark.parametrize("way", WAYS_IN)
def test_an_array_that_was_handed_out_is_not_the_one_that_is_kept(way: str, how: str) -> None:
    for model in twins():
        iri = model.iri
        with suppress(ValueError):
            changed(WAYS_IN[way](model), how)
        assert model == twins()[0]
        assert model.f8.tolist() == [[1.0, 2.0]]
        assert model.model_copy(update={"i8": None}).f8.shape == (1, 2)
        assert Arrays.model_validate(model.model_dump()).iri == iri == model.iri


@pytest.mark.filterwarnings("ignore:Setting the :DeprecationWarning")
@pytest.mark.parametrize("how", ["shape", "dtype", "strides", "state"])
def test_an_array_that_was_given_is_not_the_one_that_is_kept(how: str) -> None:
    def unpickled(array: Any) -> Arrays:
        model = Arrays.__new__(Arrays)
        state = twins()[0].__getstate__()
        state["__dict__"]["f8"] = array
        model.__setstate__(state)
        return model

    ways: list[Callable[[Any], Arrays]] = [
        lambda array: twins()[0].model_copy(update={"f8": array}),
        lambda array: Arrays(f8=array, i8=np.zeros((0, 3), int)),
        unpickled,
    ]
    for make in ways:
        given = twins()[0].f8
        model = make(given)
        changed(given, how)
        assert model == twins()[0]


@given(hnp.arrays(np.float64, hnp.array_shapes(max_dims=3, max_side=4)), st.data())
def test_views_of_kept_memory_become_what_they_say(array: Any, data: st.DataObject) -> None:
    """Parts, other types and other layouts of an array of ours are taken by their content."""
    source = Arrays(f8=array).f8
    part = source[data.draw(hnp.basic_indices(source.shape, allow_ellipsis=False))]
    whole = np.lib.stride_tricks.as_strided(part, (1, 1), (8, 8)) if part.size else part
    bits = source.view(np.int64)
    odd = Arrays(f8=np.zeros(1), i8=bits | np.int64(-(2**63))).i8  # negative zeros among them
    assert odd is not None
    for view in (part, source.T, source.reshape(-1), whole, odd.view(np.float64)):
        model, twin = Arrays(f8=view), Arrays(f8=np.array(view))
        assert model.iri == twin.iri
        assert model == twin


def test_an_object_is_made_once() -> None:
    leaf = Leaf(name="a", size=3)
    with pytest.raises(TypeError, match="model_copy"):
        leaf.__init__(name="b")
    with pytest.raises(TypeError, match="model_copy"):
        leaf.__setstate__(Leaf(name="b").__getstate__())
    assert leaf == Leaf(name="a", size=3)
    state = twins()[0].__getstate__()
    before = dict(state)
    Arrays.__new__(Arrays).__setstate__(state)
    assert state.keys() == before.keys()


def test_the_callers_array_is_not_ours() -> None:
    mine = np.array([-0.0, 1.0])
    model = Arrays(f8=mine)
    mine[:] = 9
    assert model.f8.tolist() == [0.0, 1.0]
    view = np.frombuffer(np.array([-0.0, 1.0]).tobytes())  # cannot be written to, yet not ours
    assert Arrays(f8=view).iri == model.iri


def test_copies_are_checked_and_named_anew() -> None:
    leaf = Leaf(name="a", size=3)
    assert leaf.iri
    other = leaf.model_copy(update={"size": 4})
    assert other.iri == Leaf(name="a", size=4).iri != leaf.iri
    for bad in ({"size": "many"}, {"colour": "red"}):
        with pytest.raises(ValidationError):
            leaf.model_copy(update=bad)
    with pytest.raises(TypeError, match="model_copy"):
        leaf.copy(update={"size": 4})
    event = Happened(what="a")
    assert event.model_copy(update={"what": "b"}).iri != event.iri
    assert pickle.loads(pickle.dumps(event)).iri == event.iri
    assert not Measured(value=1).identified("urn:1").model_copy(update={"value": 2}).has_iri


def test_links_are_frozen_and_hold_iris() -> None:
    link = Link[Leaf](Leaf(name="a"))
    with pytest.raises(AttributeError):
        link.iri = "urn:other"  # pyright: ignore[reportAttributeAccessIssue]
    assert pickle.loads(pickle.dumps(link)) == link == copy.deepcopy(link)
    for bad in ("a b", "urn:x> <urn:p> <urn:o", "x", "", "urn:\n", "urn:\ud800"):
        with pytest.raises(NotFoundError, match="not an IRI"):
            Link(bad)
        with pytest.raises(NotFoundError, match="not an IRI"):
            Happened(what="a").identified(bad)


@settings(max_examples=60)
@given(samples.everything)
def test_equality_hash_repr_dump_and_pickle_know_no_history(model: Any) -> None:
    def seen(m: Any) -> Any:
        return hash(m), repr(m), m.model_dump_json()

    before, frozen = seen(model), pickle.dumps(model)
    assert model.iri
    assert seen(model) == before
    assert pickle.dumps(model) == frozen
    twin = pickle.loads(frozen)
    assert twin == model
    assert (hash(twin), twin.iri) == (hash(model), model.iri)
    assert twin.model_copy(update={"flag": not twin.flag}) != model


def test_nan_is_equal_to_itself() -> None:
    class Numbers(GraphModel, vocab=VOCAB):
        one: float = 0.0
        row: tuple[float, ...] = ()
        bag: frozenset[float] = frozenset()

    def make() -> Numbers:
        return Numbers(one=float("nan"), row=(float("nan"), 1), bag=frozenset([float("nan")]))

    assert make() == make()
    assert hash(make()) == hash(make())
    assert make().iri == make().iri
    twice = make().model_copy(update={"bag": frozenset([float("nan"), float("nan")])})
    assert twice == make()
    assert twice.iri == make().iri
    odd = np.array([np.nan, -np.nan])
    assert Arrays(f8=odd) == Arrays(f8=[np.nan, np.nan])
    assert Arrays(f8=odd).iri == Arrays(f8=[np.nan, np.nan]).iri


@settings(max_examples=60)
@given(samples.everything, samples.everything)
def test_equal_content_and_equal_iri_are_one(one: Any, other: Any) -> None:
    assert (one == other) == (one.iri == other.iri)
    mixed = one.model_copy(update={"leaf": other.leaf})
    assert (mixed == one) == (mixed.iri == one.iri)


def test_zero_has_no_sign() -> None:
    class Numbers(GraphModel, vocab=VOCAB):
        one: float = 1.0
        row: tuple[float, ...] = ()

    assert Numbers(one=-0.0, row=(-0.0,)).iri == Numbers(one=0.0, row=(0.0,)).iri
    assert Arrays(f8=[-0.0], c16=[-0.0 - 0.0j]).iri == Arrays(f8=[0.0], c16=[0.0]).iri


def test_an_empty_container_is_not_the_default() -> None:
    class Bags(GraphModel, vocab=VOCAB):
        some: frozenset[int] = frozenset({1})
        maybe: frozenset[int] | None = None
        row: tuple[int, ...] = (1,)

    variants = [
        Bags(),
        Bags(some=frozenset()),
        Bags(maybe=frozenset()),
        Bags(row=()),
        Bags(some=frozenset(), maybe=frozenset()),
    ]
    assert len({model.iri for model in variants}) == len(set(variants)) == 5


def test_a_new_field_with_a_default_changes_no_iri() -> None:
    class Growing(GraphModel, vocab=VOCAB):
        name: str

    class Grown(GraphModel, vocab=VOCAB, schema=2):
        name: str
        note: str | None = None
        count: int = 3
        nan: float = float("nan")
        row: tuple[int, ...] = (1, 2)
        grid: Annotated[Any, Shaped("*")] | None = None

    Grown.__name__ = "Growing"
    assert Growing(name="a").iri == Grown(name="a").iri
    assert Grown(name="a", count=4).iri != Grown(name="a").iri


@pytest.mark.parametrize(
    ("annotation", "default", "message"),
    [
        (int | None, 5, "default must be None"),
        (int | None, ..., "default must be None"),
        (tuple[int, ...], Field(default_factory=tuple), "never changes"),
        (tuple[tuple[int, ...], ...], (), "no form"),
        (tuple[int | None, ...], (), "no form"),
        (list[int], ..., "no form"),
        (int | str, ..., "no form"),
        (tuple[Annotated[Any, Shaped("*")], ...], (), "no form"),
        (Annotated[Any, Shaped("*")], [1.0], "no default but None"),
    ],
)
def test_annotations_that_could_lose_something(annotation: Any, default: Any, message: str) -> None:
    space = {"__annotations__": {"x": annotation}, "__module__": __name__}
    cls = type("Wrong", (GraphModel,), space if default is ... else {**space, "x": default})
    with pytest.raises(TypeError, match=message):
        cls.fields()


def test_two_fields_cannot_share_a_property() -> None:
    class Clash(GraphModel):
        last_look: float = 0.0
        lastLook: float = 0.0

    class Reserved(GraphModel):
        version: Annotated[int, Term(SCHEMA_VERSION)] = 1

    for cls in (Clash, Reserved):
        with pytest.raises(TypeError, match="belongs to"):
            cls.fields()


def test_a_property_has_one_type_and_unit_in_all_classes() -> None:
    class Bright(GraphModel):
        brilliance: Annotated[float, Unit("CD")]

    with pytest.raises(TypeError) as refused:

        class Bold(GraphModel):  # pyright: ignore[reportUnusedClass]
            brilliance: str

    told = str(refused.value)
    assert "Bold.brilliance is str" in told
    assert f"{Bright.__module__}.{Bright.__qualname__}.brilliance is float in " in told
    assert "another name" in told
    assert "Bold" not in {one.__name__ for one in subclasses(GraphModel)}
    with pytest.raises(TypeError, match=r"Dim\.brilliance is float, "):

        class Dim(GraphModel):  # pyright: ignore[reportUnusedClass]
            brilliance: float

    class Faint(GraphModel):
        brilliance: Annotated[float, Unit("CD")]

    assert Faint(brilliance=1.0).brilliance == Bright(brilliance=1.0).brilliance


def test_results_have_no_iri_until_identified() -> None:
    result = Measured(value=1.0)
    assert not result.has_iri
    with pytest.raises(RecordError, match="no IRI"):
        _ = result.iri
    assert result.identified("urn:1").iri == "urn:1"
    assert result.identified("urn:1") == result
    with pytest.raises(GraficoError):
        Leaf(name="a").identified("urn:1")


def test_events_are_unique_and_ordered() -> None:
    iris = [Happened(what="same").iri for _ in range(2000)]
    assert len(set(iris)) == 2000
    assert [iri[:-18] for iri in iris] == sorted(iri[:-18] for iri in iris)
    event = Happened(what="same")
    assert event.iri == event.iri


def test_names_of_stored_content_never_change() -> None:
    """Stored data depends on these literals: a change here makes every store unreadable."""
    names = {
        "text": Leaf(name='é "quoted"\n', size=-(2**70)).iri.rsplit("/", 1)[1],
        "default": Leaf(name="").iri.rsplit("/", 1)[1],
        "arrays": Arrays(
            f8=[[0.1, -0.0], [np.nan, np.inf]], i8=[1, -2], b1=[True], c16=[1j], u1=[255]
        ).iri.rsplit("/", 1)[1],
        "float64": digest(locked(np.arange(6.0).reshape(2, 3))),
        "empty": digest(locked(np.zeros((0, 3)))),
        "int64": digest(locked(np.array([[1, -2]]))),
    }
    assert names == PINNED


PINNED = {
    "text": "736cc0bde5388b27bccfb005ac93d92a",
    "default": "81e60fa0f1ea93628ce2c830aa46c5d9",
    "arrays": "97da739c59b4634068b35ec797d87c13",
    "float64": "3cf7b403d8bbb17e2313bac4eb71cf32b99b310044c55ca9814868259f8edd35",
    "empty": "df619659475703cfa54cca8b75750dfeca86f2dd34dd58b3256bd1e31020863c",
    "int64": "fe0754c2061a81e3e436fdd1a27adf586b2ae2651cee455f7e9fb2e6a038770f",
}
