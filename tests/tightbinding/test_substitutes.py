"""Solvents that ALPB lacks: what may stand in their place, and that it is said."""

import pytest

from triplestore.errors import InputError
from workflows.dft.level.solvents import solvation_of, table_name
from workflows.tightbinding.solvents import NAMES, SUBSTITUTES, substitute


def test_hexane_stands_for_heptane_and_the_remark_says_so():
    name, remark = substitute("heptane")
    assert name == "n-hexane"
    assert "no parameters for n-heptane: n-hexane is taken" in remark
    assert "1.88 and not 1.91" in remark  # Minnesota solvent descriptor database
    assert substitute("MeOH") == ("methanol", "")


@pytest.mark.parametrize("solvent", ["pyridine", "phlogiston", "sulfolane"])
def test_what_has_none_near_is_refused(solvent: str):
    with pytest.raises(InputError, match="has parameters for"):
        substitute(solvent)


@pytest.mark.parametrize(("solvent", "near"), SUBSTITUTES.items())
def test_dielectric_constants_are_near(solvent: str, near: str):
    assert near in NAMES
    assert solvent not in NAMES
    one, other = (solvation_of("C-PCM", each, None) for each in (solvent, near))
    assert table_name(solvent) == solvent
    assert one is not None
    assert other is not None
    assert (1 - 1 / one.dielectric) == pytest.approx(1 - 1 / other.dielectric, rel=0.05)
