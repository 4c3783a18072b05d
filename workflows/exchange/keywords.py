"""What Psi4, ORCA and Gaussian call the functionals and corrections that they have as here.

A name stands in the table only where the same is meant: the energies of Psi4 1.3.2 are compared in
the tests. ORCA and Gaussian were not run: their columns follow published lists of keywords (ORCA
6.1 manual, density functionals, dispersion and frequencies, and what others list of them; Gaussian
16 manual, keyword DFT with its tables of D3).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ontologies.level import LevelOfTheory

PROGRAMS = ("Psi4", "ORCA", "Gaussian")

TABLE = """
HF             hf           HF          HF
SVWN           -            -           SVWN5
SVWN3          svwn         -           SVWN
PBE            pbe          PBE         PBEPBE
revPBE         revpbe       revPBE      -
RPBE           rpbe         RPBE        -
BLYP           blyp         BLYP        BLYP
BP86           bp86         -           BP86
TPSS           tpss         TPSS        TPSSTPSS
revTPSS        revtpss      -           RevTPSSRevTPSS
SCAN           -            SCANfunc    -
r2SCAN         -            r2SCAN      -
M06-L          m06-l        M06L        M06L
M11-L          m11-l        -           M11L
MN12-L         mn12-l       -           MN12L
MN15-L         mn15-l       -           MN15L
PBE0           pbe0         PBE0        PBE1PBE
B3LYP          b3lyp        B3LYP/G     B3LYP
B3LYP5         b3lyp5       B3LYP       -
B3PW91         b3pw91       -           -
BHandHLYP      bhandhlyp    BHandHLYP   BHandHLYP
B97-1          b97-1        -           B971
B97-2          b97-2        -           B972
B97-3          b97-3        -           -
PW6B95         pw6b95       -           -
TPSSh          tpssh        TPSSh       TPSSh
r2SCANh        -            r2SCANh     -
r2SCAN0        -            r2SCAN0     -
r2SCAN50       -            r2SCAN50    -
M05            m05          -           M05
M05-2X         m05-2x       -           M052X
M06            m06          M06         M06
M06-2X         m06-2x       M062X       M062X
M06-HF         m06-hf       -           M06HF
M08-HX         m08-hx       -           M08HX
MN15           mn15         -           MN15
M11            m11          -           M11
CAM-B3LYP      cam-b3lyp    -           -
wB97           wb97         wB97        wB97
wB97X          wb97x        wB97X       wB97X
wB97X-V        wb97x-v      wB97X-V     -
wB97M-V        wb97m-v      wB97M-V     -
B97M-V         b97m-v       B97M-V      -
wB97X-D3       -            wB97X-D3    -
wB97X-D3(BJ)   wb97x-d3bj   wB97X-D3BJ  -
wB97M-D3(BJ)   wb97m-d3bj   wB97M-D3BJ  -
B97M-D3(BJ)    b97m-d3bj    B97M-D3BJ   -
wB97X-D4       -            wB97X-D4    -
wB97M-D4       -            wB97M-D4    -
B97M-D4        -            B97M-D4     -
B97-D3(BJ)     b97-d3bj     -           B97D3
"""
"""Methods, and their names in each program; `-` where it has none, or means something else by it.

