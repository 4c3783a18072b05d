"""Names of molecules: a small table, systematic names through OPSIN, and PubChem if allowed."""

from __future__ import annotations

import functools
import importlib.util
import re
import shutil
import subprocess
import unicodedata
from pathlib import Path

from triplestore.errors import InputError, NotFoundError, TimeLimitError

from . import cas, chemicals_names, groups, positions, sugars, worded
from . import suggestions as hints
from .complexes import smiles_of_complex
from .condensed import smiles_of_condensed
from .formulas import atom, spelled
from .pubchem import look_up
from .recognition import TOKEN, smiles_fault
from .table import index, is_formula, key, spellings, table

LONGEST = 200
FORMULA_LIKE = re.compile(r"[\[(]?[A-Zint\[(][A-Za-z0-9₀-₉⁰¹²³⁴-⁹⁺⁻+\-−–=≡#()\[\]{}^ ]*")
ODD = re.compile(r"[^\w\s\-‐‑–−'’′″.,()\[\]{}+:;^/*~]")
"""What no name has."""

SYSTEMATIC_TIME = 60
"""s. OPSIN needs less than one."""

_ONLINE = "allow PubChem to be asked (online)"


def smiles_of(name: str, online: str = "") -> tuple[str, str]:
    """Return the SMILES of a name and who told it.

    Asked are the table, OPSIN, and PubChem where that is allowed. Case, hyphens and spaces do not
    matter, except that a formula such as `HCN` has its case.

    Args:
        name: what was given.
        online: address of PubChem's PUG REST; empty: never ask.

    Raises:
        InputError: no text that could be a name.
        NotFoundError: nobody knows it; names the nearest.
        ResourceError: the program for systematic names did not end, or PubChem cannot be reached.
    """
    given = name.strip()
    name = unicodedata.normalize("NFKC", given)
    asked = f"the molecule {name[:60]!r} was asked for"
    if len(name) > LONGEST:
        found = f"the name has {len(name)} characters; {LONGEST} are allowed"
        raise InputError(asked, found, "give a SMILES or a file")
    if index().get(key(name)) is None and (made := _made(name, given, online))[0]:
        return made
    odd = ODD.search(name)
    if not name or not name.isprintable() or odd:
        what = repr(odd[0]) if name.isprintable() and odd else "what it holds"
        found = f"{what} is no part of a name{_as_smiles(name)}"
        raise InputError(asked, found, "give a name, a SMILES or a file")
    if other := spelled(given):
        return smiles_of(other)[0], f"the table ({other})"
    if name[-1] in "+-" and index().get(key(name[:-1])):
        found = "a name has no sign of a charge behind it"
        raise NotFoundError(asked, found, _charged(name[:-1], f"{name[-1]}1"))
    if entry := index().get(key(name)):
        return entry.smiles, "the table"
    if smiles := atom(name):
        return smiles, "the table"
    refuse_unclear(name)
    if number := cas.registry_number(name):
        return _numbered(number, asked, online)
    smiles, told_by, trouble = _read(name)
    if smiles:
        return smiles, told_by
    if smiles := chemicals_names.smiles_of(name):
        return smiles, chemicals_names.SOURCE
    if online:
        return look_up(name, online)
    found = "no molecule of that name is in the table" + (f"; {trouble}" if trouble else "")
    if is_formula(name):
        found = "it is a formula, which several molecules can have"
    found += _as_smiles(name)
    if neutral := _neutral(name):
        raise NotFoundError(asked, found, neutral)
    near = " or ".join(hints.nearest(name, spellings()))
    raise NotFoundError(
        asked, found, (f"did you mean {near}? If not, " if near else "") + _way_out()
    )


def _made(name: str, given: str, online: str) -> tuple[str, str]:
    """Return the SMILES of what is not a name of its own, and who told it; empty ones if it is.

    A formula that says a structure; some molecules beside each other; a zwitterion.
    """
    says = FORMULA_LIKE.fullmatch(given) and not spelled(given)
    if says and (smiles := smiles_of_complex(given) or smiles_of_condensed(given)):
        return smiles, "its formula"
    one, number = worded.several(name)
    if number:
        smiles, told_by = smiles_of(one, online)
        together = worded.beside(smiles, number)
        return (together, f"{told_by}, {number} of it beside each other") if together else ("", "")
    if neutral := worded.zwitterion_of(name):
        smiles, told_by = smiles_of(neutral, online)
        apart = worded.charged_apart(smiles)
        return (apart, f"{told_by}, its proton moved from acid to amine") if apart else ("", "")
    return "", ""


def refuse_unclear(name: str) -> None:
    """Refuse a name that several molecules share, of which none is meant by itself.

    Raises:
        InputError: a sugar whose ring is not said, or groups of which it is not said where they
            stand.
    """
    if choices := unclear(name):
        raise InputError(
            f"the molecule {name[:60]!r} was asked for",
            "it is several molecules" + (f": {', '.join(choices)}" if choices[1:] else ""),
            f"ask for one of them, such as {choices[:2][-1]}",
        )


def unclear(name: str) -> tuple[str, ...]:
    """Return molecules that share a name which none has by itself, see `refuse_unclear`."""
    if index().get(key(name)) is not None:
        return ()
    return sugars.forms(name) or positions.open_names(name, (one.names for one in table()))


