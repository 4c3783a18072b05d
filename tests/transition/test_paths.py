"""Reaction paths: where they end, barriers both ways, equivalent ways, going on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from ontologies.atoms import ConceptualAtoms
from ontologies.transition import (
    ElasticBand,
    PathBranch,
    ReactionBarrier,
    ReactionPath,
    TransitionState,
)
from ontologies.units import Floats
from tests.dft.conftest import Bench, bench
from tests.dft.structures import atoms, level
from tests.scan.test_scan import ethane
from tests.transition.guesses import CYANIDE, GFN2, find, flat_ammonia
from triplestore.errors import InputError, NotConvergedError
from workflows.dft.properties.surface import MeanFieldSurface
from workflows.engine.execution.context import Context, inside
from workflows.geometry.following import PathFollower, follow
from workflows.show.blocks import Chart, Fact
from workflows.transition import ends
from workflows.transition.spanning import check_product

__all__ = ["bench"]

KCAL = 627.509474


def test_hydrogen_cyanide_and_isocyanide(bench: Bench) -> None:
    """geomeTRIC's own path through PySCF ends at −91.675209 and −91.644437 Eh (HF/STO-3G)."""
    finish = find(bench, CYANIDE)
    assert finish.status == "finished", finish.message
    path: ReactionPath = finish.state.path
    assert path.reactant.energy == pytest.approx(-91.675209, abs=2e-6)
    assert path.product.energy == pytest.approx(-91.644437, abs=2e-6)
    assert (path.reactant.smiles, path.product.smiles) == ("C#N", "[C-]#[NH+]")
    assert path.bonds_broken is not None
    assert path.bonds_formed is not None
    assert path.bonds_broken.tolist() == [[0, 2]]
    assert path.bonds_formed.tolist() == [[1, 2]]
    assert not path.degenerate
    assert bench.kg.pull(ReactionPath, path.iri) == path
    branch = path.reactant.branch.load(bench.kg)
    assert isinstance(branch, PathBranch)
    assert branch.energies[0] == pytest.approx(path.transition_state.energy, abs=1e-7)
    assert np.all(np.diff(branch.energies) < 1e-5)
    assert np.all(np.diff(branch.path_lengths) > 0)
    assert len(branch.geometries) == len(branch.energies) == len(branch.path_lengths)
    there, back = finish.state.barriers
    assert bench.kg.pull(ReactionBarrier, there.iri) == there
    assert (there.reverse, back.reverse) == (False, True)
    assert there.energy_barrier == pytest.approx(0.110358, abs=2e-6)
    assert there.gibbs_barrier - back.gibbs_barrier == pytest.approx(
        bench.kg.pull(type(there), there.iri).gibbs_barrier - back.gibbs_barrier
    )
    # half a quantum of what the reaction coordinate was is lost: the barrier is lower by more
    assert 0 < there.energy_barrier - there.zero_point_barrier < 0.01
    assert there.tunnelling_ratio == pytest.approx(6.02, abs=0.02)
    assert there.wigner_factor == pytest.approx(1 + 6.024**2 / 24, rel=0.01)
    assert any("outside its range" in remark for remark in there.remarks)
    assert there.eckart_factor == pytest.approx(back.eckart_factor, rel=1e-4)
    assert there.eckart_factor is not None
    assert there.eckart_factor > 2 * there.wigner_factor
    again = find(bench, CYANIDE)
    assert all(one.reused for one in again.state.all_answers)


