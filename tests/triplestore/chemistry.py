"""A small store of Grafico's own objects, for queries that are to find something."""

from datetime import UTC, datetime, timedelta
from typing import Any

from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.provenance import Activity, Device, Outcome, Run, Software, Transition
from ontologies.quantum import Optimisation, SinglePoint
from ontologies.vibrations import FrequencyAnalysis, Thermochemistry
from triplestore import Store

START = datetime(2026, 11, 20, 12, tzinfo=UTC)
WATER = [[0, 0, 0.119], [0, 0.763, -0.477], [0, -0.763, -0.477]]
METHANE = [
    [0, 0, 0],
    [0.63, 0.63, 0.63],
    [0.63, -0.63, -0.63],
    [-0.63, 0.63, -0.63],
    [-0.63, -0.63, 0.63],
]


def named(cls: Any, which: str, /, **values: Any) -> Any:
    return cls.model_validate(values).identified(
        f"https://w3id.org/grafico/id/{cls.__name__}/{which}"
    )


def fill(store: Store) -> None:
    """Water, optimised by two methods, with its vibrations at one; methane and CO2."""
    b3lyp = LevelOfTheory(method="B3LYP", basis="def2-SVP", reference="restricted", grid_level=3)
    hf = LevelOfTheory(method="HF", basis="STO-3G", reference="restricted")
    drawn = ConceptualAtoms(numbers=[8, 1, 1], positions=WATER)
    water = ConceptualAtoms(numbers=[8, 1, 1], positions=[[x, y, 1.01 * z] for x, y, z in WATER])
    methane = ConceptualAtoms(numbers=[6, 1, 1, 1, 1], positions=METHANE)
    dioxide = ConceptualAtoms(numbers=[6, 8, 8], positions=[[0, 0, 0], [0, 0, 1.2], [0, 0, -1.2]])

    def electronic(atoms: ConceptualAtoms, level: LevelOfTheory, energy: float) -> dict[str, Any]:
        return {
            "atoms": atoms,
            "level": level,
            "energy": energy,
            "converged": True,
            "scf_cycles": 9,
            "dipole": [0, 0, 2.0],
            "mulliken_charges": [0.0] * len(atoms.numbers),
            "homo": -0.3,
            "lumo": 0.1,
        }

    relaxed = {
        "initial": drawn,
        "steps": 4,
        "max_gradient": 1e-5,
        "energies": [-76.3, -76.32],
        "criteria": "geomeTRIC",
    }
    optimisation = named(Optimisation, "1", **electronic(water, b3lyp, -76.32), **relaxed)
    rough = named(Optimisation, "2", **electronic(drawn, hf, -74.96), **relaxed)
    vibrations = named(
        FrequencyAnalysis,
        "1",
        **electronic(water, b3lyp, -76.32),
        wavenumbers=[1600, 3700, 3800],
        modes=[[[0.0] * 3] * 3] * 3,
        reduced_masses=[1.0] * 3,
        hessian=[[[[0.0] * 3] * 3] * 3] * 3,
        imaginary=0,
        max_gradient=1e-5,
        stationarity="minimum",
    )
    heat = named(
        Thermochemistry,
        "1",
        frequencies=vibrations,
        temperature=298.15,
        pressure=101325.0,
        symmetry_number=2,
        point_group="C2v",
        symmetry_tolerance=0.01,
        zero_point_energy=0.021,
        enthalpy=-76.295,
        entropy=7.2e-5,
        gibbs_energy=-76.316,
    )
    points = [
        named(SinglePoint, "1", **electronic(methane, b3lyp, -40.5)),
        named(SinglePoint, "2", **electronic(dioxide, hf, -185.1)),
    ]
    engine = Software(name="PySCF", version="2.14")

    def activity(key: str, calculation: str, used: list[Any], made: Any, seconds: float) -> Any:
        return named(
            Activity, key, calculation=calculation, version="1", epoch="1", key=key,
            family=calculation, signature=1.0, used=used, generated=made, started=START,
            ended=START + timedelta(seconds=seconds), wall_time=seconds, threads=1,
            device=Device(kind="cpu", name="a processor"), software=[engine],
        )  # fmt: skip

    relaxing = activity("1", "optimise", [drawn, b3lyp], optimisation, 12.5)
    run = named(
        Run,
        "1",
        graph="dft",
        goal="a minimum",
        subject="water",
        request="{}",
        about=[drawn],
        started=START,
        software=engine,
    )
    step = named(
        Transition,
        "1",
        run=run,
        index=0,
        node="Optimise",
        inputs="{}",
        chosen_by="GoalRouter",
        reason="cheapest",
        menu=["Optimise", "End"],
        started=START,
        ended=START,
        activity=relaxing,
    )
    outcome = named(
        Outcome,
        "1",
        run=run,
        status="finished",
        message="a minimum",
        ended=START,
        results=[optimisation, vibrations],
        geometry=water,
    )
    KnowledgeGraph(store).push(
        rough,
        *points,
        relaxing,
        activity("2", "frequencies", [water, b3lyp], vibrations, 60.0),
        activity("3", "heat", [vibrations], heat, 0.5),
        run,
        step,
        outcome,
    )
