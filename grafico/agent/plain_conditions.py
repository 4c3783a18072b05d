"""What else a plain request says: temperature, pressure, charge, spin, states, constraints."""

from __future__ import annotations

import re
from typing import Any

from workflows.molecule.names import index, key

from .plain_scan import Mention, Reading, words
from .plain_words import NUMBER, SPIN

FIGURE = r"[-+]?\d{1,9}(?:\.\d{1,9})?(?:e[-+]?\d{1,3})?"
TEMPERATURE = re.compile(
    rf"(?i)(?:(?:\bat|\band|,|\bfor)\s+)?(?:(?:a\s+)?temperatures?\s*(?:of|=|:|is)?\s*)"
    rf"?(?<![\w.*-])"
    rf"((?:{FIGURE}\s?(?:,\s?and|,|and|or)\s){{0,11}}{FIGURE})\s?(K|kelvins?|°\s?C|"
    rf"deg(?:rees?)?\.?\s?(?:C|celsius|F|fahrenheit)|celsius|°\s?F|C)"
    r"(?![\w/*])"
)
ROOM = words(
    r"(?:at )?(?:room temperature|ambient (?:temperature|conditions)|standard conditions|"
    r"normal conditions|stp|rt)"
)
PRESSURE = re.compile(
    rf"(?i)(?:(?:\bat|\band|,)\s+)?(?:(?:a\s+)?pressures?\s*(?:of|=|:|is)?\s*)"
    rf"?(?<![\w.*-])({FIGURE})"
    r"\s?(mbar|bars?|atm(?:ospheres?)?|hPa|kPa|MPa|GPa|Pa|pascals?|torr|mmHg|psi)(?!\w)"
)
PASCAL = {
    "mbar": 100.0,
    "bar": 1e5,
    "atm": 101325.0,
    "hpa": 100.0,
    "kpa": 1e3,
    "mpa": 1e6,
    "gpa": 1e9,
    "pa": 1.0,
    "torr": 101325 / 760,
    "mmhg": 133.322387415,
    "psi": 6894.757293168,
}
"""Pa. Source: NIST Special Publication 811 (2008), appendix B."""
BARE_TEMPERATURE = re.compile(r"(?i)\btemperature\s*(?:of|=|:|is)?\s*\d+(?:\.\d+)?(?!\s?[\w°])")

CHARGE = re.compile(
    r"(?i)\(?\s*(?:\b(?:with|having|carrying|and)\s+)?(?:\b(?:a|an|the|its)\s+)"
    r"?(?:\b(?:total|net|overall|formal|molecular)\s+)?"
    r"(?:\bcharge\s*(?:of|is|=|:)?\s*|\bq\s?=\s?)([-+]\s?\d{1,2}|\d{1,2}\s?[-+]|"
    r"\d{1,2}|zero)(?![\w.])\s*\)?"
    r"|(?<!\w)([-+]\d)\s+charge(?!\w)|(?<!\w)charged\s+([-+]\d)(?!\w)"
)
IONS: dict[str, int] = {
    "cation": 1,
    "anion": -1,
    "dication": 2,
    "dianion": -2,
    "trication": 3,
    "trianion": -3,
}
ION = words(r"(?:\(\s?)?(?:the |its )?(radical )?((?:di|tri)?(?:cation|anion)s?)(?:\s?\))?(?: of)?")
RADICAL = words(r"(neutral )?radicals?")
NEUTRAL = words(r"(?:\(\s?)?(?:electrically )?neutral(?:\s?\))?")
MULTIPLICITY = re.compile(
    r"(?i)\(?\s*(?:\b(?:with|and|having)\s+)?(?:\b(?:a|the)\s+)?(?:\bspin\s+)"
    r"?(?:\bmultiplicity\s*(?:of|is|=|:)?\s*|"
    r"\b2\s?\*?\s?S\s?\+\s?1\s*(?:=|is|:|of)\s*|\bmult\s?=\s?)(\d{1,2}|[a-z]{5,7})(?![\w.])\s*\)?"
)
UNPAIRED = words(r"(?:with )?(no|a|an|\d|one|two|three|four|five|six) unpaired electrons?")
SPIN_WORD = re.compile(
    rf"(?i)(?<![\w-])\(?\s*(?:the |its |a )?({'|'.join(SPIN)})(s?)(?:[\s-](?:spin )"
    rf"?(?:ground |electronic |spin |lowest )?state)?(?:\s*\))?(?!\w)(?:\s+of\b)?"
)

