"""The six exercises, made small: each in four wordings, and who goes about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from evals import recipes
from evals.planner import Bench


@dataclass(frozen=True)
class Exercise:
    """What is asked.

    Attributes:
        recipe: how the stand-in goes about it.
        wordings: the question, the same otherwise said or ordered.
        calls: how often each kind of tool is called when nothing goes wrong.
    """

    recipe: Callable[[Bench], str]
    wordings: tuple[str, str, str, str]
    calls: dict[str, int]


EXERCISES = {
    "organic": Exercise(
        recipes.reports,
        (
            "Relax the geometries of these molecules side by side, HF/STO-3G in the gas phase: "
            "formic acid (SMILES: OC=O) and formaldehyde (SMILES: C=O). Then write a report on "
            "each by itself: coordinates, total energy, point group, dipole moment, orbital "
            "energies with the gap, and Mulliken, Löwdin and IAO charges.",
            "I want two reports, one about C=O and one about OC=O, after optimisation in vacuum "
            "with the Hartree–Fock method and STO-3G. Energy, symmetry, dipole, orbitals and "
            "atomic charges should be in there.",
            "1. OC=O\n2. C=O\n\nOptimise both (method HF, basis set STO-3G) and give me one report "
            "a molecule with charges, orbital table, dipole and point group.",
            "Charges, dipole moment, symmetry and frontier orbitals of relaxed C=O; the same for "
            "OC=O. Use STO-3G and HF, no solvent. Please put each into its own report.",
        ),
        {"calculate": 1, "report": 2},
    ),
    "inorganic": Exercise(
        recipes.reports,
        (
            "Go ahead without asking me. Optimise chlorine trifluoride (SMILES: FCl(F)F) and "
            "the anion of fluorophosphoric acid (SMILES: [O-]P(F)(O)=O), HF/3-21G, no solvent, "
            "and report on each of them separately: coordinates, energy, point group, "
            "dipole, orbital energies, charges by Mulliken, Löwdin and IAO.",
            "Reports, please, on [O-]P(F)(O)=O and on FCl(F)F, one each, from Hartree-Fock "
            "optimisations in the basis 3-21G.",
            "What do population analyses say of FCl(F)F and [O-]P(F)(O)=O at their HF geometries? "
            "3-21G will do. Two separate reports.",
            "Level: HF, 3-21G, gas phase.\nTask: relaxed geometry, charges, orbitals, dipole, "
            "point group.\nMolecules: [O-]P(F)(O)=O; FCl(F)F.\nOutput: a report for each.",
        ),
        {"calculate": 1, "report": 2},
    ),
    "carbocations": Exercise(
        recipes.carbocations,
        (
            "A hydrocarbon gives up a hydride: R-H → R⁺ + H⁻. Compute the enthalpy and the Gibbs "
            "energy of that reaction in kcal/mol with B3LYP/6-31++G** for methane, whose "
            "structures are R-H = [CH4] and R⁺ = [CH3+].",
            "How much enthalpy and free energy does it take to pull H⁻ from [CH4], giving [CH3+]? "
            "Use the B3LYP functional with the 6-31++G** basis.",
            "Carbocation formation, [CH4] → [CH3+] + [H-]: ΔH and ΔG at B3LYP and 6-31++G**, "
            "please, in kcal/mol.",
            "With B3LYP (basis 6-31++G**): heat and Gibbs energy of formation of the cation [CH3+] "
            "and a hydride from [CH4].",
        ),
        {"run_workflow": 1},
    ),
    "rings": Exercise(
        recipes.rings,
        (
            "The ring strain of cycloalkanes follows from how cyclo(CnH2n) turns into the methyl "
            "derivative of the next smaller ring. Compute ΔH and ΔG with HF/3-21G for n = 4, and "
            "give the strain of the smaller ring relative to the larger in kcal/mol.",
            "With HF and 3-21G: enthalpy and Gibbs energy of cyclobutane → methylcyclopropane, "
            "and from it the strain of the three-membered ring relative to the four-membered one.",
            "Ring strain by contraction, HF/3-21G, n from 4 to 4. Kcal/mol, please; zero is the "
            "largest ring.",
            "How much more strained is a ring of three carbons than cyclobutane? Contract the ring "
            "to methylcyclopropane; Hartree-Fock, 3-21G, with thermal corrections.",
        ),
        {"run_workflow": 1},
    ),
    "acids": Exercise(
        recipes.acids,
        (
            "What is the pKa of formic acid (OC=O)? First calibrate the energy of the proton in "
            "water on related acids whose pKa is known: CC(=O)O (acetic acid), pKa = 4.76; "
            "OC(=O)CF (fluoroacetic acid), pKa = 2.586. Use HF/STO-3G and a continuum for water, "
            "energies at the geometries as they are built.",
            "Fit computed energies of deprotonation in water (HF, STO-3G, as built) to experiment: "
            "OC(=O)CF has pKa 2.586; CC(=O)O has pKa 4.76. Then predict OC=O.",
            "Predict for OC=O how acidic it is in water.\nReference 1: CC(=O)O pKa: 4.76\n"
            "Reference 2: OC(=O)CF pKa: 2.586\nHartree–Fock, STO-3G, nothing optimised.",
            "HF/STO-3G, water. CC(=O)O with a pKa of 4.76 and OC(=O)CF with a pKa of 2.586 are to "
            "calibrate the proton; what comes out for OC=O? Take geometries as built.",
        ),
        {"run_workflow": 1},
    ),
    "excitations": Exercise(
        recipes.excitations,
        (
            "For formaldehyde (C=O), relaxed and shown to be a minimum: energy of S1, difference "
            "of S1 and T1, oscillator strength of S1. TDDFT with B3LYP/def2-SVP.",
            "S1, S1–T1 and f of C=O with B3LYP, def2-SVP, time-dependent; optimise first and "
            "verify that no mode is imaginary.",
            "How far above T1 lies S1 in C=O, and does S1 absorb? B3LYP functional, def2-SVP basis "
            "set, at the ground-state minimum.",
            "Level B3LYP/def2-SVP: lowest excited singlet and triplet of C=O, with the intensity "
            "of the former, at a verified minimum.",
        ),
        {"run_workflow": 1},
    ),
}
