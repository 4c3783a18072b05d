"""Names of sugars that are several molecules: rings, each of two hands at C1, and an open chain."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import re

PYRANOSES = ("allo", "altro", "gluco", "manno", "gulo", "ido", "galacto", "talo", "arabino", "xylo",
             "lyxo", "fuco", "rhamno")  # fmt: skip
FURANOSES = ("erythro", "threo")
BOTH = ("ribo", "fructo", "sorbo", "tagato", "psico")
KETOSES = BOTH[1:]
NATURAL = {"arabino": "L", "fuco": "L", "rhamno": "L", "sorbo": "L"}
"""The hand of those that are found in nature, where it is not D."""

USUAL = {
    "dextrose": "d-glucose",
    "grape sugar": "d-glucose",
    "blood sugar": "d-glucose",
    "levulose": "d-fructose",
    "fruit sugar": "d-fructose",
}
_STEMS = {stem[:-1]: stem for stem in (*PYRANOSES, *FURANOSES, *BOTH)}
PLAIN = re.compile(rf"(?:\(?[+-]\)?-?)?(?:(dl|d|l)[- ]?)?({'|'.join(_STEMS)})ose")
UNSAID = re.compile(r"(?i)^(?!.*(?:pyran|furan|septan|aldehydo|keto)).*(?:ose|uronic acid)$")
"""Names of sugars that say neither a ring nor the open chain."""

CHAIN = "O=[C;!R][C;!R][C;!R]([OX2H1])[C;!R][OX2H1]"


def forms(name: str) -> tuple[str, ...]:
    """Return the molecules that the name of a sugar leaves open, none where it names one.

    Source: A. D. McNaught, Pure Appl. Chem. 68, 1919 (1996), 2-Carb-3 to 2-Carb-6.
    """
    plain = " ".join(name.casefold().split())
    match = PLAIN.fullmatch(USUAL.get(plain, plain))
    if match is None:
        return ()
    stem = _STEMS[match[2]]
    hand = match[1].upper() if match[1] in ("d", "l") else NATURAL.get(stem, "D")
    rings = ("furanose",) if stem in FURANOSES else ("pyranose",)
    rings = ("pyranose", "furanose") if stem in BOTH else rings
    chain = "keto" if stem in KETOSES else "aldehydo"
    closed = [f"{anomer}-{hand}-{stem}{ring}" for ring in rings for anomer in ("alpha", "beta")]
    return (*closed, f"{chain}-{hand}-{match[2]}ose")


def is_open_chain(name: str, smiles: str) -> bool:
    """Tell whether a sugar was read as its open chain though its name does not say so."""
    from rdkit import Chem

    mol = Chem.MolFromSmiles(smiles) if UNSAID.match(name) else None
    return mol is not None and mol.HasSubstructMatch(Chem.MolFromSmarts(CHAIN))
