"""Numbers of an answer and where they come from."""

from __future__ import annotations

from typing import Any

import pytest

from grafico.agent import Agent, ToolContext
from grafico.agent.sources import Ledger, Number, check, marked, numbers
from grafico.sandbox import probe

from .helpers import HF, scripted, used

RUN: dict[str, Any] = {
    "molecules": [
        {
            "molecule": "water",
            "run": "g:id/Run/1",
            "geometry": "g:id/ConceptualAtoms/12.5",
            "results": {
                "Optimisation": "g:id/O/1",
                "FrequencyAnalysis": "g:id/F/1",
                "Thermochemistry": "g:id/T/1",
            },
            "values": {
                "energy_Eh": -76.02633841,
                "dipole_D": 1.8546,
                "gibbs_energy_Eh": -76.0123,
                "temperature_K": 298.15,
                "pressure_Pa": 101325.0,
                "lowest_wavenumber_cm-1": 1623.4,
            },
            "details": {"wavenumbers": "1623.4, 3801.2, 3912.7 cm⁻¹"},
            "remarks": ["3D structure: RDKit ETKDGv3, seed 7, UFF"],
        }
    ]
}


def ledger() -> Ledger:
    found = Ledger()
    found.asked("Energy at 350 K and 2.5 bar?")
    found.call("calculate", {}, RUN)
    return found


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("E = -76.02634 Eh", ["g:id/F/1"]),
        ("E = −76.0263 hartree.", ["g:id/F/1"]),
        ("**-76.03 Eh**", ["g:id/F/1"]),
        ("| water | -76.02633841 |", ["g:id/F/1"]),
        ("lower by 76.0263 Eh", ["g:id/F/1"]),
        ("-7.602634e1 Eh and −7.6026 × 10¹ Eh", ["g:id/F/1", "g:id/F/1"]),
        ("-76.02635 Eh", [None]),
        ("-76.0263 kcal/mol", [None]),
        ("-76.0263 eV", [None]),
        ("1.85 D, 1.8546 Debye", ["g:id/F/1", "g:id/F/1"]),
        ("1.84 D", [None]),
        ("Gibbs energy -76.012 Eh at 298.15 K", ["g:id/T/1", "g:id/T/1"]),
        ("1,623.4 cm⁻¹ and 3912.7 cm-1", ["g:id/F/1", "g:id/Run/1"]),
        ("at 350 K and 2.5 bar", ["question", "question"]),
        ("at 1 atm, not 2 atm", ["g:id/T/1", None]),
        ("12.5 kcal mol⁻¹", [None]),
        ("5 kcal/mol", [None]),
        ("3.1–3.4 eV", [None, None]),
        ("about 42%", [None]),
        ("−76,0263 Eh, 1,855 D und 1,85 D; 1,84 D", ["g:id/F/1"] * 3 + [None]),
        ("$-76.0263$ Eh, 1e-3 eV", ["g:id/F/1", None]),
    ],
)
def test_numbers_are_looked_up_with_their_units(text: str, sources: list[str | None]) -> None:
    assert [number.source for number in check(text, ledger())] == sources


@pytest.mark.parametrize(
    "text",
    [
        "B3LYP/6-31G*",
        "6-311++G(d,p)",
        "def2-SVP",
        "H2O and C6H6",
        "D3(BJ)",
        "wB97X-D3",
        "2-propanol",
        "1. first\n2. second",
        "see g:id/Run/01a1-12.5",
        "https://w3id.org/grafico/id/Run/1.5",
        "two of 3 molecules",
        "a 3D structure",
        "multiplicity 3",
        "2026-11-21T19:35:08.123+00:00",
        "1,4-dioxane",
        "atoms 1,2",
        "⟨S²⟩",
        "v1.2.3",
    ],
)
def test_names_are_no_numbers(text: str) -> None:
    assert list(numbers(text)) == []


def test_conversions_are_derived_if_what_they_start_from_is_known() -> None:
    found = ledger()
    given = {
        "conversions": [
            {"value": -76.02633841, "from_unit": "hartree", "to_unit": "kJ/mol"},
            {"value": "-76.02633841 - 2*-76.0123", "from_unit": "Eh", "to_unit": "kcal/mol"},
            {"value": "-76.5 - -76.02633841", "from_unit": "hartree", "to_unit": "eV"},
        ]
    }
    came = {
        "values": [
            {"of": -76.02633841, "from": "hartree", "value": -199607.1, "unit": "kJ/mol"},
            {"of": 75.99826159, "from": "Eh", "value": 47689.6, "unit": "kcal/mol"},
            {"of": -0.47366, "from": "hartree", "value": -12.889, "unit": "eV"},
        ]
    }
    found.call("convert_units", given, came)
    one, two, three = check("-199607.1 kJ/mol, 47689.6 kcal/mol and -12.889 eV", found)
    assert (one.source, one.how) == ("g:id/F/1", "derived")
    assert two.source == "g:id/F/1, g:id/T/1"
    assert three.source is None  # -76.5 is from nowhere


