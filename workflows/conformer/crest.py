"""CREST, where it is installed: conformers by metadynamics, refined and sorted by itself."""

from __future__ import annotations

from typing import Literal

from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import ConformerCandidates
from triplestore.errors import InputError, RecipeError
from workflows.engine import Backend, calculation, context
from workflows.programs.installed import InstalledProgram, Output, scratch
from workflows.programs.xtb import Method
from workflows.tightbinding.electrons import valence_of
from workflows.tightbinding.solvents import parameter_name

from .frames import read_frames, same_bonds

CREST = InstalledProgram(
    name="crest",
    title="CREST",
    banner=r"(?i)version\s+(\d[\w.-]*)",
    advice="install it (conda install -c conda-forge crest, or its release from "
    "github.com/crest-lab/crest), or leave the sampler out",
)

BACKEND = Backend(name="CREST", epoch="1", preload=("workflows.conformer.crest",))

Search = Literal["imtd-gc", "nci"]
"""Of a molecule; or of molecules side by side, which a wall of potential keeps together."""

OPTIONS: dict[Method, str] = {"GFN2-xTB": "--gfn2", "GFN1-xTB": "--gfn1", "GFN-FF": "--gfnff"}

SEARCHES: dict[Search, str] = {"imtd-gc": "iMTD-GC", "nci": "NCI-MTD"}

CHANGED = "topology change"
"""What CREST says where bonds change as it relaxes what it was given."""

SMALLEST = 3
"""Atoms; below there is one geometry."""


@calculation("conformer.crest", version="1", backend=BACKEND, limits=("hours",), title="CREST")
def crest(
    molecule: ConceptualAtoms,
    version: str,
    run_type: Search = "imtd-gc",
    method: Method = "GFN2-xTB",
    solvent: str = "",
    window: float = 6.0,
    *,
    hours: float = 48.0,
) -> ConformerCandidates:
    """Look for conformers with CREST, as a program of its own.

    It draws random velocities and cannot be told a seed: done again, it may find others, so that
    what it found once is remembered.

    Args:
        molecule: where it starts; relaxed at about the level of the method, or it may stop.
        version: of the program that is installed (`CREST.version()`), a part of the key.
        run_type: iMTD-GC for a molecule, NCI for several molecules that stay together.
        method: of geometries and energies.
        solvent: around it by ALPB, by a usual name; empty for the gas phase.
        window: kcal/mol above the lowest, within which it keeps conformers.
        hours: on the clock, after which it is given up.

    Raises:
        InputError: too few atoms, no parameters for an element, no such electrons or solvent.
        ComponentError: CREST is not installed, or of another version.
        RecipeError: it failed, or bonds changed.
        TimeLimitError: it took too long.
        KilledError: somebody ended it.
        CrashError: it crashed.

    Sources: P. Pracht, F. Bohle, S. Grimme, Phys. Chem. Chem. Phys. 22, 7169 (2020); P. Pracht et
    al., J. Chem. Phys. 160, 114110 (2024).
    """
    asked = f"conformers of {molecule.formula} by CREST were asked for"
    options = command(molecule, run_type, method, solvent, window, context().threads)
    CREST.expected(asked, version)
    context().report("sampling")
    with scratch() as folder:
        (folder / "molecule.xyz").write_text(molecule.to_xyz(), encoding="utf-8")
        output = CREST.run(
            ["molecule.xyz", *options],
            folder,
            asked,
            threads=context().threads,
            seconds=3600 * hours,
        )
        found = output.file("crest_conformers.xyz")
        if output.status != 0 or found is None:
            raise _failed(asked, output)
        frames = read_frames(found, molecule, asked, "crest_conformers.xyz")
    kept, remarks = same_bonds(frames, molecule, asked)
    kept.sort(key=lambda one: 0.0 if one.energy is None else one.energy)
    medium = f", ALPB {solvent}" if solvent else ""
    return ConformerCandidates(
        molecule=molecule,
        structures=tuple(one.atoms for one in kept),
        sampler=f"CREST {version} {SEARCHES[run_type]}, {method}{medium}, {window:g} kcal/mol",
        remarks=remarks,
    )


def command(
    molecule: ConceptualAtoms,
    run_type: Search,
    method: Method,
    solvent: str,
    window: float,
    threads: int,
) -> list[str]:
    """Return CREST's command line, without the file of the molecule.

    Raises:
        InputError: too few atoms, no parameters for an element, no such electrons or solvent.
    """
    if len(molecule.numbers) < SMALLEST:
        raise InputError(
            f"conformers of {molecule.formula} by CREST were asked for",
            "it has but one geometry",
            "ask for its energy or its optimisation",
        )
    _, unpaired = valence_of(molecule)
    around = ["--alpb", parameter_name("GFN2-xTB", "ALPB", solvent)] if solvent else []
    return [
        OPTIONS[method],
        "--chrg",
        str(molecule.charge),
        "--uhf",
        str(unpaired),
        "--ewin",
        f"{window:g}",
        "-T",
        str(threads),
        *around,
        *(["--nci"] if run_type == "nci" else []),
    ]


def _failed(asked: str, output: Output) -> RecipeError:
    if CHANGED in output.text.lower():
        return RecipeError(
            asked,
            "bonds change as CREST relaxes the geometry; it says: " + output.last_words,
            "relax it at the same level first; if it reacts there, take GFN-FF, which keeps bonds",
        )
    return CREST.failed(asked, output, "relax the geometry first, or take another sampler")