def test_ammonia_has_one_way_from_one_side_to_the_other(bench: Bench) -> None:
    """σ is 3 in the pyramid and 6 in the plane; both ends are alike, so that the way counts twice.

    HF/STO-3G has 11.141 kcal/mol, by Psi4 too, where experiment has 5.8 (A. Rauk, L. C. Allen,
    E. Clementi, J. Chem. Phys. 52, 4133 (1970), whose limit of Hartree–Fock is 5.1): it lacks d
    functions.
    """
    finish = find(bench, flat_ammonia(0.02))
    path: ReactionPath = finish.state.path
    assert path.degenerate
    assert path.reactant.energy == pytest.approx(path.product.energy, abs=1e-6)
    there, back = finish.state.barriers
    assert there.path_degeneracy == pytest.approx(1)
    assert there.gibbs_barrier == pytest.approx(back.gibbs_barrier, abs=2e-6)
    assert there.energy_barrier * KCAL == pytest.approx(11.141, abs=0.01)
    assert any("symmetry numbers 3/6 · 2 for ends that are alike" in one for one in there.remarks)


def test_ethane_turns_both_ways(bench: Bench) -> None:
    """2.870 kcal/mol by Psi4 at HF/STO-3G; experiment 2.93 (S. Weiss, G. E. Leroi, J. Chem. Phys.
    48, 962 (1968)). σ is 6 in either form, and two ways lead on."""
    finish = find(bench, ethane(2.0), along=("3-1-2-6",))
    assert finish.status == "finished", finish.message
    found: TransitionState = finish.state.state
    assert found.changing_pairs is None
    there: ReactionBarrier = finish.state.barriers[0]
    assert there.energy_barrier * KCAL == pytest.approx(2.870, abs=0.01)
    assert there.path_degeneracy == pytest.approx(2)
    path: ReactionPath = finish.state.path
    assert path.bonds_broken is None
    assert path.degenerate
    assert path.reactant.smiles == path.product.smiles == "CC"


def test_what_is_left_of_two_molecules_is_their_complex(bench: Bench) -> None:
    """Hydroxycarbene falls into CO and H2, and barriers on their side say what they are."""
    guess = atoms([6, 8, 1, 1], [[0, 0, 0], [0, 0, 1.17], [1.1, 0, -0.5], [1.35, 0, 0.75]])
    finish = find(bench, guess, GFN2)
    assert finish.status == "finished", finish.message
    path: ReactionPath = finish.state.path
    assert sorted(path.reactant.smiles.split(".")) == ["[C-]#[O+]", "[H][H]"]
    there, back = finish.state.barriers
    assert any("those of this complex" in remark for remark in there.remarks)
    assert not any("complex" in remark for remark in back.remarks)


PRODUCT = """3

C 0 0 0
N 0 0 1.17
H 0.1 0 2.17
"""


def test_between_reactant_and_product_alone(bench: Bench, tmp_path: Path) -> None:
    """The same saddle point as from a guess: 73° at the carbon, 1426i 1/cm (GFN2-xTB)."""
    (tmp_path / "product.xyz").write_text(PRODUCT)
    near = atoms([6, 7, 1], [[0, 0, 0], [0, 0, 1.15], [0.1, 0, -1.07]])
    finish = find(bench, near, GFN2, product=str(tmp_path / "product.xyz"), upto="path")
    assert finish.status == "finished", finish.message
    (band,) = [a.result for a in finish.state.answers if isinstance(a.result, ElasticBand)]
    assert len(band.energies) == len(band.geometries) == 9
    assert 0 < band.energies.argmax() < 8
    assert bench.kg.pull(ElasticBand, band.iri) == band
    guessed: TransitionState = find(bench, CYANIDE, GFN2, upto="state").state.state
    found: TransitionState = finish.state.state
    assert found.energy == pytest.approx(guessed.energy, abs=2e-6)
    path: ReactionPath = finish.state.path
    assert not any("does not lead to" in remark for remark in path.remarks)
    elsewhere = atoms([6, 7, 1], [[0, 0, 0], [0, 0, 1.15], [0, 3.0, 0]])
    (told,) = list(ends.elsewhere((path.reactant, path.product), (band.initial, elsewhere)))
    assert "does not lead to the product that was given" in told


