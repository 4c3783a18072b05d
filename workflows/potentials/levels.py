"""What the name of a learned potential means; nothing here imports what computes it."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

from ontologies.elements import SYMBOLS
from ontologies.level import ResolvedLevel
from ontologies.potentials import LearnedPotential
from triplestore.errors import ComponentError, InputError
from workflows.engine import calculation
from workflows.text.names import plain

from .dispersion import correction_of
from .learned import Package

MODELS = {plain(name): name for name in ("0.3.0", "r2scan")} | {"": "0.3.0"}
"""The trained models in the package, by what people ask for."""

TRAINED_ON = {
    "0.3.0": "PBE and PBE+U of the Materials Project, with its corrections of energies",
    "r2scan": "the same, and then r2SCAN of the Materials Project",
}

FUNCTIONALS = {"0.3.0": "pbe", "r2scan": "r2scan"}
"""Whose parameters of D3 are meant, as the library calls them."""

CHGNET = Package(
    title="CHGNet",
    extra="mlip",
    packages=("chgnet", "torch", "ase", "numpy", "pymatgen"),
    known=lambda level: SYMBOLS[1:84] + SYMBOLS[89:95],
    models=MODELS,
)
"""What computes it. It was trained on 89 elements: of the first 94 all but polonium to radium.

Source: B. Deng et al., Nat. Mach. Intell. 5, 1031 (2023), doi:10.1038/s42256-023-00716-3.
"""

BACKEND = CHGNET.backend()


def weights_file(model: str, asked: str) -> Path:
    """Return the file of a trained model in the package, without importing that.

    Raises:
        ComponentError: it is not there.
    """
    package = find_spec("chgnet")
    homes = package.submodule_search_locations if package else None
    found = [one for home in homes or () for one in Path(home).glob(f"pretrained/{model}/*.tar")]
    if len(found) != 1:
        raise ComponentError(asked, f"the model {model} of CHGNet is not installed", CHGNET.advice)
    return found[0]


@calculation(
    "potentials.resolve_level", version="1", backend=BACKEND, brief=True, title="level of theory"
)
def resolve_level(
    method: str, version: str, model: str = "", *, dispersion: str = ""
) -> ResolvedLevel:
    """Find out which weights a trained model of CHGNet has.

    Args:
        method: `CHGNet`; case does not matter.
        version: of the package.
        model: `0.3.0` or `r2scan`; empty for the former.
        dispersion: what is added to it, see `correction_of`; empty for nothing.

    Raises:
        InputError: there is no such model or correction.
        ComponentError: CHGNet is not installed, or in another version.
    """
    asked = f"{method} {model}".strip() + " was asked for"
    name = MODELS.get(plain(model))
    if name is None:
        raise InputError(
            asked, "CHGNet brings the models 0.3.0 (PBE) and r2scan", "choose one of them"
        )
    CHGNET.check_version(version, asked)
    digest = hashlib.sha256(weights_file(name, asked).read_bytes()).hexdigest()
    level = LearnedPotential(
        method="CHGNet",
        program_version=version,
        model=name,
        weights=digest,
        dispersion=correction_of(dispersion, FUNCTIONALS[name], asked),
    )
    return ResolvedLevel(method=method, level=level)
