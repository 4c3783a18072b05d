"""A study of conformers in a conversation: an ensemble, then its spectra in two surroundings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from grafico.agent import Agent
from ogm.terms import full_iri
from ontologies.conformers import ConformerEnsemble
from ontologies.spectra import SpectrumComparison

from .helpers import scripted

LEVEL = {"method": "HF", "basis": "STO-3G", "response": "TDA"}


def test_an_ensemble_is_handed_on_by_its_iri(session: Grafico, tmp_path: Path) -> None:
    """The two rotamers of acrolein, in the gas phase and in water, in three requests."""
    came: list[dict[str, Any]] = []

    def spectra(seen: list[Any]) -> list[tuple[str, dict[str, Any]]]:
        [row] = seen[0]["molecules"]
        came.append(row)
        iri = row["results"]["ConformerEnsemble"]
        subject = f"{iri} {{gas}}; {iri} {{water}}"
        asked = {"kind": "uv", "up_to": 11.5, "cumulative": 0.5, **LEVEL}
        return [("run_workflow", {"name": "spectra", "subjects": [subject], "arguments": asked})]

    def told(seen: list[Any]) -> str:
        [rows] = seen[-1].values()
        came.append(rows[0])
        first, *_, last = rows[0]["values"]["maxima"]
        return f"Maxima lie from {first['energy_eV']} eV to {last['energy_eV']} eV."

    first = (
        "run_workflow",
        {"name": "conformers", "subjects": ["C=CC=O"], "arguments": {"sampler": "embedding"}},
    )
    with Agent(scripted([first], spectra, told), session=session, folder=tmp_path) as agent:
        reply = agent.ask("Compare the UV spectra of acrolein in the gas phase and in water.")
    assert reply.unsourced == []
    assert reply.usage.requests == 3
    sampled, compared = came
    ensemble = session.kg.pull(ConformerEnsemble, full_iri(sampled["results"]["ConformerEnsemble"]))
    assert [one.degeneracy for one in ensemble.conformers] == [1, 1]
    listed = sampled["values"]["ensemble"]
    shares = [100 * one.weight for one in ensemble.conformers]
    assert [one["share_%"] for one in listed] == pytest.approx(shares, abs=0.1)
    found = session.kg.pull(SpectrumComparison, full_iri(compared["results"]["SpectrumComparison"]))
    assert len(found.spectra) == 2
    places = [one["energy_eV"] for one in compared["values"]["maxima"]]
    stored = [top.photon_energy for one in found.spectra for top in one.maxima]
    assert places == pytest.approx(stored, abs=1e-3)
    gas, wet = (max(one.maxima, key=lambda top: top.peak_absorption) for one in found.spectra)
    assert wet.photon_energy < gas.photon_energy, "π → π* lies lower where electrons follow"