COUNTS = r"\d{1,4}|" + "|".join(NUMBER)
TARGET = (
    r"(?:excited states?|excitations?(?: energ(?:y|ies))?|vertical "
    r"excitations?(?: energ(?:y|ies))?|transitions|electronic transition|roots)"
)
STATES = words(
    rf"(?:vertical )?(?:(?:the )?(?:first|lowest|lowest lying)\s+)?(?:({COUNTS}) )"
    rf"?(?:(?:lowest|first|low lying) )?"
    rf"(?:(?:electronic|electronically|vertical|optical|low lying|bright) )*(?:(singlet|"
    rf"triplet)(?:s| and (?:singlet|triplet))?[ -]?)?"
    rf"(?:(?:electronic|electronically|vertical) )*{TARGET}(?: energ(?:y|ies))?"
    rf"|({COUNTS}) (?:lowest )?(singlet|triplet)(?:s| states?)|({COUNTS}) (?:lowest )?states"
)
FIRST = words(
    r"(?:first|lowest)(?: (?:energy|lying))? (singlet|triplet)?(?: )?(?:excited state|"
    r"excitation(?: energy)?|transition)(?! s)"
)
SPECTRUM = words(
    r"(?:uv ?/? ?vis(?:ible)?|uv|absorption|electronic)(?: (?:absorption|spectr(?:um|a)"
    r"))+|uv ?/? ?vis|lambda max|λ ?max|optical gaps?|colou?r"
)
S1T1 = words(r"s1(?: ?-? ?|/| and )t1(?: gaps?)?|s1-t1(?: gaps?)?")
LABEL = re.compile(
    r"(?<![\w-])(?:S_?0\s?(?:-|/|to|→|->)\s?)?([ST])[_]?([1-9]\d?)(?: (?:state|gap|"
    r"energy|energies|states|excitation(?: energy| energies)?))?(?![\w])"
)
RESPONSE = words(
    r"(?:with |using |by |at |in )?(?:the )?(?:(tda|tamm ?-? ?dancoff)(?: dft| "
    r"approximation)?|(td ?-? ?dft|td|lr tddft|time dependent dft|rpa tddft)|(cis)|"
    r"(tdhf))(?: (?:approximation|theory))?"
)
OSCILLATOR = words(r"oscillator strengths?|transition dipoles?(?: moments?)?")

