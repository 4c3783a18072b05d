"""Classes that use every kind of field, and strategies that fill them."""

import enum
from datetime import UTC, datetime, timedelta, timezone
from typing import Annotated, Any, Literal

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from pydantic import AwareDatetime

from ogm import GraphModel, Link, Shaped, Vocabulary

VOCAB = Vocabulary("https://example.org/test#")


class Colour(enum.Enum):
    RED = "red"
    ODD = 'a "quoted" \\ one\n'


class Level(enum.Enum):
    LOW = 1
    HIGH = 2


class Leaf(GraphModel, vocab=VOCAB):
    name: str
    size: int = 0


class Bud(Leaf):
    open: bool = False


class Everything(GraphModel, vocab=VOCAB):
    text: str
    number: int
    real: float
    flag: bool
    moment: AwareDatetime
    colour: Colour
    level: Level
    word: Literal["one", "two"]
    digit: Literal[1, 2] = 1
    maybe: float | None = None
    texts: tuple[str, ...] = ()
    reals: tuple[float, ...] = (1.0,)
    perhaps: tuple[int, ...] | None = None
    moments: tuple[AwareDatetime, ...] = ()
    bag: frozenset[float] = frozenset()
    words: frozenset[str] = frozenset({"default"})
    leaf: Leaf
    leaves: tuple[Leaf, ...] = ()
    heap: frozenset[Leaf] = frozenset()
    link: Link[Leaf] | None = None
    links: tuple[Link[Leaf], ...] = ()


class Arrays(GraphModel, vocab=VOCAB):
    f8: Annotated[Any, Shaped("*, ...")]
    f4: Annotated[Any, Shaped("*, ...", np.float32)] | None = None
    i8: Annotated[Any, Shaped("*, ...", np.int64)] | None = None
    u1: Annotated[Any, Shaped("*, ...", np.uint8)] | None = None
    c16: Annotated[Any, Shaped("*, ...", np.complex128)] | None = None
    b1: Annotated[Any, Shaped("*, ...", np.bool_)] | None = None


class Measured(GraphModel, vocab=VOCAB, identity="result"):
    value: float
    of: Leaf | None = None


class Special(Measured):
    extra: str = ""


class Happened(GraphModel, vocab=VOCAB, identity="event"):
    what: str


class Chain(GraphModel, vocab=VOCAB):
    index: int
    next: "Chain | None" = None


def offsets() -> st.SearchStrategy[timezone]:
    return st.integers(-86_399, 86_399).map(lambda s: timezone(timedelta(seconds=s)))


texts = st.text(st.characters(codec="utf-8"), max_size=30) | st.sampled_from(
    ["\x00", "a\x00b\x1f\x7f\x85\u2028", '"\\"', "\\u0041", "\r\n\t\b\f", "'''", "\ufeff\uffff"]
)
numbers = st.integers() | st.integers(-(10**60), 10**60)
reals = st.floats() | st.sampled_from([5e-324, -0.0, 1e308, 2.0**-1074 * 3])
moments = st.datetimes(
    datetime(2, 1, 1), datetime(9998, 12, 31), timezones=offsets() | st.just(UTC)
)
leaves = st.builds(Leaf, name=texts, size=numbers) | st.builds(
    Bud, name=texts, size=numbers, open=st.booleans()
)
links = st.sampled_from(["urn:x:1", "https://example.org/é?a=b#c"]).map(Link[Leaf])

everything = st.builds(
    Everything,
    text=texts,
    number=numbers,
    real=reals,
    flag=st.booleans(),
    moment=moments,
    colour=st.sampled_from(Colour),
    level=st.sampled_from(Level),
    word=st.sampled_from(["one", "two"]),
    digit=st.sampled_from([1, 2]),
    maybe=st.none() | reals,
    texts=st.lists(texts, max_size=4).map(tuple),
    reals=st.lists(reals, max_size=4).map(tuple),
    perhaps=st.none() | st.lists(numbers, max_size=3).map(tuple),
    moments=st.lists(moments, max_size=3).map(tuple),
    bag=st.frozensets(reals, max_size=3),
    words=st.frozensets(texts, max_size=3),
    leaf=leaves,
    leaves=st.lists(leaves, max_size=3).map(lambda x: (*x, *x)),
    heap=st.frozensets(leaves, max_size=3),
    link=st.none() | links,
    links=st.lists(links, max_size=3).map(tuple),
)

shapes = hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=4)


@st.composite
def laid_out(draw: st.DrawFn, dtype: Any) -> Any:
    """An array in some memory layout: C, Fortran, strided, reversed or big-endian."""
    array = draw(hnp.arrays(dtype, shapes))
    match draw(st.integers(0, 4)):
        case 1:
            return np.asfortranarray(array)
        case 2:
            return np.repeat(array, 2, axis=0)[::2]
        case 3:
            return array[::-1]
        case 4:
            return array.astype(array.dtype.newbyteorder(">"))
        case _:
            return array


arrays = st.builds(
    Arrays,
    f8=laid_out(np.float64),
    f4=st.none() | laid_out(np.float32),
    i8=st.none() | laid_out(np.int64),
    u1=st.none() | laid_out(np.uint8),
    c16=st.none() | laid_out(np.complex128),
    b1=st.none() | laid_out(np.bool_),
)
