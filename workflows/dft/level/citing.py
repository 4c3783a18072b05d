"""Hartree–Fock and functionals in a methods section: what is cited, and which settings count.

For a functional libxc itself says what to cite: each of its components carries references, with
BibTeX and DOI.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false, reportPrivateUsage=false

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from typing import Any

from ontologies.elements import SYMBOLS
from ontologies.level import LevelOfTheory
from workflows.registry.references import Cited, Described, Reference, basis_cited, cited
from workflows.text.words import listed

from .bases import potential_of
from .exchange import sets_cited
from .fitting import EVEN_TEMPERED
from .functionals import COMPONENT, HISTORIES

MOST = 8
"""References that a component of libxc can have."""


def described(level: LevelOfTheory, numbers: Sequence[int]) -> Described:
    """Return a level in words, and what is cited for its parts.

    Args:
        level: the level.
        numbers: atomic numbers of the elements that were computed at it.
    """
    settings = [harmonics(level.spherical), f"SCF threshold {level.scf_tolerance:g} Eh"]
    kind = f"{level.reference} orbitals"
    if level.functional:
        parts = [_functional(level), cited("library", "libxc", "the library libxc")]
        settings = [kind, f"integration grid {level.grid_level} of PySCF", *settings]
    else:
        parts = [cited("method", f"HF {level.reference}", "Hartree–Fock theory")]
        settings = [kind, *settings]
    if level.nonlocal_correlation:
        text = f"the non-local correlation {level.nonlocal_correlation}"
        parts.append(cited("nonlocal", level.nonlocal_correlation, text))
    if level.dispersion:
        text = f"the dispersion correction {level.dispersion.kind}"
        parts.append(cited("dispersion", level.dispersion.kind, text))
        values = ", ".join(level.dispersion.damping_parameters)
        if values:
            settings.append(f"damping parameters {values}")
    parts += sets_cited(level.basis_source, numbers)
    if cores := [SYMBOLS[one] for one in numbers if potential_of(level.basis_source, SYMBOLS[one])]:
        settings.append(f"effective core potentials of that set for {listed(cores)}")
    if level.density_fitting:
        for name in level.auxiliary_basis.split(", "):
            if name and name != EVEN_TEMPERED:
                parts += basis_cited(name, numbers, "the fitting set")
        settings.append(f"integrals fitted with {level.auxiliary_basis or 'PySCF’s own choice'}")
    if around := level.solvation:
        medium = around.solvent or "a medium"
        text = f"the continuum model {around.model} of {medium} (ε = {around.dielectric:g})"
        parts.append(cited("solvation", around.model, text))
    return Described(tuple(parts), tuple(settings))


def harmonics(spherical: bool) -> str:
    """Say which angular functions a basis set is taken with."""
    return "spherical harmonics" if spherical else "Cartesian functions"


def _functional(level: LevelOfTheory) -> Cited:
    found: dict[str, Reference] = {}
    for one in level.functional:
        if match := COMPONENT.fullmatch(one):
            for reference in of_component(int(match[3])):
                found.setdefault(reference.doi or reference.text, reference)
    parts = [COMPONENT.sub(r"\1 × \2", one) for one in level.functional]
    meant = HISTORIES.get(level.method, "").partition(";")[0]
    said = "; ".join(filter(None, [f"libxc: {' + '.join(parts)}", meant]))
    text = f"the functional {level.method} ({said})"
    return Cited(text, tuple(found.values()))


def of_component(which: int) -> Iterator[Reference]:
    """Iterate over the references of a component of libxc, as libxc has them.

    What it names without an author, such as the default of a program, is no publication.

    Args:
        which: its number in libxc.
    """
    library = _library()
    component = library.xc_func_alloc()
    if library.xc_func_init(component, which, 1) != 0:
        return
    try:
        about = library.xc_func_get_info(component)
        for place in range(MOST):
            found = library.xc_func_info_get_references(about, place)
            if not found:
                return
            text, doi, entry = (
                (getattr(library, f"xc_func_reference_get_{one}")(found) or b"").decode()
                for one in ("ref", "doi", "bibtex")
            )
            key = re.match(r"@\w+\{([^,]+),", entry)
            if key and re.search(r"\bauthor\s*=", entry, re.IGNORECASE):
                said = re.sub(r"\.?,  ", ", ", text).rstrip(".")
                yield Reference(key[1].strip(), said, doi, entry.strip() + "\n")
    finally:
        library.xc_func_end(component)
        library.xc_func_free(component)


def _library() -> Any:
    """Return libxc with the types of what is called here."""
    from pyscf.dft import libxc

    library: Any = libxc._itrf
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    for name, answer, given in (
        ("xc_func_alloc", pointer, ()),
        ("xc_func_init", ctypes.c_int, (pointer, ctypes.c_int, ctypes.c_int)),
        ("xc_func_get_info", pointer, (pointer,)),
        ("xc_func_info_get_references", pointer, (pointer, ctypes.c_int)),
        ("xc_func_reference_get_ref", text, (pointer,)),
        ("xc_func_reference_get_doi", text, (pointer,)),
        ("xc_func_reference_get_bibtex", text, (pointer,)),
        ("xc_func_end", None, (pointer,)),
        ("xc_func_free", None, (pointer,)),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = answer, list(given)
    return library
