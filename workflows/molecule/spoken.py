"""What people write for molecules, their charges and their spins."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise

from ontologies.elements import SYMBOLS
from triplestore.errors import GraficoError
from workflows.registry.spoken import GAP, Named, Sentence, is_name

from . import cas, crystal_names, groups
from .complexes import smiles_of_complex
from .condensed import smiles_of_condensed
from .formulas import composition, spelled
from .isomers import diastereomers, tautomers
from .names import smiles_of, unclear
from .recognition import FILE, smiles_fault
from .table import index, is_formula, key, table

SMILES_LIKE = re.compile(r"[=#@\[\]/\\]|[cnos]\d|[A-Z]\d|\([A-Za-z=#]")
INCHI = re.compile(r"InChI=[^\s\0\"']{2,1000}(?<![.,;])", re.IGNORECASE)
_GROUP = (
    r"(?:[\w,-]{0,12}(?:meth|eth|prop|but|pent|hex|vin|all|phen|benz|propyn|propen|adamant|naphth|"
    r"tol|acet)yl|propargyl)"
)
SYSTEMATIC = re.compile(
    r"(?!grafico-)(?=.{0,100}\d)(?=.{0,100}-)[^\s/]{0,60}[a-z]{3}\S{0,60}|\S{3,60}ic acid"
    r"|(?i:(?:(?:bi|tri|tetra|penta|hexa)cyclo|(?:di)?spiro)\[[\d.,^(){}]{3,20}\][a-z]{3,20}\S{0,20}"
    r"|[a-z]{5,20} (?:[NSP]|[NSP],[NSP])-(?:di)?oxide"
    rf"|(?:{_GROUP} )?{_GROUP} (?:ether|ketone|sulfide|sulfone|sulfoxide|disulfide|peroxide|amine)"
    rf"|{_GROUP} (?:alcohol|fluoride|chloride|bromide|iodide|cyanide|isocyanide|isocyanate|azide|"
    r"nitrite|nitrate|mercaptan|hydroperoxide|isothiocyanate|(?:form|acet|propion|butyr|benzo|acryl|"
    r"methacryl|carbam|lact|pyruv)ate))"
)
"""Names with numbers of places, such as butane-1,4-diol, of rings, of acids, ethers and esters."""
STEMMED = re.compile(
    r"(?i)(?:(?:[NOSP](?:,[NOSP]'?)*|[αβγδεω]|alpha|beta|gamma|delta|cis|trans|sym|\([EZRS]\)|di|tri|tetra|penta|hexa|per|iso|neo|bi|tert|sec|cyclo|n|m|o|p)-?)*(?:meth|eth|prop|but|"
    r"pent|hex|hept|oct|tetrac|hexac|phen|benz|naphth|anthra|pyr|azo|azul|fur|thi|quin|ind|fluor|"
    r"chlor|brom|iod|nitr|amin|hydro|acet|sulf|phosph|sil|selen|bor|styr|tolu|xyl|carb|stilb|adamant|caro|xanth|fulv|cub|norborn|triaz|"
    r"tetraz|oxaz|imidaz|isox|thiaz|coron|perylen|acen|fluoren|chrys|phth|glut|succin|malon|cinnam|"
    r"valer|capro|butyr|lact|pin|limon|terp|myrc|menth|camph|squal|retin|porph|chlorin|corr|dioxa|"
    r"oxa|tetrahydro|morph|piper|pyrr|picol|lut|acrid|cinnol|pter|pur|uracil|cresol|catech|resorc)"
    r"[a-z-]*?(?:[ae]ne|yne|a?nol|lactone|lactam|thone|[aeiy]none|anal|enal|idine|oline|azole|azine|amine|oxide|nitrile|"
    r"furan|phene|ophenol|phenone|phenyl|toluene|naphthalene|anisole|pyrrole|indole|stilbene|oate|aniline|amide|imide|imine|nitrene|carbene|"
    r"hydrazine|thiol|aldehyde|uracil|adenine|guanine|cytosine|thymine|coumarin|phosphine|disulfide|"
    r"glycine|alanine|urea|ylene|borane|silane)"
)
"""Names of one word by a stem and an end of chemistry, such as azobenzene."""
_TRIVIAL = """
xanthone flavone acridine acridone perylene prismane trioxane anthrone chalcone semicarbazide isatin
hydantoin salicylaldehyde crotonaldehyde cinnamaldehyde benzil benzoin durene picene terphenyl
chromene chroman chromone isochromene quinoxaline cinnoline hypoxanthine xanthine biuret biguanide
cyanamide carbodiimide biacetyl oxetane aziridine azetidine phosphole arsole silole germole stannane
germane stibine bismuthine chloropicrin bromoform iodoform carane borneol nerol citronellal farnesol
tryptamine vinylacetylene ketenimine triflate mesylate tosylate tetralin decalin
"""
TRIVIAL = frozenset(_TRIVIAL.split())
"""Names that OPSIN knows by heart."""
_CHAIN = r"[A-Z][a-z]?\d{0,3}(?:[-=#≡][A-Z][a-z]?\d{0,3})+"
_PLACE = rf"(?:{_CHAIN}|[CNOS]H|\d{{1,3}}(?:-\d{{1,3}}){{1,3}})"
BOND = re.compile(
    r"(?:\b(?:the|central|harmonic|symmetric|asymmetric) )*"
    rf"(?P<part>\b{_CHAIN}|\b[CNOS]H|\b(?:C[CNFS]|NN|OO|SO|PO|SS)|"
    r"\b[CN]O(?= (?:\w+ ){1,3}(?:in|of|for) )|"
    r"\b[BCFHNOPS]{3,4}(?= (?:bond )?(?:angle|dihedral|torsion))|(?:(?<=the )|(?<![\w-]))carbonyl)"
    rf"(?=(?:(?:,? and|,? or|,) {_CHAIN}){{0,5}} (?:(?:single|double|triple) )?"
    r"(?:bond|stretch|BDE|angle|distance|dihedral|torsion)(?!\w*(?: length)? \d))"
)
"""Which bond is asked about: the answer has it among all of its kind."""
BETWEEN = re.compile(
    r"(?i:(?<=length)|(?<=distance)|(?<=angle)|(?<=dihedral)|(?<=torsion)|(?<=lengths)|(?<=angles)"
    r"|(?<=BDE)|(?<=BDEs)|(?<=dissociation energy)|(?<=dissociation energies)|(?<=bond energy)"
    r"|(?<=dissociation enthalpy)|(?<=bond strength)|(?<=\bbond)|(?<=\bbonds))"
    r"(?i:,? (?:of|between|for))?(?i: the)?(?i: bonds?)?(?i: atoms)?(?: | ?\()"
    rf"(?:(?P<part>{_PLACE}(?:(?:,|,? and) {_PLACE}){{0,5}})\)?(?=,? (?:of|in|for) )"
    r"|(?P<whole>H(?:-[A-Z][a-z]?)+|(?:[A-Z][a-z]?-)+H)(?=[ ,.?!]|$))"
)
"""The same behind the word: the dihedral angle H-O-O-H of hydrogen peroxide."""

CARBONYL = "C=O"

DRIVEN = re.compile(
    r"(?i)\b(?:scan|profile|curve|rotat|driv|vary|varying|stretch|hold|held|fix|along)\w*\b"
)
"""Where such a coordinate is not measured, but changed or held."""

_ELEMENTS = """
carbon C nitrogen N oxygen O fluorine F chlorine Cl silicon Si sulfur S phosphorus P boron B
lithium Li sodium Na potassium K magnesium Mg calcium Ca aluminium Al iron Fe copper Cu zinc Zn
helium He neon Ne argon Ar
"""
_SYMBOL = r"(?-i:[CNOSFPHB]|Cl|Br|Si)"
_ATOM = (
    r"(?:the |each |every |all |both |two |its )*(?:(?:carbonyl|central|terminal|amino|ring) )?"
    r"(?:(?:carbon|nitrogen|oxygen|sulfur|hydrogen|phosphorus|fluorine|chlorine|bromine|boron|"
    rf"silicon)s?(?: atoms?)?|(?:the |each ){_SYMBOL}|{_SYMBOL} atoms?)(?![\w-])"
)
BY_ATOM = re.compile(
    r"(?i)\bcharges?\b(?!(?: of| is| ?=)? ?[-+]?\d)|spin densit|spin population|population analysis"
)
ON_ATOM = re.compile(
    rf"(?i)\b(?:on|at|of|for|by|does|do|has|have|is|are) {_ATOM}(?:(?:,|,? and|,? or) {_ATOM})*"
    r"(?= (?:of|in|at|with|for|on|from|using|and|carry|bear|have|here)\b| ?[.,;:?!)\0]|$)"
    rf"|\b{_ATOM}(?= (?:partial |mulliken |hirshfeld )*(?:charge|spin (?:densit|popul)))"
)
"""Of which atom a charge or a spin is asked for: the answer has those of all."""
TIMES = {"dimer": 2, "trimer": 3, "tetramer": 4}
_WORD = r"(?:[^\s\0,;:?!]|,(?=\S))+"
_NAME = rf"{_WORD}(?: {_WORD})?(?: {_WORD})?"
SEVERAL = re.compile(
    rf"(?i)(?:\b(?P<of>dimer|trimer|tetramer) of (?P<behind>{_NAME})"
    rf"|\b(?P<before>{_NAME}) (?P<kind>dimer|trimer|tetramer)\b(?! of\b))"
)
"""Several of one molecule beside each other."""

_KETO = "keto[- /](?:and )?enol"
_FORMS = r"(?:isomers?|forms?|configurations?)"
ISOMERS = re.compile(
    r"(?i)\b(?:the |relative |energ(?:y|ies) |stabilit(?:y|ies) |difference |of |between |all )*"
    rf"(?:(?:{_KETO} )?tautomer(?:s|i[sz]ation(?: energy| equilibrium)?)?|"
    rf"{_KETO}(?: forms?)?|stereoisomers?|diastereo(?:iso)?mers?|"
    r"(?:cis[-/ ]trans|cis and trans|[EZ]/[EZ]|[EZ] and [EZ]|geometric(?:al)?)"
    rf"(?: {_FORMS}| isomeri[sz]ation)?)"
    r"(?: energ(?:y|ies)| difference| stability)*(?: of| for| in)?(?: the)? "
    rf"(?P<what>{_NAME})"
)
"""Isomers that are meant together."""
COMPARED = re.compile(
    r"(?i)^(?!.*\bor\b).*\b(?:energ(?:y|ies)|energetics|stab\w+|compare|relative|lowest|which|"
    r"difference|tautomeri[sz]ation)\b"
)
"""Without it isomers are to be listed; after *or* stand others that are named."""

THE = re.compile(r"(?i)\b(?:the|each|every|its|both)(?: \w+)? $")
THAT = re.compile(r"(?i)\b(?:that|those|the one|the ones|and|vs\.?|versus|than)$")
PART_OF = re.compile(
    r"(?i)\b(?:bonds?|(?:bond |interatomic )(?:lengths?|distances?|angles?|orders?|energy|energies|"
    r"enthalpy|enthalpies|strengths?)|angles?|BDEs?|stretch|stretch(?:ing)? (?:mode|vibration|"
    r"frequency|frequencies|wavenumber)s?|dihedrals?|torsion|rotation|barrier|strain|hydrogens|carbons|"
    r"atoms?|charges|spin (?:densit|popul)\w+|"
    rf"(?:(?:on|at) the|charges? (?:on|at|of)) (?:\w+ )?{_ATOM})"
    rf"(?: (?-i:{_CHAIN})| \d{{1,3}}(?:-\d{{1,3}}){{1,3}})?$"
)
"""What is a part of a molecule: what it is in is no solvent."""

_ABBREVIATIONS = "I BCP BO BS CBS CI CIS FCI ICSS IP NBO NCI OPS PNO SCF SOC"
ABBREVIATIONS = frozenset(_ABBREVIATIONS.split())
"""Words of the trade that would be a SMILES, too; one that is meant stands in quotation marks."""

FORMULA = re.compile(r"[\d(\[=≡]|^HO")
"""What a formula that says a structure has, and a word or an abbreviation has not."""

INSIDE = re.compile(r"(?i)\bin (?:(?!of\b|for\b|between\b)[\w,-]+ ){0,6}$")
OTHER_FORM = re.compile(r"(?i)\b(?:the )?(cis|trans)[ -](?:isomer|one|form|compound)\b")
OF = ("of", "of the")
STATE = ("charge", "multiplicity")
ELEMENTS: dict[str, str] = dict(zip(_ELEMENTS.split()[::2], _ELEMENTS.split()[1::2], strict=True))
ATOMS = {*ELEMENTS, *ELEMENTS.values(), "hydrogen", "hydrogen atom"}


def wholes(at: Sentence) -> None:
    """Take out what is several of one molecule, the benzene dimer, or several isomers of one."""
    _isomers(at)
    for found in at.take(SEVERAL) if at.workflow != "reaction" else ():
        kind = (found["kind"] or found["of"]).lower()
        words = (found["before"] or found["behind"]).split(" ")
        tried = (" ".join(words[n:]) for n in range(len(words)))
        if found["behind"]:
            tried = (" ".join(words[:n]) for n in range(len(words), 0, -1))
        name = next((one for one in tried if key(one) in index()), "")
        whole = f"{name.lower()} {kind}"
        given = whole if key(whole) in index() else beside([name] * TIMES[kind])
        start, end = found.span()
        if found["before"]:
            start = found.end() - len(name) - 1 - len(kind)
        else:
            end = found.start("behind") + len(name)
        said = f"{name} beside {name} is {given}" if given != whole else ""
        rest = found.span()
        at.rest = at.rest[: rest[0]] + at.text[rest[0] : rest[1]] + at.rest[rest[1] :]
        if name:
            at.blank(start, end)
            at.subjects.append(Named(start, end, given, said))


def _isomers(at: Sentence) -> None:
    """Take out isomers that are meant together, and name each of them."""
    for found in at.take(ISOMERS) if COMPARED.search(at.text) else ():
        words = found["what"].split(" ")
        tried = (" ".join(words[:n]) for n in range(len(words), 0, -1))
        name = next(filter(is_name, tried), "")
        end = found.start("what") + len(name)
        at.rest = at.rest[:end] + at.text[end : found.end()] + at.rest[found.end() :]
        tautomeric = re.search("(?i)tautomer|enol", found[0])
        smiles = _smiles(name)
        each = (tautomers if tautomeric else diastereomers)(smiles) if smiles else []
        if len(each) < 2:
            kind = "tautomers" if tautomeric else "diastereomers"
            what = f"{name} has no other {kind}" if smiles else "no molecule is named that is known"
            at.refuse(what, "compare the energies of cis-2-butene and trans-2-butene")
        said = f"of {name} there are {len(each)}: {', '.join(each)}"
        for number, one in enumerate(each):
            at.subjects.append(Named(found.start() + number, end, one, "" if number else said))
        at.reads += [(found.start(), "energy"), (found.start(), "compare")]
        at.ask("task", {"task": "optimise"})


def _smiles(name: str) -> str:
    """Return the SMILES of a name, by the table or as a systematic one; empty if there is none."""
    if (entry := index().get(key(name))) is not None:
        return entry.smiles
    with suppress(GraficoError):
        return smiles_of(name)[0] if name else ""
    return ""


def beside(names: Sequence[str]) -> str:
    """Return the SMILES of molecules of the table beside each other; empty if one is not in it."""
    found = [index().get(key(name)) for name in names]
    return ".".join(one.smiles for one in found if one) if all(found) else ""


def notations(at: Sentence) -> None:
    """Take out files, InChI and SMILES, and which bond is meant: `C=O` is no molecule there."""
    behind = [] if DRIVEN.search(at.text) else at.take(BETWEEN)
    for one in (*at.take(BOND), *behind):
        for part in re.split(r",? and |, ?", one["part"] or one["whole"]):
            if re.fullmatch("[BCFHNOPS]{3,4}|[CNSPO][CNFSO]", part):
                part = "-".join(part)
            part = CARBONYL if part.lower() == "carbonyl" else part
            at.parts += [part] if len(re.findall(r"[A-Z]|\d+", part)) > 1 else []
    if BY_ATOM.search(at.text):
        at.take(ON_ATOM)
    earlier = at.before.subjects if at.before else []
    for one in at.take(OTHER_FORM) if len(earlier) == 1 else ():
        stem = re.sub(r"(?i)^(?:cis|trans)-", "", earlier[0].given)
        if stem != earlier[0].given and is_name(f"{one[1]}-{stem}"):
            at.subjects.append(Named(*one.span(), f"{one[1].lower()}-{stem}"))
    at.subjects += [Named(*one.span(), one[0]) for one in at.take(INCHI)]
    for start, end in list(pieces(at.rest)):
        text = at.rest[start:end]
        other = key(text) in index() or re.fullmatch(r"(?i)[stcm]\d+h?", text)
        shaped = len(text) > 2 and SMILES_LIKE.search(text) and smiles_fault(text) is None
        if FILE.fullmatch(text) or (shaped and not other):
            at.blank(start, end)
            at.subjects.append(Named(start, end, text))


def names(at: Sentence) -> None:
    """Take out names and formulas: the longest first."""
    places = list(pieces(at.rest))
    ions = re.search(r"(?i)\bradical|\b(?:carbo)?(?:cat|an)ion", at.text)
    for size in range(6, 0, -1):
        for (start, _), (_, end) in zip(places, places[size - 1 :], strict=False):
            text = at.rest[start:end]
            whole = len(text.split(" ")) == size and GAP not in text
            if whole and (found := _molecule(text) or (ions and _group(text)) or None):
                at.subjects.append(Named(start, end, *found))
                at.blank(start, end)
    for one in at.subjects:
        short = re.match(r" \(([A-Z][A-Z0-9]{1,6})\)", at.rest[one.end :])
        if short and re.match(".*?".join(short[1].lower()), one.given.lower()):  # … (TCNE)
            at.blank(one.end, one.end + short.end())


def settle(at: Sentence) -> None:
    """Refuse what looks like a solvent, and is none, and names that may be one name together."""
    ends = [one.end for one in at.subjects]
    others = [one for one in at.subjects if ends.count(one.end) == 1]
    if others and len(others) < len(ends):
        at.refuse(
            f"{others[0].given} is no isomer of the other molecule",
            "keto-enol energy difference of acetylacetone in chloroform",
        )
    ordered = sorted(at.subjects, key=lambda one: one.start)
    for one, other in pairwise(ordered):
        between = at.text[one.end : other.start]
        same = index().get(key(one.given))
        if same and same is index().get(key(other.given)) and not between.strip(" (,"):
            at.subjects.remove(other)  # methylene CH2
            continue
        if between == " ":
            both = at.text[one.start : other.end]
            at.refuse(f"“{both}” may be one name or two", f'write "{both}", or a comma')
    for one, other in pairwise(ordered):
        if at.text[one.end : other.start].strip() in OF:  # C=O of acetone
            at.refuse(
                f"“{at.text[one.start : other.end]}” is a part of a molecule", "name the whole"
            )
    for one in at.subjects:
        others = len(at.subjects) > 1 or at.attached or re.match(" (?:in|of)", at.text[one.end :])
        if others and one.given.strip("[]") in ATOMS and THE.search(at.text[: one.start]):
            at.refuse(f"“{at.text[one.start : one.end]}” may be an atom of a molecule, or alone")
    for one in ordered:
        if choices := unclear(one.given):
            asks = (at.text.replace(one.given, n, 1) for n in choices if one.given in at.text)
            at.refuse(f"{one.given} may be several molecules: say which", *asks)
    _spins(at)
    for one in ordered[1:]:  # of phenol in benzene; nothing stands before “in ethane and ethene”
        place = INSIDE.search(at.text[: one.start])
        if place and ordered[0].end <= place.start() and not is_part(at.text, place.start()):
            at.refuse(f"no solvent {one.given} is known", "name its permittivity: ε = 10")
    _parts(at)


def _parts(at: Sentence) -> None:
    """Refuse what a part is said to be in beside a molecule: the charges in water of acetone."""
    ordered = sorted(at.subjects, key=lambda one: one.start)
    places = [INSIDE.search(at.text[: one.start]) for one in ordered]
    inside = [one is not None and is_part(at.text, one.start()) for one in places]
    for n, one in enumerate(ordered if len(ordered) > 1 and any(inside) else ()):
        between = at.text[ordered[n - 1].end : one.start] if n else ""
        that = re.search(r"(?i)\b(?:that|those) (?:of|for) (?:the )?$", between)
        if not (inside[n] or that) or (not that and re.search(r"(?i)\b(?:of|for)\b", between)):
            at.refuse(f"{ordered[inside.index(True)].given} may be the solvent or the molecule")


def is_part(text: str, place: int) -> bool:
    """Tell whether `in` at a place follows a part, which is in a molecule: the bond in phenol."""
    said = text[:place].rstrip()
    if PART_OF.search(said):
        return True
    earlier = re.search(r"(?i)^(.*\w) in\b", said)
    return bool(THAT.search(said) and earlier and is_part(said, earlier.end(1)))


def _spins(at: Sentence) -> None:
    """Refuse a multiplicity that the electrons of the one molecule that is named cannot have."""
    said = {name: [one[3] for one in at.mentions if one[2] == name] for name in STATE}
    for given in {one.given for one in at.subjects} if len(at.subjects) == 1 else ():
        own, electrons = _electrons(given)
        if len({*said["charge"]}) > 1 or electrons is None:
            continue
        count = electrons - (own or next(iter(said["charge"]), 0))
        for one in said["multiplicity"]:
            if one > 0 and (count - one) % 2 == 0:
                other = "1, 3, 5 …" if count % 2 == 0 else "2, 4, 6 …"
                known = index().get(key(given)) is not None
                many = (
                    f"{count} electrons"
                    if known
                    else f"an {('even', 'odd')[count % 2]} number of electrons"
                )
                at.refuse(f"{given} has {many}: its multiplicity is {other}, not {one}")


def _electrons(given: str) -> tuple[int, int | None]:
    """Return the charge that a molecule has by its name, and the electrons that it has without any.

    Of what is no name of the table only whether these are odd or even is known: odd for the
    radical of a group, even for a SMILES that has no atoms in brackets, else nothing.
    """
    if entry := index().get(key(given)):
        atoms, own = composition(entry.formula)
        return own, sum(SYMBOLS.index(symbol) * count for symbol, count in atoms.items())
    if re.sub(" ", "-", given.removesuffix(" radical").lower()) in groups.GROUPS:
        return 0, 1
    return 0, 0 if smiles_fault(given) is None and "[" not in given else None


def pieces(rest: str) -> Iterator[tuple[int, int]]:
    """Iterate over where words stand, without punctuation and odd brackets around them."""
    for one in re.finditer(rf"[^\s;{GAP}]+", rest):
        a, b = one.span()
        while a < b and (rest[b - 1] in ",.:?!" or _is_odd(rest[b - 1], rest[a:b])):
            b -= 1
        if re.fullmatch(r"\([^()]+\)", rest[a:b]):
            a, b = a + 1, b - 1
        while a < b and (rest[a] == ":" or _is_odd(rest[a], rest[a:b])):
            a += 1
        if a < b:
            yield a, b


def _is_odd(sign: str, word: str) -> bool:
    """Return whether a sign is a bracket, of which a word has more on one side."""
    return any(sign in pair and word.count(pair[0]) != word.count(pair[1]) for pair in ("()", "[]"))


def _molecule(text: str) -> tuple[str, str, dict[str, int] | None] | None:
    """Return what names a molecule, how that was read, and its charge if it is known."""
    if re.fullmatch(r"[a-z0-9]*[a-z]\d[a-z0-9]*", text):  # h2o
        text = _lower().get(text, text)
    formula = is_formula(text)
    if entry := index().get(key(text)):
        bare = re.sub("(?i) radical$", "", text)
        text = bare if index().get(key(bare)) is entry else text
        given = entry.names[0] if formula else text
        said = f"{text} is {given}" if given != text else ""
        return given, said, {"charge": composition(entry.formula)[1]}
    bare = text.removesuffix(" radical")
    if (
        bare != text
        and bare
        and (entry := index().get(key(bare)))
        and (_electrons(bare)[1] or 0) % 2
    ):
        return bare, "", {"charge": composition(entry.formula)[1]}
    if crystal_names.is_said(text):
        return text, "", {"charge": 0}
    if atom := re.fullmatch(r"([A-Za-z]+)( atoms?)?", text):
        symbol = ELEMENTS.get(atom[1].lower()) or (atom[1] if atom[1] in SYMBOLS[1:] else "")
        if symbol and not (atom[1] == symbol and smiles_fault(symbol) is None and not atom[2]):
            return f"[{symbol}]", f"an atom of {symbol}", {"charge": 0}
    if re.search(r"[+-]\d?$", text) and (ion := spelled(text)):
        known = index().get(key(ion))
        charge = composition(known.formula if known else ion[-2] + ion[-3])[1]
        return ion, f"{text} is {ion}", {"charge": charge}
    if smiles_fault(text) is None and not text.islower() and text not in ABBREVIATIONS:
        return text, f"{text} is read as a SMILES", {"charge": 0}
    if (number := cas.registry_number(text)) and str(cas.check_digit(number)) == number[-1]:
        name = cas.numbers().get(number, "")
        entry = index().get(key(name))
        known = {"charge": composition(entry.formula)[1]} if entry else None
        return (name, f"{number} is {name}", known) if name else (number, "", None)
    if FORMULA.search(text) and (smiles := smiles_of_complex(text) or smiles_of_condensed(text)):
        signs = re.findall(r"([+-])(\d*)\]", smiles)
        charge = sum(int(f"{sign}{size or 1}") for sign, size in signs)
        return text, "", {"charge": charge}
    if not formula and (
        SYSTEMATIC.fullmatch(text) or STEMMED.fullmatch(text) or text.lower() in TRIVIAL
    ):
        return text, f"{text} is a systematic name, to be looked up", None
    return None


@functools.cache
def _lower() -> dict[str, str]:
    """Return the formulas of the table by what they are in small letters, if that is of one."""
    found: dict[str, set[str]] = {}
    for name in (name for entry in table() for name in entry.names if is_formula(name)):
        found.setdefault(name.lower(), set()).add(name)
    return {low: next(iter(names)) for low, names in found.items() if len(names) == 1}


def _group(text: str) -> tuple[str, str, dict[str, int] | None] | None:
    """Return the radical of a group, of which an ion may be meant: tert-butyl."""
    bare = re.sub(r"(?i) radical$", "", text).lower()
    if re.sub(" ", "-", bare) not in groups.GROUPS:
        return None
    return (
        f"{bare} radical",
        "" if bare != text.lower() else f"{text} is {bare} radical",
        {"charge": 0},
    )
