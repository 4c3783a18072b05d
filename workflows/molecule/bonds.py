"""Bonds and their orders, perceived from the positions of the atoms.

Distances say who is bonded (`ontologies.connectivity`). Orders come from valences where single
bonds suffice, else from RDKit, ligand by ligand where there are metals or hypervalent centres: what
is bonded to them is perceived as the ion or molecule that it is without them.

Source: Y. Kim, W. Y. Kim, Bull. Korean Chem. Soc. 36, 1769 (2015), as RDKit implements it.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.connectivity import Connectivity, connectivity
from triplestore.errors import InputError

from .polyhedra import S_METALS, VALENCE, is_metal, ligand_paths, lone_electrons

if TYPE_CHECKING:
    from rdkit.Chem import Mol

MOST_ATOMS = 300
"""In one molecule. The search for bond orders grows steeply with conjugation."""
STEPS = 5000
HAPTIC = 3
"""From so many atoms of one ligand on, a metal is bound to its face: no bonds are written."""

USUAL = {1: 1, 5: 3, 6: 4, 7: 3, 8: 2, 9: 1, 2: 0, 10: 0, 13: 3, 31: 3, 49: 3}
"""Bonds of neutral atoms that do not vary."""
CHARGES = (0, -1, -2, 1, -3, 2, -4)
"""Of ligands, in the order in which they are tried."""
LONE = {1: -1, 7: -3, 8: -2, 9: -1, 15: -3, 16: -2, 17: -1, 34: -2, 35: -1, 52: -2, 53: -1}
"""Charges of single atoms as ligands."""


def perceive(atoms: ConceptualAtoms) -> tuple[Mol, str]:
    """Return RDKit's molecule of a structure, atom by atom, and how its bonds were found.

    Raises:
        InputError: a crystal, or bonds that no count of electrons explains.
    """
    from rdkit import rdBase

    asked = f"cannot find the bonds of {atoms.formula}"
    if atoms.is_periodic:
        raise InputError(asked, "it is periodic", "write it as CIF or extended XYZ")
    bonded = connectivity(atoms)
    if max(map(len, bonded.molecules)) > MOST_ATOMS:
        most = f"a molecule with more than {MOST_ATOMS} atoms in it"
        raise InputError(asked, most, "give it with its bonds: a MOL or SDF file, or a SMILES")
    with rdBase.BlockLogs():
        metals = [i for i, number in enumerate(atoms.numbers.tolist()) if is_metal(number)]
        mol = None if metals else _perceived(atoms)
        if mol is None and not metals and len(bonded.molecules) > 1:
            mol = _of_parts(atoms, bonded.molecules, atoms.charge)
        if mol is None and (centres := metals or _hypervalent(atoms, bonded)):
            return _around_centres(atoms, bonded, centres, asked), (
                f"bonds perceived from distances, those of {_symbols(atoms, centres)} by the "
                "charges of its neighbours"
            )
    if mol is None:
        unpaired = f"charge {atoms.charge:+d} and multiplicity {atoms.multiplicity}"
        raise InputError(
            asked,
            f"no bond orders fit its distances with {unpaired}",
            "is the charge right? Else give a SMILES, or a MOL file",
        )
    return _finished(mol, atoms), "bonds perceived from distances"


def _hypervalent(atoms: ConceptualAtoms, found: Connectivity) -> list[int]:
    """Return the atoms of the p block that have more neighbours than ordinary valences allow."""
    return [
        index
        for index, (number, count) in enumerate(
            zip(atoms.numbers.tolist(), found.coordination, strict=True)
        )
        if number in VALENCE and count > min(4, max(1, 8 - VALENCE[number]))
    ]


def _symbols(atoms: ConceptualAtoms, indices: list[int]) -> str:
    return ", ".join(dict.fromkeys(atoms.symbols[index] for index in indices))


def _perceived(atoms: ConceptualAtoms) -> Any:
    """Return the molecule with bond orders, None where none are found."""
    from rdkit import Chem
    from rdkit.Chem import rdDetermineBonds

    plain = _skeleton(atoms)
    if atoms.charge == 0 and atoms.multiplicity == 1 and _is_saturated(plain):
        return plain
    for charged in (True, False):
        mol: Any = Chem.RWMol(plain)
        try:
            rdDetermineBonds.DetermineBondOrders(
                mol,
                charge=atoms.charge,
                allowChargedFragments=charged,
                embedChiral=False,
                maxIterations=STEPS,
            )
        except (ValueError, RuntimeError):  # what is no molecule is among them
            continue
        mol = Chem.RWMol(mol)
        for atom in mol.GetAtoms():
            atom.SetNoImplicit(True)
        Chem.AssignRadicals(mol)
        _merge_charges(mol)
        _pair_radicals(mol, atoms.multiplicity - 1)
        unpaired = sum(atom.GetNumRadicalElectrons() for atom in mol.GetAtoms())
        left_open = unpaired in (0, 2) and atoms.multiplicity in (1, 3)
        fits = unpaired == atoms.multiplicity - 1 or left_open
        if Chem.GetFormalCharge(mol) == atoms.charge and fits:
            return mol
    return None


def _without_bonds(atoms: ConceptualAtoms) -> Any:
    from rdkit import Chem

    mol = Chem.RWMol()
    for number in atoms.numbers.tolist():
        atom = Chem.Atom(number)
        atom.SetNoImplicit(True)
        mol.AddAtom(atom)
    conformer = Chem.Conformer(len(atoms.numbers))
    conformer.Set3D(True)
    for index, place in enumerate(atoms.positions.tolist()):
        conformer.SetAtomPosition(index, place)
    mol.AddConformer(conformer)
    return mol


def _skeleton(atoms: ConceptualAtoms) -> Any:
    """Return the molecule with single bonds between all that are near enough."""
    from rdkit import Chem

    mol = _without_bonds(atoms)
    for bond in connectivity(atoms).bonds:
        mol.AddBond(bond.first, bond.second, Chem.BondType.SINGLE)
    mol.UpdatePropertyCache(strict=False)
    return mol


def _is_saturated(mol: Any) -> bool:
    """Tell whether single bonds leave no electron unpaired and no octet open."""
    for atom in mol.GetAtoms():
        number, bonds = atom.GetAtomicNum(), atom.GetDegree()
        if number in USUAL:
            if bonds != USUAL[number]:
                return False
            continue
        left = lone_electrons(atom)
        if left is None or left < 0 or left % 2 or bonds + left // 2 < 4:
            return False
    return True


def _merge_charges(mol: Any) -> None:
    """Write S+–O- as S=O, and likewise for P, Se, As, Te, Xe, as is usual."""
    from rdkit import Chem

    for bond in mol.GetBonds():
        ends = bond.GetBeginAtom(), bond.GetEndAtom()
        for centre, oxide in (ends, ends[::-1]):
            merges = (
                centre.GetAtomicNum() in (15, 16, 33, 34, 52, 54) and centre.GetFormalCharge() > 0
            )
            if merges and oxide.GetAtomicNum() == 8 and oxide.GetFormalCharge() == -1:
                if bond.GetBondType() != Chem.BondType.SINGLE:
                    continue
                bond.SetBondType(Chem.BondType.DOUBLE)
                centre.SetFormalCharge(centre.GetFormalCharge() - 1)
                oxide.SetFormalCharge(0)
    mol.UpdatePropertyCache(strict=False)


def _pair_radicals(mol: Any, unpaired: int) -> None:
    """Bond neighbours with unpaired electrons more strongly until no more than meant are left."""
    from rdkit import Chem

    orders = {1: Chem.BondType.DOUBLE, 2: Chem.BondType.TRIPLE}
    for bond in mol.GetBonds():
        one, other = bond.GetBeginAtom(), bond.GetEndAtom()
        order = round(bond.GetBondTypeAsDouble())
        if (
            sum(atom.GetNumRadicalElectrons() for atom in mol.GetAtoms()) > unpaired + 1
            and min(one.GetNumRadicalElectrons(), other.GetNumRadicalElectrons()) > 0
            and order in orders
        ):
            bond.SetBondType(orders[order])
            for atom in (one, other):
                atom.SetNumRadicalElectrons(atom.GetNumRadicalElectrons() - 1)
    first = mol.GetBondWithIdx(0) if mol.GetNumBonds() == 1 else None
    if unpaired == 2 and first and first.GetBondType() == Chem.BondType.DOUBLE:
        first.SetBondType(Chem.BondType.SINGLE)  # dioxygen and its like: no Lewis formula fits
        for atom in mol.GetAtoms():
            atom.SetNumRadicalElectrons(1)
    mol.UpdatePropertyCache(strict=False)


# --- several molecules, and ligands --------------------------------------------------------------


def _part(atoms: ConceptualAtoms, members: tuple[int, ...], charge: int) -> ConceptualAtoms:
    chosen = list(members)
    return make_atoms(
        "a part", numbers=atoms.numbers[chosen], positions=atoms.positions[chosen], charge=charge
    )


def _charged(atoms: ConceptualAtoms, members: tuple[int, ...]) -> tuple[Any, int] | None:
    """Return a ligand with bond orders and the charge with which all its electrons are paired."""
    if len(members) == 1:
        number = int(atoms.numbers[members[0]])
        charges: tuple[int, ...] = (LONE.get(number, 0),)
    else:
        charges = CHARGES
    for charge in charges:
        try:
            part = _part(atoms, members, charge)
        except InputError:  # fewer electrons than none
            continue
        mol = (
            _ion(part)
            if len(members) == 1
            else _perceived(part)
            if part.multiplicity == 1
            else None
        )
        if mol is not None and not any(a.GetNumRadicalElectrons() for a in mol.GetAtoms()):
            return mol, charge
    return None


def _ion(part: ConceptualAtoms) -> Any:
    mol = _without_bonds(part)
    mol.GetAtomWithIdx(0).SetFormalCharge(part.charge)
    mol.UpdatePropertyCache(strict=False)
    return mol


def _of_parts(atoms: ConceptualAtoms, parts: tuple[tuple[int, ...], ...], total: int) -> Any:
    """Return separate molecules and ions together, None if their charges do not add up."""
    charged = [_charged(atoms, part) for part in parts]
    if any(one is None for one in charged):
        return None
    known = [one for one in charged if one is not None]
    if sum(charge for _, charge in known) != total:
        return None
    return _together(atoms, parts, [mol for mol, _ in known])


def _together(atoms: ConceptualAtoms, parts: tuple[tuple[int, ...], ...], mols: list[Any]) -> Any:
    whole = _without_bonds(atoms)
    for members, mol in zip(parts, mols, strict=True):
        for atom in mol.GetAtoms():
            target = whole.GetAtomWithIdx(members[atom.GetIdx()])
            target.SetFormalCharge(atom.GetFormalCharge())
            target.SetNumRadicalElectrons(atom.GetNumRadicalElectrons())
            target.SetIsAromatic(atom.GetIsAromatic())
        for bond in mol.GetBonds():
            ends = members[bond.GetBeginAtomIdx()], members[bond.GetEndAtomIdx()]
            whole.AddBond(*ends, bond.GetBondType())
            whole.GetBondBetweenAtoms(*ends).SetIsAromatic(bond.GetIsAromatic())
    whole.UpdatePropertyCache(strict=False)
    return whole


def _around_centres(
    atoms: ConceptualAtoms, found: Connectivity, metals: list[int], asked: str
) -> Mol:
    """Return the molecule with its ligands perceived one by one and put onto their metals."""
    rest = [index for index in range(len(atoms.numbers)) if index not in metals]
    ligands: tuple[tuple[int, ...], ...] = ()
    if rest:
        inside = connectivity(_part(atoms, tuple(rest), _parity(atoms, rest))).molecules
        ligands = tuple(tuple(rest[place] for place in part) for part in inside)
    known: list[tuple[Any, int]] = []
    for ligand in ligands:
        one = _charged(atoms, ligand)
        if one is None:
            label = ", ".join(f"{atoms.symbols[i]}{i + 1}" for i in ligand[:6])
            advice = "give a SMILES, or a MOL file with the bonds"
            raise InputError(asked, f"no bond orders fit the ligand of {label}", advice)
        known.append(one)
    mol = _together(atoms, ligands, [one for one, _ in known])
    charges = _metal_charges(atoms, metals, atoms.charge - sum(charge for _, charge in known))
    for metal, charge in charges.items():
        mol.GetAtomWithIdx(metal).SetFormalCharge(charge)
    for metal in metals:
        if int(atoms.numbers[metal]) in S_METALS:
            continue  # ions beside their partners
        near = set(found.neighbours(metal))
        for ligand, (_, charge) in zip(ligands, known, strict=True):
            donors = sorted(near & set(ligand))
            if len(donors) < HAPTIC or len(donors) < len(ligand) / 3:
                for donor in donors:
                    _join(mol, metal, donor, charge)
    for one, other in itertools.combinations(metals, 2):
        if other in found.neighbours(one) and not {
            int(atoms.numbers[one]),
            int(atoms.numbers[other]),
        } & set(S_METALS):
            from rdkit.Chem import BondType

            mol.AddBond(one, other, BondType.SINGLE)
    return _finished(mol, atoms)


def _parity(atoms: ConceptualAtoms, members: list[int]) -> int:
    """Return a charge that such a part can have; only its distances are asked for."""
    return -(int(atoms.numbers[members].sum()) % 2)


def _metal_charges(atoms: ConceptualAtoms, metals: list[int], total: int) -> dict[int, int]:
    """Share what the ligands leave: groups 1 and 2 have theirs, others get equal parts."""
    charges: dict[int, int] = {}
    for metal in metals:
        number = int(atoms.numbers[metal])
        if number in S_METALS:
            charges[metal] = 1 + S_METALS.index(number) % 2
    others = [metal for metal in metals if metal not in charges]
    left = total - sum(charges.values())
    if not others and left and len(metals) == 1:
        return {metals[0]: total}
    for place, metal in enumerate(others):
        share, more = divmod(left, len(others))
        charges[metal] = share + (place < more)
    return charges


def _join(mol: Any, metal: int, donor: int, charge: int) -> None:
    """Bond a donor: an anion's own atom covalently, what has a lone pair by that."""
    from rdkit import Chem

    atom, centre = mol.GetAtomWithIdx(donor), mol.GetAtomWithIdx(metal)
    order = -atom.GetFormalCharge()
    kinds = {1: Chem.BondType.SINGLE, 2: Chem.BondType.DOUBLE, 3: Chem.BondType.TRIPLE}
    if charge < 0 and order in kinds:
        mol.AddBond(donor, metal, kinds[order])
        atom.SetFormalCharge(0)
        centre.SetFormalCharge(centre.GetFormalCharge() - order)
    else:
        mol.AddBond(donor, metal, Chem.BondType.DATIVE)


