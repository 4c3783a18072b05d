"""Other programs give back what they were given."""

import numpy as np
import pytest
from ase import Atoms
from hypothesis import given, settings
from pymatgen.core import Lattice, Molecule, Structure
from qcelemental.models import Molecule as QCMolecule  # pyright: ignore[reportAttributeAccessIssue]

from ontologies.atoms import ConceptualAtoms
from tests.ontologies.structures import named, slab, structures
from triplestore import InputError

PROGRAMS = ["ase", "qcelemental", "pymatgen"]


def there_and_back(atoms: ConceptualAtoms, program: str, keep_iri: bool) -> ConceptualAtoms:
    there = getattr(atoms, f"to_{program}")(keep_iri)
    return getattr(ConceptualAtoms, f"from_{program}")(there)


@pytest.mark.parametrize("program", PROGRAMS)
def test_round_trips(program: str) -> None:
    @settings(max_examples=60)
    @given(structures())
    def check(atoms: ConceptualAtoms) -> None:
        back = there_and_back(atoms, program, False)
        assert (back.charge, back.multiplicity) == (atoms.charge, atoms.multiplicity)
        np.testing.assert_array_equal(back.numbers, atoms.numbers)
        np.testing.assert_allclose(back.positions, atoms.positions, rtol=0, atol=1e-8)
        assert (back.cell is None) == (atoms.cell is None)
        if back.cell is not None and atoms.cell is not None:
            np.testing.assert_allclose(back.cell, atoms.cell, rtol=0, atol=1e-12)
            np.testing.assert_array_equal(back.periodic, atoms.periodic)
        assert there_and_back(atoms, program, True).iri == atoms.iri

    check()


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_slab_stays_a_slab(program: str) -> None:
    back = there_and_back(slab(), program, False)
    assert back.periodic is not None
    assert back.periodic.tolist() == [True, True, False]


def test_what_moved_has_another_iri() -> None:
    water = named("H2O")
    atoms = water.to_ase(keep_iri=True)
    atoms.positions[0, 0] += 1e-6
    assert ConceptualAtoms.from_ase(atoms).iri != water.iri
    crystal = slab().to_pymatgen(keep_iri=True)
    crystal.translate_sites([0], [0.01, 0, 0])  # pyright: ignore[reportAttributeAccessIssue]
    assert ConceptualAtoms.from_pymatgen(crystal).iri != slab().iri
    cell = slab().to_ase(keep_iri=True)
    cell.set_cell(cell.cell.array * 1.001)
    assert ConceptualAtoms.from_ase(cell).iri != slab().iri


def test_isotopes_are_refused_and_do_not_get_lost() -> None:
    heavy = named("H2O").to_ase()
    for masses in ([None, 2.014, None], [18.0, None, None], [None, None, np.nan]):
        heavy.set_masses(masses)  # pyright: ignore[reportArgumentType]
        with pytest.raises(InputError, match=r"atom \d \([HO]\) has a mass of"):
            ConceptualAtoms.from_ase(heavy)
    for usual in ("defaults", "most_common", [15.9994, 1.0079, 1.00794]):
        heavy.set_masses(usual)  # pyright: ignore[reportArgumentType]
        assert ConceptualAtoms.from_ase(heavy).iri == named("H2O").iri
    oxygen = {"symbols": ["O", "H", "H"], "geometry": named("H2O").positions / 0.529}
    ConceptualAtoms.from_qcelemental(QCMolecule(**oxygen))
    with pytest.raises(InputError, match=r"atom 1 \(O\) has a mass of 17\.9992 Da"):
        ConceptualAtoms.from_qcelemental(QCMolecule(**oxygen, mass_numbers=[18, 1, 1]))
    with pytest.raises(InputError, match=r"atom 2 \(H\) has a mass of 2\.0141 Da"):
        ConceptualAtoms.from_qcelemental(QCMolecule.from_data("O 0 0 0\n2H 0 0 0.96\nH 0.9 0 -0.3"))
    for deuterium in ("D", "D+"):
        with pytest.raises(InputError, match=r"atom 2 \(D\) has a mass of 2\.01"):
            ConceptualAtoms.from_pymatgen(Molecule(["F", deuterium], [[0, 0, 0], [0, 0, 0.92]]))


def test_what_cannot_be_read_is_refused() -> None:
    with pytest.raises(InputError, match="span no volume"):
        ConceptualAtoms.from_ase(Atoms("C", cell=[3, 3, 0], pbc=[True, True, False]))
    with pytest.raises(InputError, match=r"charge of 0\.5"):
        ConceptualAtoms.from_ase(Atoms("C", info={"charge": 0.5}))
    with pytest.raises(TypeError):
        ConceptualAtoms.from_ase(Atoms("C"), charg=1)  # pyright: ignore[reportCallIssue]
    mixed = Structure(Lattice.cubic(4), [{"Na": 0.5, "K": 0.5}], [[0, 0, 0]])
    with pytest.raises(InputError, match="several elements"):
        ConceptualAtoms.from_pymatgen(mixed)
    assert ConceptualAtoms.from_ase(Atoms("C"), charge=1).charge == 1
