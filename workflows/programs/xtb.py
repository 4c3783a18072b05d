"""The program xtb, where it is installed: what tblite lacks, such as GFN-FF and dynamics."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import InputError
from workflows.engine import Backend
from workflows.programs.installed import InstalledProgram, Output
from workflows.tightbinding.electrons import valence_of
from workflows.tightbinding.solvents import parameter_name

XTB = InstalledProgram(
    name="xtb",
    title="xtb",
    banner=r"xtb version\s+(\d[\w.-]*)",
    advice="install it (apt-get install xtb, or conda install -c conda-forge xtb)",
)

BACKEND = Backend(name="xtb", epoch="1", preload=("workflows.programs.xtb",))

Method = Literal["GFN-FF", "GFN2-xTB", "GFN1-xTB"]

OPTIONS: dict[str, tuple[str, ...]] = {
    "GFN-FF": ("--gfnff",),
    "GFN2-xTB": ("--gfn", "2"),
    "GFN1-xTB": ("--gfn", "1"),
}

FINISHED = "normal termination"
"""What xtb says on standard error where all went well."""


def options_of(atoms: ConceptualAtoms, method: Method, solvent: str = "") -> list[str]:
    """Return the options that say how a molecule is computed.

    Args:
        atoms: the molecule.
        method: of its energy.
        solvent: around it by ALPB, by a usual name; empty for the gas phase.

    Raises:
        InputError: no parameters for an element, no such electrons or solvent; or it is periodic.
    """
    if atoms.is_periodic:
        raise InputError(
            f"{method} of {atoms.formula} by xtb was asked for",
            "it is a crystal",
            "give a molecule",
        )
    _, unpaired = valence_of(atoms)
    around = ("--alpb", parameter_name("GFN2-xTB", "ALPB", solvent)) if solvent else ()
    return [*OPTIONS[method], "--chrg", str(atoms.charge), "--uhf", str(unpaired), *around]


def run_xtb(
    atoms: ConceptualAtoms,
    options: Sequence[str],
    folder: Path,
    asked: str,
    threads: int = 1,
    seconds: float | None = None,
) -> Output:
    """Run xtb on a molecule in a folder.

    Args:
        atoms: the molecule.
        options: the method and what is to be done.
        folder: where it works; what an earlier run left there is read.
        asked: what was asked for, as one clause.
        threads: how many it may use.
        seconds: on the clock that it may take; None for no limit.

    Raises:
        RecipeError: it did not come to its end.
        GraficoError: see `InstalledProgram.run`.
    """
    (folder / "molecule.xyz").write_text(atoms.to_xyz(), encoding="utf-8")
    output = XTB.run(["molecule.xyz", *options], folder, asked, threads=threads, seconds=seconds)
    if output.status != 0 or FINISHED not in output.errors:
        raise XTB.failed(asked, output, "check geometry, charge and multiplicity")
    return output
