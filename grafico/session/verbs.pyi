# Made by `python -m grafico.session.stub`; a test holds it to what is installed.
# pyright: reportOverlappingOverload=false, reportUnusedImport=false
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, overload

from workflows.engine import Router
from workflows.engine.jobs.job import Job
from workflows.engine.request.definition import PreparedAction
from workflows.engine.request.form import Form
from workflows.engine.request.request import Request
from workflows.engine.request.workflow import Finished, Ready
from workflows.engine.request.wrapping import Rounds, WrapperAnswer
from workflows.registry import Action, Wrapper
from workflows.show.run_blocks import DisplayedRun
from workflows.batch.comparing import Beside
from workflows.batch.converging import Converged
from workflows.conformer.result import Conformers
from workflows.dft.result import Interaction
from workflows.dft.result import Result
from workflows.dft.result import SpinStates
from workflows.films.graph import StationResult
from workflows.microwave.graph import Commanded
from workflows.mof.explore_request import Explored
from workflows.mof.search_request import Searched
from workflows.scan.workflow import Scan
from workflows.transition.result import TransitionRun

from .jobs import JobSession

Many: TypeAlias = list[Any] | tuple[Any, ...]
Came: TypeAlias = DisplayedRun | Job

class PkaArguments(TypedDict, total=False):
    molecule: object
    level: str | None
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    method: str | None
    basis: str | None
    reference: Literal['restricted', 'unrestricted', 'restricted open-shell'] | None
    cartesian: bool | None
    all_electrons: bool | None
    dispersion: str | None
    solvent: str | None
    solvation: str | None
    dielectric: float | None
    density_fitting: bool | None
    grid: int | None
    stable: bool | None
    k_points: int | None
    grid_cutoff: float | None
    checkpoint: str | None
    head: str | None
    precision: Literal['float32', 'float64'] | None
    trained_model: str | None
    modal: str | None
    electronic_temperature: float | None
    accuracy: float | None
    images_apart: float | None
    task: Literal['energy', 'optimise', 'frequencies'] | None
    energy_at: str | None
    max_steps: int | None
    convergence: Literal['loose', 'normal', 'tight', 'very tight'] | None
    temperature: float | None
    treatment: Literal['harmonic', 'quasi-RRHO'] | None
    spin_orbit: bool | None
    conformers: int | None
    force: bool | None
    reference_acid: Sequence[str] | None
    calibration: Literal['none', 'fixed slope', 'regression'] | None
    proton: str | None
    proton_solvation: float | None
    proton_gas: float | None
    standard_state: float | None
class ClusterArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    solvent: str | None
    count: int | None
    level: Literal['GFN2-xTB', 'GFN1-xTB'] | None
    continuum: str | None
    seeds: int | None
    engine: Literal['best there is', 'placing', 'CREST'] | None
    picoseconds: float | None
    kept: int | None
    force: bool | None
class EquationOfStateArguments(TypedDict, total=False):
    molecule: object
    level: str | None
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    method: str | None
    basis: str | None
    reference: Literal['restricted', 'unrestricted', 'restricted open-shell'] | None
    cartesian: bool | None
    all_electrons: bool | None
    dispersion: str | None
    solvent: str | None
    solvation: str | None
    dielectric: float | None
    density_fitting: bool | None
    grid: int | None
    stable: bool | None
    k_points: int | None
    grid_cutoff: float | None
    checkpoint: str | None
    head: str | None
    precision: Literal['float32', 'float64'] | None
    trained_model: str | None
    modal: str | None
    electronic_temperature: float | None
    accuracy: float | None
    images_apart: float | None
    points: int | None
    width: float | None
    keep_positions: bool | None
    force: bool | None
class ConformersArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    window: float | None
    weights: Literal['energy', 'Gibbs energy'] | None
    temperature: float | None
    treatment: Literal['harmonic', 'quasi-RRHO'] | None
    ethr: float | None
    rthr: float | None
    bthr: float | None
    max_steps: int | None
    convergence: Literal['loose', 'normal', 'tight', 'very tight'] | None
    force: bool | None
    method: Literal['GFN2-xTB', 'GFN1-xTB', 'GFN-FF'] | None
    solvent: str | None
    solvent_substitute: bool | None
    sampler: Literal['auto', 'embedding', 'CREST', 'metadynamics'] | None
    search: Literal['imtd-gc', 'nci'] | None
    search_level: Literal['GFN-FF', 'GFN2-xTB', 'GFN1-xTB'] | None
    starts: int | None
    picoseconds: float | None
    start_window: float | None
    seed: int | None
class RefineArguments(TypedDict, total=False):
    ensemble: object
    level: str | None
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    method: str | None
    basis: str | None
    reference: Literal['restricted', 'unrestricted', 'restricted open-shell'] | None
    cartesian: bool | None
    all_electrons: bool | None
    dispersion: str | None
    solvent: str | None
    solvation: str | None
    dielectric: float | None
    density_fitting: bool | None
    grid: int | None
    stable: bool | None
    k_points: int | None
    grid_cutoff: float | None
    checkpoint: str | None
    head: str | None
    precision: Literal['float32', 'float64'] | None
    trained_model: str | None
    modal: str | None
    electronic_temperature: float | None
    accuracy: float | None
    images_apart: float | None
    window: float | None
    weights: Literal['energy', 'Gibbs energy'] | None
    temperature: float | None
    treatment: Literal['harmonic', 'quasi-RRHO'] | None
    ethr: float | None
    rthr: float | None
    bthr: float | None
    max_steps: int | None
    convergence: Literal['loose', 'normal', 'tight', 'very tight'] | None
    force: bool | None
    task: Literal['energy', 'optimise', 'frequencies'] | None
    cumulative: float | None
