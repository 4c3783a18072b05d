"""Energies and properties: beside the program xtb, by differences, and where there are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ase.build import molecule
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.validation.xtb import Job
from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR
from ontologies.tightbinding import BornModel, TightBinding
from tests.conftest import Need
from tests.dft.structures import HYDROGEN, METHYL, WATER, atoms, single
from triplestore.errors import InputError, NotConvergedError
from workflows.tightbinding.calculations import single_point
from workflows.tightbinding.electrons import HEAVIEST, valence_electrons, valence_of
from workflows.tightbinding.hamiltonian import Hamiltonian
from workflows.tightbinding.levels import METHODS, resolve_level

GFN = tuple(dict.fromkeys(METHODS.values()))


def known(name: str, charge: int = 0, multiplicity: int = 1) -> ConceptualAtoms:
    found = molecule(name)
    return ConceptualAtoms(
        numbers=found.numbers, positions=found.positions, charge=charge, multiplicity=multiplicity
    )


def level(method: str = "GFN2-xTB", **more: Any) -> TightBinding:
    return resolve_level(method, **more).level


MIXED = atoms(
    [1, 1, 6, 5, 1, 15, 8, 17, 13, 15, 5, 1, 9, 15, 1, 15],
    (
        BOHR
        * np.array(
            [
                [+2.79274810283778, +3.82998228828316, -2.79287054959216],
                [-1.43447454186833, +0.43418729987882, +5.53854345129809],
                [-3.26268343665218, -2.50644032426151, -1.56631149351046],
                [+2.14548759959147, -0.88798018953965, -2.24592534506187],
                [-4.30233097423181, -3.93631518670031, -0.48930754109119],
                [+0.06107643564880, -3.82467931731366, -2.22333344469482],
                [+0.41168550401858, +0.58105573172764, +5.56854609916143],
                [+4.41363836635653, +3.92515871809283, +2.57961724984000],
                [+1.33707758998700, +1.40194471661647, +1.97530004949523],
                [+3.08342709834868, +1.72520024666801, -4.42666116106828],
                [-3.02346932078505, +0.04438199934191, -0.27636197425010],
                [+1.11508390868455, -0.97617412809198, +6.25462847718180],
                [+0.61938955433011, +2.17903547389232, -6.21279842416963],
                [-2.67491681346835, +3.00175899761859, +1.05038813614845],
                [-4.13181080289514, -2.34226739863660, -3.44356159392859],
                [+2.85007173009739, -2.64884892757600, +0.71010806424206],
            ]
        )
    ).tolist(),
)
ETHANOL = known("CH3CH2OH")
SPECIES = {
    "water": WATER,
    "ethanol": ETHANOL,
    "methyl": METHYL.model_copy(update={"multiplicity": 2}),
    "oxygen": known("O2", multiplicity=3),
    "hydroxide": known("OH", charge=-1),
    "ionised water": WATER.model_copy(update={"charge": 1, "multiplicity": 2}),
    "sulfur dioxide": known("SO2"),
    "lithium hydride": known("LiH"),
    "silane": known("SiH4"),
    "proton": single(1, charge=1),
    "sodium ion": single(11, charge=1),
    "ferrocene-like iron": single(26, multiplicity=5),
}


@pytest.mark.parametrize("name", SPECIES)
@pytest.mark.parametrize("method", GFN)
def test_xtb_finds_the_same_energy(name: str, method: str, need: Need) -> None:
    need("xtb")
    theirs = Job(SPECIES[name], method).run()
    ours = single_point(SPECIES[name], level(method))
    assert ours.energy == pytest.approx(theirs["energy"], abs=1e-7)
    assert ours.mulliken_charges == pytest.approx(theirs["charges"], abs=1e-5)


@pytest.mark.parametrize("method", GFN)
@pytest.mark.parametrize(
    ("model", "solvent", "short"),
    [
        ("ALPB", "water", "water"),
        ("ALPB", "n-hexane", "hexane"),
        ("GBSA", "MeCN", "acetonitrile"),
        ("GBSA", "water", "water"),
    ],
)
@pytest.mark.parametrize("name", ["ethanol", "hydroxide"])
def test_xtb_finds_the_same_energy_in_a_solvent(
    method: str, model: BornModel, solvent: str, short: str, name: str, need: Need
) -> None:
    need("xtb")
    given = SPECIES[name]
    theirs = Job(given, method, model, short).run()
    around = level(method, solvation=model, solvent=solvent)
    ours = single_point(given, around)
    assert ours.energy == pytest.approx(theirs["energy"], abs=1e-7)
    gas = single_point(given, level(method)).energy
    assert ours.solvation_free_energy == pytest.approx(ours.energy - gas, abs=1e-9)
    assert around.label == f"{method} in {model} {around.solvation.solvent}"  # pyright: ignore


def test_xtb_finds_the_same_gradient_dipole_and_gap(need: Need, gfn2: TightBinding) -> None:
    need("xtb")
    theirs, ours = Job(ETHANOL, task="--grad").run(), single_point(ETHANOL, gfn2)
    _, gradient = Hamiltonian(ETHANOL, gfn2).at(ETHANOL.positions)
    assert gradient == pytest.approx(np.array(theirs["gradient"]), abs=1e-6)
    assert ours.dipole == pytest.approx(theirs["dipole"], abs=2e-3)  # printed with three digits
    assert ours.homo_lumo_gap is not None
    assert ours.homo_lumo_gap * 27.211386 == pytest.approx(theirs["gap"], abs=1e-3)


def test_energies_that_are_published_with_the_library(gfn2: TightBinding) -> None:
    """Silane and a molecule of nine elements, as the documentation of tblite prints them."""
    place = 1.617683897558 * BOHR
    corners = [[1, 1, -1], [-1, -1, -1], [1, -1, 1], [-1, 1, 1]]
    silane = atoms([14, 1, 1, 1, 1], [[0, 0, 0], *(np.array(corners) * place).tolist()])
    assert single_point(silane, gfn2).energy == pytest.approx(-3.763233750684, abs=1e-7)
    assert single_point(MIXED, gfn2).energy == pytest.approx(-31.716159156026254, abs=1e-6)


@pytest.mark.parametrize("method", GFN)
@pytest.mark.parametrize("solvent", ["", "water"])
@pytest.mark.parametrize("name", ["ethanol", "ionised water", "oxygen"])
def test_gradients_are_slopes_of_the_energy(method: str, solvent: str, name: str) -> None:
    found = SPECIES[name]
    given = found.moved_to(
        found.positions + np.random.default_rng(1).normal(0, 0.02, (len(found.numbers), 3))
    )
    hamiltonian = Hamiltonian(given, level(method, solvent=solvent, accuracy=1e-3))
    _, gradient = hamiltonian.at(given.positions)
    way = np.random.default_rng(2).normal(size=given.positions.shape)
    way /= np.linalg.norm(way)
    step = 1e-3
    ahead, back = (
        hamiltonian.at(given.positions + side * step * BOHR * way)[0] for side in (1, -1)
    )
    slope = float((gradient * way).sum())
    assert (ahead - back) / (2 * step) == pytest.approx(slope, abs=2e-5 if solvent else 2e-7)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_turning_and_renumbering_changes_nothing(seed: int) -> None:
    order = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(order.normal(size=(3, 3)))
    turn *= np.sign(np.linalg.det(turn))
    places = order.permutation(len(ETHANOL.numbers))
    moved = ConceptualAtoms(
        numbers=ETHANOL.numbers[places],
        positions=(ETHANOL.positions @ turn.T + order.normal(0, 5, 3))[places],
    )
    here, there = (single_point(one, level()) for one in (ETHANOL, moved))
    assert there.energy == pytest.approx(here.energy, abs=1e-9)
    assert there.dipole == pytest.approx(turn @ here.dipole, abs=1e-5)
    assert there.mulliken_charges == pytest.approx(here.mulliken_charges[places], abs=1e-6)
    assert there.bond_orders == pytest.approx(here.bond_orders[np.ix_(places, places)], abs=1e-6)


def test_the_dipole_of_an_ion_does_not_depend_on_where_it_lies(gfn2: TightBinding) -> None:
    ion = SPECIES["hydroxide"]
    far = ion.moved_to(ion.positions + np.array([10.0, -20.0, 5.0]))
    here, there = (single_point(one, gfn2).dipole for one in (ion, far))
    assert there == pytest.approx(here, abs=1e-6)


def test_charges_and_bond_orders_say_what_the_bonds_are(gfn2: TightBinding) -> None:
    found = single_point(ETHANOL, gfn2)
    assert found.mulliken_charges.sum() == pytest.approx(0, abs=1e-9)
    assert found.bond_orders == pytest.approx(found.bond_orders.T)
    assert found.bond_orders[0, 1] == pytest.approx(1.0, abs=0.05)  # C–C
    assert single_point(known("C2H4"), gfn2).bond_orders[0, 1] == pytest.approx(2.0, abs=0.1)
    assert single_point(known("N2"), gfn2).bond_orders[0, 1] == pytest.approx(3.0, abs=0.1)
    assert found.occupations.sum() == pytest.approx(20)
    assert found.homo == found.orbital_energies[9]
    assert found.dipole_moment == pytest.approx(float(np.linalg.norm(found.dipole)))


@pytest.mark.parametrize("method", GFN)
def test_bond_orders_of_open_shells_are_those_of_mayer(method: str) -> None:
    from tblite.interface import Calculator

    radical = known("NO2", multiplicity=2)
    calculator = Calculator(method, radical.numbers, radical.positions / BOHR, uhf=1)
    calculator.set("verbosity", 0)
    calculator.set("save-integrals", 1)
    result = calculator.singlepoint()
    coefficients, overlap = result["orbital-coefficients"], result["overlap-matrix"]
    place = calculator.get("shell-map")[calculator.get("orbital-map")]
    wanted = np.zeros((3, 3))
    for electrons in (9, 8):  # I. Mayer, Theor. Chim. Acta 67, 315 (1985)
        held = coefficients[:, :electrons]
        product = held @ held.T @ overlap
        for one, two in np.argwhere(~np.eye(3, dtype=bool)):
            wanted[one, two] += 2 * np.sum((product * product.T)[place == one][:, place == two])
    found = single_point(radical, level(method)).bond_orders
    assert found == pytest.approx(wanted, abs=1e-4)
    methyl = single_point(SPECIES["methyl"], level(method)).bond_orders
    assert methyl[0, 1:] == pytest.approx(np.full(3, methyl[0, 1]), abs=1e-3)
    assert methyl == pytest.approx(methyl.T)


def test_bond_orders_are_those_of_mayer() -> None:
    from tblite.interface import Calculator

    calculator = Calculator("GFN2-xTB", ETHANOL.numbers, ETHANOL.positions / BOHR)
    calculator.set("verbosity", 0)
    calculator.set("save-integrals", 1)
    result = calculator.singlepoint()
    product = result["density-matrix"] @ result["overlap-matrix"]
    place = calculator.get("shell-map")[calculator.get("orbital-map")]
    wanted = sum(
        product[np.ix_(place == 0, place == 1)].ravel()
        * product[np.ix_(place == 1, place == 0)].T.ravel()
    )
    assert single_point(ETHANOL, level()).bond_orders[0, 1] == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("number", range(1, HEAVIEST + 1))
def test_valence_electrons_are_those_that_tblite_counts(number: int) -> None:
    from tblite.interface import Calculator

    calculator = Calculator("GFN1-xTB", np.array([number]), np.zeros((1, 3)), uhf=number % 2)
    calculator.set("verbosity", 0)
    held = calculator.singlepoint()["orbital-occupations"].sum()
    assert held == pytest.approx(valence_electrons(number), abs=1e-3)


def test_lanthanides_have_their_f_electrons_in_the_core(gfn2: TightBinding) -> None:
    assert valence_of(single(64, charge=3, multiplicity=8)) == (0, 0)
    assert valence_of(single(64, multiplicity=9)) == (3, 1)
    assert valence_of(single(57, charge=3)) == valence_of(single(71, charge=3)) == (0, 0)
    with pytest.raises(InputError, match="7 unpaired f electrons"):
        single_point(single(64, charge=3, multiplicity=6), gfn2)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (single(87, charge=1), "up to radon"),
        (atoms([92, 9, 9], [[0, 0, 0], [0, 0, 2], [0, 0, -2]]), "not U"),
        (single(3, multiplicity=4), "the valence has 1 electron"),
        (single(2, multiplicity=3), "do not fit into the minimal basis"),
        (single(11, charge=3), "2 electrons more than the valence has"),
        (single(1, charge=-3), "do not fit into the minimal basis"),
        (HYDROGEN.model_copy(update={"charge": 2}), "bare nuclei"),
    ],
    ids=["francium", "uranium", "Li quartet", "He triplet", "Na3+", "H3-", "H2 2+"],
)
def test_what_the_valence_does_not_have_is_refused(given: ConceptualAtoms, words: str) -> None:
    with pytest.raises(InputError, match=words):
        single_point(given, level("GFN1-xTB" if given.formula == "He" else "GFN2-xTB"))


def test_an_atom_cannot_have_more_unpaired_electrons_than_electrons() -> None:
    with pytest.raises(ValueError, match="multiplicity"):
        single(1, multiplicity=3)
    with pytest.raises(ValueError, match="Å apart"):
        atoms([1, 1], [[0, 0, 0], [0, 0, 0]])


def test_periodic_structures_are_refused(gfn2: TightBinding) -> None:
    salt = ConceptualAtoms(
        numbers=np.array([11, 17]),
        positions=np.array([[0, 0, 0], [2.82, 0, 0]]),
        cell=np.eye(3) * 5.64,
        periodic=np.array([True] * 3),
    )
    with pytest.raises(InputError, match="periodic"):
        single_point(salt, gfn2)


def test_charges_that_do_not_become_consistent_are_no_result() -> None:
    """Far apart, an electron of sodium jumps to chlorine and back; hot electrons stay between."""
    apart = atoms([11, 17], [[0, 0, 0], [0, 0, 30.0]])
    with pytest.raises(NotConvergedError, match="higher electronic temperature"):
        single_point(apart, level())
    assert np.isfinite(single_point(apart, level(electronic_temperature=15000.0)).energy)


def test_hot_electrons_are_smeared(gfn2: TightBinding) -> None:
    hot = single_point(known("O3"), level(electronic_temperature=5000.0))
    cold = single_point(known("O3"), gfn2)
    assert hot.energy < cold.energy
    assert ((hot.occupations > 0.01) & (hot.occupations < 1.99)).any()
    assert hot.level.label == "GFN2-xTB (5000 K electrons)"
