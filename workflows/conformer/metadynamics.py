"""Conformers by metadynamics with xtb: for rings, macrocycles and complexes.

A potential pushes the molecule away from where it was. Geometries on the way are relaxed, and those
alike told once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import ConformerCandidates
from ontologies.connectivity import connectivity
from ontologies.factors import BOHR, HARTREE
from ontologies.units import Floats
from triplestore.errors import CrashError, InputError, RecipeError
from workflows.engine import calculation, context
from workflows.programs.installed import Output, scratch
from workflows.programs.xtb import BACKEND, XTB, Method, options_of, run_xtb
from workflows.text.words import count

from .frames import Frame, read_frames, same_bonds

KCAL = HARTREE["kcal/mol"]

BIASES = ((0.003, 1.3), (0.0015, 0.78), (0.00075, 0.47))
"""Height of the potential for each atom (Eh), and its width (1/bohr²): a run each, from one that
pushes far to one that stays near. Of the size that CREST's search uses."""

STEP = {"GFN-FF": 2.0, "GFN2-xTB": 2.0, "GFN1-xTB": 2.0}
"""fs. Bonds to hydrogen are held, and hydrogen weighs four."""

HEAVY_HYDROGEN = 4
WALL, ROOM = ("$wall", "  potential=logfermi"), 1.0
"""What keeps molecules side by side together: a sphere so far (Å) beyond their outermost atom."""

SNAPSHOTS = 20
"""Geometries that the potential remembers at a time."""

MOST_FRAMES = 150
"""Geometries that are relaxed, evenly spread over the time of all runs."""

ALIKE, ROTATION = 8e-5, 0.01
"""Eh, and relative difference of the moments of inertia, below which geometries are one here."""

LONGEST, HOTTEST = 10_000.0, 2000.0
"""ps and K."""


@calculation(
    "conformer.metadynamics",
    version="1",
    backend=BACKEND,
    limits=("hours",),
    title="metadynamics",
)
def metadynamics(
    molecule: ConceptualAtoms,
    version: str,
    picoseconds: float = 30.0,
    temperature: float = 400.0,
    seed: int = 7,
    method: Method = "GFN-FF",
    solvent: str = "",
    window: float = 12.0,
    *,
    hours: float = 48.0,
) -> ConformerCandidates:
    """Make geometries of a molecule, or of molecules side by side, by metadynamics with xtb.

    Three runs of a third of the time each begin at the relaxed geometry, turned at random by the
    seed: xtb draws the same velocities each time. With GFN-FF on one processor a seed gives the
    same geometries again; another processor rounds otherwise, and its path parts within
    picoseconds. GFN1- and GFN2-xTB on several threads differ each time.

    Args:
        molecule: where it starts; bonds stay as they are there.
        version: of the program that is installed (`XTB.version()`), a part of the key.
        picoseconds: of all runs together.
        temperature: in K.
        seed: of the random turns.
        method: of energies and forces.
        solvent: around it by ALPB, by a usual name; empty for the gas phase.
        window: kcal/mol above the lowest, within which geometries are kept.
        hours: on the clock, after which each run of the program is given up.

    Returns:
        Of lowest energy of the method first; mirror images are told once.

    Raises:
        InputError: a setting out of bounds, no parameters, no such electrons or solvent.
        ComponentError: xtb is not installed, or of another version.
        RecipeError: the dynamics became unstable, or bonds changed in all geometries.
        TimeLimitError: it took too long.

    Sources: S. Grimme, J. Chem. Theory Comput. 15, 2847 (2019); GFN-FF: S. Spicher, S. Grimme,
    Angew. Chem. Int. Ed. 59, 15665 (2020).
    """
    asked = f"metadynamics of {molecule.formula} with {method} was asked for"
    _check(asked, molecule, picoseconds, temperature)
    options, limit = options_of(molecule, method, solvent), 3600 * hours
    XTB.expected(asked, version)
    threads = 1 if method == "GFN-FF" else context().threads
    places = np.random.default_rng(seed)
    context().report("relaxing")
    start = _relaxed(molecule, options, asked, threads, limit)
    frames = [start]
    for number, bias in enumerate(BIASES, 1):
        context().report(f"dynamics {number} of {len(BIASES)}")
        turned = start.atoms.moved_to(_turned(start.atoms.positions, places))
        settings = _settings(turned, bias, picoseconds / len(BIASES), temperature, method)
        frames += _dynamics(turned, options, settings, asked, threads, limit)
    whole, remarks = same_bonds(frames, molecule, asked)
    context().report(f"relaxing {count(len(whole), 'geometry', 'geometries')}")
    relaxed, failed = [start], 0
    for frame in whole[1:]:
        try:
            relaxed.append(_relaxed(frame.atoms, options, asked, threads, limit))
        except RecipeError:
            failed += 1
    kept, more = same_bonds(list(_each_once(relaxed, window / KCAL)), molecule, asked)
    if failed:
        more = (
            *more,
            f"{count(failed, 'geometry', 'geometries')} left out: xtb did not relax them",
        )
    medium = f", ALPB {solvent}" if solvent else ""
    return ConformerCandidates(
        molecule=molecule,
        structures=tuple(one.atoms for one in kept),
        sampler=f"xtb {version} metadynamics, {method}{medium}, {picoseconds:g} ps at "
        f"{temperature:g} K, seed {seed}",
        remarks=(*remarks, *more),
    )