def _finished(mol: Any, atoms: ConceptualAtoms) -> Mol:
    """Return the molecule ready to be written, with its stereochemistry from space."""
    from rdkit import Chem

    done = mol.GetMol() if hasattr(mol, "GetMol") else mol
    if not done.GetNumConformers():
        done.AddConformer(_without_bonds(atoms).GetConformer())
    done.UpdatePropertyCache(strict=False)
    Chem.SanitizeMol(done, Chem.SANITIZE_ALL ^ Chem.SANITIZE_PROPERTIES)
    assign_stereo(done)
    return done


def assign_stereo(mol: Any) -> None:
    """Set the stereochemistry of a molecule from its positions, where it makes a difference."""
    from rdkit import Chem

    Chem.AssignStereochemistryFrom3D(mol)
    plain = (Chem.ChiralType.CHI_TETRAHEDRAL_CW, Chem.ChiralType.CHI_TETRAHEDRAL_CCW)
    ranks = list(Chem.CanonicalRankAtoms(mol, breakTies=False, includeChirality=False))
    for atom in mol.GetAtoms():
        kinds = {ranks[near.GetIdx()] for near in atom.GetNeighbors()}
        donors = [int(near.GetIdx()) for near in atom.GetNeighbors()]
        matters = is_metal(atom.GetAtomicNum()) and (
            len(kinds) > 1 or bool(ligand_paths(mol, int(atom.GetIdx()), donors))
        )
        if atom.GetChiralTag() not in plain and not matters:
            atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
