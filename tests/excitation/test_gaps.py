"""S1, T1 and what lies between them, against closed forms and what PySCF says alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyscf import ao2mo, gto, scf

from grafico import Grafico
from ontologies.excitations import ExcitedStates
from ontologies.gaps import SingletTripletGap, SingletTripletGaps
from ontologies.provenance import Activity
from tests.asking import made, refuse
from triplestore.errors import GraficoError
from workflows.excitation.subject import Named, read_list
from workflows.show.blocks import Fact
from workflows.show.object_blocks import blocks_of

EV = 27.211386245981
LEVEL: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}
HF: dict[str, Any] = {**LEVEL, "response": "TDA"}


def excite(session: Grafico, molecules: object, **asked: Any) -> SingletTripletGaps:
    return made(session, "excitations", molecules, SingletTripletGaps, **{**HF, **asked})


def test_hydrogen_has_closed_forms(session: Grafico) -> None:
    """One pair of orbitals: S1 is ε₂ − ε₁ − J + 2K and T1 is ε₂ − ε₁ − J (CIS)."""
    found = excite(session, "[H][H]", task="energy", states=1)
    [gap] = found.gaps
    mol: Any = gto.M(
        atom=list(zip("HH", gap.atoms.positions.tolist(), strict=True)), basis="sto-3g", verbose=0
    )
    field: Any = scf.rhf.RHF(mol).run(conv_tol=1e-12)
    eri: Any = ao2mo.restore(1, ao2mo.kernel(mol, field.mo_coeff), 2)
    apart = field.mo_energy[1] - field.mo_energy[0]
    coulomb, exchange = eri[0, 0, 1, 1], eri[0, 1, 0, 1]
    assert gap.singlet_energy == pytest.approx((apart - coulomb + 2 * exchange) * EV, abs=1e-5)
    assert gap.triplet_energy == pytest.approx((apart - coulomb) * EV, abs=1e-5)
    assert gap.singlet_triplet_gap == pytest.approx(2 * exchange * EV, abs=1e-5)
    assert gap.bright_state == 1, "σg → σu is allowed"


def test_each_is_computed_as_if_alone(session: Grafico) -> None:
    """At the relaxed geometry, and nothing is computed twice."""
    found = excite(session, "C=O; C=C")
    assert [one.name for one in found.gaps] == ["C=O", "C=C"]
    for gap in found.gaps:
        alone = session.run(gap.name, task="optimise", states=5, **HF)
        assert alone.reused
        assert isinstance(alone.last, ExcitedStates)
        assert alone.answers[-1].recorded == gap.singlets.iri
        below = session.run(alone.atoms, states=5, spin="triplet", **HF)
        assert below.reused
        assert isinstance(below.last, ExcitedStates)
        assert gap.triplets is not None
        assert below.answers[-1].recorded == gap.triplets.iri
        one, other = (float(a.last.excitation_energies[0]) for a in (alone, below))
        assert (gap.singlet_energy, gap.triplet_energy) == (one, other)
        assert gap.singlet_triplet_gap == one - other
        assert gap.singlet_strength == alone.last.oscillator_strengths[0]
    again = session.run("C=C; C=O", workflow="excitations", **HF)
    assert again.reused
    assert excite(session, ["C=O", "C=C"]).iri == found.iri


def test_a_dark_state_below_the_bright_one_is_told(session: Grafico) -> None:
    """n → π* of formaldehyde is forbidden: what absorbs lies higher."""
    [gap] = excite(session, "C=O").gaps
    assert gap.singlet_strength == pytest.approx(0, abs=1e-6)
    assert gap.bright_state == 2
    assert gap.bright_energy is not None
    assert gap.bright_energy > gap.singlet_energy + 3
    assert any("S1 (n → π*) is dark" in remark for remark in gap.remarks)


def test_the_order_of_the_table(session: Grafico) -> None:
    given = ["C=O", "C=C", "water"]
    values = {one.name: one for one in excite(session, "; ".join(given)).gaps}
    assert list(values) == given
    for order, field, sign in (
        ("S1", "singlet_energy", 1),
        ("T1", "triplet_energy", 1),
        ("gap", "singlet_triplet_gap", 1),
        ("strength", "singlet_strength", -1),
    ):
        found = excite(session, "; ".join(given), order=order)
        numbers = [getattr(one, field) * sign for one in found.gaps]
        assert numbers == sorted(numbers)
        assert sorted(one.name for one in found.gaps) == sorted(given)


def test_an_instability_towards_triplets_is_told_and_mended(session: Grafico) -> None:
    """That of ethylene in Hartree–Fock: its T1 of full TDDFT is imaginary."""
    done = session.run("C=C; water", workflow="excitations", **LEVEL)
    assert done.status == "goal unmet"
    assert "C=C" in done.message
    [found] = done.ran.made
    ethylene, water = found.gaps
    assert ethylene.triplet_energy is None
    assert ethylene.singlet_energy > 5
    assert water.singlet_triplet_gap > 0
    [failure] = found.failures
    assert failure.startswith("C=C: ")
    assert "response TDA" in failure
    mended = session.resume(done.run, response="TDA")
    assert mended.status == "finished"
    [found] = mended.ran.made
    assert found.failures == ()
    assert found.response == "TDA"


def test_what_fails_leaves_the_others(session: Grafico) -> None:
    excite(session, "C=O")
    done = session.run("C=O; OC=O", workflow="excitations", **HF, max_steps=1)
    assert done.status == "goal unmet"
    [found] = done.ran.made
    assert [one.name for one in found.gaps] == ["C=O"]
    assert found.failures[0].startswith("OC=O: ")
    mended = session.resume(done.run, max_steps=100)
    [found] = mended.ran.made
    assert [one.name for one in found.gaps] == ["C=O", "OC=O"]
    with pytest.raises(GraficoError, match="none of 1 came to a result"):
        excite(session, "CC=O", max_steps=1)


@pytest.mark.parametrize(
    ("molecules", "asked", "problem"),
    [
        ("C=O; [CH3]; O=O", {}, "[CH3] has the multiplicity 2"),
        ("[H][H]", {"states": 3}, "[H][H]: the basis set allows 1 single excitation"),
        ("C=O; xyzzyplugh", {}, "xyzzyplugh"),
        (" ; ", {}, "there is none"),
        ("C=O{x}", {}, "no charge in its braces"),
        ("C=O{+1}", {}, "multiplicity 2"),
        ("C=O; nothing.xyz", {}, "nothing.xyz"),
        ([], {}, "there are 0"),
        (7, {}, "a int is none"),
        ("C=O", {"method": "GFN2-xTB", "basis": None}, "excited states"),
        ("C=O", {"reference": "unrestricted"}, "triplets"),
        ("C=O", {"task": "energy", "max_steps": 5}, "no effect"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(
    session: Grafico, molecules: object, asked: dict[str, Any], problem: str
) -> None:
    refuse(session, "excitations", molecules, problem, **{**HF, **asked})


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("C=O;C=C", ["C=O", "C=C"]),
        ("C=O; C=C;", ["C=O", "C=C"]),
        ("C=O\nC=C\n", ["C=O", "C=C"]),
        ("formaldehyde, buta-1,3-diene", ["formaldehyde", "buta-1,3-diene"]),
        ("2,4-dinitrophenol", ["2,4-dinitrophenol"]),
        ("InChI=1S/CH4.H2/h1H4;1H; C=C", ["InChI=1S/CH4.H2/h1H4;1H", "C=C"]),
        ("a.xyz {+1}; b.xyz{-1}", ["a.xyz", "b.xyz"]),
    ],
)
def test_a_list_is_read(text: str, names: list[str]) -> None:
    assert [one.name for one in read_list(text)] == names


def test_charges_in_braces() -> None:
    assert read_list("a.xyz {+1}; b.xyz{-1}; c") == [
        Named("a.xyz", 1),
        Named("b.xyz", -1),
        Named("c"),
    ]


def test_the_same_molecule_is_computed_once(session: Grafico) -> None:
    found = excite(session, "C=O; O=C", task="energy")
    [gap] = found.gaps
    assert gap.name == "C=O"


def test_files_and_stored_structures(session: Grafico, tmp_path: Path) -> None:
    file = tmp_path / "water.xyz"
    file.write_text("3\n\nO 0 0 0.12\nH 0 0.76 -0.48\nH 0 -0.76 -0.48\n", encoding="utf-8")
    first = excite(session, file, task="energy")
    again = excite(session, f"{first.gaps[0].atoms.iri}; {file}", task="energy")
    assert len(again.gaps) == 1, "they are the same"
    assert np.allclose(again.gaps[0].atoms.positions, first.gaps[0].atoms.positions)
    same = session.run(first.molecule_set.iri, workflow="excitations", task="energy", **HF)
    assert same.reused


def test_minima_are_verified_where_that_is_asked(session: Grafico) -> None:
    for task, word in (("frequencies", "geometry, a minimum"), ("optimise", "not verified")):
        found = excite(session, "C=O", task=task, states=1)
        assert found.minima is (task == "frequencies")
        assert any(
            word in block.note for block in blocks_of(found).blocks if isinstance(block, Fact)
        )


def test_a_solvent_moves_what_a_lone_pair_loses_to_the_blue(session: Grafico) -> None:
    """n → π* of carbonyls lies higher in water: a lone pair is what water holds on to."""
    atoms = session.run("C=O", task="optimise", **LEVEL).atoms
    [gas] = excite(session, atoms, task="energy", states=1).gaps
    [wet] = excite(session, atoms, task="energy", states=1, solvent="water").gaps
    assert wet.level.label == "HF/STO-3G in C-PCM water"
    assert wet.singlet_energy - gas.singlet_energy > 0.02
    singlets = session.kg.pull(ExcitedStates, wet.singlets.iri)
    assert singlets.surroundings == "non-equilibrium"


def test_queries_find_gaps(session: Grafico) -> None:
    excite(session, "C=O; C=C")
    names = {one.name for one in session.kg.find(SingletTripletGap)}
    assert {"C=O", "C=C"} <= names
    assert session.kg.find(Activity, calculation="dft.excitations")
