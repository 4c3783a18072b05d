"""Particles whose energy no level computes, and bonds that no molecule has."""

from __future__ import annotations

from typing import Any

import pytest

from grafico import Grafico
from ontologies.dissociation import BondDissociation
from ontologies.forcefield import ForceField
from ontologies.level import Level
from ontologies.provenance import Run
from ontologies.reactions import ReactionEnergy
from ontologies.tightbinding import TightBinding
from tests.asking import made
from tests.levels.springs.program import SpringsProgram
from triplestore.errors import InputError
from workflows.correlated.program import PYSCF as CORRELATED
from workflows.dft.program import PYSCF
from workflows.forcefield.program import GFN_FF
from workflows.reaction.plausible import HETEROLYSIS, HOMOLYSIS, HYDRIDE, PROTON, bond_bounds
from workflows.registry.levels import on_reactions
from workflows.registry.plausibility import IMPLAUSIBLE, Bounds
from workflows.show.blocks import Fact, Note
from workflows.show.object_blocks import blocks_of, doubts_of
from workflows.tightbinding.program import TBLITE

KCAL = 627.5094740631
HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G", "task": "energy"}
GFN2: dict[str, Any] = {"method": "GFN2-xTB", "task": "energy"}


def react(session: Grafico, equation: str, **asked: Any) -> ReactionEnergy:
    usual: dict[str, Any] = {} if "method" in asked else HF
    return made(session, "reaction", equation, ReactionEnergy, **{**usual, **asked})


@pytest.mark.parametrize(
    ("program", "free"),
    [
        (PYSCF, True),
        (CORRELATED, True),
        (TBLITE, False),
        (GFN_FF, False),
        (SpringsProgram(), False),
    ],
)
def test_whose_zero_is_that_of_free_particles(program: Any, free: bool) -> None:
    """A program that says nothing, such as one of another package, is not trusted with it."""
    assert program.counts_from_free_particles(None) is free


def test_a_bare_proton_has_no_energy_where_the_zero_is_that_of_free_particles(
    session: Grafico,
) -> None:
    """What is claimed of programs, tried: at GFN2-xTB it is +0.22955 Eh."""
    for method in ("HF", "PBE", "MP2"):
        assert session.run("[H+]", method=method, basis="STO-3G").energy == 0
    assert session.run("[H+]", method="GFN2-xTB").energy == pytest.approx(0.22955, abs=1e-4)


@pytest.mark.parametrize(
    ("workflow", "subject", "asked", "problem"),
    [
        ("reaction", "[NH4+] -> N + [H+]", GFN2, "a bare nucleus is nothing that it was made for"),
        ("reaction", "C -> [CH3+] + [H-]", GFN2, "hydride is nothing that it was made for"),
        ("reaction", "[He+2] + [He] -> 2 [He+]", GFN2, "a bare nucleus"),
        ("reaction", "2 [H] -> [H]{+1} + [H]{-1}", GFN2, "nothing that it was made for"),
        ("reaction", "[NH4+] -> N + [H+]", {**GFN2, "conformers": 3}, "a bare nucleus"),
        ("reaction", "[NH4+] -> N + [H+]", {**HF, "energy_at": "GFN2-xTB"}, "a bare nucleus"),
        ("reaction", "[NH4+] -> N + [H+]", {**HF, "solvent": "water"}, "a continuum says nothing"),
        ("bond-dissociation", "C", {**GFN2, "into": "proton"}, "a bare nucleus"),
        ("bond-dissociation", "C", {**GFN2, "into": "hydride"}, "hydride"),
        ("bond-dissociation", "C", {**HF, "into": "proton", "solvent": "water"}, "a continuum"),
    ],
)
def test_ions_of_hydrogen_are_refused_before_anything_runs(
    session: Grafico, workflow: str, subject: str, asked: dict[str, Any], problem: str
) -> None:
    before = len(session.kg.find(Run))
    with pytest.raises(InputError) as caught:
        session.run(subject, workflow=workflow, **asked)
    assert problem in str(caught.value)
    assert len(session.kg.find(Run)) == before


@pytest.mark.parametrize(
    ("equation", "asked"),
    [
        ("[NH4+] + O -> N + [OH3+]", {**GFN2, "solvent": "water"}),
        ("[NH4+] -> N + [H+]", {**GFN2, "energy_at": "HF/STO-3G"}),
        ("[Na+] + [F-] -> [Na]F", GFN2),
        ("C -> [CH3+] + [H-]", {**HF, "solvent": "water"}),
    ],
)
def test_what_fits_is_computed(session: Grafico, equation: str, asked: dict[str, Any]) -> None:
    """Electrons that stay within the equation, and energies of a functional at such geometries."""
    react(session, equation, **asked)


