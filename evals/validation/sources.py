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
