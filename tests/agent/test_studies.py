"""Two published studies in conversations: a dye in two solvents, an epoxide in water.

The script sees what a model sees: schemas, and what tools return. What is told is then looked up in
the store. Molecules, basis set and ensembles are small, so that it takes seconds; see
docs/studies.md.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from grafico.agent import Agent
from ogm.terms import full_iri
from ontologies.clusters import SolventCluster
from ontologies.conformers import ConformerEnsemble
from ontologies.factors import HARTREE
from ontologies.provenance import Activity
from ontologies.spectra import ElectronicSpectrum, SpectrumComparison
from workflows.engine.execution.events import Event

from .helpers import scripted

HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}
DYE = r"N/C=C\C=O"
"""3-Aminoacrolein: donor, one double bond, acceptor; the smallest of the merocyanines."""
EPOXIDE = "C[C@H]1O[C@@H]1CO"
"""2,3-Epoxybutan-1-ol."""

Calls = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def session() -> Iterator[Grafico]:
    """One that remembers nothing of other tests: here it counts what is computed."""
    with Grafico("memory:", threads_per_calculation=1) as opened:
        yield opened


def workflow(name: str, subject: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return "run_workflow", {"name": name, "subjects": [subject], "arguments": arguments}


def row(found: dict[str, Any]) -> dict[str, Any]:
    """What came of the one subject of a call."""
    [[one]] = [value for value in found.values() if isinstance(value, list)]
    return one


def boltzmann(ensemble: ConformerEnsemble) -> list[float]:
    """Weights at 298.15 K, from energies and degeneracies alone."""
    low = min(one.energy for one in ensemble.conformers)
    heat = 8.314462618e-3 * 298.15 / HARTREE["kJ/mol"]
    each = [one.degeneracy * np.exp((low - one.energy) / heat) for one in ensemble.conformers]
    return [one / sum(each) for one in each]


def told_shift(found: dict[str, Any]) -> str:
    first, second = found["values"]["maxima"][:2]
    [shift] = found["values"]["shifts"]
    return (
        f"Maxima: {first['energy_eV']} eV and {second['energy_eV']} eV; "
        f"the shift is {shift['shift_energy_eV']} eV."
    )


def test_a_dye_in_water_and_in_heptane(session: Grafico, tmp_path: Path) -> None:
    """Ensembles in each solvent, refined there, and their spectra compared."""
    came: list[dict[str, Any]] = []

    def refined(seen: list[Any]) -> Calls:
        came.extend(map(row, seen))
        return [
            workflow(
                "refine",
                one["results"]["ConformerEnsemble"],
                task="energy",
                solvent=solvent,
                cumulative=0.9,
                **HF,
            )
            for one, solvent in zip(came, ("water", "heptane"), strict=True)
        ]

    def spectra(seen: list[Any]) -> Calls:
        came.extend(map(row, seen))
        water, heptane = (one["results"]["ConformerEnsemble"] for one in came[2:])
        return [workflow("spectrum", f"{water}; {heptane}", response="TDA", up_to=9, **HF)]

    def told(seen: list[Any]) -> str:
        came.append(row(seen[0]))
        return told_shift(came[-1])

    first = [
        workflow("conformers", DYE, sampler="embedding", starts=6, **words)
        for words in ({"solvent": "water"}, {"solvent": "heptane", "solvent_substitute": True})
    ]
    with Agent(scripted(first, refined, spectra, told), session=session, folder=tmp_path) as agent:
        reply = agent.ask("How does the UV spectrum of this dye differ in water and n-heptane?")
    assert reply.unsourced == []
    assert [one["status"] for one in came] == ["finished"] * 5
    assert any("hexane" in one for one in came[1]["remarks"])
    ensembles = [
        session.kg.pull(ConformerEnsemble, full_iri(one["results"]["ConformerEnsemble"]))
        for one in came[:4]
    ]
    for sampled, one in zip(ensembles[:2], ensembles[2:], strict=True):
        assert one.refined is not None
        assert one.refined.iri == sampled.iri
        assert [c.weight for c in one.conformers] == pytest.approx(boltzmann(one))
    found = session.kg.pull(SpectrumComparison, full_iri(came[4]["results"]["SpectrumComparison"]))
    assert [one.sample.ensemble for one in found.spectra] == ensembles[2:]
    water, heptane = found.spectra
    assert isinstance(water, ElectronicSpectrum)
    assert isinstance(heptane, ElectronicSpectrum)
    assert (water.dielectric, heptane.dielectric) == pytest.approx((1.776, 1.926), abs=2e-3)
    [shift] = found.shifts
    assert water.highest is not None
    assert heptane.highest is not None
    moved = heptane.highest.photon_energy - water.highest.photon_energy
    assert shift.energy_shift == pytest.approx(moved)
    said = float(reply.text.split("the shift is ")[1].split()[0])
    assert said == pytest.approx(moved, abs=1e-3)


class Killer:
    """Kills the first worker that computes an energy after it was armed."""

    def __init__(self, session: Grafico) -> None:
        self.session, self.armed, self.killed = session, False, 0
        session.executor.events.call(self.hear)

    def hear(self, event: Event) -> None:
        if self.armed and (event.kind, event.subject) == ("node", "ComputeConformers"):
            self.armed = False
            threading.Thread(target=self.kill).start()

    def kill(self) -> None:
        end = time.monotonic() + 60
        while not self.killed and time.monotonic() < end:
            servers = self.session.executor._pool._servers.copy().values()
            busy = [job.worker for one in servers for job in one._jobs.copy().values()]
            for worker in filter(None, busy[:1]):
                os.kill(worker, signal.SIGKILL)
                self.killed = worker
            time.sleep(0.001)


def test_an_epoxide_in_a_water_cluster_one_worker_killed_midway(
    session: Grafico, tmp_path: Path
) -> None:
    """The gas phase beside a cluster; what a killed process took with it is computed again."""
    came: list[dict[str, Any]] = []
    killer = Killer(session)
    counts: list[Counter[str]] = []

    def computed() -> Counter[str]:
        return Counter(one.key for one in session.kg.find(Activity, calculation="dft.single_point"))

    def refined(seen: list[Any]) -> Calls:
        came.extend(map(row, seen))
        killer.armed = True
        gas = came[0]["results"]["ConformerEnsemble"]
        return [workflow("refine", gas, task="energy", **HF)]

    def resumed(seen: list[Any]) -> Calls:
        came.append(row(seen[0]))
        counts.append(computed())
        return [("resume", {"run": came[2]["run"]})]

    def cluster(seen: list[Any]) -> Calls:
        came.append(seen[0])
        counts.append(computed())
        iri = came[1]["results"]["SolventCluster"]
        return [workflow("refine", iri, task="energy", cumulative=0.5, **HF)]

    def spectra(seen: list[Any]) -> Calls:
        came.append(row(seen[0]))
        gas, wet = (one["results"]["ConformerEnsemble"] for one in came[3:5])
        asked = {"response": "TDA", "up_to": 13, "cumulative": 0.5, **HF}
        return [workflow("spectrum", f"{gas}; {wet}", **asked)]

    def told(seen: list[Any]) -> str:
        came.append(row(seen[0]))
        return told_shift(came[-1])

    first = [
        workflow("conformers", EPOXIDE, sampler="embedding", starts=6),
        workflow("cluster", EPOXIDE, count=1, seeds=1, picoseconds=1),
    ]
    script = scripted(first, refined, resumed, cluster, spectra, told)
    with Agent(script, session=session, folder=tmp_path) as agent:
        reply = agent.ask("How does a shell of water change the UV spectrum of this epoxide?")
    assert killer.killed
    assert reply.unsourced == []
    *_, broken, mended, wet, compared = came
    assert [one["status"] for one in came if one is not broken] == ["finished"] * 5
    assert broken["status"] == "goal unmet"
    [lost] = [one for one in broken["remarks"] if "SIGKILL" in one]
    assert lost.startswith("left out: conformer")
    before, after = counts
    assert after.total() - before.total() == 1, "the lost one, and no other"
    assert set(computed().values()) == {1}
    gas = session.kg.pull(ConformerEnsemble, full_iri(mended["results"]["ConformerEnsemble"]))
    assert len(gas.conformers) == broken["values"]["conformers"] + 1
    assert [one.weight for one in gas.conformers] == pytest.approx(boltzmann(gas))
    watery = session.kg.pull(ConformerEnsemble, full_iri(wet["results"]["ConformerEnsemble"]))
    assert watery.refined is not None
    made = session.kg.pull(SolventCluster, full_iri(came[1]["results"]["SolventCluster"]))
    assert watery.refined.iri == made.ensemble.iri
    found = session.kg.pull(SpectrumComparison, full_iri(compared["results"]["SpectrumComparison"]))
    assert [one.sample.ensemble for one in found.spectra] == [gas, watery]
    [shift] = found.shifts
    first_top, second_top = (one.highest for one in found.spectra)
    assert first_top is not None
    assert second_top is not None
    moved = second_top.photon_energy - first_top.photon_energy
    assert shift.energy_shift == pytest.approx(moved)
    said = float(reply.text.split("the shift is ")[1].split()[0])
    assert said == pytest.approx(moved, abs=1e-3)
