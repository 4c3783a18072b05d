"""Classes that nobody thought of: fields of every kind, in any number and nesting."""

import enum
import itertools
from typing import Annotated, Any, Literal, Optional

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from pydantic import AwareDatetime, create_model

from ogm import GraphModel, KnowledgeGraph, Link, Shaped
from tests.ogm import samples
from tests.ogm.samples import VOCAB, Colour, Leaf
from triplestore import open_store

SCALARS: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (str, samples.texts),
    (int, samples.numbers),
    (float, samples.reals),
    (bool, st.booleans()),
    (AwareDatetime, samples.moments),
    (Colour, st.sampled_from(Colour)),
    (Literal["a", "b c"], st.sampled_from(["a", "b c"])),
    (Leaf, samples.leaves),
    (Link[Leaf], samples.links),
]
DTYPES: list[type[np.generic]] = [
    np.float64,
    np.float32,
    np.int8,
    np.int64,
    np.uint16,
    np.complex64,
    np.bool_,
]


NUMBERS = itertools.count()


@st.composite
def fields(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """An annotation, a default (… for none) and a value."""
    if draw(st.integers(0, 4)) == 0:
        dtype = draw(st.sampled_from(DTYPES))
        rank = draw(st.integers(1, 3))
        shape = tuple(draw(st.lists(st.integers(0, 4), min_size=rank, max_size=rank)))
        value = draw(hnp.arrays(dtype, shape))
        annotation = Annotated[Any, Shaped(", ".join("*" * rank), dtype)]
        if draw(st.booleans()):
            return annotation, ..., value
        return Optional[annotation], None, draw(st.none() | st.just(value))  # noqa: UP045
    annotation, values = draw(st.sampled_from(SCALARS))
    match draw(st.integers(0, 4)):
        case 0:
            return annotation, ..., draw(values)
        case 1:
            return annotation, draw(values), draw(values)
        case 2:
            return Optional[annotation], None, draw(st.none() | values)  # noqa: UP045
        case 3:
            several = st.lists(values, max_size=4).map(tuple)
            return tuple[annotation, ...], draw(st.just(...) | several), draw(several)
        case _:
            bags = st.frozensets(values, max_size=4)
            return frozenset[annotation], draw(st.just(...) | bags), draw(bags)


@st.composite
def generated(draw: st.DrawFn) -> GraphModel:
    """An object of a new class, perhaps with one of another new class inside, or of its parent."""
    base: type[GraphModel] = GraphModel
    known: dict[str, Any] = {}
    for level in range(draw(st.integers(1, 2))):
        drawn = draw(st.lists(fields(), max_size=6))
        names = [f"f{level}_{number}" for number in range(len(drawn))]
        identity = draw(st.sampled_from(["value", "event"])) if level == 0 else None
        definitions: Any = {n: (a, d) for n, (a, d, _) in zip(names, drawn, strict=True)}
        base = create_model(
            f"Generated{next(NUMBERS)}",
            __base__=base,
            __cls_kwargs__={"vocab": VOCAB, "identity": identity},
            **definitions,
        )
        known |= {n: v for n, (_, _, v) in zip(names, drawn, strict=True)}
    return base(**known)


@settings(max_examples=80)
@given(generated())
def test_objects_of_any_class_come_back_as_they_were(model: GraphModel) -> None:
    with open_store("memory:") as store:
        KnowledgeGraph(store).push(model)
        cls = type(model)
        back = KnowledgeGraph(store).pull(cls, model.iri)
        assert back == model
        assert (back.iri, hash(back)) == (model.iri, hash(model))
        parent = cls.__bases__[0]
        assert type(KnowledgeGraph(store).pull(parent, model.iri)) is cls
        assert KnowledgeGraph(store).find(cls) == [model]


def test_enums_may_be_of_any_value() -> None:
    class Odd(enum.Enum):
        ONE = 1.5
        TWO = ("a", 2)

    class Holder(GraphModel, vocab=VOCAB):
        odd: Odd

    with open_store("memory:") as store:
        for odd in Odd:
            KnowledgeGraph(store).push(Holder(odd=odd))
            assert KnowledgeGraph(store).pull(Holder, Holder(odd=odd).iri).odd is odd
