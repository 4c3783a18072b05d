"""The calculations that put solvent molecules around a molecule."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import ConformerCandidates
from triplestore.errors import RecipeError
from workflows.conformer.crest import BACKEND as CREST_BACKEND
from workflows.conformer.crest import CREST
from workflows.conformer.frames import read_frames
from workflows.conformer.placing import beside
from workflows.engine import Backend, calculation, context
from workflows.programs.installed import scratch
from workflows.tightbinding.solvents import parameter_name

PLACING = Backend(
    name="placing", epoch="1", preload=("workflows.cluster.packing",), packages=("numpy", "rdkit")
)

GROWN = ("grow/cluster_optimized.xyz", "grow/cluster.xyz")
"""Where CREST leaves the cluster that it has grown: without its walls, or as it grew."""


@calculation("cluster.pack", version="1", backend=PLACING, brief=True, title="packing")
def pack(
    solute: ConceptualAtoms, solvent: ConceptualAtoms, count: int, seed: int
) -> ConformerCandidates:
    """Put solvent molecules around a molecule at random, each so that it touches those before.

    No atom is nearer to one of another molecule than 0.85 of the sum of their van der Waals radii.

    Args:
        solute: the molecule in the middle.
        solvent: a molecule of the solvent.
        count: how many of it.
        seed: of orientations and directions.

    Returns:
        One geometry: the atoms of the solute, then those of each solvent molecule.
    """
    from rdkit import Chem

    sizes = [len(solute.numbers)] + [len(solvent.numbers)] * count
    starts = np.cumsum([0, *sizes]).tolist()
    members = [tuple(range(a, b)) for a, b in itertools.pairwise(starts)]
    shapes = [solute.positions] + [solvent.positions] * count
    whole: Any = Chem.RWMol()
    numbers = numbers_of(solute, solvent, count)
    for number in numbers:
        whole.AddAtom(Chem.Atom(number))
    positions = beside(whole, members, shapes, np.random.default_rng(seed))
    atoms = together(solute, solvent, count, positions)
    return ConformerCandidates(
        molecule=atoms, structures=(atoms,), sampler=f"placed at random, seed {seed}"
    )


@calculation(
    "cluster.grow",
    version="1",
    backend=CREST_BACKEND,
    limits=("hours",),
    title="quantum cluster growth",
)
def grow(
    solute: ConceptualAtoms,
    solvent: ConceptualAtoms,
    count: int,
    version: str,
    continuum: str = "",
    *,
    hours: float = 48.0,
) -> ConformerCandidates:
    """Grow a cluster with CREST: each solvent molecule is docked where it is bound best.

    Args:
        solute: the molecule in the middle.
        solvent: a molecule of the solvent.
        count: how many of it.
        version: of the program that is installed, a part of the key.
        continuum: the solvent by ALPB around it all, by a usual name; empty for none.
        hours: on the clock, after which it is given up.

    Returns:
        One geometry: the atoms of the solute, then those of each solvent molecule.

    Raises:
        InputError: there is no such continuum.
        ComponentError: CREST is not installed, or of another version.
        RecipeError: it failed.
        TimeLimitError: it took too long.

    Source: S. Spicher, C. Plett, P. Pracht, A. Hansen, S. Grimme, J. Chem. Theory Comput. 18, 3174
    (2022).
    """
    asked = f"a cluster of {solute.formula} and {count} {solvent.formula} by CREST was asked for"
    CREST.expected(asked, version)
    around = ["--alpb", parameter_name("GFN2-xTB", "ALPB", continuum)] if continuum else []
    threads = context().threads
    options = [
        "solute.xyz", "--qcg", "solvent.xyz", "--nsolv", str(count), "--grow", "--nofix", "--gfn2",
        "--chrg", str(solute.charge), "--uhf", str(solute.multiplicity - 1), "-T", str(threads),
        *around,
    ]  # fmt: skip
    context().report("growing")
    with scratch() as folder:
        (folder / "solute.xyz").write_text(solute.to_xyz(), encoding="utf-8")
        (folder / "solvent.xyz").write_text(solvent.to_xyz(), encoding="utf-8")
        output = CREST.run(options, folder, asked, threads=threads, seconds=3600 * hours)
        text = output.file(*GROWN)
        if output.status != 0 or text is None:
            raise CREST.failed(asked, output, "take another engine, or fewer molecules")
        shape = pack(solute, solvent, count, 0).molecule
        frames = read_frames(text, shape, asked, "the cluster of CREST")
    if not frames:
        raise RecipeError(asked, "CREST wrote no cluster", "take another engine")
    medium = f", ALPB {continuum}" if continuum else ""
    return ConformerCandidates(
        molecule=frames[-1].atoms,
        structures=(frames[-1].atoms,),
        sampler=f"CREST {version} QCG, GFN2-xTB{medium}",
    )


def numbers_of(solute: ConceptualAtoms, solvent: ConceptualAtoms, count: int) -> list[int]:
    """Return the atomic numbers of a cluster."""
    return solute.numbers.tolist() + solvent.numbers.tolist() * count


def together(
    solute: ConceptualAtoms, solvent: ConceptualAtoms, count: int, positions: Any
) -> ConceptualAtoms:
    """Return a cluster at positions in Å, with the charge and the spin of the solute."""
    return ConceptualAtoms(
        numbers=numbers_of(solute, solvent, count),
        positions=positions,
        charge=solute.charge,
        multiplicity=solute.multiplicity,
    )
