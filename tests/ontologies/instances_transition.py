"""Objects of the classes of `ontologies.transition`."""

import numpy as np

from ogm import GraphModel, Link
from ontologies.transition import (
    ElasticBand,
    PathBranch,
    PathEnd,
    ReactionBarrier,
    ReactionPath,
    SaddleSearch,
    TransitionState,
)
from tests.ontologies.instances import ANALYSIS, LEVEL, POINT, THERMO, WATER, named

SEARCH = named(
    SaddleSearch,
    initial=WATER,
    atoms=WATER,
    level=LEVEL,
    energy=-76.3,
    steps=5,
    max_gradient=1e-4,
    energies=[-76.2, -76.3],
    criteria="energy 1e-06",
    path=("TRIC with Hessian, uphill",),
)
STATE = TransitionState(
    atoms=WATER,
    level=LEVEL,
    energy=-76.3,
    wavenumber=-1200.0,
    changing_pairs=np.array([[0, 1]]),
    distance_changes=np.array([0.9]),
    search=Link(SEARCH),
    frequencies=Link(ANALYSIS),
    remarks=("a remark",),
)
BAND = named(
    ElasticBand,
    atoms=WATER,
    level=LEVEL,
    energy=-76.3,
    initial=WATER,
    final=WATER,
    geometries=np.zeros((3, 3, 3)),
    energies=[-76.4, -76.3, -76.4],
)
BRANCH = named(
    PathBranch,
    atoms=WATER,
    level=LEVEL,
    energy=-76.4,
    saddle=Link(ANALYSIS),
    forward=True,
    geometries=np.zeros((2, 3, 3)),
    energies=[-76.3, -76.4],
    path_lengths=[0.0, 1.5],
    max_gradient=1e-4,
)
END = PathEnd(
    atoms=WATER,
    smiles="O",
    energy=-76.4,
    stationarity="minimum",
    result=Link(POINT),
    branch=Link(BRANCH),
)
PATH = ReactionPath(
    transition_state=STATE,
    reactant=END,
    product=END,
    bonds_broken=np.array([[0, 1]]),
    bonds_formed=np.array([[0, 2]]),
    degenerate=True,
    remarks=("a remark",),
)
BARRIER = ReactionBarrier(
    reaction_path=PATH, reverse=True, resting=Link(THERMO), activated=Link(THERMO),
    temperature=298.15, pressure=101325.0, energy_barrier=0.1, zero_point_barrier=0.09,
    enthalpy_barrier=0.091,
    gibbs_barrier=0.092, path_degeneracy=2.0, rate_constant=1e-3, tunnelling_ratio=6.0,
    wigner_factor=2.5, eckart_factor=11.0, remarks=("a remark",),
)  # fmt: skip
EVERYTHING: list[GraphModel] = [SEARCH, STATE, BAND, BRANCH, END, PATH, BARRIER]
