"""Pores of crystals beside what Zeo++ has found in the same atoms elsewhere.

At high accuracy Zeo++ puts small spheres in the place of atoms, so that its diameters are a few
hundredths of an Å off; ours are exact (`test_spheres.py`).
"""

from __future__ import annotations

import pytest

from ontologies.mofs import PoreAnalysis, PoreSettings
from tests.mof.disguises import crystal
from workflows.mof.pores import pores

OFF = 0.05
"""Å, by which diameters differ from those of Zeo++ at high accuracy."""


def measured(name: str, probe: float, *, fine: bool = False) -> PoreAnalysis:
    settings = PoreSettings(
        area_probe=probe,
        volume_probe=probe,
        high_accuracy=fine,
        area_samples=20_000 if name == "EDI" else 2000,  # of 2,000 few lie in its narrow channel
    )
    found = pores(crystal(name), settings)
    assert found.diameters is not None
    assert found.surface is not None
    assert found.volume is not None
    return found


def test_edingtonite_at_high_accuracy() -> None:
    """Tests of Zeo++ itself (github.com/mharanczyk/zeoplusplus): -ha, 1.2 Å, 2,000 and 50,000."""
    found = measured("EDI", 1.2, fine=True)
    assert found.diameters is not None
    assert found.surface is not None
    assert found.volume is not None
    assert found.diameters.largest_cavity == pytest.approx(4.88186, abs=OFF)
    assert found.diameters.pore_limiting == pytest.approx(3.03748, abs=OFF)
    assert found.diameters.largest_free_path == pytest.approx(4.88186, abs=OFF)
    assert found.surface.area_per_volume == pytest.approx(1976.4, rel=0.02)
    assert found.volume.void_fraction == pytest.approx(0.07366, rel=0.02)
    assert found.crystal_density == pytest.approx(1.62239, abs=1e-4)
    for probe, channels in ((1.5, (1, 0, 0)), (1.53, (0, 0, 0))):  # published: for 1.5 Å, one in 1D
        found = pores(crystal("EDI"), PoreSettings(area_probe=probe, area_samples=20))
        assert found.channels is not None
        assert channels == (
            found.channels.one_dimensional,
            found.channels.two_dimensional,
            found.channels.three_dimensional,
        )


@pytest.mark.parametrize(
    ("name", "probe", "cavity", "limiting", "area", "void", "density"),
    [
        # the same without high accuracy
        ("EDI", 1.2, 4.88186, 3.03748, 1976.4, 0.07366, 1.62239),
        # reference of GCMCworkflow (github.com/richardjgowers/GCMCworkflow): IRMOF-1, -ha
        ("MOF-5", 1.88, 15.0664, 7.91582, 2154.97, 0.39498, 0.593339),
        # reference of aiida-zeopp (github.com/lsmo-epfl/aiida-zeopp); no diameters
        ("HKUST-1", 1.82, None, None, 1939.51, 0.26666, 0.879097),
        # example of CoRE-MOF-Tools (github.com/Chung-Research-Group/CoRE-MOF-Tools): -ha; no such
        # volume
        ("ALIDIL", 1.86, 5.44042, 5.00044, 1120.48, None, 1.31689),
    ],
)
def test_published_pores(
    name: str,
    probe: float,
    cavity: float | None,
    limiting: float | None,
    area: float,
    void: float | None,
    density: float,
) -> None:
    found = measured(name, probe)
    assert found.diameters is not None
    assert found.surface is not None
    assert found.volume is not None
    if cavity is not None:
        assert found.diameters.largest_cavity == pytest.approx(cavity, abs=OFF)
        assert found.diameters.pore_limiting == pytest.approx(limiting, abs=OFF)
    assert found.surface.area_per_volume == pytest.approx(area, rel=0.025)
    if void is not None:
        assert found.volume.void_fraction == pytest.approx(void, rel=0.02)
    assert found.crystal_density == pytest.approx(density, abs=1e-4)