class RunArguments(TypedDict, total=False):
    molecule: object
    level: str | None
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    method: str | None
    basis: str | None
    reference: Literal['restricted', 'unrestricted', 'restricted open-shell'] | None
    cartesian: bool | None
    all_electrons: bool | None
    dispersion: str | None
    solvent: str | None
    solvation: str | None
    dielectric: float | None
    density_fitting: bool | None
    grid: int | None
    stable: bool | None
    k_points: int | None
    grid_cutoff: float | None
    checkpoint: str | None
    head: str | None
    precision: Literal['float32', 'float64'] | None
    trained_model: str | None
    modal: str | None
    electronic_temperature: float | None
    accuracy: float | None
    images_apart: float | None
    task: Literal['energy', 'optimise', 'frequencies'] | None
    dipole: bool | None
    analysis: bool | None
    states: int | None
    response: Literal['TDA', 'TDDFT'] | None
    spin: Literal['singlet', 'triplet'] | None
    solvent_response: Literal['non-equilibrium', 'equilibrium'] | None
    stability: bool | None
    polarizability: bool | None
    esp_charges: bool | None
    max_steps: int | None
    convergence: Literal['loose', 'normal', 'tight', 'very tight'] | None
    constraints: Sequence[str] | None
    relax_cell: bool | None
    external_pressure: float | None
    keep_symmetry: bool | None
    hydrogens_first: bool | None
    optimiser: Literal['LBFGS', 'BFGS', 'FIRE'] | None
    temperature: float | None
    pressure: float | None
    symmetry_number: int | None
    treatment: Literal['harmonic', 'quasi-RRHO'] | None
    spin_orbit: bool | None
    force: bool | None
class SpinStatesArguments(TypedDict, total=False):
    molecule: object
    level: str | None
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    method: str | None
    basis: str | None
    reference: Literal['restricted', 'unrestricted', 'restricted open-shell'] | None
    cartesian: bool | None
    all_electrons: bool | None
    dispersion: str | None
    solvent: str | None
    solvation: str | None
    dielectric: float | None
    density_fitting: bool | None
    grid: int | None
    stable: bool | None
    k_points: int | None
    grid_cutoff: float | None
    checkpoint: str | None
    head: str | None
    precision: Literal['float32', 'float64'] | None
    trained_model: str | None
    modal: str | None
    electronic_temperature: float | None
    accuracy: float | None
    images_apart: float | None
    task: Literal['energy', 'optimise'] | None
    multiplicities: Sequence[int] | None
    highest: int | None
    max_steps: int | None
    convergence: Literal['loose', 'normal', 'tight', 'very tight'] | None
    force: bool | None
class InteractionArguments(TypedDict, total=False):
    molecule: object
    level: str | None
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    method: str | None
    basis: str | None
    reference: Literal['restricted', 'unrestricted', 'restricted open-shell'] | None
    cartesian: bool | None
    all_electrons: bool | None
    dispersion: str | None
    solvent: str | None
    solvation: str | None
    dielectric: float | None
    density_fitting: bool | None
    grid: int | None
    stable: bool | None
    k_points: int | None
    grid_cutoff: float | None
    checkpoint: str | None
    head: str | None
    precision: Literal['float32', 'float64'] | None
    trained_model: str | None
    modal: str | None
    electronic_temperature: float | None
    accuracy: float | None
    images_apart: float | None
    fragments: str | None
    fragment_charges: Sequence[int] | None
    fragment_multiplicities: Sequence[int] | None
    force: bool | None
class DissociateArguments(TypedDict, total=False):
    molecule: object
    level: str | None
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    method: str | None
    basis: str | None
    reference: Literal['restricted', 'unrestricted', 'restricted open-shell'] | None
    cartesian: bool | None
    all_electrons: bool | None
    dispersion: str | None
    solvent: str | None
    solvation: str | None
    dielectric: float | None
    density_fitting: bool | None
    grid: int | None
    stable: bool | None
    k_points: int | None
    grid_cutoff: float | None
    checkpoint: str | None
    head: str | None
    precision: Literal['float32', 'float64'] | None
    trained_model: str | None
    modal: str | None
    electronic_temperature: float | None
    accuracy: float | None
    images_apart: float | None
    task: Literal['energy', 'optimise', 'frequencies'] | None
    energy_at: str | None
    max_steps: int | None
    convergence: Literal['loose', 'normal', 'tight', 'very tight'] | None
    temperature: float | None
    treatment: Literal['harmonic', 'quasi-RRHO'] | None
    spin_orbit: bool | None
    conformers: int | None
    force: bool | None
    pressure: float | None
    bonds: Sequence[str] | None
    into: Literal['radicals', 'hydride', 'proton'] | None
