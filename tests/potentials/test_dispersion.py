"""D3 of crystals, that is added to learned potentials: differences, CP2K, and how it is named."""

from __future__ import annotations

import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR
from ontologies.level import Dispersion
from ontologies.potentials import LearnedPotential
from ontologies.units import Floats
from triplestore.errors import InputError
from workflows.potentials.dispersion import correction_of, dispersion_at
from workflows.potentials.program import CHGNET

CELL = np.array([[3.6, 0.2, 0.0], [0.0, 4.1, 0.3], [0.1, 0.0, 4.4]])
PLACES = np.array([[0.0, 0, 0], [1.5, 0.6, 0.3], [2.1, 2.3, 2.4], [0.4, 2.6, 2.2]])
NUMBERS = np.array([14, 8, 6, 30])


def d3(text: str = "d3bj:pbe") -> Dispersion:
    found = correction_of(text, "", "a crystal was asked for")
    assert found is not None
    return found


@pytest.mark.parametrize(("kind", "energy"), [("d3bj", -0.0317909), ("d3zero", -0.0251752)])
def test_a_crystal_has_the_energy_of_cp2k(kind: str, energy: float) -> None:
    """CP2K 2023.1, pairs up to 60 bohr; it ends coordination numbers elsewhere."""
    here = dispersion_at(d3(f"{kind}:pbe"), NUMBERS, PLACES, CELL)
    assert here.energy == pytest.approx(energy, rel=5e-3)


def test_a_molecule_far_from_its_images_has_its_own() -> None:
    from pyscf import gto
    from pyscf.dispersion.dftd3 import DFTD3Dispersion

    near = [[0.0, 0, 0], [0, 0, 1.6], [0, 3.1, 0.2]]
    numbers = np.array([6, 8, 17])
    mol = gto.Mole()
    mol.atom = list(zip(("C", "O", "Cl"), near, strict=True))
    mol.basis, mol.verbose, mol.spin = "sto-3g", 0, 1
    mol.build(parse_arg=False, dump_input=False)
    alone = float(DFTD3Dispersion(mol, "pbe", "d3bj").get_dispersion()["energy"])
    boxed = dispersion_at(d3(), numbers, np.array(near), np.eye(3) * 40)
    assert boxed.energy == pytest.approx(alone, rel=1e-3)


def test_gradient_and_stress_are_the_derivatives_of_the_energy() -> None:
    here, step = dispersion_at(d3(), NUMBERS, PLACES, CELL), 1e-3
    assert here.stress is not None

    def energy(shift: Floats, strain: Floats) -> float:
        way = np.eye(3) + strain
        return dispersion_at(d3(), NUMBERS, (PLACES + shift) @ way, CELL @ way).energy

    shift, still = np.zeros((4, 3)), np.zeros((4, 3))
    shift[1, 2] = step
    slope = (energy(shift, np.zeros((3, 3))) - energy(-shift, np.zeros((3, 3)))) / (2 * step)
    assert slope * BOHR == pytest.approx(here.gradient[1, 2], abs=1e-7)
    volume = abs(float(np.linalg.det(CELL))) / BOHR**3
    for one, other in ((0, 0), (1, 2)):
        strain = np.zeros((3, 3))
        strain[one, other] += step / 2
        strain[other, one] += step / 2
        slope = (energy(still, strain) - energy(still, -strain)) / (2 * step)
        assert slope / volume == pytest.approx(here.stress[one, other], abs=2e-7)


@pytest.mark.parametrize(
    ("text", "usual", "told"),
    [
        ("d4", "pbe", "D3 can be added"),
        ("d3bj", "", "which functional"),
        ("d3bj:nonsense", "pbe", "no parameters of D3"),
        ("d3zero", "r2scan", "no parameters of D3"),
    ],
)
def test_what_cannot_be_added_is_refused(text: str, usual: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        correction_of(text, usual, "a crystal was asked for")


def test_it_stands_in_the_level_and_is_said() -> None:
    plain = LearnedPotential(method="CHGNet", program_version="1", model="0.3.0", weights="ab" * 32)
    added = plain.model_copy(update={"dispersion": d3()})
    assert added.iri != plain.iri
    assert added.label == "CHGNet 0.3.0 + D3(BJ) (weights abababab)"
    atoms = ConceptualAtoms(numbers=NUMBERS, positions=PLACES, cell=CELL, periodic=[True] * 3)
    assert "no dispersion is added" in CHGNET.remarks(atoms, plain)[0]
    assert (
        "D3(BJ) dispersion with the parameters of pbe is added" in CHGNET.remarks(atoms, added)[0]
    )
    assert "grimme2011" in str(CHGNET.described(added, [6]))
    assert correction_of("none", "pbe", "") is None