CONVERGE = words(
    r"(?:with |using |to )?(very tight|tight|loose|normal)(?:ly)?(?: (?:geometry )"
    r"?(?:convergence|optimi[sz]ation|criteria|thresholds?|opt))*(?: criteria)?|"
    r"convergence ?[:=]? ?(very tight|tight|loose|normal)|verytight(?:opt)?|tightopt|looseopt"
)
MAX_STEPS = words(
    r"(?:(?:in |with |within )?(?:at most|max(?:imum|imal)?(?: of)?|no more than|up to)"
    r" (\d{1,6}) (?:optimi[sz]ation )?(?:steps|cycles|iterations)|max[_ ]steps ?=? ?(\d{1,6}))"
)
NUMBERS = r"\d{1,4}(?:(?:\s*,\s*|\s+and\s+|\s+|\s*-\s*)\d{1,4}){0,20}"
HOLD = (
    r"(?:with |and )?(?:(?:the )?(?:fix(?:ed|ing)?|constrain(?:ed|ing)?|hold(?:ing)"
    r"?|freez(?:e|ing)|frozen|keep(?:ing)?|held|freeze)\s+)"
)
FREEZE = re.compile(
    rf"(?i)(?<!\w){HOLD}(?:the\s+)?(?:positions?\s+of\s+)?(?:atoms?\s+)({NUMBERS})"
    rf"(?:\s+(?:fixed|frozen))?|(?<!\w)(?:with\s+)?atoms?\s+({NUMBERS})\s+(?:kept\s+|"
    rf"held\s+)?(?:fixed|frozen)|(?<!\w)freeze\s+(\d{{1,4}}(?:\s+\d{{1,4}}){{0,20}})(?!\w)"
)
INTERNAL = re.compile(
    rf"(?i)(?<!\w)(?:{HOLD})?(?:the\s+)?(?:bond\s+)?(distance|angle|dihedral)"
    rf"(?:\s+angle)?(?:\s+(?:between|of|atoms?))*\s+(\d{{1,4}}(?:(?:\s*,\s*|\s+and\s+|"
    rf"\s+|\s*-\s*)\d{{1,4}}){{1,3}})"
    r"(?:\s*(?:at|to|=|of|fixed at|held at|fixed to)\s*(-?\d{1,4}(?:\.\d{1,6})?)"
    r"\s*(?:Å|A|angstroms?|ångström|°|degrees?|deg)?)?(?:\s+(?:fixed|frozen|constrained))?(?!\w)"
)
SYMMETRY = words(r"(?:with )?(?:a )?(?:rotational )?symmetry number(?: of)? ?[=:]? ?(\d{1,4})")
RRHO = words(
    r"(?:with |in )?(?:the )?(?:quasi ?-?(?:rrho|harmonic)(?: (?:treatment|"
    r"approximation|correction))?|qrrho|grimme entropy)|(?:in )?(?:the )?(rrho|rigid "
    r"rotor(?:\W{1,3}| )harmonic oscillator)(?: approximation)?"
)
UNIT = re.compile(
    r"(?i)(?<!\w)(?:in|as|to|\()\s*(eV|electron[\s-]?volts?|kcal\s?[/ ]\s?mol(?:-1|"
    r"\^-1)?|kJ\s?[/ ]\s?mol(?:-1|\^-1)?|hartrees?|E_?h|Ha|a\.?u\.?|atomic units|"
    r"cm\^?-1|1/cm|wave ?numbers|nm|nanomet(?:re|er)s?|debyes?)(?![\w])\)?"
)
UNITS = {
    "ev": "eV",
    "el": "eV",
    "kc": "kcal/mol",
    "kj": "kJ/mol",
    "ha": "Eh",
    "eh": "Eh",
    "e_": "Eh",
    "au": "Eh",
    "a.": "Eh",
    "at": "Eh",
    "cm": "cm⁻¹",
    "1/": "cm⁻¹",
    "wa": "cm⁻¹",
    "nm": "nm",
    "na": "nm",
    "de": "D",
}


