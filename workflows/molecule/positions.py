"""Names that leave open where their groups stand: dichlorobenzene, propanol, nitrotoluene."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

TIMES = {"": 1, "mono": 1, "di": 2, "bis": 2, "tri": 3, "tetra": 4, "penta": 5, "hexa": 6}
GROUPS = (
    r"(mono|di|bis|tri|tetra|penta|hexa)?(?:fluoro|chloro|bromo|iodo|nitro|amino|hydroxy|methyl|"
    r"ethyl|methoxy|ethoxy|cyano|phenyl|vinyl|acetyl|formyl)"
)
FREE = {"benzene": (6, 1, 5, 6), "cyclohexane": (12, 1, 11, 12), "cyclopropane": (6, 1, 5, 6),
        "cyclobutane": (8, 1, 7, 8), "cyclopentane": (10, 1, 9, 10), "ethane": (6, 1, 5, 6),
        "ethene": (4, 1, 3, 4), "ethylene": (4, 1, 3, 4)}  # fmt: skip
"""Places of parents whose places are alike, and how many groups leave nothing open."""

OTHERS = {
    "toluene": 5, "phenol": 5, "aniline": 5, "anisole": 5, "styrene": 5, "benzaldehyde": 5,
    "benzonitrile": 5, "acetophenone": 5, "benzoic acid": 5, "benzamide": 5, "biphenyl": 10,
    "pyridine": 5, "pyrrole": 4, "furan": 4, "thiophene": 4, "imidazole": 3, "pyrimidine": 4,
    "indole": 6, "quinoline": 7, "isoquinoline": 7, "naphthalene": 8, "anthracene": 10,
    "phenanthrene": 10, "stilbene": 10, "azobenzene": 10, "propane": 8, "butane": 10, "pentane": 12,
    "hexane": 14, "heptane": 16, "octane": 18, "propene": 6, "cyclohexanol": 10,
    "cyclohexanone": 10, "cyclohexene": 10, "cyclopentene": 8, "pyrazine": 3, "uracil": 2,
}  # fmt: skip
"""Places of parents that are not alike: one group leaves open where it stands."""

WHOLE = re.compile(rf"((?:{GROUPS})+) ?({'|'.join({**FREE, **OTHERS})})")
ITSELF = re.compile(
    r"(?:prop|but|pent|hex|hept|oct|non|dec)(?:an(?:e(?:di|tri))?ol|(?<!prop)enol|(?<!prop)(?<!but)anone|"
    r"(?<!prop)[ey]ne|anediol|anediamine)|xylene|xylidine|cresol|toluidine|picoline|lutidine|"
    r"naphthol|anisidine|naphthylamine|terphenyl|pyridone"
)
"""Names of which each is several molecules."""


def open_names(name: str, known: Iterable[Sequence[str]] = ()) -> tuple[str, ...]:
    """Return names that say which molecule is meant, where a name leaves that open; else none.

    Args:
        name: without numbers of places, else it names one.
        known: the names of each molecule that is known.
    """
    plain = name.strip().casefold()
    if re.search(r"\d", plain) or not (groups := _open_groups(plain)):
        return ()
    bare = re.compile(r"(?:\d(?:,\d)*|[omp]|ortho|meta|para|n|iso|sec|tert)-|-\d(?:,\d)*(?=-)|-")
    same = ([one for one in some if bare.sub("", one.casefold()) == plain] for some in known)
    places = ",".join(str(n + 1) for n in range(groups)) if groups > 1 else "2"
    return tuple(one[0] for one in same if one) or (f"{places}-{plain}",)


def _open_groups(plain: str) -> int:
    """Return how many groups stand nobody knows where."""
    if ITSELF.fullmatch(plain):
        return 1 + ("di" in plain) + 2 * ("tri" in plain)
    if (found := WHOLE.fullmatch(plain)) is None:
        return 0
    groups = sum(TIMES[one[1] or ""] for one in re.finditer(GROUPS, found[1]))
    certain = FREE.get(found[3], (OTHERS.get(found[3]),))
    return 0 if groups in certain else groups
