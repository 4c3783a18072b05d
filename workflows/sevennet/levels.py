"""What the name of a model of SevenNet means; nothing here imports what computes it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from ontologies.elements import SYMBOLS
from ontologies.level import ResolvedLevel
from ontologies.potentials import MultifidelityPotential
from triplestore.errors import ComponentError, InputError
from workflows.engine import calculation
from workflows.potentials.dispersion import correction_of
from workflows.potentials.learned import Package
from workflows.text.names import plain
from workflows.text.words import listed


@dataclass(frozen=True)
class Trained:
    """A trained model that comes with the package.

    Attributes:
        name: as people call it.
        file: where its weights are, in the package.
        modals: methods that it was trained on side by side; none where it was trained on one.
    """

    name: str
    file: str
    modals: tuple[str, ...] = ()

    def functional(self, modal: str) -> str:
        """Return whose parameters of D3 are meant, as the library calls them."""
        return modal.lower() or "pbe"


MODELS = {
    plain(one.name): one
    for one in (
        Trained("0", "SevenNet_0__11Jul2024/checkpoint_sevennet_0.pth"),
        Trained("0-22May2024", "SevenNet_0__22May2024/checkpoint_sevennet_0.pth"),
        Trained("l3i5", "SevenNet_l3i5/checkpoint_l3i5.pth"),
        Trained("MF-0", "SevenNet_MF_0/checkpoint_sevennet_mf_0.pth", ("PBE", "R2SCAN")),
    )
}
"""The trained models in the package, by what people ask for. The others, which it would fetch, are
not had here."""

TRAINED_ON = {
    "": "PBE and PBE+U of the Materials Project",
    "PBE": "PBE and PBE+U of the Materials Project, beside r2SCAN",
    "R2SCAN": "r2SCAN of the Materials Project, beside PBE and PBE+U",
}
"""By the modal."""

SEVENNET = Package(
    title="SevenNet",
    extra="mlip",
    packages=("sevenn", "e3nn", "torch", "ase", "numpy", "matscipy"),
    known=lambda level: SYMBOLS[1:84] + SYMBOLS[89:95],
    models=MODELS,
)
"""What computes it. All four were trained on 89 elements, as their checkpoints say.

Source: Y. Park, J. Kim, S. Hwang, S. Han, J. Chem. Theory Comput. 20, 4857 (2024),
doi:10.1021/acs.jctc.4c00190.
"""

BACKEND = SEVENNET.backend()


def weights_file(model: str, asked: str) -> Path:
    """Return the file of a trained model in the package, without importing that.

    Raises:
        ComponentError: it is not there.
    """
    package = find_spec("sevenn")
    homes = package.submodule_search_locations if package else None
    name = MODELS[plain(model)].file
    found = [
        path
        for one in homes or ()
        if (path := Path(one) / "pretrained_potentials" / name).is_file()
    ]
    if not found:
        told = f"the model {model} of SevenNet is not installed"
        raise ComponentError(asked, told, SEVENNET.advice)
    return found[0]


@calculation(
    "sevennet.resolve_level", version="1", backend=BACKEND, brief=True, title="level of theory"
)
def resolve_level(
    method: str, version: str, model: str = "", modal: str = "", *, dispersion: str = ""
) -> ResolvedLevel:
    """Find out which weights a trained model of SevenNet has.

    Args:
        method: `SevenNet`; case does not matter.
        version: of the package.
        model: `0`, `0-22May2024`, `l3i5` or `MF-0`; empty for the first.
        modal: of `MF-0`: `PBE` or `R2SCAN`; empty for `PBE`.
        dispersion: what is added to it, see `correction_of`; empty for nothing.

    Raises:
        InputError: there is no such model, modal or correction.
        ComponentError: SevenNet is not installed, or in another version.
    """
    asked = " ".join(filter(None, (method, model, modal))) + " was asked for"
    trained = MODELS.get(plain(model or "0"))
    if trained is None:
        brought = listed([one.name for one in MODELS.values()])
        raise InputError(asked, f"SevenNet brings the models {brought}", "choose one of them")
    meant = modal.strip().upper() or next(iter(trained.modals), "")
    if meant and meant not in trained.modals:
        there = listed(trained.modals) if trained.modals else "PBE alone, and no choice of it"
        raise InputError(asked, f"{trained.name} has {there}", "choose another (modal or model)")
    SEVENNET.check_version(version, asked)
    digest = hashlib.sha256(weights_file(trained.name, asked).read_bytes()).hexdigest()
    level = MultifidelityPotential(
        method="SevenNet",
        program_version=version,
        model=trained.name,
        modal=meant,
        weights=digest,
        dispersion=correction_of(dispersion, trained.functional(meant), asked),
    )
    return ResolvedLevel(method=method, level=level)
