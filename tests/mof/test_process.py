"""`mof process` through the door that all others use."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.mof_parts import TakenApart
from ontologies.mofs import OrganicLinker
from tests.mof.disguises import CRYSTALS, crystal
from triplestore.errors import InputError


def test_two_crystals_share_a_linker_and_choices_are_recorded(tmp_path: Path):
    renamed = tmp_path / "some other name.cif"
    renamed.write_text((CRYSTALS / "Zn-BDC.cif").read_text())
    with Grafico(store="memory:") as session:
        first = session.run(str(CRYSTALS / "MIL-88B.cif"), workflow="mof process").last
        second = session.run(str(renamed), workflow="mof process", solvent="all").last
        assert isinstance(first, TakenApart)
        assert isinstance(second, TakenApart)
        nets = [one.framework.net for one in (first, second)]
        assert [one and one.name for one in nets] == ["acs", "sql"]
        assert [one.formula for one in session.kg.find(OrganicLinker)] == ["C6H4"]
        assert second.solvent_choice == "all"
        assert second.framework.found_in == "some other name.cif"
        if importlib.util.find_spec("pormake") is not None:
            design = first.designs[0].iri
            built = session.run(design, workflow="mof build", shapes="unrelaxed").last
            assert built.framework.name == "acs N9 E14"
            assert built.framework.net == first.framework.net
        again = session.run(second.framework.iri, workflow="mof process").last
        assert [one.block for one in again.framework.blocks] == [
            one.block for one in second.framework.blocks
        ]


def test_a_disordered_crystal_needs_a_choice():
    with Grafico(store="memory:") as session:
        path = str(CRYSTALS / "UiO-66.cif")
        with pytest.raises(InputError, match="taken in part"):
            session.run(path, workflow="mof process")
        found = session.run(path, workflow="mof process", disorder="majority").last
        assert found.framework.net.name == "fcu"
        assert any("disorder was resolved" in remark for remark in found.remarks)
        assert found.atoms == crystal("UiO-66")
        few: dict[str, Any] = {"area_samples": 20, "volume_samples": 200, "workflow": "mof measure"}
        with pytest.raises(InputError, match="taken in part"):
            session.run(path, **few)
        assert session.run(path, disorder="majority", **few).last.atoms == found.atoms


def test_a_molecule_is_refused_at_once():
    with Grafico(store="memory:") as session, pytest.raises(InputError, match="it is a molecule"):
        session.run("CCO", workflow="mof process")
