"""Vibrations and infrared intensities against other programs and finite differences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms
from tests.dft.structures import HYDROGEN, atoms, level, solved
from workflows.dft.properties.derivatives import analytic, numerical, second_derivatives
from workflows.dft.properties.surface import frequencies, optimise
from workflows.engine.execution.array_cache import load, save
from workflows.engine.execution.context import Context, inside
from workflows.geometry.harmonic import intensities

BENT = atoms([8, 1, 1], [[0, 0.02, 0.117], [0, 0.757, -0.5], [0.1, -0.757, -0.469]])
HYDROXYL = atoms([8, 1], [[0, 0, 0], [0.1, 0.2, 0.98]])
CHLORANE = atoms([17, 1], [[0, 0, 0], [0.1, 0.1, 1.3]])


def test_water_at_hartree_fock() -> None:
    """HF/6-31G(d), harmonic, with Cartesian d functions, as Gaussian prints them.

    1827, 4070 and 4189 1/cm; 107.3, 18.2 and 58.1 km/mol (NIST CCCBDB).
    """
    theory = level("HF", "6-31G*", cartesian=True)
    relaxed = optimise(BENT, theory, convergence="tight")
    found = frequencies(relaxed.atoms, theory)
    assert found.stationarity == "minimum"
    assert found.wavenumbers == pytest.approx([1827, 4070, 4189], abs=1.5)
    assert found.infrared == pytest.approx([107.3, 18.2, 58.1], abs=0.3)
    assert found.remarks == ()


def test_water_at_b97d_as_gaussian_computes_it() -> None:
    """Gaussian 09, B97D/6-31G(d): examples/H2O.out of GoodVibes.

    It uses masses of the lightest isotopes, and adds a D2 term, which lowers the bend by 2.5 1/cm.
    """
    from pyscf import dft, gto
    from pyscf.hessian import thermo

    places = [
        (-1.2105954155, 1.5431453078),
        (-0.2399071897, 1.5968863581),
        (-1.4839592641, 2.4760954342),
    ]
    mol = gto.M(
        atom=[(symbol, (x, y, 0)) for symbol, (x, y) in zip("OHH", places, strict=True)],
        basis="6-31G*",
        cart=True,
        verbose=0,
    )
    mf = dft.RKS(mol)
    mf.xc = "gga_xc_b97_d"
    mf.run()
    found = analytic(mf)
    masses = np.array([15.9949146, 1.0078250, 1.0078250])
    modes = thermo.harmonic_analysis(mol, found.hessian, mass=masses)
    assert modes["freq_wavenumber"] == pytest.approx([1694.83, 3644.54, 3778.70], abs=3.0)
    strengths = intensities(modes["norm_mode"], found.dipoles)
    assert strengths == pytest.approx([69.33, 0.44, 14.85], abs=0.1)
    # its DipoleDeriv of the oxygen atom, in the frame of the input
    assert found.dipoles[0] == pytest.approx(
        np.array([[-0.3607869, 0.0389085, 0], [0.0389085, -0.3332305, 0], [0, 0, -0.7144048]]),
        abs=2e-3,
    )


@pytest.mark.parametrize(
    ("given", "theory"),
    [
        (BENT, ("HF", {})),
        (HYDROXYL, ("HF", {"reference": "unrestricted"})),
        (BENT, ("HF", {"density_fitting": True})),
        (BENT, ("HF", {"dispersion": "D3(BJ)"})),
        (CHLORANE, ("HF", {"basis": "LANL2DZ"})),
    ],
    ids=["HF", "UHF", "density fitting", "D3", "core potential"],
)
def test_analytic_derivatives_are_those_of_gradients_and_dipoles(
    given: ConceptualAtoms, theory: Any
) -> None:
    method, options = theory
    mf = solved(given, chosen := level(method, **options))
    exact = analytic(mf)
    differences = numerical(mf, given, chosen, None, "")
    assert exact.hessian == pytest.approx(differences.hessian, abs=1e-4)
    assert exact.dipoles == pytest.approx(differences.dipoles, abs=2e-4)


def test_second_derivatives_on_a_usual_grid_are_nearly_those_on_a_fine_one() -> None:
    """By differences of gradients: 1885.6, 4163.7, 4546.1 1/cm, on the usual grid and a fine one.

    As PySCF gives them, analytic ones on the usual grid are 1895.7, 4166.4, 4550.5.
    """
    from pyscf.hessian import thermo

    mf = solved(BENT, level("r2SCAN"))
    found = analytic(mf)
    assert np.abs(found.hessian.sum(1)).max() < 1e-3
    waves = thermo.harmonic_analysis(mf.mol, found.hessian)["freq_wavenumber"]
    assert waves == pytest.approx([1885.6, 4163.7, 4546.1], abs=3.5)


def test_restricted_open_shells_by_differences(tmp_path: Path) -> None:
    """ROHF and UHF of OH are near each other; the gradients that are kept are not done again."""
    theory = level("HF", reference="restricted open-shell")
    relaxed = optimise(HYDROXYL, theory, convergence="tight").atoms
    with inside(Context(tmp_path)):
        found = frequencies(relaxed, theory)
        (remark,) = found.remarks
        assert "central differences of gradients" in remark
        kept = load(tmp_path / "checkpoint")
        assert kept is not None
        assert kept["done"] == 12
        assert (tmp_path / "frames.jsonl").read_text().count('"displacement"') == 12
        save(tmp_path / "checkpoint", {**kept, "done": 9})
        mf = solved(relaxed, theory)
        again = second_derivatives(mf, relaxed, theory, tmp_path / "checkpoint")
        assert (tmp_path / "frames.jsonl").read_text().count('"displacement"') == 15
    assert again.hessian == pytest.approx(found.hessian, abs=1e-4)
    alike = level("HF", reference="unrestricted")
    near = frequencies(optimise(HYDROXYL, alike, convergence="tight").atoms, alike)
    assert near.remarks == ()
    assert found.wavenumbers == pytest.approx(near.wavenumbers, rel=0.02)
    assert found.infrared == pytest.approx(near.infrared, rel=0.1)


def test_one_electron_by_differences() -> None:
    """H2+: ωe = 2321 1/cm (NIST); a homonuclear molecule absorbs nothing."""
    ion = HYDROGEN.model_copy(update={"charge": 1, "multiplicity": 2})
    theory = level("HF", "cc-pVTZ", reference="unrestricted")
    found = frequencies(optimise(ion, theory, convergence="tight").atoms, theory)
    assert found.wavenumbers == pytest.approx([2321], abs=25)
    assert found.infrared == pytest.approx([0], abs=1e-6)
    assert "one spin" in found.remarks[0]
