"""Formulas of one centre and what is bound to it: complexes, hydrides, halides, oxides.

`[Co(NH3)6]3+`, `FeCl4-`, `Pt(NH3)2Cl2`, `XeOF4`, `SiCl4` have one structure each: what is bound
to the centre follows from the formula, and its shape from `polyhedra`. What could be several
molecules, or has electrons that do not come out, is none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from ontologies.elements import SYMBOLS

from .formulas import HIGH
from .polyhedra import D_BLOCK, F_BLOCK, S_METALS, VALENCE

SINGLE = {"H": "[H]", "F": "F", "Cl": "Cl", "Br": "Br", "I": "I", "OH": "O", "CN": "C#N"} | {
    "NO2": "[N+](=O)[O-]", "NCS": "N=C=S", "SCN": "SC#N", "N3": "N=[N+]=[N-]", "CH3": "C",
    "NH2": "N", "C6H5": "c%99ccccc%99", "Ph": "c%99ccccc%99", "Me": "C", "SH": "S",
}  # fmt: skip
"""Ligands with one bond, as SMILES behind their centre."""

DOUBLE = {"O": "O", "S": "S"}

GIVEN = {"CO": "[C-]#[O+]", "NH3": "N", "H2O": "O", "OH2": "O", "PH3": "P", "PF3": "P(F)(F)F"} | {
    "PMe3": "P(C)(C)C", "P(CH3)3": "P(C)(C)C", "PPh3": "P(c%99ccccc%99)(c%99ccccc%99)c%99ccccc%99",
    "py": "n%99ccccc%99", "MeCN": "N#CC", "NCMe": "N#CC", "NCCH3": "N#CC", "CH3CN": "N#CC",
    "HCN": "N#C", "PCl3": "P(Cl)(Cl)Cl",
}  # fmt: skip
"""Ligands that give a pair of electrons, from their donor on."""

CHELATES = {
    "en": "NCCN", "bpy": "c1ccnc(c1)-c1ccccn1", "bipy": "c1ccnc(c1)-c1ccccn1",
    "phen": "c1cnc2c(c1)ccc1cccnc12",
}  # fmt: skip
"""Those with two donors, neutral; `ligands` puts them onto their metal."""

ABOVE = {"CO", "PF3", "PCl3"}
"""Which stand in complexes of metals without charge, or with a negative one."""

CENTRES = {5: 3, 6: 4, 7: 5} | VALENCE
"""Valence electrons of centres of the p block; the lightest are no more than octets."""

HALOGENS = (17, 35, 53, 85)
OCTET = (5, 6, 7)
MOST_LIGANDS = 8

FLAT = r"[A-Z][a-z]?"
KNOWN = sorted({*SINGLE, *DOUBLE, *GIVEN, *CHELATES}, key=len, reverse=True)
LIGAND = "|".join(map(re.escape, KNOWN))
PART = re.compile(
    rf"(?:\((?P<group>{LIGAND})\)|(?P<hydroxide>OH)(?!\d))(?P<times>\d*)"
    rf"|(?P<atom>{FLAT})(?P<count>\d*)"
)
ROMAN = re.compile(r"[A-Z][a-z]?(?:\(?(?:I{1,3}|I?V|VI{1,3})\)?)")
"""An element and its oxidation state: FeII is no iodide."""

CHARGE = re.compile(
    r"(?P<body>.+?)(?:\^?\{?|\()(?:(?P<before>\d?)(?P<sign>[+-])|(?P<signs>\+{2,4}|-{2,4}))[})]?"
)
BARE = re.compile(r"(?P<body>.*?[A-Za-z)\]])(?P<figures>\d*)(?P<sign>[+-])")


def smiles_of_complex(text: str) -> str:
    """Return the SMILES of a formula of one centre and its ligands; empty where it is none."""
    plain = unicodedata.normalize("NFKC", HIGH.sub(r"^\1", text.strip()))
    plain = plain.replace("−", "-").replace("–", "-").replace(" ", "")
    for body, charge in _charged(plain):
        inner = body[1:-1] if body.startswith("[") and body.endswith("]") else body
        if "[" not in inner and "]" not in inner and (found := _built(inner, charge)):
            return found
    return ""


def _charged(text: str) -> Iterator[tuple[str, int]]:
    """Yield readings of a formula with its charge in e behind it, the likelier first."""
    if not text.endswith(("+", "-", "+}", "-}", "+)", "-)")):
        yield text, 0
        return
    found = CHARGE.fullmatch(text)
    clear = "^" in text or text.endswith(("}", ")")) or "]" in text or (found and found["signs"])
    if found and clear:
        signs = found["signs"] or found["sign"]
        size = int(found["before"] or len(signs))
        yield found["body"], size if signs[0] == "+" else -size
    elif bare := BARE.fullmatch(text):
        body, figures, sign = bare.groups()
        one = 1 if sign == "+" else -1
        yield body + figures, one  # FeCl4-
        if len(figures) > 1:
            yield body + figures[:-1], one * int(figures[-1])  # FeCl42-
        if figures and body.endswith(")"):
            yield body, one * int(figures)


def _built(text: str, charge: int) -> str:
    parts = _parts(text)
    if parts is None or ROMAN.fullmatch(text):
        return ""
    single = [n for n, (name, times) in enumerate(parts) if times == 1 and _can_be_centre(name)]
    metals = [n for n in single if _is_metal(parts[n][0])]
    heavy = [n for n in single if parts[n][0] not in {*SINGLE, *DOUBLE}]
    for chosen in (metals, heavy, single[:1]):
        if len(chosen) == 1:
            ligands = [part for n, part in enumerate(parts) if n != chosen[0]]
            return _around(parts[chosen[0]][0], ligands, charge)
    return ""


def _parts(text: str) -> list[tuple[str, int]] | None:
    """Return symbols and groups of a formula with their numbers; None where it has others."""
    parts: list[tuple[str, int]] = []
    place = 0
    while place < len(text):
        found = PART.match(text, place)
        if found is None:
            return None
        grouped = found["group"] or found["hydroxide"]
        name, times = grouped or found["atom"], found["times"] or found["count"]
        if (not grouped and name not in SYMBOLS[1:]) or times == "0":
            return None
        parts.append((name, int(times or 1)))
        place = found.end()
    return parts


def _is_metal(symbol: str) -> bool:
    return symbol in SYMBOLS[1:] and SYMBOLS.index(symbol) in (*D_BLOCK, *F_BLOCK)


def _can_be_centre(name: str) -> bool:
    if name not in SYMBOLS[1:]:
        return False
    return _is_metal(name) or SYMBOLS.index(name) in CENTRES or SYMBOLS.index(name) in S_METALS


def _around(centre: str, ligands: list[tuple[str, int]], charge: int) -> str:
    number = SYMBOLS.index(centre)
    known = {*SINGLE, *DOUBLE, *GIVEN, *CHELATES}
    count = sum(times for _, times in ligands)
    if not charge and count < 3 and number not in D_BLOCK and all(n in DOUBLE for n, _ in ligands):
        return ""  # SiO2, PbS: a solid
    if not 1 <= count <= MOST_LIGANDS or any(name not in known for name, _ in ligands):
        return ""
    if number in S_METALS:
        return _salt(centre, ligands, charge)
    if any(name in CHELATES for name, _ in ligands):
        return _chelated(centre, ligands, charge)
    if not _is_metal(centre) and not _comes_out(number, ligands, charge):
        return ""
    oxygen_ends = 0
    if not _is_metal(centre) and charge < 0 and dict(ligands).get("O", 0) >= -charge:
        oxygen_ends = -charge
    arms: list[str] = []
    for name, times in ligands:
        for _ in range(times):
            if name == "O" and oxygen_ends:
                arms.append("[O-]")
                oxygen_ends -= 1
            elif name in GIVEN:
                arms.append(f"<-{GIVEN[name]}")
            else:
                arms.append(f"={DOUBLE[name]}" if name in DOUBLE else SINGLE[name])
    left = charge + sum(arm == "[O-]" for arm in arms)
    sign = f"{'+' if left > 0 else '-'}{abs(left) if abs(left) > 1 else ''}" if left else ""
    if _is_metal(centre) and not _plausible(ligands, charge):
        return ""
    return f"[{centre}{sign}]" + "".join(f"({arm})" for arm in arms)


def _comes_out(number: int, ligands: list[tuple[str, int]], charge: int) -> bool:
    """Tell whether the electrons of a main-group centre and its bonds fit each other."""
    valence = CENTRES[number]
    halogen = number in HALOGENS and sum(times for _, times in ligands) > 1
    if halogen and any(name not in {"O", "F", "Cl", "Br", "I"} for name, _ in ligands):
        return False
    if any(name in GIVEN or (number == 6 and len(name) > 2) for name, _ in ligands):
        return False  # that is an organic formula, or an adduct
    if any(name == "H" for name, _ in ligands) and any(name in DOUBLE for name, _ in ligands):
        return False  # whether the hydrogen is at the oxygen is not said
    ends = min(-charge, dict(ligands).get("O", 0)) if charge < 0 else 0
    bonds = sum(times * (2 if name in DOUBLE else 1) for name, times in ligands) - ends
    lone = valence - (charge + ends) - bonds
    around = 2 * bonds + lone
    return lone >= 0 and (
        number not in OCTET
        or (around <= 8 - (number == 5 and charge >= 0) * 2 and (number != 7 or around >= 7))
    )


def _plausible(ligands: list[tuple[str, int]], charge: int) -> bool:
    """Tell whether a metal's oxidation state is one that there is."""
    state = charge + sum(
        times * (2 if name in DOUBLE else 1 if name in SINGLE else 0) for name, times in ligands
    )
    return (-2 if any(name in ABOVE for name, _ in ligands) else 1) <= state <= 8


