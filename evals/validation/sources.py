"""Where reference values come from, and the usual reasons for a deviation."""

from __future__ import annotations

SZABO = "A. Szabo, N. S. Ostlund, Modern Quantum Chemistry (1989), ch. 3"
HEHRE = "W. J. Hehre, L. Radom, P. v. R. Schleyer, J. A. Pople, Ab Initio Molecular Orbital Theory (1986)"  # noqa: E501
QCHEM_DFT = "Q-Chem, quoted in Psi4's tests/pytests/test_dft_benchmarks.py"
ORCA_DFT = "ORCA, quoted in Psi4's tests/pytests/test_dft_benchmarks.py"
GAUSSIAN_TD = "Gaussian 09 E.01, quoted in Psi4's tests/pytests/tdscf_reference_data.json"
S22 = "S22B, M. S. Marshall, L. A. Burns, C. D. Sherrill, J. Chem. Phys. 135, 194102 (2011)"
HUBER = "experiment: K. P. Huber, G. Herzberg, Constants of Diatomic Molecules (1979)"
JANAF = "experiment: NIST-JANAF, less R ln(1.01325) for 1 atm"
CODATA = "experiment: CODATA key values, J. D. Cox et al. (1989); NH3: NIST-JANAF"
MNSOL = "experiment: Minnesota Solvation Database, A. V. Marenich et al., J. Phys. Chem. B 113, 6378 (2009)"  # noqa: E501
QUEST = "QUEST, P.-F. Loos et al., J. Chem. Theory Comput. 21, 8010 (2025): theoretical best estimates in aug-cc-pVTZ"  # noqa: E501
ATCT = "experiment: Active Thermochemical Tables (version 1.124, rounded), B. Ruscic, D. H. Bross, atct.anl.gov"  # noqa: E501
PEDLEY = "experiment: enthalpies of formation of J. B. Pedley, Thermochemical Data and Structures of Organic Compounds (1994)"  # noqa: E501
BLANKSBY = "experiment: S. J. Blanksby, G. B. Ellison, Acc. Chem. Res. 36, 255 (2003)"
ACIDITIES = "experiment: J. E. Bartmess in the NIST Chemistry WebBook, doi:10.18434/T4D303"
HYDRIDES = "experiment: bond dissociation enthalpy (Blanksby and Ellison 2003) + ionisation energy of the radical (NIST WebBook) − electron affinity of H (0.754 eV)"  # noqa: E501
DBH = "W4 theory: A. Karton, A. Tarnopolsky, J.-F. Lamère, G. C. Schatz, J. M. L. Martin, J. Phys. Chem. A 112, 12868 (2008), as in the files of GMTKN55"  # noqa: E501
BHROT = "W2-F12 theory, as in the files of GMTKN55, BHROT27: L. Goerigk et al., Phys. Chem. Chem. Phys. 19, 32184 (2017)"  # noqa: E501
AMMONIA = "CCSD(T) at the limit of the basis set, 1834 cm⁻¹: Y.-Q. Li, P. Song, F.-C. Ma, Chin. Phys. B 23, 023301 (2014)"  # noqa: E501
COTTON = "group theory: F. A. Cotton, Chemical Applications of Group Theory (1990)"


def psi4(sample: str) -> str:
    """Return the source of a value in one of Psi4's own samples."""
    return f"Psi4's tests/{sample}"


DIGITS = "digits of the reference"
LIBRARIES = "digits of basis set and potential in the two libraries"
SCF = "SCF thresholds of both programs"
GRID = "integration grids of both programs"
FITTED = "the reference fits densities, and masses are of one isotope"
METHOD = "the error of the method"
