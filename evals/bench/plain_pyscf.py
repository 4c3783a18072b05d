"""A batch as a chemist would write it with PySCF alone: no Grafico, no store, one process.

``python plain_pyscf.py JOBS RESULTS``: JOBS is a JSON list of ``{"file", "task", "method",
"basis"}``. RESULTS becomes an object with the seconds that they took once PySCF was imported, the
processor's seconds, and ``{"energy", "dipole", "charges"}`` of each.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import json
import sys
import time
from typing import Any

from pyscf import dft, gto, scf
from pyscf.geomopt import geometric_solver


def compute(job: dict[str, str]) -> dict[str, Any]:
    """Do one calculation on a neutral closed-shell molecule, with PySCF's default thresholds."""
    mol = gto.M(atom=job["file"], basis=job["basis"])
    if job["method"] == "HF":
        mf: Any = scf.RHF(mol)
    else:
        mf = dft.RKS(mol)
        mf.xc = job["method"]
    if job["task"] == "optimise":
        scanner = mf.nuc_grad_method().as_scanner()
        converged, _ = geometric_solver.kernel(scanner)
        mf = scanner.base  # at the last geometry: nothing is computed again
    else:
        mf.kernel()
        converged = mf.converged
    assert converged, f"{job} did not converge"
    _, charges = mf.mulliken_pop(verbose=0)
    return {
        "energy": float(mf.e_tot),
        "dipole": mf.dip_moment(verbose=0).tolist(),
        "charges": charges.tolist(),
    }


def main() -> None:
    """Do the jobs one after the other."""
    started = time.monotonic()
    with open(sys.argv[1], encoding="utf-8") as file:
        jobs = json.load(file)
    results = [compute(job) for job in jobs]
    taken = {"seconds": time.monotonic() - started, "processor": time.process_time()}
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump({**taken, "results": results}, file)


if __name__ == "__main__":
    main()