class ExciteArguments(TypedDict, total=False):
    level: str | None
    online: bool | None
    method: str | None
    basis: str | None
    reference: Literal['restricted', 'unrestricted', 'restricted open-shell'] | None
    cartesian: bool | None
    all_electrons: bool | None
    dispersion: str | None
    solvent: str | None
    solvation: str | None
    dielectric: float | None
    density_fitting: bool | None
    grid: int | None
    stable: bool | None
    k_points: int | None
    grid_cutoff: float | None
    checkpoint: str | None
    head: str | None
    precision: Literal['float32', 'float64'] | None
    trained_model: str | None
    modal: str | None
    electronic_temperature: float | None
    accuracy: float | None
    images_apart: float | None
    task: Literal['energy', 'optimise', 'frequencies'] | None
    states: int | None
    response: Literal['TDA', 'TDDFT'] | None
    order: Literal['as given', 'S1', 'T1', 'gap', 'strength'] | None
    solvent_response: Literal['non-equilibrium', 'equilibrium'] | None
    max_steps: int | None
    convergence: Literal['loose', 'normal', 'tight', 'very tight'] | None
    force: bool | None
class FilmStationArguments(TypedDict, total=False):
    station: str | None
    simulate: bool | None
    last: str | None
    film: Literal['water_gap', 'NaCl', 'polymer_A', 'carbon_black'] | None
    vial: Literal['water_gap', 'NaCl', 'polymer_A', 'carbon_black'] | None
    substrate: Literal[True] | None
    returned: Literal[True] | None
    temperature: float | None
    velocity: float | None
    aspirated: float | None
    dispensed: float | None
class MicrowaveArguments(TypedDict, total=False):
    device: str | None
    speed: float | None
    session: Literal[True] | None
    lid: Literal['open', 'closed'] | None
    vial: int | None
    unload: Literal[True] | None
    temperature: float | None
    duration: float | None
    pressure: float | None
    heat: Literal[True] | None
    conversion: Literal[True] | None
    wait: bool | None
    status: Literal[True] | None
class MofProcessArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    disorder: Literal['refuse', 'majority'] | None
    solvent: Literal['free', 'all', 'none'] | None
class MofSearchArguments(TypedDict, total=False):
    selection: object
    net: Sequence[str] | None
    nodes: Sequence[str] | None
    linkers: Sequence[str] | None
    kind: Literal['intra', 'cross'] | None
    deviation: float | None
    page: int | None
    limit: int | None
    keep: bool | None
    build: bool | None
    measure: bool | None
    relax_at: str | None
    max_steps: int | None
class MofExploreArguments(TypedDict, total=False):
    selection: object
    net: Sequence[str] | None
    nodes: Sequence[str] | None
    linkers: Sequence[str] | None
    rank_by: Literal['net', 'cavity', 'limiting', 'area'] | None
class MofBuildArguments(TypedDict, total=False):
    area_probe: float | None
    volume_probe: float | None
    area_samples: int | None
    volume_samples: int | None
    high_accuracy: bool | None
    powder: bool | None
    measured: str | None
    measure: bool | None
    relax_at: str | None
    max_steps: int | None
    convergence: Literal['loose', 'normal', 'tight', 'very tight'] | None
    shapes: Literal['relaxed', 'unrelaxed'] | None
class MofCompareArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    disorder: Literal['refuse', 'majority'] | None
    area_probe: float | None
    volume_probe: float | None
    area_samples: int | None
    volume_samples: int | None
    high_accuracy: bool | None
    other: str | None
    solvent: Literal['free', 'all', 'none'] | None
    shapes: Literal['relaxed', 'unrelaxed'] | None
class MofMeasureArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    disorder: Literal['refuse', 'majority'] | None
    area_probe: float | None
    volume_probe: float | None
    area_samples: int | None
    volume_samples: int | None
    high_accuracy: bool | None
    powder: bool | None
    measured: str | None
class ReactArguments(TypedDict, total=False):
    reaction: object
    level: str | None
    online: bool | None
    method: str | None
    basis: str | None
    reference: Literal['restricted', 'unrestricted', 'restricted open-shell'] | None
    cartesian: bool | None
    all_electrons: bool | None
    dispersion: str | None
    solvent: str | None
    solvation: str | None
    dielectric: float | None
    density_fitting: bool | None
    grid: int | None
    stable: bool | None
    k_points: int | None
    grid_cutoff: float | None
    checkpoint: str | None
    head: str | None
    precision: Literal['float32', 'float64'] | None
    trained_model: str | None
    modal: str | None
    electronic_temperature: float | None
    accuracy: float | None
    images_apart: float | None
    task: Literal['energy', 'optimise', 'frequencies'] | None
    energy_at: str | None
    max_steps: int | None
    convergence: Literal['loose', 'normal', 'tight', 'very tight'] | None
    temperature: float | None
    treatment: Literal['harmonic', 'quasi-RRHO'] | None
    spin_orbit: bool | None
    conformers: int | None
    force: bool | None
    pressure: float | None
class RedoxArguments(TypedDict, total=False):
    level: str | None
    online: bool | None
    method: str | None
    basis: str | None
    reference: Literal['restricted', 'unrestricted', 'restricted open-shell'] | None
    cartesian: bool | None
    all_electrons: bool | None
    dispersion: str | None
    solvent: str | None
    solvation: str | None
    dielectric: float | None
    density_fitting: bool | None
    grid: int | None
    stable: bool | None
    k_points: int | None
    grid_cutoff: float | None
    checkpoint: str | None
    head: str | None
    precision: Literal['float32', 'float64'] | None
    trained_model: str | None
    modal: str | None
    electronic_temperature: float | None
    accuracy: float | None
    images_apart: float | None
    task: Literal['energy', 'optimise', 'frequencies'] | None
    energy_at: str | None
    max_steps: int | None
    convergence: Literal['loose', 'normal', 'tight', 'very tight'] | None
    temperature: float | None
    treatment: Literal['harmonic', 'quasi-RRHO'] | None
    spin_orbit: bool | None
    conformers: int | None
    force: bool | None
    electrode: Literal['SHE', 'SCE', 'Fc+/Fc'] | None
    electrode_potential: float | None
    absolute_potential: float | None
    ph: float | None
