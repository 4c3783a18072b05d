"""What the name of a functional in a crystal and its options mean."""

from __future__ import annotations

import numpy as np

from ontologies.kpoints import PeriodicKohnSham, PeriodicKohnShamResolution
from triplestore.errors import InputError
from workflows.engine import Backend, calculation
from workflows.text.names import nearest, plain

PYSCF = Backend(
    name="pyscf.pbc",
    epoch="1",
    preload=("workflows.kpoints.crystal",),
    packages=("pyscf", "ase", "numpy", "scipy"),
)

FUNCTIONALS = {
    "GTH-LDA": ("lda,vwn", "gth-pade"),
    "GTH-PBE": ("pbe,pbe", "gth-pbe"),
    "GTH-PBEsol": ("pbe_sol,pbe_sol", "gth-pbesol"),
    "GTH-BLYP": ("b88,lyp", "gth-blyp"),
}
"""PySCF's names of a functional and of its pseudopotentials, by the name of both here."""

BASES = (
    "gth-szv", "gth-dzv", "gth-dzvp", "gth-tzvp", "gth-tzv2p", "gth-szv-molopt-sr",
    "gth-dzvp-molopt-sr", "gth-szv-molopt", "gth-dzvp-molopt", "gth-tzvp-molopt",
    "gth-tzv2p-molopt",
)  # fmt: skip
"""Sets of Gaussian functions for GTH pseudopotentials."""

METHODS = {plain(name): name for name in FUNCTIONALS}


def is_periodic_functional(method: str) -> bool:
    """Whether a method is one of this family, computed here or not."""
    return plain(method).startswith("gth")


@calculation(
    "kpoints.resolve_level", version="1", backend=PYSCF, brief=True, title="level of theory"
)
def resolve_level(
    method: str, basis: str, k_points: tuple[int, int, int], grid_cutoff: float
) -> PeriodicKohnShamResolution:
    """Find out what PySCF computes for a functional in a crystal.

    Args:
        method: `GTH-LDA`, `GTH-PBE`, `GTH-PBEsol` or `GTH-BLYP`.
        basis: for GTH pseudopotentials, such as `gth-dzvp-molopt-sr`.
        k_points: along each reciprocal lattice vector.
        grid_cutoff: of the grid, in Eh.

    Raises:
        InputError: there is no such functional or basis set.
    """
    name = METHODS.get(plain(method))
    if name is None:
        raise InputError(
            f"the method {method!r} was asked for",
            f"with pseudopotentials there are {', '.join(FUNCTIONALS)}",
            "choose one of them",
        )
    known = {plain(one): one for one in BASES}
    if plain(basis) not in known:
        near = [known[one] for one in nearest(plain(basis), known)] or BASES[:1]
        raise InputError(
            f"the basis set {basis!r} was asked for with {name}",
            "in crystals there are sets for GTH pseudopotentials only: forces and stress of "
            "density fitting and of all-electron sets do not exist",
            f"choose one, such as {' or '.join(near)}; there are {', '.join(BASES)}",
        )
    level = PeriodicKohnSham(
        method=name, basis=known[plain(basis)], k_points=np.array(k_points), grid_cutoff=grid_cutoff
    )
    return PeriodicKohnShamResolution(method=method, level=level)