def read_states(at: Reading) -> None:
    """Take out what is said of excited states, and before charges and spins of the ground state."""
    spins: list[str] = []
    wanted = 0
    for one in at.take(S1T1):
        at.reads += [(one.start(), "S1"), (one.start(), "T1")]
        if "-" in one[0] or "gap" in one[0].lower():
            at.reads.append((one.start(), "compare"))
        spins, wanted = ["singlet", "triplet"], 1
    for one in at.take(FIRST):
        spin = (one[1] or "").lower()
        spins += [spin] if spin else []
        at.reads.append((one.start(), "T1" if spin == "triplet" else "S1"))
        wanted = max(wanted, 1)
    assumed = 0
    for one in at.take(STATES):
        count = one[1] or one[3] or one[5]
        number = NUMBER.get(count.lower()) or int(count) if count else 0
        spin = one[2] or one[4]
        both = "triplet" in one[0].lower() and "singlet" in one[0].lower()
        spins += ["singlet", "triplet"] if both else [spin.lower()] if spin else []
        if count and number < 1:
            at.refuse("no excited states were asked for", "ask for one at least")
        single = re.search(r"(?i)(?:first|lowest)(?!.*(?:states|s)$)", one[0].strip())
        assumed = 0 if number else 1 if single else 5
        wanted = max(wanted, number)
        at.reads.append((one.start(), "states"))
    if assumed and not wanted:
        wanted = assumed
        at.say(f"{wanted} excited states, as no number was given")
    for one in at.take(SPECTRUM):
        if not wanted:
            wanted = 10
            at.say("a spectrum: the 10 lowest vertical excitations, as no number was given")
        at.reads.append((one.start(), "states"))
    for one in list(LABEL.finditer(at.rest)):
        if key(one[0]) in index() and not re.match(
            r"\s+(?:of|for|in|and T)\b", at.rest[one.end() :]
        ):
            continue  # S8 is a molecule
        at.blank(*one.span())
        wanted = max(wanted, int(one[2]))
        spins.append("singlet" if one[1] == "S" else "triplet")
        at.reads.append((one.start(), one[1] + one[2]))
    for one in at.take(OSCILLATOR):
        at.reads.append((one.start(), "states"))
        wanted = wanted or 5
    hf = False
    for one in at.take(RESPONSE):
        at.put("response", "TDA" if one[1] or one[3] else "TDDFT", "the response")
        hf = hf or bool(one[3] or one[4])
    if "response" in at.fields and not wanted:
        wanted = 5
        at.say("5 excited states, as no number was given")
        at.reads.append((0, "states"))
    if hf and "method" not in at.fields and not at.axis:
        at.fields["method"] = "HF"
        at.say("CIS and TDHF are TDA and TDDFT on Hartree–Fock")
    if not wanted:
        return
    if wanted > 500:
        at.refuse(f"{wanted} excited states were asked for", "500 are allowed")
    at.fields["states"] = wanted
    unique = list(dict.fromkeys(spins))
    if len(unique) == 2:
        at.vary([{"spin": one} for one in unique], "the spin of the excited states")
    elif unique:
        at.put("spin", unique[0], "the spin of the excited states")


def read_conditions(at: Reading) -> None:
    """Take out temperature, pressure, convergence, constraints and the like."""
    _constraints(at)
    if found := BARE_TEMPERATURE.search(at.rest):
        at.refuse(f"“{found[0]}” has no unit", "write it with K or °C")
    kelvins: list[dict[str, Any]] = []
    for one in at.take(TEMPERATURE):
        unit = re.sub(r"(?i)deg(?:rees?)?\.?|[\s°]", "", one[2]).upper()[:1]
        for value in map(float, re.findall(FIGURE, one[1], re.IGNORECASE)):
            kelvin = {"K": value, "C": value + 273.15}.get(unit, (value - 32) / 1.8 + 273.15)
            if not 1 <= kelvin <= 1e5:
                at.refuse(
                    f"a temperature of {value:g} {one[2]} was asked for",
                    "1 to 100000 K are allowed",
                )
            kelvins.append({"temperature": round(kelvin, 6)})
    pascals: list[dict[str, Any]] = []
    for one in at.take(PRESSURE):
        unit = one[2].lower()
        key = (
            "atm"
            if unit.startswith("atm")
            else "pa"
            if unit.startswith("pascal")
            else unit.rstrip("s")
        )
        pascal = float(one[1]) * PASCAL[key]
        if not 1e-6 <= pascal <= 1e12:
            at.refuse(
                f"a pressure of {one[1]} {one[2]} was asked for", "1e-6 to 1e12 Pa are allowed"
            )
        else:
            pascals.append({"pressure": float(f"{pascal:.12g}")})
    kelvins += [{"temperature": 298.15} for _ in at.take(ROOM)]
    for values, what in ((kelvins, "the temperature"), (pascals, "the pressure")):
        if values:
            at.vary(values, what)
    for one in at.take(SYMMETRY):
        at.put("symmetry_number", min(int(one[1]), 10_000), "the symmetry number")
    for one in at.take(RRHO):
        at.put("treatment", "harmonic" if one[1] else "quasi-RRHO", "the treatment of soft modes")
    for one in at.take(MAX_STEPS):
        at.put("max_steps", int(one[1] or one[2]), "the number of steps")
    for one in at.take(CONVERGE):
        said = (
            one[1] or one[2] or ("very tight" if "very" in one[0].lower() else one[0][:5])
        ).lower()
        at.put("convergence", re.sub(r"[\s-]+", " ", said), "the convergence")


