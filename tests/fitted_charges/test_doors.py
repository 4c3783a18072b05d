"""How fitted charges and correlated dipoles are asked for."""

from __future__ import annotations

import pytest

from grafico.agent.rules.reader import plan


@pytest.mark.parametrize(
    "text",
    [
        "ESP charges of water at HF/6-31G*",
        "RESP charges of water at HF/6-31G*",
        "Merz-Kollman charges of water at HF/6-31G*",
        "charges fitted to the electrostatic potential of water at HF/6-31G*",
    ],
)
def test_a_sentence_asks_for_fitted_charges(text: str) -> None:
    found = plan(text)
    assert not found.problem
    (call,) = found.calls
    asked = {"molecules": ["water"], "method": "HF", "basis": "6-31G*", "esp_charges": True}
    assert call.arguments == asked


@pytest.mark.parametrize("text", ["CHELPG charges of water", "electrostatic potential of water"])
def test_what_there_is_not_leads_to_them(text: str) -> None:
    found = plan(text)
    assert "there is no" in found.problem
    assert found.suggestions == ("ESP charges of water",)


def test_a_dipole_is_asked_for_where_the_method_does_not_tell_it() -> None:
    (correlated,) = plan("dipole of CO at CCSD/cc-pVDZ").calls
    assert correlated.arguments["dipole"] is True
    (usual,) = plan("dipole of CO at PBE/cc-pVDZ").calls
    assert "dipole" not in usual.arguments
