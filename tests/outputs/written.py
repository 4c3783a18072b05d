"""Scans of water in the formats of programs that are not here, with energies of HF/STO-3G.

Formats are those of their manuals and of published outputs. Geometries and energies are real:
`test_scans` computes them anew.
"""

from __future__ import annotations

from collections.abc import Sequence

SYMBOLS = "OHH"

Rows = Sequence[Sequence[float]]

POINTS: tuple[tuple[float, float, Rows], ...] = (
    (0.9, -74.945021038599, ((0, 0, 0), (0, 0, 0.9), (0.871333, 0, -0.225342))),
    (1.0, -74.954148015827, ((0, 0, 0), (0, 0, 1.0), (0.871333, 0, -0.225342))),
    (1.1, -74.941014256338, ((0, 0, 0), (0, 0, 1.1), (0.871333, 0, -0.225342))),
)
"""The distance 1-2 in Å, the energy in Eh, and the geometry in Å, of each point."""


def _orca_rows(rows: Rows) -> str:
    head = "---------------------------------\n"
    body = "".join(
        f"  {symbol} {x:>12.6f}{y:>12.6f}{z:>12.6f}\n"
        for symbol, (x, y, z) in zip(SYMBOLS, rows, strict=True)
    )
    return f"{head}CARTESIAN COORDINATES (ANGSTROEM)\n{head}{body}\n"


def _orca_energy(energy: float) -> str:
    rule = "-------------------------   --------------------\n"
    return f"{rule}FINAL SINGLE POINT ENERGY   {energy:>18.12f}\n{rule}\n"


ORCA_HEAD = """
                                 *****************
                                 * O   R   C   A *
                                 *****************

                         Program Version 5.0.4 -  RELEASE  -

----- Orbital basis set information -----
Your calculation utilizes the basis: STO-3G

================================================================================
                                       INPUT FILE
================================================================================
NAME = scan.inp
{echo}                         ****END OF INPUT****
================================================================================

                       ******************************
                       *{title:^28}*
                       ******************************

{what}

"""

ORCA_SYSTEM = """General Settings:
 Hartree-Fock type      HFTyp           .... RHF
 Total Charge           Charge          ....    0
 Multiplicity           Mult            ....    1
 Number of Electrons    NEL             ....   10

"""

ORCA_END = """                             ****ORCA TERMINATED NORMALLY****
TOTAL RUN TIME: 0 days 0 hours 0 minutes 27 seconds 96 msec
"""


def orca_relaxed() -> str:
    """Return a relaxed scan of ORCA: at each step a geometry on the way, and the last one."""
    echo = "|  1> ! HF STO-3G Opt\n|  2> %geom Scan B 0 1 = 0.9, 1.1, 3 end end\n|  3> * xyz 0 1\n"
    echo += "".join(f"|  {4 + n}> {one} 0 0 {n}\n" for n, one in enumerate(SYMBOLS)) + "|  7> *\n"
    what = "        Bond (  1,   0):   range=   0.90000000 ..   1.10000000  steps =    3\n\n"
    what += "There is 1 parameter to be scanned.\n"
    what += "There will be    3 constrained geometry optimizations.\n"
    text = ORCA_HEAD.format(echo=echo, title="Relaxed Surface Scan", what=what)
    star = "         " + "*" * 61 + "\n"
    for number, (value, energy, rows) in enumerate(POINTS, 1):
        step = f"RELAXED SURFACE SCAN STEP {number:>3}"
        name = f"Bond (  1,   0)  : {value:>12.8f}"
        text += f"{star}         *{step:^59}*\n         *{'':59}*\n         *{name:^59}*\n{star}\n"
        text += "Convergence Tolerances:\n"
        for target in ("Energy Change", "Max. Gradient", "RMS Gradient"):
            text += f"{target:<25}Tol     ....  5.0000e-06 Eh\n"
        text += "Max. Displacement        TolMAXD  ....  4.0000e-03 bohr\n"
        text += "RMS Displacement         TolRMSD  ....  2.0000e-03 bohr\n\n"
        on_the_way = [[x + 0.01 * number, y, z] for x, y, z in rows]
        text += _orca_rows(on_the_way) + ORCA_SYSTEM + _orca_energy(energy + 1e-4)
        text += "        *** FINAL ENERGY EVALUATION AT THE STATIONARY POINT ***\n"
        text += "             ***               (AFTER    3 CYCLES)             ***\n\n"
        text += _orca_rows(rows) + ORCA_SYSTEM + _orca_energy(energy)
        text += "                        *** OPTIMIZATION RUN DONE ***\n\n"
    table = "".join(f"{value:>13.8f} {energy:.8f} \n" for value, energy, _ in POINTS)
    text += "----------------------------\nRELAXED SURFACE SCAN RESULTS\n"
    text += "----------------------------\n\nColumn   1: NONAME\n\n"
    for name in ("'Actual Energy'", "SCF energy"):
        text += f"The Calculated Surface using the {name}\n{table}\n"
    return text + ORCA_END


