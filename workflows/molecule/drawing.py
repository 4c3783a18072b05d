"""A molecule as a picture: its structural formula as SVG or PNG, drawn by RDKit."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ontologies.atoms import ConceptualAtoms

from .writing import placed

if TYPE_CHECKING:
    from rdkit.Chem import Mol

PictureFormat = Literal["svg", "png"]
SCALE = {"svg": 30, "png": 60}
"""Pixels of a bond."""


@dataclass(frozen=True)
class Picture:
    """A structural formula.

    Attributes:
        data: the file; SVG in UTF-8.
        form: the format.
        notes: what the picture cannot show, and what was assumed to draw it.
    """

    data: bytes
    form: PictureFormat
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Picture({len(self.data)} bytes of {self.form.upper()} in .data)"

    def _repr_mimebundle_(self, **_: object) -> dict[str, bytes | str]:
        """Return it as a notebook shows it."""
        kind = "image/png" if self.form == "png" else "image/svg+xml"
        return {kind: self.data if self.form == "png" else self.data.decode()}


def draw(
    atoms: ConceptualAtoms,
    form: PictureFormat,
    mol: Mol | None = None,
    numbers: bool = False,
    width: int | None = None,
    clear: bool = False,
) -> Picture:
    """Draw the structural formula of a molecule, without the hydrogens that follow from the rest.

    Args:
        atoms: the structure.
        form: the format.
        mol: its bonds, atom by atom; None to perceive them.
        numbers: whether atoms have the numbers that they have in the structure, from 1.
        width: of a PNG, in pixels; None for as many as it takes.
        clear: whether a PNG is transparent where nothing is drawn.

    Raises:
        InputError: its bonds cannot be found.
    """
    from rdkit import Chem, rdBase
    from rdkit.Chem import rdDepictor
    from rdkit.Chem.Draw import rdMolDraw2D

    known, notes = placed(atoms, mol)
    with rdBase.BlockLogs():
        if numbers:
            for atom in known.GetAtoms():
                atom.SetProp("atomNote", str(atom.GetIdx() + 1))
        plain = Chem.RemoveHs(known, sanitize=False)
        plain.UpdatePropertyCache(strict=False)
        plain.RemoveAllConformers()
        rdDepictor.Compute2DCoords(plain)
        flexible = (-1, -1)  # as large as the formula needs
        kind = rdMolDraw2D.MolDraw2DSVG if form == "svg" else rdMolDraw2D.MolDraw2DCairo
        drawn = kind(*flexible)
        options = drawn.drawOptions()
        options.scalingFactor = SCALE[form]
        options.padding = 0.08
        options.clearBackground = not clear
        if width is not None:  # the same again, larger or smaller by as much
            drawn.DrawMolecule(rdMolDraw2D.PrepareMolForDrawing(plain, kekulize=True))
            times = width / drawn.Width()
            size = (width, round(times * drawn.Height()))
            drawn = kind(*size)
            drawn.drawOptions().padding = options.padding
            drawn.drawOptions().clearBackground = not clear
        rdMolDraw2D.PrepareAndDrawMolecule(drawn, plain, kekulize=True)
        drawn.FinishDrawing()
        text = drawn.GetDrawingText()
    hidden = "; the numbers of hydrogens are not shown (balls shows all)" * numbers
    data = text.encode() if isinstance(text, str) else bytes(text)
    return Picture(data, form, (*notes, f"a structural formula, without coordinates{hidden}"))