def test_bonds_at_tight_binding_carry_a_note(session: Grafico) -> None:
    """Methanol's C–O comes to 147 kcal/mol, measured 92 at 298 K; a functional has no such note."""
    asked: dict[str, Any] = {**GFN2, "task": "optimise"}
    found = react(session, "CO -> [CH3] + [OH]", **asked)
    assert found.energy_change * KCAL == pytest.approx(147.3, abs=0.5)
    assert any("too strong" in one for one in notes(found))
    done = session.run("CO", workflow="bond-dissociation", bonds=("1-2",), **asked)
    assert any("too strong" in one for one in notes(done.ran.made[0]))
    assert not any(
        "too strong" in one for one in notes(react(session, "C=O -> [C-]#[O+] + [H][H]", **GFN2))
    )
    assert not any("too strong" in one for one in notes(react(session, "[H][H] -> 2 [H]")))


def test_programs_say_what_to_know_of_reactions() -> None:
    """Tight binding of bonds that break, a force field of any reaction, a functional of none."""
    assert TBLITE.of_reactions(TightBinding(method="GFN1-xTB"), "nothing")
    [shift] = TBLITE.of_reactions(TightBinding(method="GFN2-xTB"), "unpaired electrons")
    assert "tens of kcal/mol" in shift
    assert not TBLITE.of_reactions(TightBinding(method="GFN1-xTB"), "bond types")
    field = ForceField(method="GFN-FF", program_version="6.7")
    assert GFN_FF.of_reactions(field, "bond types and hybridisation")
    strange = Level(method="nobody computes it")
    assert on_reactions(strange, "nothing") == (), "of a store from elsewhere"


@pytest.mark.parametrize(
    ("equation", "bounds"),
    [
        ("CO -> [CH3] + [OH]", HOMOLYSIS),
        ("2 [H] -> [H][H]", HOMOLYSIS),
        ("2 [H][H] -> 4 [H]", HOMOLYSIS),
        ("C -> [CH3-] + [H+]", PROTON),
        ("C -> [CH3+] + [H-]", HYDRIDE),
        ("CF -> [CH3+] + [F-]", HETEROLYSIS),
        ("[NH4+] -> N + [H+]", None),
        ("O -> [O] + 2 [H]", None),
        ("C=C + [H][H] -> CC", HOMOLYSIS),
    ],
)
def test_which_bounds_hold(session: Grafico, equation: str, bounds: Bounds | None) -> None:
    assert bond_bounds(react(session, equation)) is bounds


def test_a_bond_that_no_molecule_has(session: Grafico) -> None:
    """STO-3G has no room for the electron of CH3⁻: its acidity as a gas is 417 kcal/mol."""
    found = react(session, "C -> [CH3-] + [H+]")
    [doubt] = doubts_of(found)
    value = found.energy_change * KCAL
    assert value > 450
    assert f"{value:.2f} kcal/mol is not plausible" in doubt.text
    shown = {one.name: one for one in blocks_of(found).blocks if isinstance(one, Fact)}
    assert shown[IMPLAUSIBLE].headline
    assert not shown["energy_change"].headline
    assert shown["energy_change"].minor
    done = session.run("C", workflow="bond-dissociation", into="proton", **HF)
    [both] = done.ran.implausible
    assert both.startswith("C1-H2, ΔE")
    better = react(session, "C -> [CH3-] + [H+]", basis="6-31+G*")
    assert not doubts_of(better), better.energy_change * KCAL


def test_what_stands_before_is_bounded_alike(session: Grafico) -> None:
    """Written as a formation, and twice: the same bond, told in the direction that is written."""
    one = react(session, "C -> [CH3-] + [H+]").energy_change * KCAL
    for equation, told in (
        ("C -> [CH3-] + [H+]", f"ΔE as written, where a bond breaks, {one:.2f} kcal/mol is not"),
        ("[CH3-] + [H+] -> C", f"ΔE as written, where a bond forms, {-one:.2f} kcal/mol is not"),
        ("2 C -> 2 [CH3-] + 2 [H+]", f"breaks, for one of 2, {one:.2f} kcal/mol is not plausible"),
    ):
        [doubt] = doubts_of(react(session, equation))
        assert told in doubt.text
        bounds = "-450 to 100" if equation.endswith("-> C") else "-100 to 450"
        assert f"it lies outside {bounds} kcal/mol" in doubt.text


def test_many_bonds_have_no_bounds_of_one(session: Grafico) -> None:
    """What falls into two parts by several bonds is no broken bond, whatever it takes."""
    found = react(session, "C1CC1 -> C=C + [CH2]")
    assert bond_bounds(found) is HOMOLYSIS
    assert not doubts_of(found)
    much = found.model_copy(update={"energy_change": 400 / KCAL})
    assert not doubts_of(much)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -15.01, 40.01])
def test_ends_and_what_is_no_number(value: float) -> None:
    bounds = Bounds(-15.0, 40.0, "", "why")
    assert [*bounds.doubt(value, "pKa")]
    assert not [*bounds.doubt(40.0, "pKa")]
    assert not [*bounds.doubt(-15.0, "pKa")]


def notes(found: ReactionEnergy | BondDissociation) -> list[str]:
    return [one.text for one in blocks_of(found).blocks if isinstance(one, Note)]