B3LYP is the one with VWN's fit to the RPA (VWN3), as in Gaussian and Psi4, B3LYP5 that with VWN5,
as in ORCA. A correction for dispersion in a name is in the keyword."""

METHODS: Mapping[str, Mapping[str, str]] = {
    name: {program: word for program, word in zip(PROGRAMS, words, strict=True) if word != "-"}
    for name, *words in map(str.split, TABLE.strip().splitlines())
}

COMPOSITES: Mapping[str, tuple[str, ...]] = {
    "orca": ("HF-3c", "B97-3c", "PBEh-3c", "r2SCAN-3c", "wB97X-3c")
}
"""Methods that bring basis set and corrections along and are not computed here, by format."""

OTHERWISE: Mapping[tuple[str, str], tuple[str, str]] = {
    ("ORCA", "BP86"): (
        "its BP86 has VWN5 for the local part, not Perdew and Zunger's",
        "PBE or BLYP",
    ),
    ("ORCA", "CAM-B3LYP"): (
        "its manual does not say which of VWN's fits it has for the local part",
        "wB97X-D3 or wB97X-V",
    ),
    ("Gaussian", "CAM-B3LYP"): (
        "its manual does not say which of VWN's fits it has for the local part",
        "wB97X",
    ),
    ("ORCA", "B3PW91"): (
        "its local part is not said to be that of Perdew and Wang",
        "B3LYP or PBE0",
    ),
    ("Gaussian", "B3PW91"): ("its local part is not said to be the same", "B3LYP or PBE0"),
    ("Gaussian", "HSE06"): ("its HSEH1PBE has another model of the hole of PBE exchange", "PBE0"),
    ("Gaussian", "LC-wPBE"): (
        "its LC-wHPBE has another model of the hole of PBE exchange",
        "wB97X",
    ),
    ("Gaussian", "B3LYP5"): ("its B3LYP is the one with VWN3", "B3LYP"),
    ("Gaussian", "wB97X-D3"): (
        "its wB97XD is another functional, of 2008 with D2",
        "wB97X, or B3LYP-D3(BJ)",
    ),
    **{
        ("Gaussian", f"{stem}-{tail}"): (
            f"it has wB97X of 2008 and wB97XD, not {stem}-{tail}",
            "wB97X, or B3LYP-D3(BJ)",
        )
        for stem, tails in (("wB97X", ("V", "D3(BJ)", "D4")), ("wB97M", ("V", "D3(BJ)", "D4")))
        for tail in tails
    },
    ("Psi4", "SVWN"): ("its svwn has VWN's fit to the RPA", "SVWN3"),
    ("Psi4", "wB97X-D3"): (
        "wb97x-d3 of version 1.3 has the functional of 2008, not that of 2013",
        "wB97X-D3(BJ) or wB97X-V",
    ),
    ("Psi4", "HSE06"): ("energies of its hse06 are 2e-5 Eh off, for an unknown reason", "PBE0"),
    ("Psi4", "TPSS0"): ("tpss0 of version 1.3 is TPSSh", "TPSSh"),
    ("Psi4", "wB97X-D4"): ("version 1.3 has no D4", "wB97X-D3(BJ)"),
    ("Psi4", "wB97M-D4"): ("version 1.3 has no D4", "wB97M-D3(BJ)"),
    ("Psi4", "r2SCAN"): ("version 1.3 has none of the family", "TPSS"),
    ("Psi4", "SCAN"): ("version 1.3 has none of the family", "TPSS"),
}
"""Why a method has no name in a program, and what is nearest there, where more is known of it."""

ALONE: Mapping[tuple[str, str], tuple[str, str]] = {
    ("Gaussian", "wB97X-D"): ("wB97XD", "wB97X, or B3LYP-D3(BJ)"),
    ("Psi4", "wB97X-D"): ("wb97x-d", "wB97X-D3(BJ) or wB97X-V"),
    ("Gaussian", "B97-D"): ("B97D", "B97-D3(BJ)"),
    ("Psi4", "B97-D"): ("b97-d", "B97-D3(BJ)"),
}
"""Methods with the correction D2, which nothing here computes, by program: what it calls them, and
what is nearest of what both have. wB97X-D is that of J.-D. Chai and M. Head-Gordon, Phys. Chem.
Chem. Phys. 10, 6615 (2008), with a damping of its own; the functional of wB97X-D3 is another."""

SOLVENTS: Mapping[str, str] = {
    "1,2-dichloroethane": "DiChloroEthane",
    "1,4-dioxane": "1,4-Dioxane",
    "N,N-dimethylformamide": "N,N-DiMethylFormamide",
    "acetone": "Acetone",
    "acetonitrile": "Acetonitrile",
    "aniline": "Aniline",
    "benzene": "Benzene",
    "carbon tetrachloride": "CarbonTetraChloride",
    "chlorobenzene": "ChloroBenzene",
    "chloroform": "Chloroform",
    "cyclohexane": "CycloHexane",
    "dichloromethane": "DiChloroMethane",
    "diethyl ether": "DiethylEther",
    "dimethyl sulfoxide": "DiMethylSulfoxide",
    "ethanol": "Ethanol",
    "methanol": "Methanol",
    "n-heptane": "Heptane",
    "n-hexane": "n-Hexane",
    "nitromethane": "NitroMethane",
    "pyridine": "Pyridine",
    "tetrahydrofuran": "TetraHydroFuran",
    "toluene": "Toluene",
    "water": "Water",
}
"""What Gaussian 16 calls solvents; it has the constants of the Minnesota table, as here."""

CONTINUA: Mapping[str, tuple[str, str]] = {
    "Gaussian": (
        "whose cavity there has radii of UFF times 1.1, and Bondi's times 1.2 here,",
        "ask for SMD (`solvation` SMD), whose radii belong to the model, or leave the solvent out "
        "and add SCRF=(CPCM,Solvent=…) to the file",
    ),
    "ORCA": (
        "which differs from program to program (SMD is conductor-like there, and IEF-PCM here),",
        "ask for ORCA's own C-PCM (`solvation` C-PCM), or leave the solvent out and add to the "
        'file what is meant, such as %cpcm smd true SMDsolvent "{solvent}" end',
    ),
    "Psi4": (
        "whose cavity and charges differ from program to program,",
        "leave the solvent out, and set up PCMSolver by its manual",
    ),
}
"""Why continua are not translated, and what to do instead. Of water with HF/6-31G*, a SMD that is
conductor-like (NWChem) is 0.3 kcal/mol below that here in water and 0.5 in toluene, with the same
non-electrostatic part."""

NONLOCAL = ("wB97X-V", "wB97M-V", "B97M-V")
"""Functionals whose VV10 is in their keywords."""

DISPERSIONS: Mapping[str, Mapping[str, str]] = {
    "Psi4": {"D3(BJ)": "-d3bj", "D3(0)": "-d3zero"},
    "ORCA": {"D3(BJ)": "D3BJ", "D3(0)": "D3ZERO", "D4": "D4"},
    "Gaussian": {"D3(BJ)": "GD3BJ", "D3(0)": "GD3"},
}
"""What programs call corrections that they have with the published parameters of a functional."""

COMMON = ("BLYP", "PBE", "PBE0", "B3LYP", "TPSS")
IN_ORCA = ("HF", *COMMON, "B3LYP5", "revPBE", "RPBE", "BHandHLYP", "TPSSh")
R2SCAN = ("SCAN", "r2SCAN", "r2SCANh", "r2SCAN0", "r2SCAN50")
CORRECTED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "Psi4": dict.fromkeys(("D3(BJ)", "D3(0)"), ("HF", *COMMON, "BP86")),
    "ORCA": {
        "D3(BJ)": (*IN_ORCA, *R2SCAN),
        "D3(0)": (*IN_ORCA, "M06-L", "M06", "M06-2X"),
        "D4": (*IN_ORCA, *R2SCAN, "M06-L", "M06"),
    },
    "Gaussian": {
        "D3(BJ)": (*COMMON, "BP86"),
        "D3(0)": (*COMMON, "BP86", "M05", "M05-2X", "M06", "M06-2X", "M06-L", "M06-HF"),
    },
}
"""Methods that a program has parameters of a correction for, which are those here."""


def word_of(method: str, program: str) -> str:
    """Return what a program calls a method; empty where it does not have the same."""
    return METHODS.get(method, {}).get(program, "")


def smd_word(program: str, level: LevelOfTheory, numbers: Collection[int]) -> str:
    """Return what a program calls the solvent of SMD, where it means the same; empty otherwise.

    Gaussian has SMD by IEF-PCM, too. PySCF has the radii of SMD18 for bromine and iodine (E.
    Engelage et al., Chem. Eur. J. 24, 15983, 2018), and Gaussian those of 2009.
    """
    around = level.solvation
    if program != "Gaussian" or around is None or around.model != "SMD" or {35, 53} & {*numbers}:
        return ""
    return SOLVENTS.get(around.solvent, "")


def why_no_continuum(
    program: str, level: LevelOfTheory, numbers: Collection[int]
) -> tuple[str, str]:
    """Return why the continuum of a level is not translated, and what can be done instead."""
    around = level.solvation
    if program == "Gaussian" and around is not None and around.model == "SMD":
        halogens = [what for number, what in ((35, "bromine"), (53, "iodine")) if number in numbers]
        if halogens:
            what = halogens[0]
            found = f"which has the radius of SMD18 for {what} here, and that of 2009 there,"
        else:
            found = f"of which Gaussian's name is not known here (known are {', '.join(SOLVENTS)}),"
        return found, "leave the solvent out, and add SCRF=(SMD,Solvent=…) to the file"
    why, advice = CONTINUA[program]
    return why, advice.format(solvent=around.solvent if around and around.solvent else "water")


OWN_CAVITY = {"ORCA": {"C-PCM": "CPCM"}, "Gaussian": {"C-PCM": "CPCM", "IEF-PCM": "IEFPCM"}}
"""What programs call continua that they have by the permittivity, in cavities of their own."""


def own_continuum(program: str, level: LevelOfTheory) -> str:
    """Return what a program calls the model of a continuum that has a cavity of its own there.

    That is what people mean who ask for it: energies differ, and the file says so. Empty where it
    has none, or where the solvent's name is not known there (ORCA takes the permittivity).
    """
    around = level.solvation
    if around is None or (program == "Gaussian" and around.solvent not in SOLVENTS):
        return ""
    return OWN_CAVITY.get(program, {}).get(around.model, "")


def why_not(method: str, program: str) -> tuple[str, str]:
    """Return why a method is not translated, in words or empty, and what can be asked instead."""
    there = ", ".join(name for name, words in METHODS.items() if program in words)
    found = OTHERWISE.get((program, method))
    if found is None:
        return "", f"translated for {program} are {there}"
    return found[0], f"nearest there: {found[1]}; translated for {program} are {there}"