def orca_rigid() -> str:
    """Return a scan of a parameter of a Z-matrix by ORCA."""
    echo = "|  1> ! HF STO-3G\n|  2> %paras R = 0.9, 1.1, 3 end\n|  3> *int 0 1\n"
    echo += "|  4>  O   0   0   0   0.0   0.0   0.0\n|  5>  H   1   0   0   {R}   0.0   0.0\n"
    echo += "|  6>  H   1   2   0   0.9   104.5   0.0\n|  7> *\n"
    what = "Trajectory settings:\n    -> SCF surface will be mapped\n\n"
    what += "There are 1 parameter(s) to be scanned\n"
    what += "             R: range=   0.90000000 ..   1.10000000  steps=    3\n"
    what += "There will be    3 energy evaluations\n"
    text = ORCA_HEAD.format(echo=echo, title="Parameter Scan Calculation", what=what)
    star = "         " + "*" * 61 + "\n"
    for number, (value, energy, rows) in enumerate(POINTS, 1):
        text += f"{star}                                TRAJECTORY STEP {number:>3}\n"
        text += f"                 R  : {value:>12.8f}\n{star}"
        text += _orca_rows(rows) + ORCA_SYSTEM + _orca_energy(energy)
    return text + ORCA_END


GAUSSIAN_HEAD = """ Entering Gaussian System, Link 0=g16
 Copyright (c) 1988,1990,1992,1993,1995,1998,2003,2009,2016,
            Gaussian, Inc.  All Rights Reserved.
 ******************************************
 Cite this work as:
 Gaussian 16, Revision A.03,
 ******************************************
 Gaussian 16:  ES64L-G16RevA.03 25-Dec-2016
 ******************************************
 -----------------------------
 #p hf/sto-3g {route}
 -----------------------------
 -----
 water
 -----
 Symbolic Z-matrix:
 Charge =  0 Multiplicity = 1
{matrix}
 Standard basis: STO-3G (5D, 7F)
"""

GAUSSIAN_END = " Normal termination of Gaussian 16 at Wed Apr  4 10:40:13 2018.\n"


def _gaussian_rows(rows: Rows, name: str) -> str:
    rule = " ---------------------------------------------------------------------\n"
    body = "".join(
        f"{n:>7}{8 if symbol == 'O' else 1:>11}           0    {x:>12.6f}{y:>12.6f}{z:>12.6f}\n"
        for n, (symbol, (x, y, z)) in enumerate(zip(SYMBOLS, rows, strict=True), 1)
    )
    return (
        f"                         {name} orientation:                         \n{rule}"
        " Center     Atomic      Atomic             Coordinates (Angstroms)\n"
        f" Number     Number       Type             X           Y           Z\n{rule}{body}{rule}"
    )


def _gaussian_energy(energy: float) -> str:
    return f" SCF Done:  E(RHF) = {energy:>15.9f}     A.U. after    8 cycles\n"