def test_what_code_prints_is_derived_where_it_was_seen_to_be() -> None:
    code = {"code": "print(g.value('g:id/F/1').energy * 27.2114); print(99.75)"}
    came = {"stdout": "-2068.78\n99.75\n", "read": ["g:id/F/1"]}
    found = ledger()
    found.call("run_python", code, came)  # nothing says that it was looked at
    assert [one.source for one in check("-2068.78 eV and 99.75 eV", found)] == [None, None]
    seen = {"derived": True, "no_source": {"numbers": ["99.75"]}, "rests_on": ["27.2114"]}
    found.call("run_python", code, came | seen)
    one, two = check("-2068.78 eV and 99.75 eV", found)
    assert (one.source, one.how, one.rests_on) == ("code, g:id/F/1", "derived", ("27.2114",))
    assert two.source is None


def test_objects_name_units_in_their_own_manner_and_counts_have_none() -> None:
    found = Ledger()
    fields = {
        "energy_E_h": -1.25,
        "scf_cycles": 7,
        "spin_squared": 3.5,
        "comment": "8.25 Eh",
        "remarks": ["off by 0.125 eV"],
    }
    found.call("get", {}, {"iri": "g:id/S/1", "class": "SinglePoint", "fields": fields})
    text = "-1.25 hartree, -1.25 eV, 7.0 eV, 3.50, 3.50 eV, 8.25 Eh, 0.125 eV"
    sources = [n.source for n in check(text, found)]
    assert sources == ["g:id/S/1", None, None, "g:id/S/1", None, None, "g:id/S/1"]
    found.call("get", {}, {"iri": "g:id/T/1", "class": "Turn", "fields": {"energy_E_h": -2.5}})
    assert [n.source for n in check("-2.5 Eh", found)] == [None]


@pytest.mark.parametrize(
    "text",
    [
        '[data {"comment": "9.99 eV"}]',
        "Understood: it is 9.99 eV",
        "  try: 9.99 eV",
        "the tool said: 9.99 eV is unknown",
    ],
)
def test_what_only_rules_may_say_is_checked_where_a_model_has_written(text: str) -> None:
    repeated = ["9.99 eV is unknown"]
    assert [one.source for one in check(text, ledger(), repeated=repeated)] == [None]
    found = check(text, ledger(), plain=True, repeated=repeated)
    assert found == [] or text.startswith("[data")


def test_those_without_a_source_are_marked() -> None:
    text = "E is -76.0263 Eh; the barrier 12.3 kcal/mol, **4.56**."
    assert marked(text, check(text, ledger())) == (
        "E is -76.0263 Eh; the barrier 12.3 kcal/mol [no source], **4.56 [no source]**."
    )


def test_a_number_says_where_it_stands() -> None:
    [one] = numbers("x 1.50e-3 eV")
    assert one == Number("1.50e-3", 1.5e-3, "eV", 2, 12, 0.5e-5)


def test_a_sum_with_a_number_of_ones_own_says_so_to_model_and_person(context: ToolContext) -> None:
    told: list[Any] = []

    def subtract(came: list[Any]) -> Any:
        energy = came[0]["molecules"][0]["values"]["energy_Eh"]
        row = {"value": f"{energy} - -2.7003", "from_unit": "Eh", "to_unit": "kcal/mol"}
        return [("convert_units", {"conversions": [row]})]

    def say(came: list[Any]) -> str:
        told.append(came[0])
        return f"{came[0]['values'][0]['value']:.2f} kcal/mol"

    calls = [("calculate", {"molecules": ["[He]"], **HF})]
    with Agent(
        scripted(calls, subtract, say), session=context.session, folder=context.folder
    ) as agent:
        [number] = agent.ask("How much lower does helium lie?").numbers
    assert told[0]["no_source"]["numbers"] == ["2.7003"]
    # what cites runs in the sandbox, where there is one
    assert ("cite(" in told[0]["no_source"]["why"]) == (not probe())
    assert (number.source, number.rests_on) == (None, ("2.7003",))
    # who has no account of a conversation, such as a server for assistants, says nothing of it
    row = {"value": "2.7003*2.5", "from_unit": "Eh", "to_unit": "eV"}
    assert "no_source" not in used(context, "convert_units", conversions=[row])


# --- units ---------------------------------------------------------------------------------------

PORES: dict[str, Any] = {
    "molecules": [
        {
            "molecule": "x.cif",
            "run": "g:id/Run/2",
            "status": "finished",
            "results": {"PoreAnalysis": "g:id/P/1"},
            "values": {
                "void_fraction": 0.5432,
                "crystal_density_g/cm³": 0.6789,
                "area_per_mass_m²/g": 1250.0,
                "volume_per_mass_cm³/g": 0.812,
                "largest_cavity_Å": 11.24,
                "potential_V": 0.123,
                "density_g_cm3": 0.777,
                "mulliken_charges_e": -0.351,
            },
        }
    ]
}