def _constraints(at: Reading) -> None:
    held = ["freeze " + _atoms(one[1] or one[2] or one[3]) for one in at.take(FREEZE)]
    held += [
        f"{one[1].lower()} {_atoms(one[2])}" + (f" {one[3]}" if one[3] else "")
        for one in at.take(INTERNAL)
    ]
    if held:
        at.fields["constraints"] = held


def _atoms(text: str) -> str:
    def spread(found: re.Match[str]) -> str:
        first, last = int(found[1]), int(found[2])
        inside = range(first, last + 1) if first <= last < first + 500 else (first, last)
        return " ".join(map(str, inside))

    count = len(re.findall(r"\d+", text))
    plain = re.sub(r"(\d+)\s*-\s*(\d+)", spread, text) if count == 2 else text
    return " ".join(re.findall(r"\d+", plain))


def read_ions(at: Reading) -> None:
    """Take out charges and multiplicities, with the places where they stand."""
    for one in at.take(CHARGE):
        text = next(group for group in one.groups() if group)
        figures = re.sub(r"\s", "", "0" if text.lower() == "zero" else text)
        value = int(figures[-1] + figures[:-1]) if figures[-1] in "+-" else int(figures)
        if figures.isdigit() and value:
            at.say(f"the charge {value} is taken as +{value}")
        at.mentions.append(Mention(one.start(), one.end(), "charge", value))
    for one in at.take(MULTIPLICITY):
        value = SPIN.get(one[1].lower()) or (int(one[1]) if one[1].isdigit() else 0)
        if value < 1:
            at.refuse(
                f"“{one[0].strip()}” names no multiplicity", "give 2S+1, such as 3 for a triplet"
            )
        at.mentions.append(Mention(one.start(), one.end(), "multiplicity", value))
    for one in at.take(UNPAIRED):
        count = {"no": 0, "a": 1, "an": 1}.get(one[1].lower(), NUMBER.get(one[1].lower()))
        value = (int(one[1]) if count is None else count) + 1
        at.mentions.append(Mention(one.start(), one.end(), "multiplicity", value))
    for one in at.take(ION):
        plural = one[2].lower().endswith("s")
        value = IONS[one[2].lower().rstrip("s")]
        at.mentions.append(Mention(one.start(), one.end(), "charge", value, plural, loose=True))
    at.take(RADICAL)
    for one in at.take(NEUTRAL):
        at.mentions.append(Mention(one.start(), one.end(), "charge", 0))
    for one in at.take(SPIN_WORD):
        value = SPIN[one[1].lower()]
        at.mentions.append(Mention(one.start(), one.end(), "multiplicity", value, bool(one[2])))


def read_unit(at: Reading) -> str:
    """Take out the unit that is wanted for the answer; empty for none."""
    found = [UNITS[one[1].lower()[:2]] for one in at.take(UNIT)]
    if len(set(found)) > 1:
        at.refuse("several units were asked for", "ask for one")
    return found[0] if found else ""