def _parameters(word: str, value: float, driven: str, other: str) -> str:
    rule = " " + "-" * 80 + "\n"
    return (
        "                           ----------------------------\n"
        f"                           !{word + ' Parameters':^26}!\n"
        "                           ! (Angstroms and Degrees)  !\n"
        " --------------------------                            --------------------------\n"
        f" ! Name  Definition              Value          Derivative Info.                !\n{rule}"
        f" ! R1    R(1,2)             {value:>11.4f}         {driven:<32}!\n"
        f" ! R2    R(1,3)                  0.9            {other:<32}!\n{rule}"
    )


def gaussian_relaxed() -> str:
    """Return a relaxed scan of Gaussian: at each point an energy on the way, and the last one."""
    matrix = "\n".join(f" {one:<21} 0.        0.        0." for one in SYMBOLS)
    text = GAUSSIAN_HEAD.format(route="opt=modredundant", matrix=matrix)
    text += " The following ModRedundant input section has been read:\n"
    text += " B       1       2 S   2 0.1000                                                \n \n"
    text += _parameters("Initial", 0.9, "Scan", "estimate D2E/DX2")
    text += " Number of optimizations in scan=   3\n"
    for point, (value, energy, rows) in enumerate(POINTS, 1):
        for step, (shift, off) in enumerate(((0.01, 1e-4), (0.0, 0.0)), 1):
            moved = [[x + shift, y, z] for x, y, z in rows]
            text += _gaussian_rows(moved, "Input") + _gaussian_rows(moved, "Standard")
            text += _gaussian_energy(energy + off)
            text += f" Step number{step:>4} out of a maximum of    2"
            text += f" on scan point{point:>6} out of     3\n"
            text += "         Item               Value     Threshold  Converged?\n"
            for item in (
                "Maximum Force",
                "RMS     Force",
                "Maximum Displacement",
                "RMS     Displacement",
            ):
                text += f" {item:<22}0.000010     0.000450     {'NO' if off else 'YES':<3}\n"
        text += " Optimization completed.\n    -- Stationary point found.\n"
        text += _parameters("Optimized", value, "-DE/DX =    0.0123", "-DE/DX =    0.0")
    text += " Summary of Optimized Potential Surface Scan (add -74.0 to energies):\n"
    text += "".join(f"{n:>10}" for n in ("                       1", 2, 3)) + "\n"
    text += f"{'     Eigenvalues --':<21}" + "".join(
        f"{energy + 74:>10.5f}" for _, energy, _ in POINTS
    )
    text += f"\n{'           R1':<21}" + "".join(f"{value:>10.5f}" for value, _, _ in POINTS)
    text += f"\n{'           R2':<21}" + f"{0.9:>10.5f}" * 3 + "\n"
    return text + GAUSSIAN_END


def gaussian_rigid() -> str:
    """Return a scan of a variable of a Z-matrix by Gaussian."""
    matrix = " O\n H                    1    R\n H                    1    B1       2    A1"
    matrix += "\n       Variables:\n  R                     0.9      Scan 2   0.1     \n"
    matrix += "  B1                    0.9                      \n"
    matrix += "  A1                  104.5                      \n"
    text = GAUSSIAN_HEAD.format(route="scan", matrix=matrix)
    text += " Scan the potential surface.\n Variable   Value     No. Steps Step-Size\n"
    for _, energy, rows in POINTS:
        text += _gaussian_rows(rows, "Z-Matrix") + _gaussian_rows(rows, "Standard")
        text += _gaussian_energy(energy)
    rule = " ----  ---------  -----------\n"
    text += " Scan completed.\n \n Summary of the potential surface scan:\n"
    text += f"   N      R           SCF    \n{rule}"
    for number, (value, energy, _) in enumerate(POINTS, 1):
        text += f"{number:>5}{value:>11.4f}{energy:>13.5f}\n"
    return text + rule + GAUSSIAN_END


WRITTEN = {
    "orca_relaxed": orca_relaxed,
    "orca_rigid": orca_rigid,
    "gaussian_relaxed": gaussian_relaxed,
    "gaussian_rigid": gaussian_rigid,
}
