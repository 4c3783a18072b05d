"""Energies of levels of theory against other programs, PySCF's own tests and analytic limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms
from tests.dft.structures import HYDROGEN, METHYL, WATER, atoms, single
from workflows.dft.level.resolving import resolve_level
from workflows.dft.scf.meanfield import mean_field, molecule

BOHR = 0.529177210544
KCAL_PER_MOL = 627.509474


def prepared(
    of: ConceptualAtoms, method: str, basis: str, reference: Any = "restricted", **more: Any
) -> Any:
    level = resolve_level(method, basis, reference, **more).level
    return mean_field(molecule(of, level), level)


def energy(
    of: ConceptualAtoms, method: str, basis: str, reference: Any = "restricted", **more: Any
) -> float:
    return prepared(of, method, basis, reference, **more).run(verbose=0).e_tot


@pytest.mark.parametrize(
    ("method", "ionisation"),
    [("B3LYP5", 0.4535575461), ("wB97X-D3", 0.4570744381)],  # B3LYP: 0.4572870674
)
def test_ionisation_of_water_is_that_of_another_program(method: str, ionisation: float) -> None:
    """Q-Chem's vertical energies with 6-31G, from Psi4's tests (`test_dft_benchmarks.py`)."""
    places = [[-1.551007, -0.114520, 0], [-1.934259, 0.762503, 0], [-0.599677, 0.040712, 0]]
    neutral = energy(atoms([8, 1, 1], places), method, "6-31G", grid_level=1)
    cation = atoms([8, 1, 1], places, charge=1)
    charged = energy(cation, method, "6-31G", "unrestricted", grid_level=1)
    assert charged - neutral == pytest.approx(ionisation, abs=5e-5)


def test_d4_in_the_place_of_vv10_is_not_the_functional_of_2008() -> None:
    """By the name alone PySCF 2.14 computes the other, 34 mEh higher."""
    from pyscf import dft
    from pyscf.dispersion import dftd4

    mf = prepared(WATER, "wB97X-D4", "def2-SVP").run(verbose=0)
    assert mf.e_tot == pytest.approx(-76.37195, abs=2e-5)
    by_hand: Any = dft.RKS(mf.mol, xc="wb97x_v")
    by_hand.nlc = False
    correction = dftd4.DFTD4Dispersion(mf.mol, "wb97x").get_dispersion()["energy"]
    assert mf.e_tot == pytest.approx(by_hand.energy_tot(mf.make_rdm1()) + correction, abs=1e-9)


@pytest.mark.parametrize(
    ("method", "correction"),
    # s-dftd3 1.7.0 --bj pbe and dftd4 4.3.1 --func pbe, as pyscf-dispersion's tests quote them
    [("PBE-D3(BJ)", -0.00021263764907232066), ("PBE-D4", -0.00018238733798327627)],
)
def test_corrections_are_those_of_the_programs(method: str, correction: float) -> None:
    pair = HYDROGEN.moved_to(np.array([[0, 0, 0], [0, 0, 3 * BOHR]]))
    mf = prepared(pair, method, "STO-3G").run(verbose=0)
    assert mf.scf_summary["dispersion"] == pytest.approx(correction, abs=1e-9)
    assert mf.e_tot - energy(pair, "PBE", "STO-3G") == pytest.approx(correction, abs=1e-8)


def test_vv10_is_in_where_the_name_has_it() -> None:
    from pyscf import dft

    mf = prepared(single(2), "wB97X-V", "STO-3G", grid_level=1)
    totals: list[float] = []
    for nonlocal_part in ("", False):
        other: Any = dft.RKS(mf.mol, xc="wb97x_v")
        other.grids.level = 1
        other.nlc = nonlocal_part
        for each in (mf, other):
            each.nlcgrids.level = 0
        totals.append(float(other.energy_tot(mf.get_init_guess(key="1e"))))
    total = float(mf.energy_tot(mf.get_init_guess(key="1e")))
    assert total == pytest.approx(totals[0], abs=1e-9)
    assert abs(totals[0] - totals[1]) > 1e-3


@pytest.mark.parametrize(
    ("model", "total"),
    # PySCF 2.14, pyscf/solvent/test/test_pcm.py, ε = 35.9
    [
        ("C-PCM", -74.9690902442),
        ("COSMO", -74.96900351922464),
        ("IEF-PCM", -74.9690111344),
        ("SS(V)PE", -74.9689577454),
    ],
)
def test_continua(model: str, total: float) -> None:
    place = [[0, 0, 0.1174], [-0.757, 0, -0.4696], [0.757, 0, -0.4696]]
    mf = prepared(atoms([8, 1, 1], place), "HF", "STO-3G", solvation=model, dielectric=35.9)
    assert mf.run(verbose=0).e_tot == pytest.approx(total, abs=1e-8)


@pytest.mark.parametrize("model", ["C-PCM", "IEF-PCM"])
def test_an_ion_in_its_cavity_obeys_born(model: str) -> None:
    """−(1 − 1/ε) q²/2R; 1.2 times the radius of Bondi for sodium, 2.27 Å."""
    ion, permittivity = single(11, charge=1), 78.36
    surrounded = energy(ion, "HF", "STO-3G", solvation=model, dielectric=permittivity)
    radius = 1.2 * 2.27 / BOHR
    born = -(1 - 1 / permittivity) / (2 * radius)
    assert surrounded - energy(ion, "HF", "STO-3G") == pytest.approx(born, rel=1e-3)


def test_smd_of_the_structure_of_the_solvent() -> None:
    """PySCF 2.14, pyscf/solvent/test/test_smd.py: without the electrons."""
    place = [[0, 0, 0.1174], [-0.757, 0, -0.4696], [0.757, 0, -0.4696]]
    for name, part in {"toluene": -0.0013479524949, "H2O": 0.002298448590009}.items():
        mf = prepared(atoms([8, 1, 1], place), "HF", "STO-3G", solvation="SMD", solvent=name)
        assert mf.with_solvent.get_cds() == pytest.approx(part, abs=1e-8)


def test_hydration_of_ammonia() -> None:
    """−4.29 kcal/mol by experiment, from and to 1 mol/l; SMD's mean error is 0.6 to 1.0.

    A. V. Marenich, C. J. Cramer, D. G. Truhlar, J. Phys. Chem. B 113, 6378 (2009).
    """
    pyramid = [[0, 0, 0.116], [0, 0.939, -0.271], [0.813, -0.469, -0.271], [-0.813, -0.469, -0.271]]
    of = atoms([7, 1, 1, 1], pyramid)
    dissolved = energy(of, "HF", "6-31G*", solvation="smd", solvent="water")
    change = dissolved - energy(of, "HF", "6-31G*")
    assert change * KCAL_PER_MOL == pytest.approx(-4.29, abs=0.6)


def test_everything_together_has_consistent_derivatives() -> None:
    """Fitting, continuum and dispersion of a radical: the force is the slope of the energy."""

    def pair(distance: float) -> ConceptualAtoms:
        places = [[0.0, 0.0, 0.0], [0.0, 0.0, distance]]
        return atoms([1, 1], places, charge=1, multiplicity=2)

    def run(distance: float) -> Any:
        return prepared(
            pair(distance),
            "HF-D4",
            "6-31G",
            "unrestricted",
            scf_tolerance=1e-11,
            solvation="smd",
            solvent="toluene",
            density_fitting=True,
        ).run(verbose=0)

    step, here = 0.005, 1.1
    mf = run(here)
    assert {"dispersion", "e_solvent", "e_cds"} <= mf.scf_summary.keys()
    assert "DF" in type(mf).__name__
    gradient = mf.nuc_grad_method().run(verbose=0).de
    slope = (run(here + step).e_tot - run(here - step).e_tot) / (2 * step / BOHR)
    assert gradient[1, 2] == pytest.approx(slope, abs=2e-5)


def test_fitting_changes_little_and_is_what_pyscf_does_by_itself() -> None:
    from pyscf import gto, scf

    fitted = prepared(WATER, "HF", "def2-SVP", density_fitting=True).run(verbose=0).e_tot
    assert 0 < abs(fitted - energy(WATER, "HF", "def2-SVP")) < 1e-4
    mol: Any = gto.M(
        atom=list(zip(WATER.symbols, WATER.positions.tolist(), strict=True)), basis="def2-svp"
    )
    own: Any = scf.RHF(mol)
    own = own.density_fit().run(verbose=0, conv_tol=1e-10)
    assert fitted == pytest.approx(own.e_tot, abs=1e-8)


def test_restricted_open_shells() -> None:
    """One electron has no spin to be contaminated with; more have, and gain by it."""
    for method in ("HF", "PBE"):
        own = energy(single(1), method, "STO-3G", "unrestricted")
        shared = energy(single(1), method, "STO-3G", "restricted open-shell")
        assert own == pytest.approx(shared, abs=1e-9)
    mf = prepared(METHYL, "HF", "STO-3G", "restricted open-shell").run(verbose=0)
    assert mf.spin_square()[0] == pytest.approx(0.75, abs=1e-9)
    assert mf.e_tot > energy(METHYL, "HF", "STO-3G", "unrestricted")
