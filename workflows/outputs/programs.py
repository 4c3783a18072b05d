"""The programs whose outputs are read: how a file is known as theirs, and where their jobs end.

What is told of a program here is what its parser does not say, or says wrongly.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ontologies.outputs import NOT_SAID

HEAD = 1 << 20
"""Characters among which the banner of a program is looked for; queues print before it."""


@dataclass(frozen=True)
class OutputProgram:
    """A program.

    Attributes:
        name: as people write it.
        parser: of cclib, as `module:class`.
        banner: with which its outputs begin.
        begins: lines with which another job begins.
        parts: lines with which a step begins that may be a job of its own, where one job has two
            energies that cannot both be its own.
        ended: what stands at the end of a run that ended well; what is said where it is missing.
        failures: what a failed run says, with the reason; the text of a group is the program's own.
        valence: whether it counts the electrons outside the cores alone.
        basis: what it says of the basis set, where its methods bring their own.
        dipole: where it prints the length of the dipole moment in debye, the group.
        biased: lines of runs whose energies are not those of the molecule alone: of a field, or of
            charges around it. Where a program prints its input, lines of that are among them, and
            comments in it are not.
        held: lines of runs that hold atoms or coordinates, likewise; what they relax is no minimum.
        driven: lines of scans, likewise.
        beside: the name of a file that an output says it goes with, the group.
        placed: with which a job prints its geometry, where it is not every job that does.
        mended: what its parser cannot read, and what it is given in its place.
        asides: lines of its standard error, which stand anywhere where both went into one file.
    """

    name: str
    parser: str
    banner: re.Pattern[str]
    begins: tuple[re.Pattern[str], ...] = ()
    parts: re.Pattern[str] | None = None
    failures: tuple[tuple[re.Pattern[str], str], ...] = ()
    valence: bool = False
    basis: str = NOT_SAID
    dipole: re.Pattern[str] | None = None
    biased: re.Pattern[str] | None = None
    held: re.Pattern[str] | None = None
    driven: re.Pattern[str] | None = None
    beside: re.Pattern[str] | None = None
    placed: re.Pattern[str] | None = None
    mended: tuple[tuple[re.Pattern[str], str], ...] = ()
    asides: re.Pattern[str] | None = None


def _line(text: str) -> re.Pattern[str]:
    return re.compile(rf"^(?:{text})", re.MULTILINE)


LENGTH = r"(-?\d+\.\d+)"

SCF = "the SCF did not converge"
GEOMETRY = "the optimisation did not converge"

PROGRAMS = (
    OutputProgram(
        "Psi4",
        "cclib.parser.psi4parser:Psi4",
        _line(r" +Psi4: An Open-Source Ab Initio Electronic Structure Package"),
        parts=_line(r"\*\*\* tstart\(\) called on .*"),
        failures=(
            (_line(r".*SCFConvergenceError: (.*)"), SCF),
            (_line(r".*OptimizationConvergenceError: (.*)"), GEOMETRY),
            (_line(r"[\w.]*(?:Error|Exception): *(.*)"), "it ended with an error"),
            (_line(r"\*\*\* Psi4 encountered an error()"), "it ended with an error"),
        ),
        dipole=_line(rf" *Dipole Moment: \[D\]\n +X: .* Total: +{LENGTH}"),
        biased=_line(r" *Perturbing V by|.*External Potential"),
        held=_line(
            r"[ \t]*(?:Fixed|Frozen) (?:distance|bend|dihedral) atom list|"
            r".*to adjust frozen coordinates|"
            r"[^#\n]*(?i:\b(?:fixed|frozen|ranged)_(?:distance|bend|dihedral|cartesian))"
        ),
    ),
    OutputProgram(
        "xtb",
        "cclib.parser.xtbparser:XTB",
        _line(r" +\| +x T B +\|"),
        failures=(
            (_line(r".*(Self consistent charge iterator did not converge)"), SCF),
            (_line(r".*(FAILED TO CONVERGE GEOMETRY OPTIMIZATION.*?) \*\*\*"), GEOMETRY),
            (_line(r"\[ERROR\] (.*)"), "it ended with an error"),
            (_line(r"abnormal termination of xtb()"), "it ended with an error"),
        ),
        valence=True,
        basis="",
        dipole=_line(rf"molecular dipole:\n.*Debye\)\n.*\n +full: +\S+ +\S+ +\S+ +{LENGTH}"),
        biased=_line(r" +: +-> # point charges|.*program call.*--efield"),
        held=_line(r"constraining |spherical wallpot|.*:: add\. restraining +-?(?!0\.0+ )\d"),
        driven=_line(r" *RELAXED SCAN"),
        beside=_line(r" *output written to (xtbscan\.log)"),
        asides=_line(r"(?:Note: The following floating-point|normal termination of xtb).*\n"),
    ),
    OutputProgram(
        "ORCA",
        "cclib.parser.orcaparser:ORCA",
        _line(r" +\* +O +R +C +A +\*"),
        (_line(r"\$+ +JOB NUMBER +[2-9]\d* +\$+"),),
        failures=(
            (_line(r".*(SCF NOT CONVERGED AFTER .*?) *\*? *$"), SCF),
            (_line(r".*(The optimization did not converge.*)"), GEOMETRY),
            (_line(r"ORCA finished by error termination in (.*)"), "it ended with an error"),
        ),
        dipole=_line(rf"Magnitude \(Debye\) +: +{LENGTH}"),
        biased=_line(r"\| *\d+> *(?i:Q +[-+.\d]+ |[^#\n]*(?:% *pointcharges|% *qmmm|\befield\b))"),
        held=_line(r"\| *\d+> *(?i:[^#\n]*\{ *[BADCXYZ] [^}#\n]*C *\})"),
        driven=_line(r" +\* +(?:Relaxed Surface Scan|Parameter Scan Calculation) +\*"),
    ),
    OutputProgram(
        "Gaussian",
        "cclib.parser.gaussianparser:Gaussian",
        _line(r" Entering Gaussian System|.*Gaussian, Inc\."),
        (
            re.compile(r"(?<=\n) Normal termination of Gaussian.*\n"),
            _line(r" Entering Gaussian System"),
        ),
        failures=(
            (_line(r" >*(Convergence failure.*)"), SCF),
            (_line(r" *-- (Number of steps exceeded.*)"), GEOMETRY),
            (_line(r" Error termination (.*)"), "it ended with an error"),
        ),
        dipole=_line(rf" Dipole moment \(field-independent basis, Debye\):\n +X=.* Tot= +{LENGTH}"),
        biased=_line(
            r" The following finite field\(s\) will be applied|"
            r" Background charge distribution|.*Self energy of the charges| Point Charges:|"
            r" #.*[ ,](?i:charge|field)\b"
        ),
        held=_line(
            r" The following ModRedundant input section has been read:\n"
            r"(?: [XBADLO](?: +[-+=*.\d]+)+(?: +[A-Z].*)?\n)*?"
            r" [XBADLO](?: +[-+=*.\d]+)+ +[FB]\b|"
            r" ! +\S+ +[A-Z]\([-,\d]+\) .*\b(?i:frozen)\b|"
            r" [A-Z][a-z]?(?:\([^)\n]*\))? +-1(?: +-?\d+\.\d*){3} *$"
        ),
        driven=_line(
            r" *Number of optimizations in scan=|"
            r" Scan the potential surface\.|"
            r" ! +\S+ +[A-Z]\([-,\d]+\) .*\bScan\b|"
            r" [XBADLO](?: +[-+=*.\d]+)+ +S +\d+ +-?\d+\."
        ),
    ),
    OutputProgram(
        "Q-Chem",
        "cclib.parser.qchemparser:QChem",
        _line(r".*(Welcome to Q-Chem|A Quantum Leap Into The Future Of Chemistry)"),
        (_line(r" +Welcome to Q-Chem"),),
        failures=(
            (_line(r".*(SCF failed to converge.*)"), SCF),
            (_line(r".*(MAXIMUM OPTIMIZATION CYCLES REACHED.*?) *\*?\*? *$"), GEOMETRY),
            (_line(r" *Q-Chem fatal error occurred(.*)"), "it ended with an error"),
        ),
        dipole=_line(rf" +Dipole Moment \(Debye\)\n.*\n +Tot +{LENGTH}"),
        biased=_line(r" *(?i:\$(?:external_charges|multipole_field|efp_fragments|distort)\b)"),
        held=_line(r" *(?i:(?:addsec +)?\$opt *\n(?:(?! *\$end).*\n)*? *(?:constraint|fixed) *$)"),
        driven=_line(r" *(?i:job_?type\s+=?\s*pes_scan\b|\$scan\b)"),
    ),
    OutputProgram(
        "NWChem",
        "cclib.parser.nwchemparser:NWChem",
        _line(r" +Northwest Computational Chemistry Package \(NWChem\)"),
        (
            re.compile(
                r"(?<=\n) Task +times +cpu:.*\n"
                r"(?=\s+NWChem Input Module\n(?:(?! Task +times).*\n)*? +NWChem .*[a-z] *\n +-+\n)"
            ),
        ),
        failures=(
            (_line(r".*(Calculation failed to converge.*)"), SCF),
            (_line(r".*(Failed to converge in maximum number of steps.*)"), GEOMETRY),
            (_line(r" *(There is an error .*)"), "it ended with an error"),
            (_line(r" *This type of error is most commonly()"), "it ended with an error"),
        ),
        biased=_line(r" *Total Bq charge:| *Bq nuclear interaction energy"),
        held=_line(r" *fixed atoms +:| *spring \w+ \(| *Number of frozen variables ="),
        placed=_line(r' *Geometry "\S+" -> '),
        mended=(
            (_line(r" *(?:(?:Bq n|N)uclear .* energy =|no constraints, skipping) .*\n"), ""),
            (_line(r"( *COSMO solvation phase)$"), r"\n\1"),
        ),
    ),
)


_FRAMES = re.compile(r"\s*\d+ *\n *energy: .* xtb: ")


def goes_with(text: str) -> str:
    """Return with what a file goes that is no output itself, in words; empty for nothing."""
    if _FRAMES.match(text[:HEAD]):
        return "it has geometries by xtb: give the output of that run, beside which it is to lie"
    return ""


def recognised(text: str) -> OutputProgram | None:
    """Return the program that wrote a text, by the banner that comes first; None for none."""
    head = text[:HEAD]
    found = [(met.start(), one) for one in PROGRAMS if (met := one.banner.search(head))]
    return min(found, key=lambda pair: pair[0])[1] if found else None


def jobs(text: str, program: OutputProgram) -> list[int]:
    """Return where the jobs of an output begin, the first at 0.

    What Gaussian prints behind the end of a job begins the next one, if there is anything.
    """
    starts = {0}
    for pattern in program.begins:
        for met in pattern.finditer(text):
            start = met.end() if met[0].endswith("\n") else met.start()
            if text[start:].strip():
                starts.add(start)
    if program.name == "Psi4":
        starts |= set(_after_optimisations(text, program))
    banner = program.banner.search(text)
    first = banner.start() if banner else 0
    return [0, *sorted(start for start in starts if start > first)]


def _after_optimisations(text: str, program: OutputProgram) -> list[int]:
    """Return where steps begin behind a finished optimisation: of what was asked for next."""
    assert program.parts is not None
    steps = [met.start() for met in program.parts.finditer(text)]
    done = [met.start() for met in re.finditer(r"\*\*\*\* Optimization is complete", text)]
    return [start for at in done if (start := next((s for s in steps if s > at), None))]


def failure(text: str, program: OutputProgram, first_line: int) -> str:
    """Return why a run failed, in words and with the line; empty if it does not say that it did."""
    for pattern, reason in program.failures:
        if met := pattern.search(text):
            line = first_line + text.count("\n", 0, met.start())
            said = " ".join(met[1].split())[:200] if met.groups() else ""
            return f"{reason}{f': {said}' if said else ''} (line {line})"
    return ""


# --- what the parsers do not say --------------------------------------------------------------

_BASIS = re.compile(r"^ +Name: (\S+)\n +Role: ORBITAL", re.MULTILINE)
_POINTS = re.compile(r"^ +(Radial|Spherical) Points +=? +(\d+)", re.MULTILINE)
_FITTED = re.compile(r"^ +SCF Algorithm Type is \w*DF", re.MULTILINE)
_AROUND = re.compile(r"(?i)pcm|ddx|efp|extern|perturb|solvent")
"""Words without which an output of Psi4 is of a molecule by itself."""

_HOT = re.compile(r"^ +: +electronic temp\. +(\d+\.\d+) +K", re.MULTILINE)
_SETS = re.compile(r'^ Summary of "ao basis" -> .*\n -+\n.*\n[- ]+\n((?: \S.*\n)+)', re.MULTILINE)
_SET = re.compile(r"^ (\S+) +(\S.*?) +(?:\d+ +\d+ +\w+|on all atoms) *$", re.MULTILINE)
_STRENGTH = re.compile(r"^ +Dipole Oscillator Strength +(\d+\.\d+)", re.MULTILINE)

_COSMO = re.compile(
    r"^ +-cosmo- solvent\n(?:.*\n)*?^ +dielectric constant .*= +(\S+)", re.MULTILINE
)

_SOLVENT = re.compile(r"^ +\* Solvation model: +(\S+)\n +Solvent +(\S+)", re.MULTILINE)


def more(text: str, program: OutputProgram) -> dict[str, str]:
    """Return what the text of a job says of its level beyond what its parser reads."""
    said = dict[str, str]()
    if program.name == "Psi4":
        if re.search(r"^ +(R|U|RO|CU)HF Reference", text, re.MULTILINE):
            said["method"] = "DF-HF" if _FITTED.search(text) else "HF"
            said["grid"] = ""
        if not _AROUND.search(text):
            said["solvent"] = ""
        points = dict(_POINTS.findall(text))
        if len(points) == 2:
            said["grid"] = f"({points['Radial']}, {points['Spherical']})"
        if len(sets := set(_BASIS.findall(text))) == 1:
            said["basis"] = sets.pop()
    if program.name == "NWChem":
        if met := _COSMO.search(text):
            model = "SMD" if "COSMO-SMD solvation results" in text else "COSMO"
            said["solvent"] = f"{model} (dielectric constant {float(met[1]):g})"
        sets = _of_elements(text)
        if len({which for _, which in sets}) > 1:
            said["basis"] = ", ".join(f"{which} ({element})" for element, which in sets)
    if program.name == "xtb":
        hot = {float(one) for one in _HOT.findall(text)} - {300.0}
        said["electrons"] = f" ({min(hot):g} K electrons)" if hot else ""
        met = _SOLVENT.search(text)
        said["solvent"] = f"{met[1]} {met[2]}" if met else ""
        said["grid"] = ""
    return said


def _of_elements(text: str) -> list[tuple[str, str]]:
    """Return the elements (or tags) that NWChem has basis sets for, with the names of these."""
    tables = _SETS.findall(text)
    return sorted({pair for table in tables for pair in _SET.findall(table)})


def strengths(text: str, program: OutputProgram) -> list[float] | None:
    """Return the oscillator strengths of dipole transitions, where a parser reads other ones.

    What NWChem calls total has those of quadrupoles and magnetic dipoles in it.
    """
    if program.name != "NWChem":
        return None
    return [float(one) for one in _STRENGTH.findall(text)]


def basis_sets(text: str, program: OutputProgram) -> set[str]:
    """Return the basis sets that a job names, where its program says each time which it takes."""
    return set(_BASIS.findall(text)) if program.name == "Psi4" else set()
