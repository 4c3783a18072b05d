"""Pictures of geometries: how large balls are, which is in front, what is written on them."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from grafico import Grafico
from ontologies.atoms import ConceptualAtoms
from triplestore.errors import InputError
from workflows.molecule.balls import BALL, SMALLEST, WIDTH, draw_balls, towards


def pixels(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"), float)


def test_a_ball_is_as_large_as_its_atom() -> None:
    """Xenon has a covalent radius of 1.40 Å (B. Cordero et al., 2008)."""
    atom = ConceptualAtoms(numbers=[54], positions=np.ones((1, 3)))
    drawn = pixels(draw_balls(atom, clear=True))
    assert drawn.shape[1] == WIDTH
    radius = np.sqrt((drawn[..., 3] > 127).sum() / np.pi) * SMALLEST / WIDTH
    assert radius == pytest.approx(1.40 * BALL, rel=0.02)
    assert pixels(draw_balls(atom))[0, 0].tolist() == [255.0] * 4
    assert drawn[0, 0, 3] == 0.0


def test_it_is_turned_and_never_mirrored() -> None:
    places = np.random.default_rng(3).standard_normal((5, 3))
    turn = towards(places, (-24.0, 16.0))
    assert turn @ turn.T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(turn) == pytest.approx(1.0)


def test_what_is_in_front_hides_what_is_behind() -> None:
    """Sodium, violet, before chlorine, green; along the line of sight both are one ball."""
    from workflows.molecule.balls import put_atoms

    for order, wanted in ((1.0, "red"), (-1.0, "green")):
        atoms = ConceptualAtoms(numbers=[11, 17], positions=[[0, 0, order], [0, 0, -order]])
        colour, depth = np.full((9, 9, 3), 255.0), np.full((9, 9), -np.inf)
        at = np.linspace(-0.2, 0.2, 9)
        put_atoms(colour, depth, at, -at, atoms, np.eye(3))
        red, green, _ = colour[4, 4]
        assert ("red" if red > green else "green") == wanted


def test_options_are_of_pictures_alone() -> None:
    with Grafico("memory:") as session:
        plain = session.convert("CCO", to="png", balls=True, width=300).data
        named = session.convert("CCO", to="png", balls=True, width=300, numbers=True).data
        assert pixels(plain).shape == pixels(named).shape
        assert (pixels(plain) != pixels(named)).any()
        formula = session.convert("CCO", to="png", width=300, transparent=True).data
        assert pixels(formula).shape[1] == 300
        assert pixels(formula)[0, 0, 3] == 0.0
        usual = session.convert("CCO", to="svg").data
        numbered = session.convert("CCO", to="svg", numbers=True).data
        assert numbered.count(b"<path") > usual.count(b"<path")
        with pytest.raises(InputError, match="that is of pictures as PNG"):
            session.convert("CCO", to="xyz", balls=True)
        with pytest.raises(InputError, match="that is of pictures as PNG"):
            session.convert("CCO", to="svg", width=300)
