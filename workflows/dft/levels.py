"""What the names of methods and basis sets mean to PySCF, found out once and remembered."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import ctypes
import difflib
import re
import warnings
from typing import Any

from ontologies.level import LevelOfTheory, LevelResolution, Reference
from triplestore.errors import InputError
from workflows.engine import Backend, calculation

PYSCF = Backend(
    name="pyscf",
    epoch="1",
    preload=(
        "pyscf.dft",
        "pyscf.grad",
        "pyscf.hessian.thermo",
        "pyscf.geomopt.geometric_solver",
        "workflows.dft.energy",
        "workflows.dft.relaxation",
        "workflows.dft.vibration",
    ),
    packages=("pyscf", "geometric", "numpy", "scipy", "ase", "pymatgen"),
)

NAMES = """
HF PBE PBE0 PBEsol revPBE RPBE BLYP B3LYP B3PW91 BP86 BHandHLYP X3LYP O3LYP OLYP PW91 PW6B95
TPSS TPSSh revTPSS SCAN SCAN0 r2SCAN r2SCAN0 B97-1 B97-2 B97-3 B97M-V M05-2X M06 M06-L M06-2X
M06-HF MN15 MN15-L N12 GAM CAM-B3LYP LC-wPBE wB97 wB97X wB97X-V wB97M-V HSE03 HSE06 SVWN
"""

USUAL = {name.lower().replace("-", ""): name for name in NAMES.split()}
"""Usual spellings, by the name without case and hyphens."""

KNOWN_BASES = "def2-SVP, def2-TZVP, cc-pVDZ, cc-pVTZ, aug-cc-pVDZ, 6-31G*, 6-311++G**, STO-3G"


@calculation("dft.resolve_level", version="1", backend=PYSCF)
def resolve_level(method: str, basis: str, reference: Reference) -> LevelResolution:
    """Find out what PySCF computes for a method and a basis set.

    Args:
        method: a name such as `HF` or `B3LYP`; case and hyphens do not matter.
        basis: a name such as `def2-SVP` or `6-31G(d)`.
        reference: restricted or unrestricted orbitals.

    Raises:
        InputError: PySCF knows no such name; names the nearest.
    """
    basis_name = usual_basis(basis)
    key = plain(method)
    if (key, reference) in (("uhf", "restricted"), ("rhf", "unrestricted")):
        raise InputError(
            f"the method {method!r} was asked for",
            f"the reference follows the multiplicity, which makes it {reference} here",
            "ask for HF",
        )
    if key in ("hf", "rhf", "uhf", "hartreefock"):
        level = LevelOfTheory(method="HF", basis=basis_name, reference=reference)
    else:
        level = _functional(method, key, basis_name, reference)
    return LevelResolution(method=method, basis=basis, level=level)


def _functional(method: str, key: str, basis: str, reference: Reference) -> LevelOfTheory:
    from pyscf.dft import libxc

    _refuse_what_is_more_than_a_functional(method)
    name = USUAL.get(key, method.strip().upper())
    try:
        code = pyscf_name(name)
    except (KeyError, ValueError, IndexError) as error:
        close = difflib.get_close_matches(key, USUAL, 3, 0.6)
        nearest = " or ".join(USUAL[match] for match in close)
        raise InputError(
            f"the method {method!r} was asked for",
            "this version computes HF and density functionals; PySCF has none of that name",
            f"did you mean {nearest}?" if nearest else "try HF, PBE, PBE0 or B3LYP",
        ) from error
    _, components = libxc.parse_xc(code)
    name = USUAL.get(key) or _usual_synonym(code) or name
    hybrid, (omega, alpha, beta) = libxc.hybrid_coeff(code), _range_separation(libxc, code)
    return LevelOfTheory(
        method=name,
        basis=basis,
        reference=reference,
        functional=tuple(
            f"{float(factor):g} × {_libxc_name(libxc, int(number))} (libxc {int(number)})"
            for number, factor in components
        ),
        exact_exchange=alpha + beta if omega else float(hybrid),
        long_range_exchange=alpha if omega else float(hybrid),
        range_separation=omega,
        nonlocal_correlation="VV10" if libxc.nlc_coeff(code) else "",
        grid_level=3,
    )


def pyscf_name(method: str) -> str:
    """Return the name by which PySCF knows a functional.

    Raises:
        KeyError, ValueError, IndexError: it knows none.
    """
    from pyscf.dft import libxc

    spellings = [method, plain(method).upper()]
    for spelling in spellings:
        try:
            _, components = libxc.parse_xc(spelling)
        except (KeyError, ValueError, IndexError):
            if spelling == spellings[-1]:
                raise
        else:
            if components:
                return spelling
    raise KeyError(method)


def plain(name: str) -> str:
    """Return a name without what does not matter: case, spaces, hyphens and underscores."""
    return re.sub(r"[-_\s]", "", name.lower())


def _usual_synonym(code: str) -> str | None:
    """Return the usual name of the functional that PySCF knows by another name, if there is one."""
    from pyscf.dft import libxc

    def meaning(name: str) -> str:
        hybrid, components = libxc.parse_xc(name)
        return repr((hybrid, [(int(n), float(f)) for n, f in components], libxc.nlc_coeff(name)))

    wanted = meaning(code)
    names = (name for name in USUAL.values() if name != "HF")
    return next((name for name in names if meaning(pyscf_name(name)) == wanted), None)


def _refuse_what_is_more_than_a_functional(method: str) -> None:
    """Refuse names whose usual meaning includes a part that this version would leave out."""
    asked = f"the method {method!r} was asked for"
    letters = re.sub("[^a-z0-9]", "", method.lower())
    corrected = re.sub(r"d[234](bj|zero|0|m|mbj|op)?$|(?<=b97)d$|(?<=b97x)d$", "", letters)
    if corrected != letters:
        name = USUAL.get(corrected, corrected.upper())
        raise InputError(
            asked,
            "this version computes no D2, D3 or D4 dispersion corrections",
            f"ask for {name}, or for a functional with VV10 such as wB97M-V",
        )
    if letters.endswith("3c"):
        raise InputError(
            asked, "this version does not compute the 3c methods", "ask for r2SCAN, PBE0 or HF"
        )
    if letters == "lda":
        raise InputError(
            asked,
            "PySCF would compute exchange without correlation",
            "ask for SVWN, or for LDA,VWN",
        )


def _range_separation(libxc: Any, name: str) -> tuple[float, float, float]:
    omega, alpha, beta = libxc.rsh_coeff(name)
    return float(omega), float(alpha), float(beta)


def _libxc_name(libxc: Any, number: int) -> str:
    name = libxc._itrf.xc_functional_get_name
    name.restype = ctypes.c_char_p
    return (name(number) or b"?").decode().upper()


FITTING = re.compile(r"(jk?|mp2|coulomb|c|opt)?fit|ri|optri|weigend.*|demon.*|ahlrichs.*")
VALENCE_ONLY = re.compile(r"(gth|ccecp|bfd)")


def usual_basis(name: str) -> str:
    """Return the usual spelling of a basis set; equal sets get equal names.

    Raises:
        InputError: PySCF has no such set, or it is not one for orbitals of all electrons; names
            the nearest.
    """
    from pyscf.gto import basis

    asked = f"the basis set {name!r} was asked for"
    key = plain(name)
    key = re.sub(r"\(d,p\)$", "**", key)
    key = re.sub(r"\(d\)$", "*", key)
    if VALENCE_ONLY.match(key):
        raise InputError(
            asked,
            "it is for valence electrons, with a core potential that this version does not set",
            f"choose another. Common ones: {KNOWN_BASES}",
        )
    if re.search(f"({FITTING.pattern})$", key):
        raise InputError(
            asked,
            "it is for the fitting of densities, not for orbitals",
            f"choose another. Common ones: {KNOWN_BASES}",
        )
    aliases: dict[str, Any] = basis.ALIAS
    source = aliases.get(key)
    if isinstance(source, str):
        stem = source.split("/")[-1].removesuffix(".dat")
        if source.startswith("pople-basis/"):
            return re.sub("s{1,2}$", lambda found: "*" * len(found[0]), stem)
        return _capitals(stem)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if not re.fullmatch(r"[\w+*\- ]+(\([\w+,]+\))?[\w+*\- ]*", name):
                raise KeyError(name)
            basis.load(name, "C")
            return name.strip().upper()
        except (RuntimeError, KeyError, ValueError, OSError, AttributeError) as error:
            close = difflib.get_close_matches(key, aliases, 3, 0.6)
            sources = [source for match in close if isinstance(source := aliases[match], str)]
            near = [_capitals(source.split("/")[-1].removesuffix(".dat")) for source in sources]
            nearest = " or ".join(dict.fromkeys(near))
            raise InputError(
                asked,
                "PySCF has none of that name",
                (f"did you mean {nearest}? " if nearest else "") + f"Common ones: {KNOWN_BASES}",
            ) from error


def _capitals(stem: str) -> str:
    stem = stem.lower()
    if stem.startswith("def2"):
        return "def2" + stem[4:].upper()
    if match := re.fullmatch(r"(.*cc-p)((?:w?c)?v(?:\(?[dtq56]\+?d?\)?|[dtq56])z)(.*)", stem):
        return match[1] + match[2].upper() + match[3].upper()
    return stem.upper() if stem.startswith(("sto", "3-21", "6-31", "pc")) else stem
