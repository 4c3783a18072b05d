"""Hartree–Fock and density functional calculations with PySCF."""

from workflows.molecule import MOLECULE
from workflows.registry import Action, Workflow
from workflows.registry.properties import Effort, Property

LEVELS = {"LevelOfTheory": "workflows.dft.program:PYSCF"}
"""The program of each class of levels, see `workflows.registry.levels`."""

WORKFLOWS = (
    Workflow(
        "dft",
        "Compute MOLECULE, or remember it.",
        "workflows.dft.request.definitions:COMPUTE",
        verb="run",
        synonyms=("calculate", "calculation"),
        usual=True,
        subject=MOLECULE,
        wish="Optimise water with GFN2-xTB",
    ),
    Workflow(
        "spin-states",
        "Compare the multiplicities of MOLECULE.",
        "workflows.dft.request.definitions:COMPARE_SPINS",
        synonyms=("multiplicities",),
        subject=MOLECULE,
        call="MOLECULE(multiplicities[], highest)",
    ),
    Workflow(
        "counterpoise",
        "Find the interaction of fragments of MOLECULE.",
        "workflows.dft.request.definitions:INTERACT",
        verb="interaction",
        subject=MOLECULE,
        call="MOLECULE(fragments, fragment_charges[])",
    ),
)

ACTIONS = (
    Action(
        "cube",
        "Write an orbital or a density of a result as a Gaussian cube file.",
        "workflows.dft.properties.cube:CUBE",
        computes=True,
    ),
)

PROPERTIES = (
    Property(
        "analysis",
        {"LevelOfTheory": "workflows.dft.properties.analysis:analyse"},
        "ontologies.wavefunction:WavefunctionAnalysis",
        "Charges, bond orders, orbitals, symmetry, moments.",
        noun="analysis of the wavefunction",
        step="Analyse",
        does="Analyse the wavefunction: charges, bond orders, orbitals, symmetry.",
        goal="the analysis of its wavefunction",
        known="the wavefunction is analysed",
        cost=2.0,
        usual=True,
    ),
    Property(
        "states",
        {"LevelOfTheory": "workflows.dft.properties.excitation:excitations"},
        "ontologies.excitations:ExcitedStates",
        "Excited states, how many.",
        noun="excited states",
        step="Excite",
        does="Compute the lowest vertical excitations at the geometry.",
        goal="excited state",
        cost=10.0,
        effort="workflows.dft.request.states:effort",
        form="workflows.dft.request.states:StatesForm",
        check="workflows.dft.request.states:check",
    ),
    Property(
        "stability",
        {"LevelOfTheory": "workflows.dft.properties.stability:stability"},
        "ontologies.wavefunction:StabilityAnalysis",
        "See if the wavefunction is stable; else go on from one that is.",
        noun="analysis of stability",
        step="CheckStability",
        does="See whether the wavefunction is stable; if it is not, go on from one that is.",
        goal="a stable wavefunction",
        known="the wavefunction is known to be stable",
        cost=5.0,
        effort=Effort(cycles=25),
        usual=True,
    ),
    Property(
        "polarizability",
        {"LevelOfTheory": "workflows.dft.properties.polarizability:polarizability"},
        "ontologies.polarizability:Polarizability",
        "Static dipole polarizability.",
        does="Compute the static dipole polarizability at the geometry.",
        cost=5.0,
        effort=Effort(cycles=40, vectors=60),
        check="workflows.dft.properties.polarizability:check",
        words="(static |mean |isotropic |electric )*(dipole )polari[sz]abilit(y|ies)( tensor)",
        shows="isotropic_polarizability, polarizability_anisotropy, polarizability",
    ),
)
"""What can be computed besides a task, see `workflows.registry.properties`."""
