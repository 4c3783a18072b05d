"""``python -m evals.conformer_energies METHOD [BASIS]``: relative energies of published conformers.

At the geometries of ACONF and BUT14DIOL of GMTKN55, each relative energy is computed and compared
with its reference. All is kept in a store, so that a run that was ended goes on where it was.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Sequence

import numpy as np

from evals.validation.laboratory import At, Laboratory
from evals.validation.level import Level
from evals.validation.published_conformers import Pair, geometries, pairs
from ontologies.atoms import ConceptualAtoms
from ontologies.factors import HARTREE
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import solve

KCAL = HARTREE["kcal/mol"]
SETS = ("ACONF", "BUT14DIOL")

Energy = Callable[[At, ConceptualAtoms], float]


def level_of(method: str, basis: str, grid: int | None) -> Level:
    """Return a level by its names; with a basis set, its integrals are fitted.

    Args:
        method: such as `wB97X-D4` or `GFN2-xTB`.
        basis: empty for tight binding.
        grid: PySCF's integration grid; None for the usual one.
    """
    if not basis:
        return Level(method, "")
    options: dict[str, object] = {"density_fitting": True}
    if grid is not None:
        options["grid_level"] = grid
    return Level(method, basis, options)


def stored_energy(at: At, atoms: ConceptualAtoms) -> float:
    """Return the energy at a geometry in Eh, kept in the store."""
    return at.energy(atoms) if at.named.basis else at.tight_point(atoms).energy


def bare_energy(at: At, atoms: ConceptualAtoms) -> float:
    """Return the same energy by the SCF alone, kept nowhere."""
    level = at.level(atoms)
    mf = mean_field(molecule(atoms, level), level)
    mf.verbose = 0
    return float(solve(mf, atoms, level).e_tot)


def remembering(energy: Energy) -> Energy:
    """Return a function that asks for the energy of each geometry once."""
    known: dict[str, float] = {}

    def once(at: At, atoms: ConceptualAtoms) -> float:
        if atoms.iri not in known:
            known[atoms.iri] = energy(at, atoms)
        return known[atoms.iri]

    return once


def deviation(energy: Energy, at: At, collection: str, pair: Pair) -> float:
    """Return by how much a relative energy is above its reference, in kcal/mol."""
    low, high = (energy(at, geometries(collection)[name]) for name in (pair.low, pair.high))
    return (high - low) * KCAL - pair.energy


def main(arguments: Sequence[str] | None = None) -> int:
    """Print each deviation, and their mean for each set."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.conformer_energies",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("method", metavar="METHOD", help="such as wB97X-D4 or GFN2-xTB")
    parser.add_argument("basis", metavar="BASIS", nargs="?", default="", help="such as def2-TZVPD")
    parser.add_argument("--grid", type=int, help="integration grid of PySCF, 0 to 9")
    parser.add_argument("--only", nargs="+", choices=SETS, default=SETS)
    parser.add_argument("--names", nargs="+", metavar="NAME", help="conformers, such as B2 P_TG")
    parser.add_argument(
        "--bare",
        action="store_true",
        help="the SCF alone: the same numbers without the look for instabilities, which may take "
        "twice as long",
    )
    parser.add_argument("--store", default="validation-store")
    options = parser.parse_args(arguments)
    at_level = level_of(options.method, options.basis, options.grid)
    laboratory = Laboratory(options.store)
    at = At(laboratory, at_level)
    energy = remembering(bare_energy if options.bare else stored_energy)
    try:
        for collection in options.only:
            wanted = [
                one
                for one in pairs(collection)
                if options.names is None or one.high in options.names
            ]
            if not wanted:
                continue
            off: list[float] = []
            for number, pair in enumerate(wanted, 1):
                off.append(deviation(energy, at, collection, pair))
                print(
                    f"{collection} {pair.low} → {pair.high}: {pair.energy + off[-1]:.3f} for "
                    f"{pair.energy:.3f} kcal/mol, {off[-1]:+.3f} ({number} of {len(wanted)})",
                    flush=True,
                )
            print(
                f"{collection}: mean absolute deviation {np.abs(off).mean():.3f} kcal/mol, mean "
                f"{np.mean(off):+.3f}, largest {np.abs(off).max():.3f}, of {len(off)} energies",
                flush=True,
            )
    finally:
        laboratory.close()
    return 0


if __name__ == "__main__":  # whoever imports this keeps threads and messages as they are
    os.environ["OMP_NUM_THREADS"] = "1"
    logging.disable()
    sys.exit(main())
