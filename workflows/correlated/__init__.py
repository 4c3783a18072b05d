"""Correlated wavefunctions with PySCF: MP2, DF-MP2, CCSD and CCSD(T)."""

from workflows.registry.properties import Property

LEVELS = {"CorrelatedLevel": "workflows.correlated.program:PYSCF"}
"""The program of each class of levels, see `workflows.registry.levels`."""

PROPERTIES = (
    Property(
        "dipole",
        {
            "CorrelatedLevel": "workflows.correlated.dipole:dipole",
            "LevelOfTheory": "workflows.dft.properties.energy:single_point",
            "TightBinding": "workflows.tightbinding.calculations:single_point",
        },
        "ontologies.correlated:CorrelatedDipole",
        "Dipole of MP2, CCSD, CCSD(T), from energies in a field; others tell it anyway.",
        noun="dipole",
        step="FindDipole",
        does="Find the dipole, of a correlated level from energies in weak electric fields.",
        cost=7.0,
        otherwise=("dipole_moment", "dipoles"),
    ),
)
"""What can be computed besides a task, see `workflows.registry.properties`."""
