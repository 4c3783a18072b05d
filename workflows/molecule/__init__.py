"""Molecules as a person gives them: a file, a notation or a name becomes typed atoms, and back."""

from typing import TYPE_CHECKING

from triplestore.lazy import lazily
from workflows.registry import Action, SubjectKind
from workflows.registry.needs import Need

if TYPE_CHECKING:
    from .embedding import embed
    from .files import read_content, read_file
    from .recognition import Kind, recognise
    from .writing import Written, write

__all__ = ["Kind", "Written", "embed", "read_content", "read_file", "recognise", "write"]

__getattr__ = lazily(
    __name__,
    {
        "Kind": "recognition",
        "Written": "writing",
        "embed": "embedding",
        "read_content": "files",
        "read_file": "files",
        "recognise": "recognition",
        "write": "writing",
    },
)

SUFFIXES = (
    *(".xyz", ".extxyz", ".mol", ".sdf", ".cif", ".pdb", ".ent", ".mol2"),
    *(".gjf", ".com", ".inp", ".cube", ".cub", ".fchk", ".fch", ".molden", ".coord", ".tmol"),
)
"""Of files of structures."""

NEEDS = (
    Need("java", "systematic names, by OPSIN", "apt-get install default-jre-headless"),
    Need("obabel", "molecules that RDKit finds no geometry of", "apt-get install openbabel"),
)

MOLECULE = SubjectKind(
    "molecule",
    suffixes=(*SUFFIXES, *(f"{suffix}.gz" for suffix in SUFFIXES)),
    pasted=True,
)
"""What many workflows are about."""

ACTIONS = (
    Action(
        "convert",
        "Write MOLECULE in another format, and say what that cannot hold.",
        "workflows.molecule.conversion:CONVERT",
    ),
    Action(
        "stereoisomers",
        "Write each configuration of MOLECULE that it leaves open.",
        "workflows.molecule.stereoisomers:STEREOISOMERS",
    ),
    Action(
        "lookup",
        "Say what MOLECULE is: names, CAS number, notations, formula, masses.",
        "workflows.molecule.looking_up:LOOKUP",
    ),
)
