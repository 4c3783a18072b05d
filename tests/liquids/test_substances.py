"""Densities that are looked up: those of liquids, none of what melts above the bench."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from workflows.liquids.reading import design_of
from workflows.liquids.substances import known, looked_up

needs_tables = pytest.mark.skipif(find_spec("chemicals") is None, reason="the extra names")


@needs_tables
@pytest.mark.parametrize(
    ("inchi_key", "literature"),  # g/mL at 20 °C, CRC Handbook of Chemistry and Physics
    [
        ("LFQSCWFLJHTTHZ-UHFFFAOYSA-N", 0.7893),  # ethanol
        ("OKKJLVBELUTLKV-UHFFFAOYSA-N", 0.7914),  # methanol
        ("QTBSBXVTEAMEQO-UHFFFAOYSA-N", 1.0446),  # acetic acid, 25 °C; 1.0495 at 20 °C
        ("YXFVVABEGXRONW-UHFFFAOYSA-N", 0.8668),  # toluene
        ("HEDRZPFGACZZDS-UHFFFAOYSA-N", 1.4832),  # chloroform
    ],
)
def test_densities_of_liquids_are_the_handbook_s_within_one_percent(
    inchi_key: str, literature: float
) -> None:
    found = looked_up(inchi_key)
    assert found is not None
    assert found.value.value == pytest.approx(literature, rel=0.01)
    assert str(found.temperature) == "20 °C"


@needs_tables
@pytest.mark.parametrize(
    "inchi_key",
    [
        "UFWIBTONFRDIAS-UHFFFAOYSA-N",  # naphthalene melts at 80 °C
        "ISWSIDIOOBJBQZ-UHFFFAOYSA-N",  # phenol, at 41 °C
        "VNWKTOKETHGBQD-UHFFFAOYSA-N",  # methane boils at -161 °C, is critical at -83 °C
        "QGZKDVFQNNGYKY-UHFFFAOYSA-N",  # ammonia boils at -33 °C
        "IJDNQMDRQITEOD-UHFFFAOYSA-N",  # butane, at -1 °C
        "AAAAAAAAAAAAAA-UHFFFAOYSA-N",
    ],
)
def test_what_is_no_liquid_at_the_bench_has_no_density(inchi_key: str) -> None:
    assert looked_up(inchi_key) is None


def test_a_density_that_is_given_is_taken() -> None:
    said = {
        "name": "x",
        "chemicals": {
            "ethanol": {
                "state": "liquid",
                "structure": "CCO",
                "density": {"value": "0.785 g/mL", "temperature": "25 °C", "source": "bottle"},
            }
        },
        "samples": [{"amounts": {"ethanol": "785 mg"}}],
    }
    substances, keys, _ = known(design_of(said))
    assert substances.density("ethanol") == 0.785
    assert substances.molar_mass("ethanol") == pytest.approx(46.069, abs=1e-3)
    assert keys == {"ethanol": "LFQSCWFLJHTTHZ-UHFFFAOYSA-N"}
