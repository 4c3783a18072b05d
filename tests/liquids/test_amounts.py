"""The chemistry of amounts: by hand, by a second path, and on random designs."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from triplestore.errors import InputError
from workflows.liquids.design import CAPACITIES, Design
from workflows.liquids.protocol import protocol
from workflows.liquids.quantities import read

DENSE = {"temperature": "20 °C", "source": "handbook"}


def made(amounts: dict[str, Any], **more: Any) -> dict[str, float]:
    """Amounts in the only vial of a sample."""
    said: dict[str, Any] = {
        "name": "one",
        "chemicals": {
            "water": {
                "state": "liquid", "structure": "O",
                "density": {"value": "0.998 g/mL", **DENSE},
            },
            "ethanol": {
                "state": "liquid", "molar_mass": "46.07 g/mol",
                "density": {"value": "0.789 g/mL", **DENSE},
            },
            "salt": {
                "state": "solid", "molar_mass": "58.44 g/mol",
                "density": {"value": "2.17 g/mL", **DENSE},
            },
            "acid": {"state": "liquid", "molar_mass": "36.46 g/mol"},
        },
        "stocks": {
            "brine": {"of": "salt", "in": "water", "concentration": "2 M"},
            "hydrochloric acid": {
                "of": "acid", "in": "water", "concentration": "37 wt%",
                "density": {"value": "1.18 g/mL", **DENSE},
            },
            "weak": {"of": "salt", "in": "water", "concentration": "50 mg/mL"},
        },
        "volume": "2 mL",
        "solvent": "water",
        "samples": [{"amounts": amounts, **more.pop("group", {})}],
        **more,
    }  # fmt: skip
    return protocol(said).amounts["Plate 1"]["A1"]


@pytest.mark.parametrize(
    ("amounts", "name", "wanted"),
    [
        ({"salt": "100 mg"}, "water", 2000 - 100 / 2.17),
        ({"salt": "0.5 M"}, "salt", 58.44),  # 1 mmol
        ({"salt": "1 mmol"}, "salt", 58.44),
        ({"salt": "0.1 g"}, "salt", 100),
        ({"salt": "5 g/L"}, "salt", 10),
        ({"ethanol": "1 M"}, "ethanol", 2 * 46.07 / 0.789),
        ({"ethanol": "10 vol%"}, "ethanol", 200),
        ({"ethanol": "78.9 mg"}, "ethanol", 100),
        ({"brine": "0.1 M"}, "brine", 100),
        ({"brine": "150 uL"}, "brine", 150),
        ({"weak": "5 mg/mL"}, "weak", 200),
        ({"hydrochloric acid": "1 M"}, "hydrochloric acid", 2 * 36.46 / (0.37 * 1.18)),
        # 12.0 M is what a bottle of 37 % says
        ({"hydrochloric acid": "1 M"}, "hydrochloric acid", 2000 / 11.975),
        ({"salt": "1 mmol", "ethanol": "2 eq"}, "ethanol", 2 * 46.07 / 0.789),
    ],
)
def test_amounts_are_those_of_a_calculation_by_hand(
    amounts: dict[str, Any], name: str, wanted: float
) -> None:
    group = {"reference": "salt"} if "2 eq" in amounts.values() else {}
    assert made(amounts, group=group)[name] == pytest.approx(wanted, rel=1e-4)


def test_a_share_of_the_weight_counts_the_solvent() -> None:
    found = made({"salt": "5 wt%", "ethanol": "10 wt%"})
    masses = found["salt"], found["ethanol"] * 0.789, found["water"] * 0.998
    assert masses[0] / sum(masses) == pytest.approx(0.05, rel=1e-12)
    assert masses[1] / sum(masses) == pytest.approx(0.10, rel=1e-12)
    volume = found["salt"] / 2.17 + found["ethanol"] + found["water"]
    assert volume == pytest.approx(2000, rel=1e-12)


def test_a_dilution_series_halves() -> None:
    said = {
        "name": "series",
        "chemicals": {"water": {"state": "liquid"}, "dye": {"state": "solid"}},
        "stocks": {"dye in water": {"of": "dye", "in": "water", "concentration": "10 mM"}},
        "volume": "1 mL",
        "solvent": "water",
        "samples": [{"amounts": {"dye in water": {"start": "4 mM", "factor": 2, "number": 6}}}],
    }
    found = protocol(said).amounts["Plate 1"]
    doses = [each["dye in water"] for each in found.values()]
    assert doses == pytest.approx([400, 200, 100, 50, 25, 12.5])


@pytest.mark.parametrize(
    ("amounts", "reason"),
    [
        ({"salt": "10 mL"}, "volume of a solid"),
        ({"salt": "3 vol%"}, "share of volume of a solid"),
        ({"ethanol": "90 vol%", "brine": "1 M"}, "without solvent its parts take"),
        ({"acid": "1 M"}, "density is missing"),
        ({"salt": "60 wt%", "ethanol": "60 wt%"}, "come to 120 wt%"),
        ({"ethanol": "2 eq"}, "equivalents"),
        ({"brine": "5 vol%"}, "stock whose strength is 2 M"),
        ({"water": "5 µL"}, "fills up"),
        ({"gold": "5 mg"}, "'gold', which is not there"),
        ({"salt": "5"}, "no unit"),
        ({"salt": 5}, "no unit"),
        ({"salt": "-5 mg"}, "negative"),
        ({"salt": "nan mg"}, "no number"),
        ({"salt": "1e300 mg"}, "absurdly large"),
        ({"salt": "5 %"}, "by weight or by volume"),
        ({"salt": "5 stone"}, "not known"),
        ({"salt": "25 °C"}, "is a temperature"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(amounts: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        made(amounts)


@pytest.mark.parametrize("text", ["5 mg", "5mg", "0.005 g", "5e0 mg", "5000 ug", " 5.0 mg "])
def test_units_are_read_however_they_are_written(text: str) -> None:
    assert read(text).value == pytest.approx(5)


# designs that can be made, by construction -------------------------------------------------------

ARRAYS = [(array, size) for array, sizes in CAPACITIES.items() for size in sizes]


@st.composite
def feasible(draw: st.DrawFn) -> dict[str, Any]:
    """A design whose vials are filled by 12 to 75 %, half of it or more by solvent."""
    array, size = draw(st.sampled_from(ARRAYS))
    microlitres = draw(st.floats(0.12, 0.75)) * size * 1000
    number = draw(st.integers(1, 4))
    chemicals: dict[str, Any] = {"solvent": {"state": "liquid", "density": _dense(draw)}}
    stocks: dict[str, Any] = {}
    amounts: dict[str, Any] = {}
    for index in range(number):
        name, share = f"part {index}", draw(st.floats(0.001, 0.5)) / number
        mass, density = draw(st.floats(20, 500)), _dense(draw)
        rho = float(density["value"].split()[0])
        kind = draw(st.sampled_from(["solid", "liquid", "stock"]))
        molarity = share * rho * 1000 / mass
        if kind == "stock":
            strength = draw(st.floats(0.01, 5))
            chemicals[name] = {"state": "solid", "molar_mass": f"{mass!r} g/mol"}
            name = f"solution {index}"
            stocks[name] = {
                "of": f"part {index}", "in": "solvent", "concentration": f"{strength!r} M",
            }  # fmt: skip
            ways = [f"{strength * share!r} M", f"{share * microlitres!r} µL"]
        else:
            chemicals[name] = {
                "state": kind, "molar_mass": f"{mass!r} g/mol", "density": density,
            }  # fmt: skip
            ways = [
                f"{molarity!r} M",
                f"{share * microlitres * rho!r} mg",
                f"{molarity * microlitres / 1000!r} mmol",
                f"{share * rho * 1000!r} mg/mL",
            ]
            if kind == "liquid":
                ways += [f"{share * 100!r} vol%", f"{share * microlitres / 1000!r} mL"]
        amounts[name] = draw(st.lists(st.sampled_from(ways), min_size=1, max_size=2))
    said: dict[str, Any] = {
        "name": "random",
        "chemicals": chemicals,
        "stocks": stocks,
        "volume": f"{microlitres!r} µL",
        "solvent": "solvent",
        "samples": [{"amounts": {n: one[0] for n, one in amounts.items()}}],
        "plate": {"array": array, "capacity": f"{size} mL", "capped_by_hand": True},
    }
    if math.prod(len(one) for one in amounts.values()) <= 8:
        said["samples"] = [{"amounts": amounts}]
    if draw(st.booleans()):
        heat = draw(st.integers(26, 180))
        said["process"] = [
            {"do": "heat", "temperature": f"{heat} °C", "time": "30 min",
             "stir": f"{draw(st.integers(0, 700))} rpm"},
        ]  # fmt: skip
    return said


def _dense(draw: st.DrawFn) -> dict[str, str]:
    return {"value": f"{draw(st.floats(0.5, 3.0))!r} g/mL", **DENSE}


MANY = settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


@MANY
@given(feasible())
def test_each_design_that_can_be_made_is_accepted_and_balances(said: dict[str, Any]) -> None:
    found = protocol(said)
    assert not found.repairs
    design = Design.model_validate(said)
    wanted = read(said["volume"]).value
    assert len(found.amounts["Plate 1"]) == design.samples[0].number
    for doses in found.amounts["Plate 1"].values():
        volume = math.fsum(
            dose / design.chemicals[name].density.value.value  # type: ignore[union-attr]
            if design.is_solid(name)
            else dose
            for name, dose in doses.items()
        )
        assert volume == pytest.approx(wanted, rel=1e-9)
    for sample in found.laid.samples:
        for name, target in sample.targets.items():
            if target.kind == "molarity":
                dose = sample.doses[name]
                if name in design.stocks:
                    moles = dose * design.stocks[name].concentration.value
                else:
                    one = design.chemicals[name]
                    rho = one.density.value.value  # type: ignore[union-attr]
                    mass = dose if one.state == "solid" else dose * rho
                    moles = mass * 1000 / one.molar_mass.value  # type: ignore[union-attr]
                assert moles / wanted == pytest.approx(target.value, rel=1e-9)


BROKEN = {
    "volume": "over",
    "plate": "vials",
    "hot": "°C",
    "fast": "rpm",
    "full": "fill it by",
    "name": "which is not there",
    "unit": "no unit",
    "negative": "negative",
    "caps": "no device does",
    "place": "has no vial",
    "twice": "named twice",
    "density": "density",
}


@MANY
@given(feasible(), st.sampled_from(sorted(set(BROKEN) - {"volume"})), st.data())
def test_each_design_that_cannot_be_made_is_refused_with_its_reason(
    said: dict[str, Any], how: str, data: st.DataObject
) -> None:
    some = next(iter(said["samples"][0]["amounts"]))
    match how:
        case "plate":
            said["samples"][0] = {"amounts": {}, "replicates": 96}
            said["plate"] = {"array": "6x8", "capacity": "2 mL"}
            said["volume"] = "1 mL"
        case "hot":
            hot = data.draw(st.integers(181, 5000) | st.integers(-300, 24))
            said["process"] = [{"do": "heat", "temperature": f"{hot} °C", "time": "1 h"}]
        case "fast":
            fast = data.draw(st.integers(1001, 10**6))
            said["process"] = [{"do": "vortex", "rate": f"{fast} rpm", "time": "1 h"}]
        case "full":
            size = float(said["plate"]["capacity"].split()[0])
            share = data.draw(st.floats(0.81, 5) | st.floats(0.001, 0.09))
            said["volume"] = f"{share * size!r} mL"
            said["samples"] = [{"amounts": {}}]
        case "name":
            said["samples"][0]["amounts"]["unobtainium"] = "5 mg"
        case "unit":
            said["samples"][0]["amounts"][some] = data.draw(st.integers() | st.just("12"))
        case "negative":
            number = data.draw(st.floats(1e-3, 1e6))
            said["samples"][0]["amounts"][some] = f"-{number!r} mg"
        case "caps":
            said["plate"] = {"array": "8x12", "capacity": "1.2 mL"}
            said["volume"], said["samples"] = "500 µL", [{"amounts": {}}]
            said["process"] = [{"do": "heat", "temperature": "60 °C", "time": "1 h"}]
        case "place":
            said["samples"] = [{"amounts": {}, "vials": "H13"}]
        case "twice":
            said["samples"] = [{"amounts": {}, "vials": "A1"}, {"amounts": {}, "vials": "A1"}]
        case _:
            said["chemicals"]["bare"] = {"state": "solid"}
            said["samples"][0]["amounts"] = {"bare": "1 mg"}
    with pytest.raises(InputError, match=BROKEN[how]):
        protocol(said)