def _salt(centre: str, ligands: list[tuple[str, int]], charge: int) -> str:
    """Return the ions of a metal of the first two groups; a hydride of one atom is a molecule."""
    state = 1 if SYMBOLS.index(centre) in S_METALS[::2] else 2
    names = [name for name, times in ligands for _ in range(times)]
    if charge or any(name not in {"H", "F", "Cl", "Br", "I", "OH", "CN"} for name in names):
        return ""
    if len(names) != state:
        return ""
    if set(names) == {"H"} or state == 2:
        return f"[{centre}]" + "".join(f"({SINGLE[name]})" for name in names)
    ions = {"OH": "[OH-]", "CN": "[C-]#N"}
    return f"[{centre}+]." + ".".join(ions.get(name, f"[{name}-]") for name in names)


def _chelated(centre: str, ligands: list[tuple[str, int]], charge: int) -> str:
    """Return a metal and its ligands beside each other."""
    ions = {"Cl": "[Cl-]", "Br": "[Br-]", "F": "[F-]", "I": "[I-]", "CN": "[C-]#N", "OH": "[OH-]"}
    pieces: list[str] = []
    state = charge
    for name, times in ligands:
        if name in DOUBLE or (name in SINGLE and name not in ions):
            return ""
        state += times if name in ions else 0
        pieces += [ions.get(name) or CHELATES.get(name) or GIVEN[name].replace("%99", "1")] * times
    if not _is_metal(centre) or not 0 <= state <= 8:
        return ""
    return ".".join([f"[{centre}+{state}]" if state else f"[{centre}]", *pieces])