class ScanArguments(TypedDict, total=False):
    molecule: object
    level: str | None
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    method: str | None
    basis: str | None
    reference: Literal['restricted', 'unrestricted', 'restricted open-shell'] | None
    cartesian: bool | None
    all_electrons: bool | None
    dispersion: str | None
    solvent: str | None
    solvation: str | None
    dielectric: float | None
    density_fitting: bool | None
    grid: int | None
    stable: bool | None
    k_points: int | None
    grid_cutoff: float | None
    checkpoint: str | None
    head: str | None
    precision: Literal['float32', 'float64'] | None
    trained_model: str | None
    modal: str | None
    electronic_temperature: float | None
    accuracy: float | None
    images_apart: float | None
    coordinate: str | None
    start: float | None
    end: float | None
    points: int | None
    step: float | None
    both_ways: bool | None
    constraints: Sequence[str] | None
    max_steps: int | None
    convergence: Literal['loose', 'normal', 'tight', 'very tight'] | None
    force: bool | None
class SpectrumArguments(TypedDict, total=False):
    level: str | None
    online: bool | None
    method: str | None
    basis: str | None
    reference: Literal['restricted', 'unrestricted', 'restricted open-shell'] | None
    cartesian: bool | None
    all_electrons: bool | None
    dispersion: str | None
    solvent: str | None
    solvation: str | None
    dielectric: float | None
    density_fitting: bool | None
    grid: int | None
    stable: bool | None
    k_points: int | None
    grid_cutoff: float | None
    checkpoint: str | None
    head: str | None
    precision: Literal['float32', 'float64'] | None
    trained_model: str | None
    modal: str | None
    electronic_temperature: float | None
    accuracy: float | None
    images_apart: float | None
    kind: Literal['uv', 'ir'] | None
    up_to: float | None
    width: float | None
    response: Literal['TDA', 'TDDFT'] | None
    solvent_response: Literal['non-equilibrium', 'equilibrium'] | None
    line_width: float | None
    scale: float | None
    scale_source: str | None
    imaginary: Literal['drop', 'keep'] | None
    geometry: Literal['as given', 'relaxed'] | None
    own_level: bool | None
    against: str | None
    cumulative: float | None
    weight_error: float | None
    max_steps: int | None
    force: bool | None
class StrainArguments(TypedDict, total=False):
    molecule: object
    level: str | None
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    method: str | None
    basis: str | None
    reference: Literal['restricted', 'unrestricted', 'restricted open-shell'] | None
    cartesian: bool | None
    all_electrons: bool | None
    dispersion: str | None
    solvent: str | None
    solvation: str | None
    dielectric: float | None
    density_fitting: bool | None
    grid: int | None
    stable: bool | None
    k_points: int | None
    grid_cutoff: float | None
    checkpoint: str | None
    head: str | None
    precision: Literal['float32', 'float64'] | None
    trained_model: str | None
    modal: str | None
    electronic_temperature: float | None
    accuracy: float | None
    images_apart: float | None
    task: Literal['energy', 'optimise', 'frequencies'] | None
    energy_at: str | None
    max_steps: int | None
    convergence: Literal['loose', 'normal', 'tight', 'very tight'] | None
    temperature: float | None
    treatment: Literal['harmonic', 'quasi-RRHO'] | None
    spin_orbit: bool | None
    conformers: int | None
    force: bool | None
    pressure: float | None
    scheme: Literal['isodesmic', 'homodesmotic', 'hyperhomodesmotic', 'contraction'] | None
    reference_ring: int | None
class TransitionArguments(TypedDict, total=False):
    guess: object
    level: str | None
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    method: str | None
    basis: str | None
    reference: Literal['restricted', 'unrestricted', 'restricted open-shell'] | None
    cartesian: bool | None
    all_electrons: bool | None
    dispersion: str | None
    solvent: str | None
    solvation: str | None
    dielectric: float | None
    density_fitting: bool | None
    grid: int | None
    stable: bool | None
    k_points: int | None
    grid_cutoff: float | None
    checkpoint: str | None
    head: str | None
    precision: Literal['float32', 'float64'] | None
    trained_model: str | None
    modal: str | None
    electronic_temperature: float | None
    accuracy: float | None
    images_apart: float | None
    along: Sequence[str] | None
    product: str | None
    images: int | None
    upto: Literal['state', 'path', 'barrier'] | None
    temperature: float | None
    pressure: float | None
    treatment: Literal['harmonic', 'quasi-RRHO'] | None
    max_steps: int | None
    path_steps: int | None
    convergence: Literal['loose', 'normal', 'tight', 'very tight'] | None
    force: bool | None
class GroupsArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
class SimilarArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    to: Sequence[str] | None
    most: int | None
class ModifyArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    by: Sequence[str] | None
    most: int | None
class StructuresArguments(TypedDict, total=False):
    ensemble: object
    to: Literal['xyz', 'extxyz', 'sdf'] | None
class PoseArguments(TypedDict, total=False):
    ensemble: object
    structure: str | None
class RmsdArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    structure: str | None
class ControlledArguments(TypedDict, total=False):
    chemical: object
    online: bool | None
class CubeArguments(TypedDict, total=False):
    result: object
    orbital: str | None
    spin: Literal['alpha', 'beta'] | None
    density: bool | None
    spin_density: bool | None
    spacing: float | None
class DocumentsArguments(TypedDict, total=False):
    documents: object
    about: str | None
    most: int | None
    by: Literal['both', 'meaning', 'words'] | None
    chemicals: bool | None
    conditions: bool | None
    settings_of: str | None
class DeviceAddArguments(TypedDict, total=False):
    module: object
    part: str | None
class DeviceCheckArguments(TypedDict, total=False):
    pass
class DeviceRunArguments(TypedDict, total=False):
    goal: str | None
    driver: str | None
    last: str | None
    deadline: float | None
class WriteArguments(TypedDict, total=False):
    result: object
    level: str | None
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    method: str | None
    basis: str | None
    reference: Literal['restricted', 'unrestricted', 'restricted open-shell'] | None
    cartesian: bool | None
    all_electrons: bool | None
    dispersion: str | None
    solvent: str | None
    solvation: str | None
    dielectric: float | None
    density_fitting: bool | None
    grid: int | None
    stable: bool | None
    k_points: int | None
    grid_cutoff: float | None
    checkpoint: str | None
    head: str | None
    precision: Literal['float32', 'float64'] | None
    trained_model: str | None
    modal: str | None
    electronic_temperature: float | None
    accuracy: float | None
    images_apart: float | None
    to: Literal['extxyz', 'xyz', 'sdf', 'cif', 'pdb', 'qcschema', 'psi4', 'orca', 'gaussian', 'xtb', 'molden'] | None
    task: Literal['energy', 'optimise', 'frequencies'] | None
    cores: int | None
    memory: str | None
    keywords: str | None
class ProtocolArguments(TypedDict, total=False):
    design: object
    simulate: bool | None
    simulator: Literal['grafico', 'pylabrobot'] | None
    last: str | None
class ConvertArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    to: Literal['xyz', 'extxyz', 'mol', 'mol2', 'sdf', 'cif', 'vasp', 'espresso', 'pdb', 'smiles', 'inchi', 'selfies', 'svg', 'png'] | None
    cell: Literal['as given', 'primitive', 'conventional'] | None
    repeat: str | None
    symmetry: bool | None
    title: str | None
class StereoisomersArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    most: int | None
    all_centres: bool | None
class LookupArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
class StatementArguments(TypedDict, total=False):
    chemical: object
    online: bool | None
    called: str | None
    cas: str | None
    supplier: str | None
    nothing_listed: bool | None
class PermitArguments(TypedDict, total=False):
    chemical: object
    online: bool | None
    title: str | None
    details: str | None
class PublishedArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    target: str | None
    activity: str | None
    most: int | None
    again: bool | None
class ProcedureArguments(TypedDict, total=False):
    procedure: object
    simulate: bool | None
class SafetyArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
class MixingArguments(TypedDict, total=False):
    chemical: object
    online: bool | None
class SoldArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    catalogue: str | None
    patents: str | None
class RoutesArguments(TypedDict, total=False):
    molecule: object
    kind: Literal['file', 'iri', 'smiles', 'name', 'inchi', 'selfies'] | None
    charge: int | None
    online: bool | None
    multiplicity: int | None
    most: int | None
class ClassifyArguments(TypedDict, total=False):
    chemical: object
    online: bool | None
class ProductsArguments(TypedDict, total=False):
    chemical: object
    online: bool | None
    most: int | None
class TeachArguments(TypedDict, total=False):
    correction: object
    device: str | None
    replaces: str | None
    memo: bool | None
    recall: bool | None
