"""What the pores of a crystal measure: by Zeo++, and helium by its energy."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.mofs import (
    AccessibleSurface,
    AccessibleVolume,
    Channels,
    PoreAnalysis,
    PoreDiameters,
    PoreSettings,
)
from ontologies.units import Floats
from triplestore.errors import ComponentError, CrashError, InputError
from workflows.engine import Backend, calculation
from workflows.molecule.cif import write_cif
from workflows.programs.isolated import KEPT
from workflows.text.safe_text import on_one_line

from .checking import doubts
from .helium import helium_fraction
from .library import EXTRA
from .nets import Edge, Net, components, ordered
from .periodic import bond_net
from .spheres import spheres

ZEO = Backend(
    name="Zeo++",
    epoch="1",
    preload=("workflows.mof.pores", "scipy.spatial"),
    packages=("pyzeo", "numpy", "scipy"),
)

JITTER, SEEDS = 1e-4, (1, 2, 3, 4)
"""By how many Å atoms are moved where Zeo++ cannot divide space among atoms that lie too evenly,
and in which ways, one after the other: one in eight did not help with an ideal UiO-66."""

SECONDS, FINE_SECONDS = 900, 3600
"""Of processor time for Zeo++, as usual and at high accuracy."""

MOST_ATOMS = 10_000

LATE = "its time ran out: give the primitive cell, or fewer points"

NAMES = {
    "spheres": "diameters",
    "ways": "channels",
    "area": "surface",
    "volume": "volume",
    "void": "void fraction",
}


@calculation("mof.pores", version="2", backend=ZEO, title="pores")
def pores(atoms: ConceptualAtoms, settings: PoreSettings) -> PoreAnalysis:
    """Measure the pores of a crystal as it is.

    Args:
        atoms: the crystal.
        settings: probes and samples.

    Raises:
        InputError: it has no cell, or too many atoms.
        ComponentError: Zeo++ is not installed.
        CrashError: it came to nothing.

    Source: T. F. Willems, C. H. Rycroft, M. Kazi, J. C. Meza, M. Haranczyk, Microporous Mesoporous
    Mater. 149, 134 (2012).
    """
    check_crystal(atoms)
    if importlib.util.find_spec("pyzeo") is None:
        raise ComponentError(
            f"the pores of {atoms.formula} were asked for",
            "the package pyzeo is not installed",
            EXTRA,
        )
    remarks: list[str] = []
    found, words = _measured(atoms, settings)
    for seed in SEEDS:
        if found.keys() >= NAMES.keys() or words == LATE:
            break
        again, words = _measured(_jittered(atoms, seed), settings)
        if len(again) > len(found):
            found = again
            remarks = [
                f"atoms were moved by up to {JITTER} Å: as they are, Zeo++ cannot divide the cell"
            ]
    if not found.keys() & NAMES.keys():
        raise CrashError(
            f"the pores of {atoms.formula} were asked for",
            f"Zeo++ ended without a result: {words}",
            "look at its atoms: do some lie on each other?",
        )
    diameters = _diameters(atoms, found)
    ours = ["spheres"] * (diameters is not None)
    lost = [what for name, what in NAMES.items() if name not in [*found, *ours]]
    if lost:
        remarks.append(f"Zeo++ ended before {', '.join(lost)}: {words}")
    numbers = {name: _numbers(text) for name, text in found.items() if name in ("area", "volume")}
    area, volume = numbers.get("area"), numbers.get("volume")
    void = _numbers(found["void"]) if "void" in found else None
    bonds = components(bond_net(atoms))
    goes_on = max(part.net.dimension for part in bonds)
    remarks += doubts(atoms, goes_on)
    return PoreAnalysis(
        atoms=atoms, pore_settings=settings, crystal_density=density(atoms),
        diameters=diameters,
        surface=None if area is None else AccessibleSurface(
            area_per_mass=area["ASA_m^2/g"], area_per_volume=area["ASA_m^2/cm^3"],
            pocket_area_per_mass=area["NASA_m^2/g"], pocket_area_per_volume=area["NASA_m^2/cm^3"],
        ),
        volume=None if volume is None else AccessibleVolume(
            volume_per_mass=volume["AV_cm^3/g"], void_fraction=volume["AV_Volume_fraction"],
            pocket_volume_per_mass=volume["NAV_cm^3/g"],
            pocket_void_fraction=volume["NAV_Volume_fraction"],
        ),
        channels=_channels(found["ways"], settings.area_probe) if "ways" in found else None,
        framework_dimensionality=goes_on,
        geometric_void_fraction=None if void is None
        else void["AV_Volume_fraction"] + void["NAV_Volume_fraction"],
        helium_void_fraction=helium_fraction(atoms), remarks=tuple(remarks),
    )  # fmt: skip


def check_crystal(atoms: ConceptualAtoms) -> None:
    """Check that there are pores to measure.

    Raises:
        InputError: there is no cell that repeats in three directions, or too many atoms.
    """
    asked = f"the pores of {atoms.formula} were asked for"
    if atoms.periodic is None or not atoms.periodic.all():
        raise InputError(
            asked,
            "it is no crystal: it has no cell that repeats in three directions",
            "give a CIF file, or the IRI of a framework",
        )
    if len(atoms.numbers) > MOST_ATOMS:
        raise InputError(
            asked,
            f"its cell has {len(atoms.numbers):,} atoms; {MOST_ATOMS:,} are allowed",
            "give its primitive cell",
        )


def density(atoms: ConceptualAtoms) -> float:
    """Return the density of a crystal in g/cm³."""
    from ase.data import atomic_masses

    assert atoms.cell is not None
    volume = abs(float(np.linalg.det(atoms.cell)))
    return float(np.sum(atomic_masses[atoms.numbers])) * 1.66053906892 / volume


def _jittered(atoms: ConceptualAtoms, seed: int) -> ConceptualAtoms:
    off: Floats = np.random.default_rng(seed).uniform(-JITTER, JITTER, (len(atoms.numbers), 3))
    return atoms.moved_to(atoms.positions + off)


def _measured(atoms: ConceptualAtoms, settings: PoreSettings) -> tuple[dict[str, str], str]:
    """Return what Zeo++ has found, and its last words."""
    with tempfile.TemporaryDirectory(prefix="grafico-zeo-") as place:
        folder = Path(place)
        (folder / "framework.cif").write_text(write_cif(atoms, "framework"), "utf-8")
        given: dict[str, Any] = {
            name: getattr(settings, name)
            for name in (
                "area_probe",
                "volume_probe",
                "area_samples",
                "volume_samples",
                "high_accuracy",
            )
        }
        given["seconds"] = FINE_SECONDS if settings.high_accuracy else SECONDS
        (folder / "given.json").write_text(json.dumps(given), "utf-8")
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        words = [sys.executable, "-P", "-m", "workflows.mof.zeo", str(folder)]
        done = subprocess.run(
            words,
            cwd=folder,
            env={**kept, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
        path = folder / "found.json"
        found: dict[str, str] = json.loads(path.read_text("utf-8")) if path.exists() else {}
        said = on_one_line(" ".join((done.stderr or done.stdout).split())[-300:])
        if done.returncode == -signal.SIGXCPU:
            return found, LATE
        return found, f"{said or 'it said nothing'} (status {done.returncode})"


def _numbers(text: str) -> dict[str, float]:
    """Return the numbers of the first line that Zeo++ writes about areas and volumes."""
    line = text.splitlines()[0]
    pairs = re.findall(r"(\S+):\s+(-?[\d.]+(?:[eE][+-]?\d+)?)", line)
    return {name: float(value) for name, value in pairs}


def _diameters(atoms: ConceptualAtoms, found: dict[str, str]) -> PoreDiameters | None:
    """Return the largest spheres among atoms of the radii that Zeo++ has for their elements."""
    if "radii" in found:
        radii: dict[str, float] = json.loads(found["radii"])
        if radii.keys() >= set(atoms.symbols):
            exact = spheres(atoms, np.array([radii[symbol] for symbol in atoms.symbols]))
            if exact is not None:
                return exact
    if "spheres" not in found:
        return None
    largest, limiting, on_way = map(float, found["spheres"].split()[-3:])
    return PoreDiameters(largest_cavity=largest, pore_limiting=limiting, largest_free_path=on_way)


def _channels(text: str, probe: float) -> Channels:
    """Return how many channels a probe can pass, by the directions in which they go on.

    They are parts of the network of the edges of Voronoi cells, of nodes and ways wide enough.
    """
    nodes, _, ways = text.partition("Edge table")
    wide = [
        int(words[0])
        for line in nodes.splitlines()
        if len(words := line.split()) > 4 and words[0].isdigit() and float(words[4]) > probe
    ]
    number = {node: at for at, node in enumerate(wide)}
    edges: set[Edge] = set()
    for line in ways.splitlines():
        match line.split():
            case [one, "->", other, radius, x, y, z, *_] if float(radius) > probe:
                if int(one) in number and int(other) in number:
                    step = (int(x), int(y), int(z))
                    edges.add(ordered(number[int(one)], number[int(other)], step))
            case _:
                pass
    parts = components(Net(len(wide), tuple(sorted(edges)))) if wide else []
    counts = [0, 0, 0, 0]
    for part in parts:
        counts[part.net.dimension] += max(part.copies, 1)
    return Channels(
        one_dimensional=counts[1], two_dimensional=counts[2], three_dimensional=counts[3]
    )
