"""How values of fields follow a motion."""

from __future__ import annotations

import pickle
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from ogm import GraphModel, Link, Motion, Moves, Shaped
from ogm.terms import ROLES
from tests.ogm.samples import VOCAB

COUNT = 4


class Points(GraphModel, vocab=VOCAB):
    """Places, with something to say of each."""

    places: Annotated[Any, Shaped("* items, 3 xyz"), Moves("item point")]
    labels: Annotated[Any, Shaped("* items", np.int64), Moves("item")]
    cell: Annotated[Any, Shaped("3 vectors, 3 xyz"), Moves("fixed fixed")] | None = None


class Bond(GraphModel, vocab=VOCAB):
    """A condition on items, by their numbers."""

    between: Annotated[tuple[int, ...], Moves("index")]
    others: Annotated[frozenset[int], Moves("index")] = frozenset()
    pairs: Annotated[Any, Shaped("* pairs, 2", np.int64), Moves("index")] | None = None
    first: Annotated[int, Moves("index")] = 0
    length: float = 1.0


class Film(GraphModel, vocab=VOCAB):
    """Objects that hold and link to others."""

    first: Points
    frames: tuple[Points, ...] = ()
    bonds: frozenset[Bond] = frozenset()
    source: Link[Points] | None = None
    series: Annotated[Any, Shaped("* frames, * items, 3 xyz"), Moves("fixed item point")]


def motion(seed: int) -> Motion:
    rng = np.random.default_rng(seed)
    rotation = Rotation.from_quat(rng.normal(size=4)).as_matrix()
    x, y, z = rng.normal(size=3).tolist()
    return Motion(
        (x, y, z),
        tuple(tuple(row) for row in rotation.tolist()),
        tuple(int(i) for i in rng.permutation(COUNT)),
    )


def points(seed: int = 0) -> Points:
    return Points(
        places=np.random.default_rng(seed).normal(size=(COUNT, 3)),
        labels=range(COUNT),
        cell=np.eye(3),
    )


@given(st.integers(0, 2**32))
def test_each_axis_follows_its_role(seed: int) -> None:
    """Against loops over single components, which the code does not have."""
    this, rng = motion(seed), np.random.default_rng(seed + 1)
    turn, shift, order = np.array(this.rotation), np.array(this.translation), this.order
    assert order is not None
    places, charges = rng.normal(size=(COUNT, 3)), rng.normal(size=COUNT)
    carried = this.carry(places, Moves("item point"))
    assert this.carry(charges, Moves("item")).tolist() == [charges[i] for i in order]
    for new, old in enumerate(order):
        assert carried[new] == pytest.approx(turn @ places[old] + shift)
    assert this.carry(places, Moves("item vector")) == pytest.approx(carried - shift)
    assert this.carry(places[0], Moves("vector")) == pytest.approx(turn @ places[0])
    modes = rng.normal(size=(2, COUNT, 3))
    moved = this.carry(modes, Moves("fixed item vector"))
    series = this.carry(modes, Moves("fixed item point"))
    for mode in range(2):
        assert moved[mode] == pytest.approx(this.carry(modes[mode], Moves("item vector")))
        assert series[mode] == pytest.approx(this.carry(modes[mode], Moves("item point")))
    second = rng.normal(size=(COUNT, COUNT, 3, 3))
    turned = this.carry(second, Moves("item item vector vector"))
    for i in range(COUNT):
        for j in range(COUNT):
            assert turned[i, j] == pytest.approx(turn @ second[order[i], order[j]] @ turn.T)


def test_numbers_of_items_follow_the_items() -> None:
    this = motion(3)
    assert this.order is not None
    bond = Bond(between=(2, 0), others=frozenset({1, 3}), pairs=[[0, 1], [2, 3]], first=2)
    carried = bond.transformed(this)
    was = np.array(this.order)
    assert was[list(carried.between)].tolist() == [2, 0]
    assert {this.order[i] for i in carried.others} == {1, 3}
    assert was[carried.pairs].tolist() == [[0, 1], [2, 3]]
    assert (was[carried.first], carried.length) == (2, 1.0)
    assert type(carried.first) is int
    with pytest.raises(ValueError, match="4 items move"):
        Bond(between=(4,)).transformed(this)
    with pytest.raises(ValueError, match="4 items move"):
        Bond(between=(-1,)).transformed(this)
    assert bond.transformed(Motion((1.0, 0.0, 0.0))) is bond


def test_what_is_held_moves_along_and_links_stay() -> None:
    this, first = motion(5), points()
    film = Film(
        first=first,
        frames=(first, points(1)),
        bonds=frozenset([Bond(between=(1,))]),
        source=Link(first),
        series=[first.places],
    )
    carried = film.transformed(this)
    assert carried.first == carried.frames[0] == first.transformed(this)
    assert carried.bonds == frozenset(bond.transformed(this) for bond in film.bonds)
    assert carried.series[0].tolist() == carried.first.places.tolist()
    assert carried.source == film.source
    assert carried.source is not None
    assert carried.source.held is first
    assert carried.iri != film.iri
    assert carried.first.cell is not None
    assert carried.first.cell.tolist() == np.eye(3).tolist()


def test_rest_changes_nothing() -> None:
    film = Film(first=points(), series=np.zeros((0, COUNT, 3)))
    assert film.transformed(Motion()) is film
    assert Motion(order=(0,)).is_rest is False
    assert Motion((0.0, 0.0, 1e-300)).is_rest is False
    assert Motion(deviation=1e-6).is_rest
    shifted = points().transformed(Motion((1.0, 2.0, 3.0)))
    assert (shifted.places - points().places).tolist() == pytest.approx(
        np.tile([1.0, 2.0, 3.0], (COUNT, 1))
    )
    assert pickle.loads(pickle.dumps(motion(1))) == motion(1)


def test_values_that_do_not_fit_are_refused() -> None:
    this = motion(2)
    with pytest.raises(ValueError, match="4 items move, not 3"):
        this.carry(np.zeros(3), Moves("item"))
    with pytest.raises(ValueError, match="cannot move as 'item vector'"):
        this.carry(np.zeros(3), Moves("item vector"))


@pytest.mark.parametrize("words", ["", "atom", "item pint", "index item"])
def test_other_words_are_refused(words: str) -> None:
    with pytest.raises(ValueError, match="is not made of"):
        Moves(words)


def test_every_role_is_explained() -> None:
    assert all(f"`{role}`" in (Moves.__doc__ or "") for role in ROLES)


def test_values_that_no_motion_distinguishes_have_one_label() -> None:
    bond = Bond(between=(1, 2))
    assert bond.coarse() == bond.transformed(motion(1)).coarse()
    assert bond.coarse() != bond.model_copy(update={"length": 2.0}).coarse()
