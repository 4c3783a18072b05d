"""The level of theory of a plain request: method, basis set, dispersion, solvent."""

from __future__ import annotations

import re
from typing import Any

from triplestore.errors import GraficoError
from workflows.dft.functionals import DOUBLE_HYBRIDS, ELSEWHERE, USUAL
from workflows.dft.methods import SUFFIX, is_known
from workflows.names import nearest, plain

from .plain_scan import GAP, Reading, words

BASIS = (
    r"(?:ma[- ]?)?def2[- ]?(?:m?SV\(P\)|\w{2,6})"
    r"|(?:(?:d|t)[- ]?)?(?:(?:aug|jun|jul|may|apr)[- ]?)?cc[- ]?p(?:w?C)?V\(?[DTQ56](?:\+d)?\)?Z"
    r"(?:[- ](?:PP|DK))?"
    r"|\d-\d{2,3}\+{0,2}G(?:\*{1,2}|\([\w,+]{1,9}\))?"
    r"|STO-?\dG\*?|LANL2(?:DZ|TZ)\w{0,2}|SDD|(?:aug-)?pc(?:seg)?-[0-4]|ANO-RCC[\w-]{0,6}"
    r"|[TDQ]ZV?P{1,2}|SVP|MINAO|D95\w{0,2}"
)
"""Names of basis sets by their shapes; whether PySCF has one is found out when it is used."""

STEM = r"[A-Za-zωΩ][\w+*]{0,20}(?:-[A-Za-z0-9]{1,8}){0,3}"
METHOD = rf"{STEM}(?:\((?:BJ|0|zero|T|OP|2|2,LP)\))?"
BOUNDS = r"(?<![\w./+*-])", r"(?![\w*+(]|-\w|/\w)"
PAIR = re.compile(rf"{BOUNDS[0]}({METHOD}) ?/ ?({BASIS}){BOUNDS[1]}", re.IGNORECASE)
DOUBLE = re.compile(rf"({METHOD}) ?/ ?({BASIS}) ?// ?\S+", re.IGNORECASE)
SIDE = re.compile(
    rf"{BOUNDS[0]}({METHOD}) (?:with (?:the |a )?)?({BASIS}){BOUNDS[1]}", re.IGNORECASE
)
ODD = re.compile(rf"{BOUNDS[0]}({METHOD})/([\w*+(),-]{{2,25}}){BOUNDS[1]}", re.IGNORECASE)
ALONE = re.compile(rf"{BOUNDS[0]}({BASIS}){BOUNDS[1]}(?:[- ](?:basis(?: set)?))?", re.IGNORECASE)
TOKEN = re.compile(rf"(?<![\w./+*\[=#-])({METHOD})(?![\w*+(/=#\[]|-\w)")
HARTREE_FOCK = words(
    r"(?:(restricted open shell|restricted|unrestricted) )?hartree fock(?: theory)?"
)
REFERENCES = {"u": "unrestricted", "r": "restricted", "ro": "restricted open-shell"}
REFERENCE = words(
    r"(restricted open shell|unrestricted|restricted|roks|uks|rks)(?: (?:reference|"
    r"orbitals|ks|dft|calculations?))?"
)
RESPONSES = {"cis", "tdhf"}
SHOUTED = {"scan", "gam", "bop", "bp", "rscan", "hse", "hcth", "m11", "n12", "m05"}
"""Names of functionals that may be other things too, unless in capitals or after `at` or `with`."""

DISPERSION = words(
    r"(?:(?:with|plus|and|including|\+|using) )?(?:grimme(?:'?s)? )?(no|without|d3 "
    r"?\(? ?bj ?\)?|d3 ?"
    r"\(? ?(?:0|zero) ?\)?|d[234]|vv10)? ?(?:any )?(?:london )?dispersion(?! energ| contrib)"
    r"(?: corrections?)?"
    r"(?: (d3 ?\(? ?bj\b ?\)?|d3 ?\(? ?(?:0|zero)\b ?\)?|d[234]))?"
    r"|(?:with|plus|\+|using|and) ?(d3 ?\(bj\)|d3bj|d3 ?\(0\)|d3zero|d[34]|vv10)"
    r"(?: corrections?)?|\( ?(d3 ?\(bj\)|d3bj|d3 ?\(0\)|d3zero|d[34]|vv10) ?\)"
)
FITTING = words(
    r"(?:(?:with|using) )?(?:density fitt(?:ing|ed)|ri j(?:k)?|resolution of (?:the )?"
    r"identity|df (?:hf|dft|ks))"
)
CARTESIAN = words(r"(?:with |using )?cartesian(?: (?:d|basis|d and f))?(?: functions?)?|6d")
GRID = words(r"(?:integration )?grid(?: level)?(?: of)? ?=? ?(\d)|level (\d) grid")
STABLE = words(r"follow(?:ing)? instabilit(?:y|ies)")


