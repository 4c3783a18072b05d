"""Ring strain: schemes that balance, sums of what their species come to alone, bad rings."""

from __future__ import annotations

from collections import Counter
from typing import Any, get_args

import pytest
from rdkit import Chem

from grafico import Grafico
from ontologies.strain import RingStrain, StrainScheme
from tests.asking import made
from triplestore.errors import InputError
from workflows.strain.schemes import LINKS, contracted, cycloalkane, opened

KJ = 2625.499639480
TIGHT: dict[str, Any] = {"method": "GFN2-xTB", "task": "optimise"}


def strain(session: Grafico, ring: str, **asked: Any) -> RingStrain:
    return made(session, "strain", ring, RingStrain, **{**TIGHT, **asked})


def kinds(smiles: str) -> Counter[str]:
    """Return the atoms of a molecule and, of its heavy atoms, how many hydrogens they have."""
    mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
    return Counter(atom.GetSymbol() for atom in mol.GetAtoms())


def ring_size(smiles: str) -> int:
    """Return the atoms of its ring; the molecule has to outlive what is told of its rings."""
    mol = Chem.MolFromSmiles(smiles)
    return len(mol.GetRingInfo().AtomRings()[0])


RINGS = [
    "C1CC1",
    "C1CCC1",
    "C1CO1",
    "C1=CC1",
    "CC1CC1",
    "FC1CCC1",
    "C1CC[NH2+]C1",
    "C1C[CH]C1",
    "O=C1CCCC1",
    "C1CCCCCCC1",
]


@pytest.mark.parametrize("ring", RINGS)
@pytest.mark.parametrize("scheme", LINKS)
def test_every_scheme_balances(ring: str, scheme: StrainScheme) -> None:
    ring = Chem.CanonSmiles(ring)
    size = ring_size(ring)
    if LINKS[scheme] >= size:
        with pytest.raises(InputError, match="no chain of 4 links"):
            opened(ring, scheme, "it was asked for")
        return
    [step] = opened(ring, scheme, "it was asked for")
    assert step.sign == -1
    assert step.counts[ring] == -1
    balance = Counter[str]()
    charge = 0
    for name, number in step.counts.items():
        charge += number * Chem.GetFormalCharge(Chem.MolFromSmiles(name))
        for kind, count in kinds(name).items():
            balance[kind] += number * count
    assert not any(balance.values())
    assert charge == 0


def test_the_schemes_of_cyclobutane_are_those_of_the_literature() -> None:
    """P. George et al., Tetrahedron 32, 317 (1976): ethane to propane for each link."""
    found = {scheme: dict(opened("C1CCC1", scheme, "")[0].counts) for scheme in LINKS}
    assert found == {
        "isodesmic": {"C1CCC1": -1, "C": -4, "CC": 4},
        "homodesmotic": {"C1CCC1": -1, "CC": -4, "CCC": 4},
        "hyperhomodesmotic": {"C1CCC1": -1, "CCC": -4, "CCCC": 4},
    }
    assert {*LINKS, "contraction"} == {*get_args(StrainScheme)}


@pytest.mark.parametrize("size", [3, 4, 5, 7, 8, 9])
def test_contraction_leads_to_the_ring_of_reference(size: int) -> None:
    """Substituents without strain cancel: what is left is ring less ring of reference."""
    left = Counter[int]()
    for step in contracted(cycloalkane(size), 6, ""):
        for name, number in step.counts.items():
            left[ring_size(name)] += step.sign * number
    assert {ring: number for ring, number in left.items() if number} == {size: 1, 6: -1}


def test_it_is_the_sum_of_its_species(session: Grafico) -> None:
    found = strain(session, "cyclopropane")
    alone = {name: session.run(name, **TIGHT) for name in ("C1CC1", "CC", "CCC")}
    assert all(one.reused for one in alone.values()), "nothing is computed twice"
    ring, two, three = (one.energy for one in alone.values())
    assert found.strain_energy == pytest.approx(ring + 3 * two - 3 * three, abs=1e-10)
    assert found.strain_enthalpy is None
    [reaction] = found.reactions
    assert reaction.conserved == "bond types and hybridisation"
    assert 80 < found.strain_energy * KJ < 140, "experiment 115 kJ/mol"
    assert session.kg.pull(RingStrain, found.iri) == found, "it is stored"
    again = session.run("cyclopropane", workflow="strain", **TIGHT)
    assert again.reused


def test_contraction_by_enthalpies(session: Grafico) -> None:
    found = strain(session, "C1CCC1", scheme="contraction", reference_ring=5, task="frequencies")
    assert found.reference_size == 5
    assert found.signs == (1,)
    [step] = found.reactions
    assert found.strain_enthalpy == step.enthalpy_change
    assert found.strain_gibbs == step.gibbs_change
    assert 0 < found.strain_energy * KJ < 150


def test_the_lowest_conformer_is_taken(session: Grafico) -> None:
    """Of cyclopropanol, whose hydroxyl group turns: what is built first need not be the lowest."""
    asked: dict[str, Any] = {"scheme": "isodesmic"}
    plain = strain(session, "OC1CC1", **asked)
    done = session.run("OC1CC1", workflow="strain", conformers=4, **TIGHT, **asked)
    [best] = done.ran.made
    assert isinstance(best, RingStrain)
    ring = [one.reactions[0].species_energies[0] for one in (best, plain)]
    assert {one.species.name for one in ring} == {"OC1CC1"}
    assert ring[0].energy <= ring[1].energy + 1e-6
    assert any(" conformers at GFN2-xTB" in remark for remark in done.remarks)
    assert "CC: one conformer" in done.remarks


@pytest.mark.parametrize(
    ("ring", "asked", "problem"),
    [
        ("CC", {}, "no ring"),
        ("c1ccccc1", {}, "aromatic"),
        ("C1CC2CC12", {}, "2 rings"),
        ("C1CC1", {"scheme": "hyperhomodesmotic"}, "no chain of 4 links"),
        ("CC1CC1", {"scheme": "contraction"}, "plain cycloalkanes"),
        ("C1CCCCC1", {"scheme": "contraction"}, "is the reference"),
        ("C1CC1", {"reference_ring": 5}, "no effect"),
        (f"C1{'C' * 19}C1", {}, "has 21 atoms"),
    ],
)
def test_what_cannot_be_is_said(
    session: Grafico, ring: str, asked: dict[str, Any], problem: str
) -> None:
    with pytest.raises(InputError) as caught:
        strain(session, ring, **asked)
    assert problem in f"{caught.value.found}"
