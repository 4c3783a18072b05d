"""Which configuration a geometry has, and whether its mirror image is another molecule."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workflows.molecule.bonds import assign_stereo

if TYPE_CHECKING:
    from rdkit.Chem import Mol


def is_chiral(mol: Mol) -> bool:
    """Tell whether stereocentres make the mirror image of a molecule another molecule.

    Meso forms are not chiral. Both texts that tell configurations are asked, for either has
    molecules whose mirror images it writes in two ways though they are one.

    Args:
        mol: with positions; its configuration is that of these.
    """
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():
        one, other = seen(mol), seen(mol, mirrored=True)
        if Chem.MolToSmiles(one) == Chem.MolToSmiles(other):
            return False
        keys = [str(Chem.MolToInchi(each)) for each in (one, other)]
    return not keys[0] or keys[0] != keys[1]


def seen(mol: Mol, mirrored: bool = False) -> Any:
    """Return a copy of a molecule with the configuration of its positions, or of their image."""
    from rdkit import Chem

    copy = Chem.Mol(mol)
    if mirrored:
        conformer = copy.GetConformer()
        conformer.SetPositions(conformer.GetPositions() * [-1.0, 1.0, 1.0])
    assign_stereo(copy)
    return copy


def completed(mol: Mol) -> tuple[Any, list[int]]:
    """Return a molecule with stereocentres that are left open set as its positions have them.

    Returns:
        The molecule, and these centres: atoms, from 0, a double bond by its first.
    """
    from rdkit import Chem

    whole, there = Chem.Mol(mol), seen(mol)
    places: list[int] = []
    for element in Chem.FindPotentialStereo(mol):
        if element.specified == Chem.StereoSpecified.Specified:
            continue
        if element.type == Chem.StereoType.Atom_Tetrahedral:
            tag = there.GetAtomWithIdx(element.centeredOn).GetChiralTag()
            if tag != Chem.ChiralType.CHI_UNSPECIFIED:
                whole.GetAtomWithIdx(element.centeredOn).SetChiralTag(tag)
                places.append(int(element.centeredOn))
        elif element.type == Chem.StereoType.Bond_Double:
            bond = there.GetBondWithIdx(element.centeredOn)
            if bond.GetStereo() in (Chem.BondStereo.STEREOZ, Chem.BondStereo.STEREOE):
                open_one = whole.GetBondWithIdx(element.centeredOn)
                open_one.SetStereoAtoms(*bond.GetStereoAtoms())
                open_one.SetStereo(bond.GetStereo())
                places.append(int(bond.GetBeginAtomIdx()))
    return whole, sorted(places)


def has_configuration(mol: Mol, wanted: Mol) -> bool:
    """Tell whether positions have the configuration that a molecule of the same atoms is set to."""
    from rdkit import Chem

    there = Chem.Mol(mol)
    Chem.AssignStereochemistryFrom3D(there)
    plain = (Chem.ChiralType.CHI_TETRAHEDRAL_CW, Chem.ChiralType.CHI_TETRAHEDRAL_CCW)
    if any(
        atom.GetChiralTag() in plain and atom.GetChiralTag() != one.GetChiralTag()
        for atom, one in zip(wanted.GetAtoms(), there.GetAtoms(), strict=True)
    ):
        return False
    double = (Chem.BondStereo.STEREOZ, Chem.BondStereo.STEREOE)
    return not any(
        bond.GetStereo() in double and bond.GetStereo() != one.GetStereo()
        for bond, one in zip(wanted.GetBonds(), there.GetBonds(), strict=True)
    )
