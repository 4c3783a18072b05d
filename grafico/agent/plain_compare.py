"""Plain requests that compare: spin states of a molecule, fragments of a complex."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

from workflows.molecule.names import index, key

from .plain_scan import Reading, words
from .plain_words import SPIN

Found: TypeAlias = Mapping[str, Any]

_SPIN = "|".join(SPIN)
NAMES = {value: name for name, value in SPIN.items()}

GAP = words(
    rf"(?:adiabatic |vertical |the )*({_SPIN}) ?(?:-|/|to|and)? ?({_SPIN}) (?:energy )?"
    r"(?:gaps?|splittings?|(?:energy )?differences?)|(?:adiabatic |vertical )?s ?- ?t gaps?"
    r"|ΔE ?st|δe ?st"
)
BETWEEN = words(
    r"(?:energy |adiabatic |vertical |the )*(?:gap|splitting|difference) between (?:the )?"
    rf"({_SPIN}) and (?:the )?({_SPIN})(?: states?)?"
)
WHICH = words(
    rf"(?:either )?(?:an? )?({_SPIN}) or (?:an? )?({_SPIN})(?: or (?:an? )?({_SPIN}))?"
    r"(?: (?:ground |spin |electronic )*(?:state|molecule|species))?(?! excit| states| transition)"
)
NO_VALUE = r"(?! ?(?:of|is|=|:)? ?\d)"
VALUE = rf"(?:\d|{_SPIN}|one|two|three|four|five|six)"
STATES = words(
    r"(?:relative |different |possible |various |electronic |all |its |ground |lowest |preferred )*"
    rf"(?:spin (?:state )?(?:states?|multiplicit(?:y|ies){NO_VALUE}|orderings?|energetics|gaps?"
    rf"|splittings?)|ground (?:state )?(?:spin|multiplicity{NO_VALUE})|multiplicities{NO_VALUE})"
    rf"|(?:which|what|lowest|preferred|right|correct) (?:is the )?multiplicity{NO_VALUE}"
    r"|(?:which|what) spin"
    rf"|multiplicity(?= of (?!{VALUE}))"
    r"|(?:which|what) (?:is )?(?:the )?(?:electronic )?ground state(?: multiplicity)?"
    r"(?! energ| geom| struct)"
    r"|(?:high|low) spin (?:or|and|versus|vs\.?) (?:high|low) spin(?: states?)?"
)
GROUND = words(r"ground states?")
HIGHEST = words(r"up to (?:an? |the )?(?:multiplicity (?:of )?(\d{1,2})|" rf"({_SPIN})s?)")
ADIABATIC = words(r"adiabatic")

INTERACTION = words(
    r"(?:total |intermolecular |gas phase |non ?covalent )*(?:the )?"
    r"(?:binding|interaction|association|complexation|(?:hydrogen|halogen|h) bond)"
    r" (?:energ(?:y|ies)|strengths?)|how (?:strongly|tightly) (?:is|are|do|does)"
    r"|(?:how strong (?:is|are)|energ(?:y|ies) of|strengths? of) (?:the )?(?:hydrogen|halogen|h)"
    r" bonds?|interactions?(?= (?:between|of|in|among) )"
    r"|(?:bound|held|hold|holds|bind|binds) (?:together|to each other)"
)
COUNTERPOISE = words(
    r"(?:with |without |no |including |and |the |a |any |use |using |boys (?:and )?bernardi )*"
    r"(?:counterpoise|cp(?= correct)|bsse|basis set superposition errors?)"
    r"(?: ?-? ?correct(?:ed|ions?)| method| scheme| energ(?:y|ies))?"
)
PARTS = words(
    r"(?:(?:the|these|its|both|two|three|all|each) ){0,4}(?:fragments?|monomers?|complex)"
    r"|(?:the )?(?:two|both|three|four)"
)
GROUP = r"\d{1,4}(?: ?- ?\d{1,4})?(?: ?, ?\d{1,4}(?: ?- ?\d{1,4})?){0,60}"
FRAGMENTS = re.compile(
    rf"(?i)\b(?:(?:(?:with|of|as|the)\s+)*fragments?(?:\s+(?:are|is|of|being))?\s*[=:(]?|between)"
    rf"\s*[\"']?(?:atoms?\s+)?({GROUP}(?:[\"']?\s*(?:;|\||and|to|,?\s+and|\s)\s*[\"']?(?:the\s+)?"
    rf"(?:atoms?\s+)?{GROUP}){{1,20}})[\"')]?(?![\w.])"
)
NUMBERED = re.compile(rf"(?i)\bfragment\s+[1-9]\s*[:=]\s*(?:atoms?\s+)?({GROUP})[,;]?")
SHARES = re.compile(
    r"(?i)\b(?:with\s+|and\s+)?(?:the\s+)?fragment\s+(charges|multiplicities)\s*(?:of|are|=|:)?\s*"
    r"([-+]?\d{1,2}(?:\s*(?:,\s*and|,|and|\s)\s*[-+]?\d{1,2}){1,20})(?![\w.])"
)
OTHER = (
    "analysis", "constraints", "response", "solvent_response", "spin", "stability", "states",
)  # fmt: skip
"""Fields of calculations that these do not take."""


def read_fragments(at: Reading) -> None:
    """Take out which atoms belong together; before molecules, for they may be quoted."""
    for one in at.take(SHARES):
        values = [int(value) for value in re.findall(r"[-+]?\d+", one[2])]
        at.put(f"fragment_{one[1].lower()}", values, f"the {one[1].lower()} of the fragments")
    if each := at.take(NUMBERED):
        at.put("fragments", " ".join(re.sub(r"\s", "", one[1]) for one in each), "the fragments")
    for one in at.take(FRAGMENTS):
        plain = re.sub(
            r"\s*([-,])\s*(?=\d)", r"\1", re.sub(r"(?i),?\s+and\b|atoms?|the\b", " ", one[1])
        )
        at.put("fragments", " ".join(re.findall(r"\d[\d,-]*", plain)), "the fragments")


def read_comparison(at: Reading) -> None:
    """Find out whether spin states or fragments are to be compared, and take that out."""
    interacting = [*at.take(INTERACTION), *at.take(COUNTERPOISE)]
    if interacting or "fragments" in at.fields:
        at.tool = "interaction"
        at.take(PARTS)
        if "fragments" not in at.fields:
            at.say("fragments by bonds assumed")
        at.say("each fragment at the geometry that it has in the whole")
        return
    gaps, which = [*at.take(BETWEEN), *at.take(GAP)], at.take(WHICH)
    general = at.take(STATES)
    if not (gaps or which or general):
        return
    at.tool = "spin_states"
    at.take(GROUND)
    named = {SPIN[name.lower()] for one in (*gaps, *which) for name in one.groups() if name} | (
        {1, 3} if any(not one[1] for one in gaps) else set[int]()
    )
    if named:
        at.fields["multiplicities"] = sorted(named)
    for one in at.take(HIGHEST):
        at.put("highest", int(one[1]) if one[1] else SPIN[one[2].lower()], "the highest")
    if any("adiabatic" in one[0].lower() for one in gaps) or at.take(ADIABATIC):
        at.fields["task"] = "optimise"


def fitted(at: Reading, reads: Sequence[str]) -> None:
    """Hold a comparison to what its tool takes."""
    what = {"spin_states": "spin states", "interaction": "the interaction of fragments"}[at.tool]
    rest = [name for name in reads if name not in ("energy", "geometry", at.tool)]
    given = [name for name in OTHER if name in at.fields]
    if rest or given:
        name = (rest or given)[0].replace("_", " ")
        at.refuse(f"{what} and {name} are two requests", "ask for one after the other")
    if at.tool == "interaction" and "task" in at.fields:
        at.refuse(
            "an interaction is that of a geometry as it is given",
            "optimise the complex first, then ask for the interaction energy of its IRI",
        )
    if at.tool == "spin_states":
        spins = {one.value for one in at.mentions if one.field == "multiplicity"}
        at.mentions = [one for one in at.mentions if one.field != "multiplicity"]
        if spins:
            at.fields["multiplicities"] = sorted(spins | set(at.fields.get("multiplicities", ())))
        if len(at.fields.get("multiplicities", (1, 3))) < 2:
            at.refuse(
                "one multiplicity cannot be compared", "name two, or none for the lowest three"
            )
        if not {"multiplicities", "highest"} & set(at.fields):
            at.say("the lowest three multiplicities assumed")
    files = [one for one in at.molecules if one.said in ("a file", "by its IRI")]
    if at.tool == "interaction" and len(files) == 1 < len(at.molecules):
        at.say(f"the structure is that of {files[0].given}")
        at.molecules = files
    if at.tool == "interaction" and not at.molecules:
        at.refuse(
            "no structure is named that holds the fragments beside each other",
            "interaction energy of complex.xyz",
            'interaction energy of "O.O"',
        )
    each = len(files) == len(at.molecules) and re.search(r"(?i)energies|compare|each", at.text)
    if at.tool == "interaction" and len(at.molecules) > 1 and not each:
        notations = [index()[key(m.given)].smiles for m in at.molecules if key(m.given) in index()]
        whole = ".".join(notations) if len(notations) == len(at.molecules) else ""
        at.refuse(
            f"{' and '.join(one.given for one in at.molecules[:3])} were named apart; an "
            "interaction is that of one structure, which holds them beside each other",
            "interaction energy of complex.xyz",
            f'interaction energy of "{whole}"' if whole else "",
        )


# --- answers -------------------------------------------------------------------------------------


def energies(came: Found) -> Iterator[tuple[str, float, str]]:
    """Return what a comparison came to: what it is, its value in Eh, and the IRI of the result."""
    told = came.get("values")
    values: Found = cast("Found", told) if isinstance(told, Mapping) else {}
    results = came.get("results")
    iris: list[Any] = list(cast("Found", results).values()) if isinstance(results, Mapping) else []
    iri = str(iris[-1]) if iris else ""
    lowest = _name(values.get("ground_multiplicity"))
    for row in _listed(values.get("states")):
        name, apart = _name(row.get("multiplicity")), _number(row.get("relative_Eh"))
        if apart and name != lowest:
            yield f"{name} above the {lowest}", apart, iri
    corrected, without = (_number(values.get(f"{n}_Eh")) for n in ("corrected", "uncorrected"))
    if corrected is not None and without is not None:
        yield "interaction energy, counterpoise-corrected", corrected, iri
        yield "without the correction", without, iri


def _listed(value: Any) -> list[Found]:
    rows = cast("Sequence[Any]", value) if isinstance(value, list | tuple) else ()
    return [cast("Found", one) for one in rows if isinstance(one, Mapping)]


def totals(came: Found) -> Iterator[str]:
    """Return a line for each multiplicity with its energy; why others have none, remarks say."""
    told = came.get("values")
    values: Found = cast("Found", told) if isinstance(told, Mapping) else {}
    if "ground_multiplicity" in values:
        place = f"  {came['geometry']}" if came.get("geometry") else ""
        yield f"lowest: the {_name(values['ground_multiplicity'])}{place}"
    if parts := [str(row.get("atoms")) for row in _listed(values.get("fragments"))]:
        yield f"atoms of the fragments {' | '.join(parts)}"
    for row in _listed(values.get("states")):
        name = _name(row.get("multiplicity"))
        if (energy := _number(row.get("energy_Eh"))) is not None:
            level = f" at {row['level']}" if row.get("level") else ""
            yield f"{name}: energy = {energy:.8f} Eh{level}  {row.get('result')}"


def _name(multiplicity: Any) -> str:
    return NAMES.get(multiplicity, f"multiplicity {multiplicity}")


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