def read_level(at: Reading) -> None:
    """Take method, basis set, dispersion and numerical options out of a request."""
    if found := DOUBLE.search(at.rest):
        at.refuse(
            f"{found[0]} means a single point at the geometry of another level, which is two steps",
            f"optimise at the second level first, then ask for the energy of its IRI at {found[1]}/"
            f"{found[2]}",
        )
    levels: list[dict[str, Any]] = []
    for pattern in (PAIR, SIDE):
        for one in pattern.finditer(at.rest):
            if pattern is PAIR or _is_method(one[1], certain=True):
                at.blank(*one.span())
                method, reference = _method(at, one[1])
                levels.append(_fields(method, re.sub(" ", "-", one[2]), reference))
    for one in ODD.finditer(at.rest):
        if _is_method(one[1], certain=True):
            at.blank(*one.span())
            method, reference = _method(at, one[1])
            at.say(f"{one[2]} is taken for a basis set")
            levels.append(_fields(method, one[2], reference))
    bases = [{"basis": re.sub(" ", "-", one[1])} for one in at.take(ALONE)]
    methods = [
        _fields("HF", "", (one[1] or "").lower().replace("open shell", "open-shell"))
        for one in at.take(HARTREE_FOCK)
    ]
    methods += _lone(at, bool(levels or methods))
    for one in at.take(REFERENCE):
        key = one[1].lower().replace(" ", "-").replace("restricted-open", "restricted open")
        at.put("reference", REFERENCES.get(key.removesuffix("ks"), key), "the reference")
    _combine(at, levels, methods, bases)
    _numerics(at)


def _fields(method: str, basis: str, reference: str) -> dict[str, Any]:
    named = {"method": method, "basis": basis, "reference": reference}
    return {name: value for name, value in named.items() if value}


def _lone(at: Reading, one_known: bool) -> list[dict[str, Any]]:
    """Return methods that are named without a basis set."""
    found: list[dict[str, Any]] = []
    for one in TOKEN.finditer(at.rest):
        name, before = one[1], at.rest[: one.start()]
        after_at = re.search(
            r"(?i)\b(?:at|with|using|by|method|functional|via)\s+(?:the )?$", before
        )
        listed = bool(found or one_known) and re.search(
            r"(?:\0|,|\band|\bvs\.?)\s*(?:the )?$", before
        )
        if plain(name) in ("hf", "rhf", "uhf", "rohf"):
            other = plain(name) != "hf" or _others(at.rest[: one.start()] + at.rest[one.end() :])
            of = re.search(
                r"(?i)\b(?:of|for|optimi[sz]e|relax)\s+$|\b(?:of|for)\b[^\0]{0,60},\s*$", before
            )
            beside = re.match(
                rf"\s*(?:,|and|or|vs\.?|versus)\s+(?:({METHOD})|\0)", at.rest[one.end() :]
            )
            alike = listed or bool(beside and (not beside[1] or _is_method(beside[1])) and not of)
            if plain(name) == "hf" and not after_at and not alike and (of or beside or not other):
                continue  # hydrogen fluoride
            if plain(name) == "hf":
                at.say("HF is Hartree–Fock there, not hydrogen fluoride")
        elif not _is_method(name, certain=bool(after_at)):
            continue
        at.blank(*one.span())
        method, reference = _method(at, name)
        found.append(_fields(method, "", reference))
    return found


def _others(rest: str) -> bool:
    """Return whether a request names something after `of` or `for`: then HF is a method."""
    return bool(
        re.search(
            r"(?i)\b(?:of|for|optimi[sz]e|relax)\s+(?!(?:at|with|using|by|in)\b)[^\s\0]", rest
        )
    )


def _is_method(name: str, certain: bool = False) -> bool:
    key = plain(name)
    bare = key[2:] if key.startswith("ro") else key[1:] if key[:1] in "ur" else key
    if key in SHOUTED and not (certain or name == name.upper()):
        return False
    if certain and (key in RESPONSES or is_known(re.sub(r"^tda?(dft)?", "", key) or "td")):
        return True
    return is_known(name) or (len(bare) > 2 and is_known(bare)) or (key == "dft" and False)


