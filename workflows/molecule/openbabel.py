"""Open Babel as a program of its own, for what RDKit finds no geometry of."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import numpy as np

from ontologies.units import Floats

if TYPE_CHECKING:
    from rdkit.Chem import Mol

PROGRAM = "obabel"
TIME = 60
"""s. It needs about one for a molecule of ordinary size."""


def three_dimensions(mol: Mol) -> tuple[Floats | None, str]:
    """Return coordinates in Å in the order of the atoms, and the version or what went wrong.

    The molecule has its hydrogens as atoms.

    Source: N. M. O'Boyle et al., J. Cheminform. 3, 33 (2011).
    """
    from rdkit import Chem

    program = shutil.which(PROGRAM)
    if program is None:
        return None, "Open Babel is not installed"
    smiles = Chem.MolToSmiles(mol, canonical=False, allHsExplicit=True)
    order = [int(index) for index in re.findall(r"\d+", mol.GetProp("_smilesAtomOutputOrder"))]
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        done = subprocess.run(
            [program, "-ismi", "-oxyz", "--gen3d"],
            input=smiles + "\n",
            capture_output=True,
            text=True,
            check=False,
            timeout=TIME,
            env=environment,
        )
        told = subprocess.run(
            [program, "-V"],
            capture_output=True,
            text=True,
            check=False,
            timeout=TIME,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        return None, f"Open Babel gave none in {TIME} s"
    except OSError as error:
        return None, f"Open Babel could not be started: {error}"
    rows = [line.split() for line in done.stdout.splitlines()[2:]]
    symbols: list[str] = [mol.GetAtomWithIdx(index).GetSymbol() for index in order]
    if [row[0] for row in rows if len(row) == 4] != symbols:
        return None, "Open Babel found none"
    positions = np.zeros((len(order), 3))
    read: Any = [[float(number) for number in row[1:]] for row in rows]
    positions[order] = np.array(read)
    version = re.search(r"Open Babel ([\w.]+)", told.stdout + told.stderr)
    return positions, f"Open Babel {version[1] if version else ''}".strip()