def _check(asked: str, molecule: ConceptualAtoms, picoseconds: float, temperature: float) -> None:
    for value, most, unit in ((picoseconds, LONGEST, "ps"), (temperature, HOTTEST, "K")):
        if not 0 < value <= most:
            raise InputError(
                f"{asked}, with {value:g} {unit}",
                f"it is above 0 and up to {most:g} {unit}",
                "choose a value within",
            )
    if len(molecule.numbers) < 3:
        raise InputError(asked, "it has but one geometry", "ask for its energy or its optimisation")


def _settings(
    atoms: ConceptualAtoms,
    bias: tuple[float, float],
    picoseconds: float,
    temperature: float,
    method: Method,
) -> str:
    """Return xtb's input of one run; molecules side by side are kept within a sphere."""
    height, width = bias
    frames = MOST_FRAMES // len(BIASES)
    wall = len(connectivity(atoms).molecules) > 1
    extent = np.linalg.norm(atoms.positions - atoms.positions.mean(axis=0), axis=1).max()
    radius = (float(extent) + ROOM) / BOHR
    return "\n".join(
        [
            "$samerand",
            "$md",
            f"  temp={temperature:g}",
            f"  time={picoseconds:g}",
            f"  dump={max(100.0, 1000 * picoseconds / frames):g}",
            f"  step={STEP[method]:g}",
            f"  hmass={HEAVY_HYDROGEN}",
            "  shake=1",
            "  nvt=true",
            "  velo=false",
            "$metadyn",
            f"  save={SNAPSHOTS}",
            f"  kpush={height * len(atoms.numbers):.6f}",
            f"  alp={width:g}",
            *([*WALL, f"  sphere: {radius:.3f}, all"] if wall else []),
            "$end",
            "",
        ]
    )


def _dynamics(
    atoms: ConceptualAtoms,
    options: list[str],
    settings: str,
    asked: str,
    threads: int,
    seconds: float,
) -> list[Frame]:
    """Return the geometries on the way of one run."""
    with scratch() as folder:
        (folder / "settings.inp").write_text(settings, encoding="utf-8")
        words = [*options, "--md", "--input", "settings.inp"]
        output = _unstable_told(atoms, words, folder, asked, threads, seconds)
        text = output.file("xtb.trj")
        if text is None or output.file("xtbmdok") is None:
            raise _unstable(asked, output.last_words)
        return read_frames(text, atoms, asked, "xtb.trj")


def _unstable_told(
    atoms: ConceptualAtoms,
    words: list[str],
    folder: Path,
    asked: str,
    threads: int,
    seconds: float,
) -> Output:
    try:
        return run_xtb(atoms, words, folder, asked, threads, seconds)
    except CrashError:
        raise
    except RecipeError as error:
        raise _unstable(asked, error.found) from error


def _unstable(asked: str, words: str) -> RecipeError:
    return RecipeError(
        asked,
        f"the dynamics did not come to its end: {words}",
        "relax the geometry first, lower the temperature, or take another sampler",
    )


def _relaxed(
    atoms: ConceptualAtoms, options: list[str], asked: str, threads: int, seconds: float
) -> Frame:
    """Return the nearest minimum with its energy.

    Raises:
        RecipeError: xtb did not find it.
    """
    with scratch() as folder:
        output = run_xtb(atoms, [*options, "--opt", "tight"], folder, asked, threads, seconds)
        text = output.file("xtbopt.xyz")
        if text is None:
            raise XTB.failed(asked, output, "check the geometry")
        return read_frames(text, atoms, asked, "xtbopt.xyz")[0]


def _turned(positions: Floats, places: np.random.Generator) -> Floats:
    """Return positions about their centre, turned by a random rotation (shape (atoms, 3))."""
    axes, corner = np.linalg.qr(places.normal(size=(3, 3)))
    axes = axes * np.sign(np.diag(corner))  # all rotations are as likely
    axes[:, 0] *= np.sign(np.linalg.det(axes))
    centred: Floats = positions - positions.mean(axis=0)
    return centred @ axes.T


def _each_once(frames: list[Frame], window: float) -> Iterator[Frame]:
    """Yield the geometries within a window (Eh) of the lowest, by energy, each once."""
    known = sorted((one.energy, n) for n, one in enumerate(frames) if one.energy is not None)
    told = list[tuple[float, Floats]]()
    for energy, place in known:
        if energy - known[0][0] > window:
            return
        inertia = _inertia(frames[place].atoms)
        if not any(
            energy - before < ALIKE and np.allclose(inertia, other, rtol=ROTATION)
            for before, other in told
        ):
            told.append((energy, inertia))
            yield frames[place]


def _inertia(atoms: ConceptualAtoms) -> Floats:
    """Return the moments of inertia (shape (3,)), atoms weighted by their numbers, in Å²."""
    weights = atoms.numbers / atoms.numbers.sum()
    centred: Floats = atoms.positions - weights @ atoms.positions
    return np.array(np.linalg.eigvalsh((centred * weights[:, None]).T @ centred), float)