def _method(at: Reading, name: str) -> tuple[str, str]:
    """Return a method and the reference that its first letters name; refuse what cannot be."""
    key, reference = plain(name), ""
    if key in RESPONSES or (key.startswith("td") and not is_known(name)):
        stem = re.sub(r"(?i)^tda?[- ]?(?:dft[- ]?)?", "", name)
        if key in RESPONSES or is_known(stem):
            tda = key == "cis" or key.startswith("tda")
            at.put("response", "TDA" if tda else "TDDFT", "the response")
            name = "HF" if key in RESPONSES else stem
            at.say(
                "CIS and TDHF are TDA and TDDFT on Hartree–Fock"
                if key in RESPONSES
                else f"{'TDA' if tda else 'TDDFT'} on {stem}"
            )
    if not is_known(name):
        for letters in ("ro", "u", "r"):
            if key.startswith(letters) and is_known(key[len(letters) :]):
                reference, name = REFERENCES[letters], name[len(letters) :].lstrip("-")
                break
    key = re.sub(r"[()]", "", plain(name))
    found = SUFFIX.fullmatch(key)
    if found and found[2] in ("d", "d2") and is_known(name) and key not in USUAL:
        at.refuse(
            f"{name} brings the correction D2, which is not computed",
            f"ask for {found[1]}-D4 or {found[1]}-D3(BJ)",
        )
    elif DOUBLE_HYBRIDS.fullmatch(key):
        at.refuse(
            f"{name} is a double hybrid, whose second-order part is not computed",
            "ask for a hybrid, such as wB97X-V",
        )
    elif ELSEWHERE.match(key) or re.search(r"ccsd|mp[2-5]|casscf|adc|xtb|3c$", key):
        at.refuse(
            f"{name} is not computed here; HF and density functionals are",
            "ask for wB97X-V, PBE0-D4 or HF",
        )
    elif not is_known(name):
        if near := nearest(key, USUAL, 2):
            at.refuse(f"no method {name} is known", f"did you mean {' or '.join(near)}?")
        at.say(f"the method {name} is none of the usual ones: PySCF is asked for it")
    return name, reference


def _combine(
    at: Reading,
    levels: list[dict[str, Any]],
    methods: list[dict[str, Any]],
    bases: list[dict[str, Any]],
) -> None:
    if len(methods) > 1 and len(bases) > 1:
        at.refuse(
            "several methods and several basis sets were named", "write each pair as METHOD/BASIS"
        )
    if levels and methods and len({one["basis"] for one in levels}) > 1:
        at.refuse(
            "a method without a basis set stands beside several levels of theory",
            "write each pair as METHOD/BASIS",
        )
    if levels:
        last = levels[-1]
        levels = [*(one | {"basis": last["basis"]} for one in methods), *levels]
        levels += [last | one for one in bases]
    elif methods or bases:
        levels = [a | b for a in methods or [{}] for b in bases or [{}]]
    if re.search(r"(?i)\bthen\b|\bfollowed by\b", at.rest) and len(levels) > 1:
        at.refuse(
            "a step at one level and another at the next is not one plain request",
            "ask for one after the other, and name the IRI of the first geometry",
        )
    if levels:
        at.vary(levels, "the level of theory")


def _numerics(at: Reading) -> None:
    for one in at.take(DISPERSION):
        given = re.sub(r"[ ()]", "", (one[1] or one[2] or one[3] or one[4] or "")).lower()
        given = {"no": "none", "without": "none", "d30": "d3zero"}.get(given, given)
        if given == "d2":
            at.refuse("the dispersion correction D2 is not computed", "ask for D4 or D3(BJ)")
        if not given:
            given = "d4"
            at.say("“dispersion” without a name is taken as D4")
        at.put("dispersion", given, "the dispersion correction")
    if at.take(FITTING):
        at.fields["density_fitting"] = True
    if at.take(CARTESIAN):
        at.fields["cartesian"] = True
    if at.take(STABLE):
        at.fields["stable"] = True
    for one in at.take(GRID):
        at.put("grid", int(one[1] or one[2]), "the grid")


# --- solvents ------------------------------------------------------------------------------------

MODEL = words(
    r"(?:(?:with|using|by|and|the) ){0,3}(c pcm|cpcm|conductor pcm|cosmo|ief "
    r"?-?pcm|pcm|smd|"
    r"ss ?\(?v\)?pe)(?: (?:solvation|solvent|continuum|implicit))"
    r"*(?: model)?"
)
DIELECTRIC = words(
    r"(?:(?:a |the )?(?:relative )?(?:dielectric(?: constant)?|"
    r"permittivity|epsilon|ε)"
    r")(?: of|:)? ?=? ?(\d{1,4}(?:\.\d{1,6})?)"
)
GAS = words(
    r"(?:in (?:the |a )?)?(?:gas phase|vacuum|vacuo|isolated)|without (?:any )?solvent|no "
    r"solvent|unsolvated"
)
AQUEOUS = words(r"(?:in )?(?:an )?(?:aqueous(?: (?:solution|phase|medium|environment))?)")
RESPONSE = words(r"(non ?equilibrium|equilibrium) (?:solvation|solvent(?: response)?)")
IN = re.compile(
    r"(?i)(?<!\w)(?:(?:solvated |dissolved |immersed )?in|solvents? ?(?:is|=|:|of)?|solvated by|"
    r"(?:implicit|continuum))[\s\0]+(?:(?:a|an|the|pure|liquid|implicit|continuum|"
    r"solvent|solution of|"
    r"polari[sz]able) )*"
)
AFTER = re.compile(r"(?i)\s*(?:as (?:the )?solvent|solutions?|solvents?|\(l\))(?!\w)")
SEVERAL = re.compile(r"(?i) (?:dimer|trimer|tetramer|cluster|complex)")
BEFORE = re.compile(r"(?i)(?:^|[,;(\0] ?)((?:[\w-]+ ){1,3})(?:as )?(?:the )?solvent(?!\w)")
JOIN = re.compile(r"(?i)\s*(?:,\s+and|,|&|and|or|vs\.?|versus)\s+(?:in\s+)?(?:the\s+)?")
WORD = re.compile(r"[^\s\0;:?!]+")