@pytest.mark.parametrize(
    ("product", "told"),
    [
        (atoms([7, 6, 1], [[0, 0, 1.17], [0, 0, 0], [0.1, 0, 2.17]]), "different orders"),
        (atoms([8, 1, 1], [[0, 0, 0], [0.76, 0, 0.59], [-0.76, 0, 0.59]]), "not the same atoms"),
        (CYANIDE, "the same geometry"),
        (CYANIDE.model_copy(update={"charge": 1, "multiplicity": 2}), "not the same atoms"),
    ],
)
def test_a_product_that_does_not_fit_is_refused(product: ConceptualAtoms, told: str) -> None:
    with pytest.raises(InputError, match=told):
        check_product(CYANIDE, product)


class Counted:
    """A surface that is cut off after so many geometries."""

    def __init__(self, inner: MeanFieldSurface, most: int) -> None:
        self.inner, self.left, self.count = inner, most, 0

    def at(self, positions: Floats) -> tuple[float, Floats]:
        if self.left == 0:
            raise NotConvergedError("a path was followed", "the light went out", "go on")
        self.left -= 1
        self.count += 1
        return self.inner.at(positions)

    def curvature(self) -> Floats:
        return self.inner.curvature()

    def kept(self) -> Mapping[str, Any]:
        return self.inner.kept()

    def take_up(self, kept: Mapping[str, Any]) -> None:
        self.inner.take_up(kept)


def test_a_path_that_was_cut_off_goes_on(bench: Bench, tmp_path: Path) -> None:
    found: TransitionState = find(bench, CYANIDE, upto="state").state.state
    look = found.frequencies.load(bench.kg)

    def surface(most: int) -> Counted:
        return Counted(MeanFieldSurface(look.atoms, level()), most)

    whole = follow(look, one := surface(500), True, 200)
    with inside(Context(tmp_path)):
        cut = surface(12)
        with pytest.raises(NotConvergedError, match="the light went out"):
            follow(look, cut, True, 200)
        again = surface(500)
        rest = follow(look, again, True, 200)
    assert cut.count == 12
    assert again.count == one.count - 12
    assert rest.energies == pytest.approx(whole.energies, abs=1e-6)
    with pytest.raises(NotConvergedError, match="no end within 3 steps"):
        follow(look, surface(500), True, 3)


def test_what_was_computed_elsewhere_is_not_taken(bench: Bench) -> None:
    one = PathFollower(CYANIDE, MeanFieldSurface(CYANIDE, level()))
    one.compute(CYANIDE.positions)
    moved = CYANIDE.positions + np.array([[0.01, 0, 0], [0, 0, 0], [0, 0, 0]])
    one.compute(moved)
    one.compute(CYANIDE.positions)
    assert len(one.energies) == 2


def test_path_and_barriers_are_shown() -> None:
    with Grafico(store="memory:") as session:
        found = session.run(
            "examples/hcn_guess.xyz", workflow="transition", temperature=1000.0, **GFN2
        )
        assert found.status == "finished", found.message
        blocks = [block for section in found.shown_sections() for block in section.blocks]
        charts = {one.name: one for one in blocks if isinstance(one, Chart)}
        curve, levels = charts["path"], charts["levels"]
        assert curve.series[0].x[0] < 0 < curve.series[0].x[-1]
        assert max(curve.series[0].y) == pytest.approx(levels.series[0].y[1], abs=1.0)
        assert [label for _, label in levels.x.ticks][1] == "transition state"
        facts = [one for one in blocks if isinstance(one, Fact)]
        assert sum(one.name == "gibbs_barrier" for one in facts) >= 2
        told = found.as_json()
        assert [one["from"] for one in told["barriers"]] == ["reactant", "product"]
        assert told["barriers"][0]["temperature_K"] == 1000.0
        only = session.run("examples/hcn_guess.xyz", workflow="transition", upto="path", **GFN2)
        assert (only.status, only.barriers) == ("finished", ())
        assert only.path is not None