class Verbs(JobSession):
    async def prepare_async(
        self, subject: object = None, *forms: Form, workflow: str = "", recompute: bool = False,
        **asked: Any,
    ) -> Ready: ...
    def request(
        self, subject: object = None, *forms: Form, workflow: str = "", recompute: bool = False,
        **asked: Any,
    ) -> Request: ...
    async def prepare_action_async(
        self, action: Action, subject: object = None, *, file: str = "", **asked: Any
    ) -> PreparedAction: ...
    def rounds(self, wrapper: Wrapper, *, workflow: str = "", **asked: Any) -> Rounds: ...
    async def ask_async(
        self, wrapper: Wrapper, subject: object = None, *, recompute: bool = False, **asked: Any
    ) -> WrapperAnswer: ...
    def __getattr__(self, name: str) -> Callable[..., Any]: ...

    @overload
    def pka(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[PkaArguments]) -> list[Finished]: ...
    @overload
    def pka(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[PkaArguments]) -> Finished: ...
    @overload
    def pka(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def pka_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[PkaArguments]) -> list[Finished]: ...
    @overload
    async def pka_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[PkaArguments]) -> Finished: ...
    @overload
    async def pka_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def cluster(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ClusterArguments]) -> list[Finished]: ...
    @overload
    def cluster(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ClusterArguments]) -> Finished: ...
    @overload
    def cluster(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def cluster_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ClusterArguments]) -> list[Finished]: ...
    @overload
    async def cluster_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ClusterArguments]) -> Finished: ...
    @overload
    async def cluster_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def equation_of_state(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[EquationOfStateArguments]) -> list[Finished]: ...
    @overload
    def equation_of_state(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[EquationOfStateArguments]) -> Finished: ...
    @overload
    def equation_of_state(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def equation_of_state_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[EquationOfStateArguments]) -> list[Finished]: ...
    @overload
    async def equation_of_state_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[EquationOfStateArguments]) -> Finished: ...
    @overload
    async def equation_of_state_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def conformers(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ConformersArguments]) -> list[Conformers]: ...
    @overload
    def conformers(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ConformersArguments]) -> Conformers: ...
    @overload
    def conformers(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def conformers_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ConformersArguments]) -> list[Conformers]: ...
    @overload
    async def conformers_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ConformersArguments]) -> Conformers: ...
    @overload
    async def conformers_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def refine(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[RefineArguments]) -> list[Conformers]: ...
    @overload
    def refine(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[RefineArguments]) -> Conformers: ...
    @overload
    def refine(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def refine_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[RefineArguments]) -> list[Conformers]: ...
    @overload
    async def refine_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[RefineArguments]) -> Conformers: ...
    @overload
    async def refine_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def run(self, subject: Request, *, router: str | Router = ..., on: str | None = ..., begin: str | datetime | None = ..., after: Sequence[str] = ...) -> Came | list[Came]: ...
    @overload
    def run(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[RunArguments]) -> list[Result]: ...
    @overload
    def run(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[RunArguments]) -> Result: ...
    @overload
    def run(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def run_async(self, subject: Request, *, router: str | Router = ..., on: str | None = ..., begin: str | datetime | None = ..., after: Sequence[str] = ...) -> Came | list[Came]: ...
    @overload
    async def run_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[RunArguments]) -> list[Result]: ...
    @overload
    async def run_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[RunArguments]) -> Result: ...
    @overload
    async def run_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def spin_states(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[SpinStatesArguments]) -> list[SpinStates]: ...
    @overload
    def spin_states(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[SpinStatesArguments]) -> SpinStates: ...
    @overload
    def spin_states(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def spin_states_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[SpinStatesArguments]) -> list[SpinStates]: ...
    @overload
    async def spin_states_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[SpinStatesArguments]) -> SpinStates: ...
    @overload
    async def spin_states_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def interaction(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[InteractionArguments]) -> list[Interaction]: ...
    @overload
    def interaction(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[InteractionArguments]) -> Interaction: ...
    @overload
    def interaction(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def interaction_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[InteractionArguments]) -> list[Interaction]: ...
    @overload
    async def interaction_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[InteractionArguments]) -> Interaction: ...
    @overload
    async def interaction_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def dissociate(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[DissociateArguments]) -> list[Finished]: ...
    @overload
    def dissociate(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[DissociateArguments]) -> Finished: ...
    @overload
    def dissociate(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def dissociate_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[DissociateArguments]) -> list[Finished]: ...
    @overload
    async def dissociate_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[DissociateArguments]) -> Finished: ...
    @overload
    async def dissociate_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def excite(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ExciteArguments]) -> Finished: ...
    @overload
    def excite(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def excite_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ExciteArguments]) -> Finished: ...
    @overload
    async def excite_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def film_station(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[FilmStationArguments]) -> list[StationResult]: ...
    @overload
    def film_station(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[FilmStationArguments]) -> StationResult: ...
    @overload
    def film_station(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def film_station_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[FilmStationArguments]) -> list[StationResult]: ...
    @overload
    async def film_station_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[FilmStationArguments]) -> StationResult: ...
    @overload
    async def film_station_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def microwave(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MicrowaveArguments]) -> list[Commanded]: ...
    @overload
    def microwave(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MicrowaveArguments]) -> Commanded: ...
    @overload
    def microwave(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def microwave_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MicrowaveArguments]) -> list[Commanded]: ...
    @overload
    async def microwave_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MicrowaveArguments]) -> Commanded: ...
    @overload
    async def microwave_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def mof_process(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofProcessArguments]) -> list[Finished]: ...
    @overload
    def mof_process(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofProcessArguments]) -> Finished: ...
    @overload
    def mof_process(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def mof_process_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofProcessArguments]) -> list[Finished]: ...
    @overload
    async def mof_process_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofProcessArguments]) -> Finished: ...
    @overload
    async def mof_process_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def mof_search(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofSearchArguments]) -> list[Searched]: ...
    @overload
    def mof_search(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofSearchArguments]) -> Searched: ...
    @overload
    def mof_search(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def mof_search_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofSearchArguments]) -> list[Searched]: ...
    @overload
    async def mof_search_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofSearchArguments]) -> Searched: ...
    @overload
    async def mof_search_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def mof_explore(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofExploreArguments]) -> list[Explored]: ...
    @overload
    def mof_explore(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofExploreArguments]) -> Explored: ...
    @overload
    def mof_explore(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def mof_explore_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofExploreArguments]) -> list[Explored]: ...
    @overload
    async def mof_explore_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofExploreArguments]) -> Explored: ...
    @overload
    async def mof_explore_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def mof_build(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofBuildArguments]) -> list[Finished]: ...
    @overload
    def mof_build(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofBuildArguments]) -> Finished: ...
    @overload
    def mof_build(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def mof_build_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofBuildArguments]) -> list[Finished]: ...
    @overload
    async def mof_build_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofBuildArguments]) -> Finished: ...
    @overload
    async def mof_build_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def mof_compare(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofCompareArguments]) -> list[Finished]: ...
    @overload
    def mof_compare(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofCompareArguments]) -> Finished: ...
    @overload
    def mof_compare(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def mof_compare_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofCompareArguments]) -> list[Finished]: ...
    @overload
    async def mof_compare_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofCompareArguments]) -> Finished: ...
    @overload
    async def mof_compare_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def mof_measure(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofMeasureArguments]) -> list[Finished]: ...
    @overload
    def mof_measure(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofMeasureArguments]) -> Finished: ...
    @overload
    def mof_measure(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def mof_measure_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofMeasureArguments]) -> list[Finished]: ...
    @overload
    async def mof_measure_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[MofMeasureArguments]) -> Finished: ...
    @overload
    async def mof_measure_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def react(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ReactArguments]) -> list[Finished]: ...
    @overload
    def react(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ReactArguments]) -> Finished: ...
    @overload
    def react(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def react_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ReactArguments]) -> list[Finished]: ...
    @overload
    async def react_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ReactArguments]) -> Finished: ...
    @overload
    async def react_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def redox(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[RedoxArguments]) -> list[Finished]: ...
    @overload
    def redox(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[RedoxArguments]) -> Finished: ...
    @overload
    def redox(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def redox_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[RedoxArguments]) -> list[Finished]: ...
    @overload
    async def redox_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[RedoxArguments]) -> Finished: ...
    @overload
    async def redox_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def scan(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ScanArguments]) -> list[Scan]: ...
    @overload
    def scan(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ScanArguments]) -> Scan: ...
    @overload
    def scan(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def scan_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ScanArguments]) -> list[Scan]: ...
    @overload
    async def scan_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[ScanArguments]) -> Scan: ...
    @overload
    async def scan_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def spectrum(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[SpectrumArguments]) -> Finished: ...
    @overload
    def spectrum(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def spectrum_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[SpectrumArguments]) -> Finished: ...
    @overload
    async def spectrum_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def strain(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[StrainArguments]) -> list[Finished]: ...
    @overload
    def strain(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[StrainArguments]) -> Finished: ...
    @overload
    def strain(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def strain_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[StrainArguments]) -> list[Finished]: ...
    @overload
    async def strain_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[StrainArguments]) -> Finished: ...
    @overload
    async def strain_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    def transition(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[TransitionArguments]) -> list[TransitionRun]: ...
    @overload
    def transition(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[TransitionArguments]) -> TransitionRun: ...
    @overload
    def transition(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    @overload
    async def transition_async(self, subject: Many, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[TransitionArguments]) -> list[TransitionRun]: ...
    @overload
    async def transition_async(self, subject: object = None, *, recompute: bool = ..., router: str | Router = ..., **asked: Unpack[TransitionArguments]) -> TransitionRun: ...
    @overload
    async def transition_async(self, subject: object = None, *forms: Form, **asked: Any) -> Any: ...
    def groups(self, subject: object = None, *said: Any, **asked: Unpack[GroupsArguments]) -> Any: ...
    async def groups_async(self, subject: object = None, *said: Any, **asked: Unpack[GroupsArguments]) -> Any: ...
    def similar(self, subject: object = None, *said: Any, **asked: Unpack[SimilarArguments]) -> Any: ...
    async def similar_async(self, subject: object = None, *said: Any, **asked: Unpack[SimilarArguments]) -> Any: ...
    def modify(self, subject: object = None, *said: Any, **asked: Unpack[ModifyArguments]) -> Any: ...
    async def modify_async(self, subject: object = None, *said: Any, **asked: Unpack[ModifyArguments]) -> Any: ...
    def structures(self, subject: object = None, *said: Any, **asked: Unpack[StructuresArguments]) -> Any: ...
    async def structures_async(self, subject: object = None, *said: Any, **asked: Unpack[StructuresArguments]) -> Any: ...
    def pose(self, subject: object = None, *said: Any, **asked: Unpack[PoseArguments]) -> Any: ...
    async def pose_async(self, subject: object = None, *said: Any, **asked: Unpack[PoseArguments]) -> Any: ...
    def rmsd(self, subject: object = None, *said: Any, **asked: Unpack[RmsdArguments]) -> Any: ...
    async def rmsd_async(self, subject: object = None, *said: Any, **asked: Unpack[RmsdArguments]) -> Any: ...
    def controlled(self, subject: object = None, *said: Any, **asked: Unpack[ControlledArguments]) -> Any: ...
    async def controlled_async(self, subject: object = None, *said: Any, **asked: Unpack[ControlledArguments]) -> Any: ...
    def cube(self, subject: object = None, *said: Any, **asked: Unpack[CubeArguments]) -> Any: ...
    async def cube_async(self, subject: object = None, *said: Any, **asked: Unpack[CubeArguments]) -> Any: ...
    def documents(self, subject: object = None, *said: Any, **asked: Unpack[DocumentsArguments]) -> Any: ...
    async def documents_async(self, subject: object = None, *said: Any, **asked: Unpack[DocumentsArguments]) -> Any: ...
    def device_add(self, subject: object = None, *said: Any, **asked: Unpack[DeviceAddArguments]) -> Any: ...
    async def device_add_async(self, subject: object = None, *said: Any, **asked: Unpack[DeviceAddArguments]) -> Any: ...
    def device_check(self, subject: object = None, *said: Any, **asked: Unpack[DeviceCheckArguments]) -> Any: ...
    async def device_check_async(self, subject: object = None, *said: Any, **asked: Unpack[DeviceCheckArguments]) -> Any: ...
    def device_run(self, subject: object = None, *said: Any, **asked: Unpack[DeviceRunArguments]) -> Any: ...
    async def device_run_async(self, subject: object = None, *said: Any, **asked: Unpack[DeviceRunArguments]) -> Any: ...
    def write(self, subject: object = None, *said: Any, **asked: Unpack[WriteArguments]) -> Any: ...
    async def write_async(self, subject: object = None, *said: Any, **asked: Unpack[WriteArguments]) -> Any: ...
    def protocol(self, subject: object = None, *said: Any, **asked: Unpack[ProtocolArguments]) -> Any: ...
    async def protocol_async(self, subject: object = None, *said: Any, **asked: Unpack[ProtocolArguments]) -> Any: ...
    def convert(self, subject: object = None, *said: Any, **asked: Unpack[ConvertArguments]) -> Any: ...
    async def convert_async(self, subject: object = None, *said: Any, **asked: Unpack[ConvertArguments]) -> Any: ...
    def stereoisomers(self, subject: object = None, *said: Any, **asked: Unpack[StereoisomersArguments]) -> Any: ...
    async def stereoisomers_async(self, subject: object = None, *said: Any, **asked: Unpack[StereoisomersArguments]) -> Any: ...
    def lookup(self, subject: object = None, *said: Any, **asked: Unpack[LookupArguments]) -> Any: ...
    async def lookup_async(self, subject: object = None, *said: Any, **asked: Unpack[LookupArguments]) -> Any: ...
    def statement(self, subject: object = None, *said: Any, **asked: Unpack[StatementArguments]) -> Any: ...
    async def statement_async(self, subject: object = None, *said: Any, **asked: Unpack[StatementArguments]) -> Any: ...
    def permit(self, subject: object = None, *said: Any, **asked: Unpack[PermitArguments]) -> Any: ...
    async def permit_async(self, subject: object = None, *said: Any, **asked: Unpack[PermitArguments]) -> Any: ...
    def published(self, subject: object = None, *said: Any, **asked: Unpack[PublishedArguments]) -> Any: ...
    async def published_async(self, subject: object = None, *said: Any, **asked: Unpack[PublishedArguments]) -> Any: ...
    def procedure(self, subject: object = None, *said: Any, **asked: Unpack[ProcedureArguments]) -> Any: ...
    async def procedure_async(self, subject: object = None, *said: Any, **asked: Unpack[ProcedureArguments]) -> Any: ...
    def safety(self, subject: object = None, *said: Any, **asked: Unpack[SafetyArguments]) -> Any: ...
    async def safety_async(self, subject: object = None, *said: Any, **asked: Unpack[SafetyArguments]) -> Any: ...
    def mixing(self, subject: object = None, *said: Any, **asked: Unpack[MixingArguments]) -> Any: ...
    async def mixing_async(self, subject: object = None, *said: Any, **asked: Unpack[MixingArguments]) -> Any: ...
    def sold(self, subject: object = None, *said: Any, **asked: Unpack[SoldArguments]) -> Any: ...
    async def sold_async(self, subject: object = None, *said: Any, **asked: Unpack[SoldArguments]) -> Any: ...
    def routes(self, subject: object = None, *said: Any, **asked: Unpack[RoutesArguments]) -> Any: ...
    async def routes_async(self, subject: object = None, *said: Any, **asked: Unpack[RoutesArguments]) -> Any: ...
    def classify(self, subject: object = None, *said: Any, **asked: Unpack[ClassifyArguments]) -> Any: ...
    async def classify_async(self, subject: object = None, *said: Any, **asked: Unpack[ClassifyArguments]) -> Any: ...
    def products(self, subject: object = None, *said: Any, **asked: Unpack[ProductsArguments]) -> Any: ...
    async def products_async(self, subject: object = None, *said: Any, **asked: Unpack[ProductsArguments]) -> Any: ...
    def teach(self, subject: object = None, *said: Any, **asked: Unpack[TeachArguments]) -> Any: ...
    async def teach_async(self, subject: object = None, *said: Any, **asked: Unpack[TeachArguments]) -> Any: ...
    def compare(self, subject: object, *, workflow: str = "", recompute: bool = ..., columns: Sequence[str] | None = ..., **asked: Any) -> Beside: ...
    async def compare_async(self, subject: object, *, workflow: str = "", recompute: bool = ..., columns: Sequence[str] | None = ..., **asked: Any) -> Beside: ...
    def converge(self, subject: object, *, workflow: str = "", recompute: bool = ..., quantity: str | None = ..., tolerance: float | None = ..., **asked: Any) -> Converged: ...
    async def converge_async(self, subject: object, *, workflow: str = "", recompute: bool = ..., quantity: str | None = ..., tolerance: float | None = ..., **asked: Any) -> Converged: ...