def solvent_at(text: str, start: int) -> tuple[str, int] | None:
    """Return the solvent that begins at a position, and where it ends."""
    from .plain_tables import SOLVENTS, solvent_key

    ends: list[int] = []
    position = start
    while len(ends) < 4 and (word := WORD.match(text, position)):
        ends.append(word.end())
        space = re.compile(" +").match(text, word.end())
        if not space:
            break
        position = space.end()
    for end in reversed(ends):
        name = text[start:end].strip(" .,()")
        if solvent_key(name) in SOLVENTS:
            return name, text.index(name, start) + len(name)
    return None


def _spaces(text: str) -> int:
    """Return how many spaces and brackets a text begins with."""
    return len(text) - len(text.lstrip(" ("))


def read_solvent(at: Reading) -> None:
    """Take the surroundings out of a request."""
    for one in at.take(RESPONSE):
        kind = "non-equilibrium" if one[1].lower().startswith("non") else "equilibrium"
        at.put("solvent_response", kind, "the response of the solvent")
    placed = at.take(MODEL)
    models = [re.sub(r"\W", "", one[1]).lower() for one in placed]
    for model in models:
        usual = {
            "cpcm": "C-PCM",
            "conductorpcm": "C-PCM",
            "cosmo": "COSMO",
            "iefpcm": "IEF-PCM",
            "pcm": "IEF-PCM",
            "smd": "SMD",
            "ssvpe": "SS(V)PE",
        }[model]
        at.put("solvation", usual, "the solvation model")
        if model == "pcm":
            at.say("PCM is taken as IEF-PCM")
    found: list[dict[str, Any]] = [{"dielectric": float(one[1])} for one in at.take(DIELECTRIC)]
    found += [{"solvent": "water"} for _ in at.take(AQUEOUS)]
    position = 0
    while one := IN.search(at.rest, position):
        position = one.end()
        if one[0].lower().startswith("in") and at.rest[: one.start()].endswith(GAP + "-"):
            continue
        end = one.end()
        while (named := solvent_at(at.rest, end)) and not SEVERAL.match(at.rest, named[1]):
            found.append({"solvent": named[0]})
            end = named[1]
            if tail := AFTER.match(at.rest, end):
                end = tail.end()
            join = JOIN.match(at.rest, end)
            if not join or not solvent_at(at.rest, join.end()):
                break
            end = join.end()
        if end > one.end():
            at.blank(one.start(), end)
    for one in BEFORE.finditer(at.rest):
        if (named := solvent_at(at.rest, one.start(1))) and named[1] == one.end(1) - 1:
            found.append({"solvent": named[0]})
            at.blank(*one.span())
    gas = bool(at.take(GAS))
    for one in placed if not found else ():
        if inside := solvent_at(at.rest, one.end() + _spaces(at.rest[one.end() :])):
            found.append({"solvent": inside[0]})
            at.blank(one.end(), inside[1] + at.rest[inside[1] :].startswith(")"))
    if models and not found:
        at.refuse(
            f"solvation by {at.fields['solvation']} needs a solvent",
            "name one, as in “in water (SMD)”",
        )
    if gas and found:
        found = [{"solvent": ""}, *found]
        if "solvation" in at.fields:
            at.refuse("a solvation model was named for the gas phase too", "ask for them in turn")
    elif gas:
        at.say("in the gas phase")
    if found:
        at.vary(found, "the surroundings")


def check_fields(workflow: str, fields: dict[str, Any]) -> str:
    """Return what is wrong with what is asked of a workflow, empty for nothing."""
    from pydantic import ValidationError

    from ontologies.atoms import readable
    from workflows.registry import workflows

    asked = {"method": "HF", "basis": "STO-3G"} | fields
    try:
        for form in workflows().named(workflow).whole.forms:
            kind = form.variant(asked)
            kind.model_validate({n: v for n, v in asked.items() if n in kind.model_fields})
    except ValidationError as error:
        return "; ".join(readable(error))
    except GraficoError as error:
        return str(error)
    return ""