def _numbered(number: str, asked: str, online: str) -> tuple[str, str]:
    """Return the molecule of a registry number of CAS."""
    right = cas.check_digit(number)
    if str(right) != number[-1]:
        problem = f"its check digit is wrong: {number[:-1]}{right} would be a number of CAS"
        raise InputError(asked, problem, "look the number up again, or give a name or a SMILES")
    if known := cas.numbers().get(number):
        return index()[key(known)].smiles, f"the table ({known})"
    if smiles := chemicals_names.smiles_of(number):
        return smiles, chemicals_names.SOURCE
    if online:
        return look_up(number, online)
    problem = f"it is none of the {len(cas.numbers())} numbers of CAS that are known here"
    advice = f"give a name or a SMILES, or {_ONLINE}"
    raise NotFoundError(asked, problem, advice)


def _read(name: str) -> tuple[str, str, str]:
    """Return the SMILES of a name by its parts, who told it, or why there is none."""
    match = groups.STATE.fullmatch(name)
    if match:
        group, state = match["group"], match["state"]
        radical = groups.GROUPS.get(_group(group), "")
        if made := groups.with_state(radical, state) if radical else "":
            return made, f"the table of groups ({group})", ""
        if entry := index().get(key(group)):
            fits = groups.fits(entry.smiles, state)
            return (entry.smiles, f"the table ({group})", "") if fits else ("", "", "")
    smiles, trouble = _systematic(name)
    if smiles and sugars.is_open_chain(name, smiles):
        raise InputError(
            f"the molecule {name[:60]!r} was asked for",
            "the name says neither the ring of the sugar nor the open chain",
            "name its ring, as in beta-D-glucopyranose, or give a SMILES",
        )
    if smiles or match is None:
        return smiles, "OPSIN", trouble
    radical, _ = _systematic(match["group"], "-r")
    made = groups.with_state(radical, match["state"]) if radical else ""
    if not made:
        whole, _ = _systematic(match["group"])
        made = whole if whole and groups.fits(whole, match["state"]) else ""
    return made, f"OPSIN ({match['group']})" if made else "", "" if made else trouble


def _group(name: str) -> str:
    return re.sub(r"\s+", "-", name.casefold().strip())


def _neutral(name: str) -> str:
    """Say how the ion of a molecule is asked for (`benzene radical cation`)."""
    match = groups.STATE.fullmatch(name)
    if match is None or not (index().get(key(match["group"])) or _systematic(match["group"])[0]):
        return ""
    charge = {"cation": "+1", "anion": "-1"}.get(match["state"].lower().split()[-1])
    return "" if charge is None else _charged(match["group"], charge)


def _charged(name: str, charge: str) -> str:
    """Say how a molecule is asked for with a charge."""
    in_equation = f"{name}{{{charge}}} in an equation"
    return f"give {name} and its charge (charge={int(charge)}; {in_equation})"


def _as_smiles(name: str) -> str:
    """Say what is wrong with a text that has only parts of a SMILES."""
    fault = smiles_fault(name) if name and not TOKEN.sub("", name) else None
    return f"; as a SMILES it is faulty: {fault}" if fault else ""


def _way_out() -> str:
    if shutil.which("java"):
        return f"give a systematic name, a SMILES or a file, or {_ONLINE}"
    return f"give a SMILES or a file, {_ONLINE}, or install a Java runtime for systematic names"


# --- systematic names ----------------------------------------------------------------------------


@functools.lru_cache(64)
def _systematic(name: str, *options: str) -> tuple[str, str]:
    """Return the SMILES that OPSIN gives, or why there is none.

    The program of the package py2opsin is run as such: its Python wrapper writes the name into
    a file of the working folder and waits without limit.

    Source: D. M. Lowe et al., J. Chem. Inf. Model. 51, 739 (2011).
    """
    java, program = shutil.which("java"), _opsin()
    if java is None:
        return "", "there is no Java runtime to read systematic names"
    if program is None:
        return "", "the package py2opsin, which reads systematic names, is not installed"
    # it reads one name: what the second compiler would win later is a third of its time
    few = ["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    command = [java, *few, "-Dfile.encoding=UTF-8", "-jar", program]
    try:
        done = subprocess.run(
            [*command, "-osmi", *options],
            input=(name + "\n").encode(),
            capture_output=True,
            check=False,
            timeout=SYSTEMATIC_TIME,
        )
    except subprocess.TimeoutExpired as error:
        problem = f"OPSIN gave no answer in {SYSTEMATIC_TIME} s"
        raise TimeLimitError(f"the name {name!r} was not read", problem, "ask again") from error
    except OSError as error:
        return "", f"Java could not be started: {error}"
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        return "", f"OPSIN failed: {lines[-1] if lines else f'status {done.returncode}'}"
    smiles = done.stdout.decode(errors="replace").strip()
    return smiles, "" if smiles else "OPSIN cannot read it as a systematic name"


def _opsin() -> str | None:
    """Return the path of OPSIN; importing the package would start Java and warn."""
    package = importlib.util.find_spec("py2opsin")
    if package is None or package.origin is None:
        return None
    programs = sorted(Path(package.origin).parent.glob("opsin-cli-*.jar"))
    return str(programs[-1]) if programs else None