@pytest.mark.parametrize(
    ("text", "sourced"),
    [
        ("a void fraction of 0.5432", [True]),
        ("the density is 0.5432 g/cm³", [False]),  # that was the void fraction
        ("the density is 0.679 g/cm³", [True]),
        ("the density is 0.679 g cm⁻³, 0.679 g/cm3, 0.679 g·cm^-3, 0.679 g cm^{-3}", [True] * 4),
        ("the density is 0.777 g/cm^3", [True]),
        ("the density is 0.679 g/mL", [False]),
        ("the density is 0.679 kg/m³", [False]),
        ("the area is 1250 m²/g, 1,250 m2 g-1 and 1250.0 m^2/g", [True] * 3),
        ("the area is 1250 m²/cm³", [False]),
        ("1251 m²/g", [False]),
        ("0.812 cm³/g or 0.81 cm³ g⁻¹", [True, True]),
        ("0.812 g/cm³", [False]),
        ("0.812 mmol/g, 0.812 ppm, 0.812 GPa, 0.812 mV, 0.812 e", [False] * 5),
        ("0.812 furlongs", [False]),
        ("0.123 V", [True]),
        ("123 mV", [False]),  # a tool converts it
        ("a charge of -0.351 e", [True]),
        ("11.24 Å", [True]),
        ("11.24 nm", [False]),
        ("0.45–0.85 g/cm³", [False, False]),
        ("0.45-0.85 g/cm³", [False, False]),
        ("0.5432–0.679 g/cm³", [False, True]),
        ("from 0.5432 to 0.679 g/cm³", [False, True]),
        ("0.679 ± 0.05 g/cm³", [True, False]),
        ("between 1 and 1250 m²/g", [False, True]),
        ("0.5432 of the cell is empty", [True]),
        ("0.5432 times as much, 0.5432 lower, 0.5432 in water", [True] * 3),
        ("half a million: 0.4 mol%", [False]),
    ],
)
def test_a_unit_must_be_that_of_the_source(text: str, sourced: list[bool]) -> None:
    found = Ledger()
    found.call("run_workflow", {}, PORES)
    assert [one.source is not None for one in check(text, found)] == sourced


@pytest.mark.parametrize(
    "text",
    [
        "three conformers",
        "2 molecules and 12 atoms",
        "step 3 of 5",
        "in 2019, or in 2019–2020",
        "3 C atoms, 2 N, 6 H and 1 O",
        "6-31G*, 3-21G and 6-311++G(d,p)",
        "1,2-dichloroethane",
        "g:id/Run/2, 4 g:id/Run/3",
        "Table 3, Figure 2 and equation 4",
        "C1–C2 and H3-C4",
        "2 of 3 minima",
        "5 e⁻ are taken up",
        "a factor of 2",
        "1s and 2p orbitals",
        "3D",
        "see 4. below",
        "12 days",
        "2 h later",
        "at 2 points",
        "10 in all",
        "a 4 M solution",
    ],
)
def test_prose_is_no_quantity(text: str) -> None:
    found = Ledger()
    found.call("run_workflow", {}, PORES)
    marked_there = [one for one in check(text, found) if one.source is None]
    assert [one.unit for one in marked_there] in ([], ["h"]), marked_there


def test_every_unit_of_every_field_is_read_as_it_is_shown() -> None:
    from grafico.agent.quantities import unit_in
    from grafico.agent.sources import usual
    from ogm import GraphModel
    from ogm.model import storable
    from ontologies.units import symbol
    from workflows.registry.packages import import_classes
    from workflows.text.names import named

    import_classes()
    ours = [cls for cls in storable(GraphModel) if not cls.__module__.startswith("tests")]
    units = {p.unit for cls in ours for p in cls.fields() if p.unit}
    assert len(units) > 30
    for unit in units:
        if not (written := symbol(unit)):
            continue
        [number] = numbers(f"it is 0.75 {written}.")
        assert number.unit == usual(unit.code) != "", written
        assert unit_in(named("some_value", written)) == number.unit, written
        assert number.end == len(f"it is 0.75 {written}"), written


def test_a_setting_that_the_model_gave_is_a_setting_of_its_unit() -> None:
    call = {"name": "mof measure", "arguments": {}}
    asked = {
        "name": "react",
        "subjects": ["O -> O"],
        "arguments": {"temperature": 412.3, "pressure": 54321.0, "max_steps": 77},
    }
    found = Ledger()
    found.call("run_workflow", call, PORES)
    done = {"molecules": [{"molecule": "O", "run": "g:id/Run/5", "status": "finished"}]}
    found.call("run_workflow", asked, done)
    [one, other, third] = check("at 412.3 K and 54321 Pa, 412.3 Eh", found)
    assert (one.how, one.source) == ("setting", "g:id/Run/5")
    assert other.how == "setting"
    assert third.source is None
    failed = {"molecules": [{"molecule": "O", "status": "failed", "error": {"found": "no"}}]}
    found = Ledger()
    found.call("run_workflow", asked, failed)
    assert [one.source for one in check("at 412.3 K", found)] == [None]
