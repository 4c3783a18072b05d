"""What an input of Gaussian or ORCA asks for, as fields of a request, where all of it is known.

A word is followed only where the same is meant here; what changes no result is passed over. One
word that is neither leaves the whole to the person who asks.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from .keywords import METHODS, SOLVENTS

SIX = re.compile(r"6-31(?!1)|3-21")
"""How the sets begin that have six d functions in Gaussian where nobody says otherwise."""

SHELLS = re.compile(r"(?i)(def2-?|ma-def2-?)(sv|tzv|qzv)(p{0,2}d?)")
POPLE = re.compile(r"(?i)(sto-3g|3-21g|6-311?\+{0,2}g)(\*{0,2}|\((?:d|\d?df?)(?:,(?:p|\d?pd?))?\))")
DUNNING = re.compile(r"(?i)(aug-)?cc-pv([dtq])z")

GAUSSIAN_SCF = re.compile(
    r"(?i)(very)?tight|xqc|yqc|qc|direct|(no)?incore|(no)?varacc|(no)?diis|(no)?symm"
    r"|(max)?cycles?=\d+|maxcycles?=\d+|conver(gence)?=\d+|(no)?fermi|(no)?damp|novaracc|noincfock"
)
"""What leads to the same solution on another way."""

GAUSSIAN_IDLE = re.compile(
    r"(?i)#[pnt]?|[pnt]|nosymm(etry)?|symm(etry)?|pop(ulation)?\b.*|gfinput|gfprint|gfoldprint|test|"
    r"sp|guess=(mix|read|huck\w*|harris|core)|geom=connectivity|formcheck|"
    r"int(egral)?s?[=(]+\(?(grid=)?(ultrafine|ultrafinegrid|superfine|superfinegrid|fine|finegrid)"
    r"\)*|maxdisk=\w+|units?=\(?ang(strom)?s?\)?|density(=current)?"
)
"""Words of Gaussian that change no result, but for the grid."""

GAUSSIAN_OPT = re.compile(
    r"(?i)calcfc|calcall|maxcycles?=\d+|maxstep=\d+|cartesian|redundant|gediis|rfo|"
    r"noeigen(test)?|recalcfc=\d+|maxc=\d+"
)

ORCA_IDLE = re.compile(
    r"(?i)(normal|loose|strong|tight|verytight|extreme)scf|(slow|veryslow|easy|normal)conv|"
    r"(def)?grid\d|(no)?finalgrid\d?|nofinalgrid|(no)?gridx\d?|mini?print|smallprint|normalprint|"
    r"largeprint|(no)?printbasis|printmos|pal\d+|(no)?ri|(no)?rijcosx|nocosx|rijonx|rijk|autoaux|"
    r"def2/jk?|sarc/j|sp|(no)?usesym|(no)?autostart|(no)?moread|kdiis|(no)?soscf|(no)?diis|(no)?trah|"
    r"(no)?pop|keepdens|xyzfile|angs|bohrs"
)
"""Words of ORCA that change no result, but for fitted integrals and grids."""

FITTED = re.compile(r"(?i)ri|rijcosx|rijonx|rijk|autoaux|def2/jk?|sarc/j")
FROM_ORCA = {"HF": ("hf", "rhf", "uhf", "rohf"), "KS": ("rks", "uks", "roks", "ks", "dft")}
CORRELATED = {"mp2": "MP2", "ccsd": "CCSD", "ccsd(t)": "CCSD(T)"}
ALIKE_CORES = {1, 2, *range(5, 11), *range(13, 19)}
"""Elements of which Gaussian freezes the orbitals that are frozen here, as ORCA does of all: of
lithium, beryllium, sodium and magnesium it freezes more."""

KINDS = {"r": "restricted", "u": "unrestricted", "ro": "restricted open-shell"}
CONVERGENCES = {"loose": "loose", "": "normal", "tight": "tight", "verytight": "very tight"}
OTHER_CAVITY = "the cavity of {} is another in {}, so that energies differ"
RELAXED = "the geometry is relaxed first, as frequencies are of a minimum"


@dataclass
class Asked:
    """What an input asks for.

    Attributes:
        fields: of a request.
        unknown: words that are not followed.
        notes: what is not quite the same.
    """

    fields: dict[str, object] = field(default_factory=dict[str, object])
    unknown: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])

    @property
    def line(self) -> str:
        """The fields as options are written: as they would be typed."""
        return " ".join(
            f"--{name.replace('_', '-')}" + ("" if value is True else f" {_quoted(value)}")
            for name, value in self.fields.items()
        )


def _quoted(value: object) -> str:
    return f"'{value}'" if re.search(r"[\s*()]", str(value)) else str(value)


def _methods(program: str) -> dict[str, str]:
    """Return methods by what a program calls them, in lower case."""
    return {words[program].lower(): name for name, words in METHODS.items() if program in words}


def _basis(word: str) -> str:
    """Return what a basis set is called here; empty where the word names none that is the same."""
    if found := SHELLS.fullmatch(word):
        return f"{found[1].rstrip('-').lower()}-{found[2].upper()}{found[3].upper()}"
    if found := POPLE.fullmatch(word):
        stars = {"(d)": "*", "(d,p)": "**"}.get(found[2].lower(), found[2])
        return found[1].upper() + stars.lower()
    if found := DUNNING.fullmatch(word):
        return f"{(found[1] or '').lower()}cc-pV{found[2].upper()}Z"
    return ""


# --- Gaussian ------------------------------------------------------------------------------------

TOKEN = re.compile(r"[^\s,(]+(?:=?\([^()]*(?:\([^()]*\)[^()]*)*\)[^\s,(]*)*")


def of_gaussian(route: str, numbers: Collection[int] = ()) -> Asked:
    """Return what a route section asks for.

    Args:
        route: its lines as one.
        numbers: of the elements: from potassium on Pople's sets have f functions in Gaussian, which
            are counted otherwise than their d functions.
    """
    asked = Asked()
    words = [one for one in TOKEN.findall(re.sub(r"\s*=\s*", "=", route)) if one]
    words = [re.sub(r"^#[pntPNT]?(?=.)", "", one) for one in words]
    level = next((one for one in words if "/" in one and "=" not in one), "")
    if not level:
        names = [one for one in words if _gaussian_method(one)]
        sets = [one for one in words if _basis(one)]
        if len(names) == 1 and len(sets) == 1:
            level = f"{names[0]}/{sets[0]}"
            words = [one for one in words if one not in (names[0], sets[0])]
    words = [one for one in words if one != level]
    method, basis = (*level.split("/"), "")[:2] if level.count("/") == 1 else ("", "")
    named = _gaussian_method(method)
    known = _basis(basis)
    if named is None or not known:
        asked.unknown.append(level or "no method and basis set")
    else:
        kind, name = named
        asked.fields["level"] = f"{name}/{known}"
        if kind:
            asked.fields["reference"] = KINDS[kind]
    shells = {one.lower() for one in words if re.fullmatch(r"(?i)5d|6d|7f|10f", one)}
    words = [one for one in words if one.lower() not in shells]
    pople = bool(POPLE.fullmatch(basis))
    six = "6d" in shells or ("5d" not in shells and bool(SIX.match(known)))
    f_functions = not pople or "f" in basis.lower().partition("(")[2]
    if ("10f" in shells) != six and ("10f" in shells or f_functions):
        asked.unknown.append("its choice of 5D, 6D, 7F and 10F")
    if named and named[1] in CORRELATED.values() and {*numbers} - ALIKE_CORES:
        asked.unknown.append(f"the frozen cores of {method}")
    if max(numbers, default=1) > (18 if pople else 36 if DUNNING.fullmatch(basis) else 86):
        asked.unknown.append(f"{basis} of so heavy elements")
    if six and known.endswith(("*", "Z", "P", ")")):
        asked.fields["cartesian"] = True
    asked.fields["task"] = "energy"
    for word in words:
        name, options = _options(word)
        if not _gaussian_word(asked, name, options) and not GAUSSIAN_IDLE.fullmatch(word):
            asked.unknown.append(word)
    return asked


def _gaussian_method(word: str) -> tuple[str, str] | None:
    """Return the reference that a word says, or none, and the method; None where it is neither."""
    names = {**_methods("Gaussian"), **CORRELATED}
    for kind in ("", "ro", "r", "u"):
        if word.lower().startswith(kind) and (found := names.get(word.lower().removeprefix(kind))):
            return kind, found
    return None


def _options(word: str) -> tuple[str, list[str]]:
    """Return a keyword in lower case and its options."""
    name, _, rest = (
        word.partition("(") if "=" not in word.partition("(")[0] else word.partition("=")
    )
    rest = rest.strip("()")
    return name.lower(), [one for one in re.split(r"[,\s]+", rest.lower()) if one]


def _gaussian_word(asked: Asked, name: str, options: Sequence[str]) -> bool:
    """Take in a word; return whether all of it is followed."""
    fields = asked.fields
    match name:
        case "opt":
            tight = [one for one in options if one in CONVERGENCES]
            if len(tight) == 1:
                fields["convergence"] = CONVERGENCES[tight[0]]
            if fields["task"] == "energy":
                fields["task"] = "optimise"
            asked.notes[:] = [one for one in asked.notes if one != RELAXED]
            return all(one in tight or GAUSSIAN_OPT.fullmatch(one) for one in options)
        case "freq" | "frequencies":
            if fields["task"] == "energy":
                asked.notes.append(RELAXED)
            fields["task"] = "frequencies"
            return all(one in ("noraman", "analytic", "hpmodes") for one in options)
        case "empiricaldispersion" if options in (["gd3bj"], ["gd3"]):
            fields["dispersion"] = "d3bj" if options == ["gd3bj"] else "d3zero"
        case "scrf":
            return _continuum(asked, options)
        case "temperature" if len(options) == 1 and re.fullmatch(r"\d{1,5}\.?\d*", options[0]):
            fields["temperature"] = float(options[0])
        case "td" | "tda":
            known = {"nstates=": "", "singlets": "singlet", "triplets": "triplet"}
            fields["states"] = 3
            if name == "tda":
                fields["response"] = "TDA"
            for one in options:
                if found := re.fullmatch(r"nstates?=(\d{1,3})", one):
                    fields["states"] = int(found[1])
                elif one in known:
                    fields["spin"] = known[one]
                else:
                    return False
        case "scf":
            return all(GAUSSIAN_SCF.fullmatch(one) for one in options)
        case _:
            return False
    return True


CONTINUA = {"smd": "SMD", "cpcm": "C-PCM", "pcm": "IEF-PCM", "iefpcm": "IEF-PCM"}


def _continuum(asked: Asked, options: Sequence[str]) -> bool:
    """Take in a solvent; the cavities of all models but SMD are others here, which is told."""
    there = {word.lower(): name for name, word in SOLVENTS.items()}
    solvents = [one.partition("=")[2] for one in options if one.startswith("solvent=")]
    models = [one for one in options if not one.startswith("solvent=")] or ["iefpcm"]
    solvent = there.get(solvents[0] if solvents else "water", "")
    if len(models) > 1 or len(solvents) > 1 or models[0] not in CONTINUA or not solvent:
        return False
    model = CONTINUA[models[0]]
    asked.fields |= {"solvent": solvent, "solvation": model}
    if model != "SMD":
        asked.notes.append(OTHER_CAVITY.format(model, "Gaussian"))
    return True


# --- ORCA ----------------------------------------------------------------------------------------


def of_orca(words: Sequence[str], blocks: Sequence[str]) -> Asked:
    """Return what the lines of keywords ask for.

    Args:
        words: of these lines, without `!`.
        blocks: names of the blocks that stand in the input, with %.
    """
    asked = Asked(unknown=[one for one in blocks if one not in ("%maxcore", "%pal")])
    names = {**_methods("ORCA"), **dict.fromkeys(("xtb", "xtb2", "gfn2-xtb"), "GFN2-xTB")}
    names |= {**CORRELATED, "xtb1": "GFN1-xTB", "gfn1-xtb": "GFN1-xTB", "hf": "HF"}
    method = basis = reference = ""
    asked.fields["task"] = "energy"
    fitted = list[str]()
    for word in words:
        low = word.lower()
        if low in names and not method:
            method = names[low]
        elif low in FROM_ORCA["HF"] or low in FROM_ORCA["KS"]:
            reference = KINDS.get(re.sub("(hf|ks)$", "", low), reference)
            method = method or ("HF" if low in FROM_ORCA["HF"] else "")
        elif _basis(word) and not basis:
            basis = _basis(word)
        elif not _orca_word(asked, low) and not ORCA_IDLE.fullmatch(word):
            asked.unknown.append(word)
        fitted += [word] if FITTED.fullmatch(word) else []
    if not method or bool(basis) == method.endswith("xTB"):
        method = method or next((one for one in asked.unknown if one[0] != "%"), "")
        asked.unknown = asked.unknown or ["no method and basis set"]
    level = f"{method}/{basis}" if basis else method
    asked.fields = {
        "level": level,
        **({"reference": reference} if reference else {}),
    } | asked.fields
    if fitted:
        asked.notes.append(f"its integrals are not fitted here ({', '.join(fitted)})")
    return asked


def _orca_word(asked: Asked, word: str) -> bool:
    """Take in a word; return whether it is followed."""
    fields = asked.fields
    if found := re.fullmatch(r"(loose|tight|verytight|)opt", word):
        if found[1]:
            fields["convergence"] = CONVERGENCES[found[1]]
        if fields["task"] == "energy":
            fields["task"] = "optimise"
        asked.notes[:] = [one for one in asked.notes if one != RELAXED]
        return True
    if re.fullmatch(r"(num|an)?freq", word):
        if fields["task"] == "energy":
            asked.notes.append(RELAXED)
        fields["task"] = "frequencies"
        return True
    if word in ("d3bj", "d3zero", "d4"):
        fields["dispersion"] = word
        return True
    if found := re.fullmatch(r"cpcm:([\d.]+)", word):  # of its block
        fields |= {"dielectric": float(found[1]), "solvation": "C-PCM"}
        asked.notes.append(OTHER_CAVITY.format("C-PCM", "ORCA"))
        return True
    if found := re.fullmatch(r"cpcm\(([a-z0-9,-]{1,40})\)", word):
        fields |= {"solvent": found[1], "solvation": "C-PCM"}
        asked.notes.append(OTHER_CAVITY.format("C-PCM", "ORCA"))
        return True
    return False
