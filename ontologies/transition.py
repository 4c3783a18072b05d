"""Transition states: how they are found, and what is known of them."""

from __future__ import annotations

from ogm import GraphModel, Link

from .atoms import ConceptualAtoms
from .level import Level
from .quantum import EnergyResult, RelaxedGeometry
from .units import (
    AtomPairs,
    Distances,
    EnergySeries,
    Hartree,
    HartreePerBohr,
    Kelvin,
    Number,
    Pascal,
    PathLengths,
    PerSecond,
    Trajectory,
    Wavenumber,
)
from .vibrations import Stationarity, Thermochemistry, VibrationalAnalysis


class SaddleSearch(RelaxedGeometry):
    """A geometry led up one direction and down all others to a stationary point, at any level.

    Whether that is a saddle point, and of which order, only its vibrations say.
    """


class ElasticBand(EnergyResult):
    """A nudged elastic band between two minima; `atoms` is its highest image.

    Attributes:
        initial: one end.
        final: the other, its atoms numbered alike.
        geometries: its images, the ends included, shape (images, atoms, 3).
        energies: shape (images,).
    """

    initial: ConceptualAtoms
    final: ConceptualAtoms
    geometries: Trajectory
    energies: EnergySeries


class TransitionState(GraphModel):
    """A stationary geometry with exactly one imaginary mode.

    Attributes:
        atoms: the geometry.
        level: the level of theory.
        energy: total energy, nuclear repulsion included.
        wavenumber: of the imaginary mode, negative.
        changing_pairs: neighbours whose distances change most along that mode, the most first;
            None where none changes, such as in a rotation.
        distance_changes: of each pair, where the atom that moves most moves by 1 Å.
        search: how it was found.
        frequencies: the vibrations that verify it.
        remarks: what a reader must know.
    """

    atoms: ConceptualAtoms
    level: Level
    energy: Hartree
    wavenumber: Wavenumber
    changing_pairs: AtomPairs | None = None
    distance_changes: Distances | None = None
    search: Link[SaddleSearch]
    frequencies: Link[VibrationalAnalysis]
    remarks: tuple[str, ...] = ()


class PathBranch(EnergyResult):
    """One side of the intrinsic reaction coordinate, from a saddle point down; `atoms` is its end.

    Attributes:
        saddle: the vibrations of the saddle point, where it begins.
        forward: along the imaginary mode, or against it, as the optimiser directs it.
        geometries: along the path, shape (frames, atoms, 3).
        energies: shape (frames,).
        path_lengths: how far each is from the saddle point, mass-weighted, shape (frames,).
        max_gradient: largest component of the gradient at the end.
    """

    saddle: Link[VibrationalAnalysis]
    forward: bool
    geometries: Trajectory
    energies: EnergySeries
    path_lengths: PathLengths
    max_gradient: HartreePerBohr


class PathEnd(GraphModel):
    """What one side of a path leads to, relaxed.

    Attributes:
        atoms: the geometry.
        smiles: its bonds, by its distances; empty where they make no molecule.
        energy: total energy, nuclear repulsion included.
        stationarity: whether it is a minimum; None where its vibrations were not computed.
        result: where the energy stands.
        branch: the side of the path.
    """

    atoms: ConceptualAtoms
    smiles: str = ""
    energy: Hartree
    stationarity: Stationarity | None = None
    result: Link[EnergyResult]
    branch: Link[PathBranch]


class ReactionPath(GraphModel):
    """A transition state and the two structures that it leads to; the lower one is the reactant.

    Attributes:
        transition_state: between them.
        reactant: the lower end.
        product: the higher end.
        bonds_broken: pairs of atoms, counted from 0, that are bound in the reactant only.
        bonds_formed: likewise in the product only.
        degenerate: whether both ends are the same structure, or mirror images.
        remarks: what a reader must know.
    """

    transition_state: TransitionState
    reactant: PathEnd
    product: PathEnd
    bonds_broken: AtomPairs | None = None
    bonds_formed: AtomPairs | None = None
    degenerate: bool = False
    remarks: tuple[str, ...] = ()


class ReactionBarrier(GraphModel):
    """From one end of a path over its transition state, as an ideal gas.

    Attributes:
        reaction_path: which.
        reverse: from the product on.
        resting: thermochemistry of the end that is left.
        activated: that of the transition state, its imaginary mode left out.
        temperature: in K.
        pressure: in Pa.
        energy_barrier: of the electronic energies.
        zero_point_barrier: with zero-point energies.
        enthalpy_barrier: at the temperature.
        gibbs_barrier: at temperature and pressure; holds the ratio of symmetry numbers.
        path_degeneracy: equivalent ways over the barrier: the ratio of symmetry numbers, that of
            mirror images, and two where both ends are alike.
        rate_constant: by Eyring, all these ways, no tunnelling.
        tunnelling_ratio: quantum of the imaginary mode over the thermal energy.
        wigner_factor: Wigner's correction for tunnelling.
        eckart_factor: Eckart's; None where a barrier is not positive.
        remarks: what a reader must know.
    """

    reaction_path: ReactionPath
    reverse: bool = False
    resting: Link[Thermochemistry]
    activated: Link[Thermochemistry]
    temperature: Kelvin
    pressure: Pascal
    energy_barrier: Hartree
    zero_point_barrier: Hartree
    enthalpy_barrier: Hartree
    gibbs_barrier: Hartree
    path_degeneracy: Number
    rate_constant: PerSecond
    tunnelling_ratio: Number
    wigner_factor: Number
    eckart_factor: Number | None = None
    remarks: tuple[str, ...] = ()
