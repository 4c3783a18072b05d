"""One object of every class of the ontologies, or more."""

from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import numpy as np

from ogm import GraphModel, Link
from ontologies import (
    Activity,
    ConceptualAtoms,
    Consultation,
    Conversation,
    ConversationName,
    DensityVolume,
    Derivation,
    DerivedQuantity,
    Device,
    DeviceFile,
    Dispersion,
    Displacement,
    ElectronicLevel,
    Embedding,
    ExcitedStates,
    Fragment,
    FragmentEnergy,
    FrequencyAnalysis,
    GeometryConstraints,
    HeatingParameters,
    Identification,
    InteractionEnergy,
    LevelOfTheory,
    LevelResolution,
    Message,
    MolecularOrbitals,
    Optimisation,
    OrbitalVolume,
    Outcome,
    OwnBasisSet,
    Part,
    PercentConversion,
    PotentialVolume,
    Run,
    SinglePoint,
    Software,
    Solvation,
    SpinState,
    SpinStateScan,
    StabilityAnalysis,
    Synthesizer,
    SynthesizerCommand,
    SynthesizerState,
    Thermochemistry,
    Transition,
    Turn,
    TurnOutcome,
    WavefunctionAnalysis,
)
from ontologies.consent import Consent, Deed, DeedSent, Pending
from ontologies.marks import Tag, Undone, Withdrawal
from ontologies.polarizability import Polarizability
from ontologies.provenance import Requester
from ontologies.scans import RelaxedScan, ScanPoint
from ontologies.tightbinding import (
    BornSolvation,
    TightBinding,
    TightBindingEnergy,
    TightBindingFrequencies,
    TightBindingOptimisation,
    TightBindingResolution,
)

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)

WATER = ConceptualAtoms(
    numbers=[8, 1, 1], positions=[[0, 0, 0.119], [0, 0.763, -0.477], [0, -0.763, -0.477]]
)
SALT = ConceptualAtoms(
    numbers=[11, 17],
    positions=[[0, 0, 0], [2.82, 0, 0]],
    periodic=[True] * 3,
    cell=[[0, 2.82, 2.82], [2.82, 0, 2.82], [2.82, 2.82, 0]],
)
LEVEL = LevelOfTheory(
    method="B3LYP",
    basis="def2-SVP",
    reference="restricted",
    functional=("402 1.0", "8 0.2"),
    exact_exchange=0.2,
    grid_level=3,
)
D4 = Dispersion(kind="D4", functional="b3lyp", damping_parameters=("s8=2.0",), three_body=True)
IN_WATER = Solvation(model="C-PCM", solvent="water", dielectric=78.36, optical_dielectric=1.777)
WHOLE = LevelOfTheory(
    method="B3LYP",
    basis="def2-TZVP",
    reference="restricted open-shell",
    grid_level=4,
    dispersion=D4,
    solvation=IN_WATER,
    core_potential="def2-TZVP",
    density_fitting=True,
)
HF = LevelOfTheory(method="HF", basis="STO-3G", reference="unrestricted")
BROUGHT = OwnBasisSet(basis_functions="H S\n1.24 0.7\n0.3 0.5\n")
OWNED = LevelOfTheory(
    method="HF", basis="own-1f0c", reference="restricted", core_potential="own-1f0c",
    own_basis=BROUGHT,
)  # fmt: skip

ELECTRONIC = {
    "atoms": WATER,
    "level": LEVEL,
    "energy": -76.4,
    "converged": True,
    "scf_cycles": 9,
    "dipole": [0, 0, 2.0],
    "mulliken_charges": [-0.4, 0.2, 0.2],
    "homo": -0.3,
    "lumo": 0.1,
}


def named(cls: type[GraphModel], **values: object) -> GraphModel:
    return cls.model_validate(values).identified(f"https://w3id.org/grafico/id/{cls.__name__}/1")


POINT = named(SinglePoint, **ELECTRONIC)
OPTIMISED = named(
    Optimisation,
    **ELECTRONIC,
    initial=WATER,
    steps=3,
    max_gradient=1e-5,
    energies=[-76.3, -76.39, -76.4],
    criteria="GAU",
)
HELD = GeometryConstraints.model_validate(
    {
        "frozen": [0],
        "distance_atoms": [[0, 1]],
        "distances": [1.0],
        "angle_atoms": [[1, 0, 2]],
        "angles": [104.5],
    }
)
SCANNED = named(
    Optimisation,
    **ELECTRONIC,
    initial=WATER,
    steps=3,
    max_gradient=1e-2,
    energies=[-76.3, -76.39, -76.4],
    criteria="GAU",
    constraints=HELD,
).identified("https://w3id.org/grafico/id/Optimisation/2")
ORBITALS = {"orbital_energies": [-0.3, 0.1], "occupations": [2.0, 0.0]}
POPULATIONS = named(
    WavefunctionAnalysis,
    **ELECTRONIC,
    **ORBITALS,
    nuclear_repulsion=9.0,
    one_electron_energy=-122.0,
    coulomb_energy=46.0,
    exchange_correlation_energy=-9.0,
    quadrupole=np.zeros((3, 3)),
    lowdin_charges=[-0.4, 0.2, 0.2],
    hirshfeld_charges=[-0.4, 0.2, 0.2],
    bond_orders=np.zeros((3, 3)),
    wiberg_bond_orders=np.zeros((3, 3)),
    point_group="C2v",
    symmetry_tolerance=0.1,
    rotational_constants=[800.0, 400.0, 300.0],
)
STABLE = named(
    StabilityAnalysis,
    **ELECTRONIC,
    internal=True,
    stable_energy=-76.4,
    lowering=0.0,
    reoptimisations=0,
)
BRIGHT = named(
    ExcitedStates,
    **ELECTRONIC,
    response="TDA",
    manifold="singlet",
    excitation_energies=[7.5],
    oscillator_strengths=[0.02],
    transition_dipoles=[[0, 0, 0.5]],
    transitions=("5 → 6 (99 %)",),
)
POLARISED = named(
    Polarizability, **ELECTRONIC, polarizability=[[9.0, 0.5, 0.0], [0.5, 8.0, 0.0], [0, 0, 7.0]]
)
GRID = {"atoms": WATER, "level": LEVEL, "origin": [0, 0, 0], "axes": np.eye(3)}
ORBITAL = named(
    OrbitalVolume,
    **GRID,
    orbital=5,
    orbital_energy=-0.3,
    occupation=2.0,
    amplitudes=np.zeros((2, 3, 4)),
)
COLUMNS = named(
    MolecularOrbitals,
    **ELECTRONIC,
    orbital_energies=[-20.0, 0.5],
    occupations=[1.0, 0.0],
    orbital_coefficients=np.eye(2),
    orbital_energies_beta=[-19.0, 0.6],
    occupations_beta=[0.0, 0.0],
    orbital_coefficients_beta=np.eye(2),
)
DENSITY = named(DensityVolume, **GRID, kind="density", density=np.zeros((2, 3, 4)))
POTENTIAL = named(
    PotentialVolume,
    **GRID,
    electrostatic_potential=np.zeros((2, 3, 4)),
    density=np.zeros((2, 3, 4)),
)
ANALYSIS = named(
    FrequencyAnalysis,
    **ELECTRONIC,
    wavenumbers=[1600.0, 3700.0, 3800.0],
    modes=np.zeros((3, 3, 3)),
    reduced_masses=[1.1, 1.0, 1.1],
    hessian=np.zeros((3, 3, 3, 3)),
    imaginary=0,
    max_gradient=1e-5,
    stationarity="minimum",
)
ELECTRONIC_LEVEL = ElectronicLevel(
    term_symbol="2P", sublevel="J=1/2", statistical_weight=2, term_energy=404.1, tabulated_in="ASD"
)
THERMO = named(
    Thermochemistry, frequencies=ANALYSIS, temperature=298.15, pressure=101325.0,
    symmetry_number=2, point_group="C2v", symmetry_tolerance=0.01, zero_point_energy=0.02,
    enthalpy=-76.3, entropy=7e-5, gibbs_energy=-76.4, electronic_levels=(ELECTRONIC_LEVEL,),
    spin_orbit_lowering=6e-4, spin_orbit=True, remarks=("from its lowest level",),
)  # fmt: skip
RESOLVED = named(LevelResolution, method="b3lyp", basis="def2svp", level=LEVEL)
EMBEDDED = named(
    Embedding,
    notation="O",
    kind="smiles",
    smiles="O",
    atoms=WATER,
    method="ETKDG",
)
PUSHED = Displacement(source=Link(ANALYSIS), wavenumber=-300.0, amplitude=0.1, atoms=WATER)
CLOSED = SpinState(multiplicity=1, level=LEVEL, energy=-76.4, result=Link(POINT))
SPINS = SpinStateScan(
    atoms=WATER,
    states=(CLOSED,),
    ground_multiplicity=1,
    relaxed=False,
    failures=("multiplicity 3: it does not fit",),
    remarks=("a closed shell",),
)
TURNED = ScanPoint(angle=60.0, energy=-76.4, atoms=Link(WATER), result=Link(SCANNED))
DRIVEN = RelaxedScan(
    atoms=WATER,
    level=LEVEL,
    coordinate="angle",
    members=np.array([1, 0, 2]),
    points=(TURNED,),
    constraints=HELD,
    failures=("90°: it did not converge",),
    remarks=("it jumps",),
)
HYDROXIDE = Fragment(members=np.array([True, True, False]), charge=-1)
PROTON = Fragment(members=np.array([False, False, True]), charge=1)
AMONG = named(
    FragmentEnergy,
    supermolecule=WATER,
    level=LEVEL,
    fragment=HYDROXIDE,
    energy=-75.8,
    converged=True,
    scf_cycles=9,
    dispersion_energy=-1e-4,
)
BOUND = InteractionEnergy(
    atoms=WATER,
    level=LEVEL,
    fragments=(HYDROXIDE, PROTON),
    uncorrected=-0.6,
    corrected=-0.59,
    superposition_error=0.01,
    whole=Link(POINT),
    separate=(Link(POINT),),
    with_ghosts=(Link(AMONG),),
)

IN_ALPB = BornSolvation(model="ALPB", solvent="water")
GFN2 = TightBinding(method="GFN2-xTB", solvation=IN_ALPB, electronic_temperature=1000.0)
TIGHT = {
    "atoms": WATER,
    "level": GFN2,
    "energy": -5.08,
    "dipole": [0, 0, 2.4],
    "mulliken_charges": [-0.6, 0.3, 0.3],
    "bond_orders": np.zeros((3, 3)),
    "homo": -0.4,
    "lumo": -0.1,
    "solvation_free_energy": -0.014,
    **ORBITALS,
}
LIGHT = named(TightBindingEnergy, **TIGHT)
EASED = named(
    TightBindingOptimisation,
    **TIGHT,
    initial=WATER,
    steps=2,
    max_gradient=1e-5,
    energies=[-5.07, -5.08],
    criteria="GAU",
)
SHAKEN = named(
    TightBindingFrequencies,
    **TIGHT,
    wavenumbers=[1500.0, 3600.0, 3650.0],
    modes=np.zeros((3, 3, 3)),
    reduced_masses=[1.1, 1.0, 1.1],
    hessian=np.zeros((3, 3, 3, 3)),
    imaginary=0,
    max_gradient=1e-5,
    stationarity="minimum",
)
MEANT = named(TightBindingResolution, method="gfn2", level=GFN2)

SOFTWARE = Software(name="grafico", version="0.1.0")
DEVICE = Device(kind="cpu", name="a processor")
ACTIVITY = Activity(
    calculation="optimise",
    version="1",
    epoch="1",
    key="k",
    family="f",
    signature=1.0,
    used=frozenset({Link(WATER), Link(LEVEL)}),
    generated=Link(OPTIMISED),
    started=NOW,
    ended=NOW,
    wall_time=1.5,
    threads=2,
    device=DEVICE,
    software=frozenset([SOFTWARE, Software(name="pyscf", version="2.14.0")]),
)
RUN = Run(
    graph="molecule",
    goal="stationary",
    subject="water",
    request="{}",
    about=frozenset({Link(WATER)}),
    started=NOW,
    software=SOFTWARE,
)
STEPS = [
    Transition(
        run=Link(RUN),
        index=index,
        node=node,
        inputs="{}",
        chosen_by="goal",
        reason="cheapest",
        menu=menu,
        refused=(),
        started=NOW,
        ended=NOW,
        activity=activity,
        reused=index > 0,
    )
    for index, (node, menu, activity) in enumerate(
        [("Optimise", ("Optimise", "Energy", "Fail"), Link(ACTIVITY)), ("End", ("End",), None)]
    )
]
PART = Part(
    run=Link(RUN),
    index=0,
    part="water",
    started=NOW,
    ended=NOW,
    activity=Link(ACTIVITY),
    reused=True,
)
OUTCOME = Outcome(
    run=Link(RUN),
    status="goal unmet",
    message="not a minimum",
    ended=NOW,
    results=(Link(OPTIMISED), Link(ANALYSIS)),
    geometry=Link(WATER),
)

MICROWAVE = Synthesizer(name="microwave")
DESCRIBED = DeviceFile(name="arm", text='{"name": "arm", "commands": {"pick": {}}}')
PARAMETERS = HeatingParameters(
    heating_temperature=100.0, heating_duration=50.0, heating_pressure=3.0
)
LOAD = SynthesizerCommand(
    synthesizer=MICROWAVE, name="load_vial", step=2, given=NOW, vial=3, refusal="the lid is closed"
)
UPDATE = SynthesizerCommand(
    synthesizer=MICROWAVE,
    name="update_heating_parameters",
    step=2,
    given=NOW,
    parameters=PARAMETERS,
    refusal="",
)
HEATED = SynthesizerState(
    synthesizer=MICROWAVE,
    step=3,
    command=Link(UPDATE),
    since=NOW,
    session="s",
    lid_open=False,
    vial=3,
    parameters=PARAMETERS,
    heating=False,
    heated=True,
    speed=600.0,
    heatings=(PARAMETERS, HeatingParameters(heating_temperature=80.0), PARAMETERS),
)
READING = PercentConversion(
    state=Link(HEATED), conversion=90.1, simulated=True, method="simulated: first order"
)

LOADING = Deed(
    graph="microwave",
    node="LoadVial",
    inputs='{"vial":3}',
    bound=frozenset([MICROWAVE.iri]),
    effects=frozenset(["device"]),
    target="microwave",
    target_version="2",
    checks=("session live; lid open",),
)
WAITING = Pending(run=Link(RUN), deeds=(Link(LOADING),), asked=NOW)
YES = Consent(
    run=Link(RUN),
    deeds=frozenset([Link(LOADING)]),
    agreed=NOW,
    until=NOW,
    agreed_by="me",
    door="the terminal",
    signed="00",
)
REQUESTER = Requester(run=Link(RUN), user="me", host="here", client="an assistant")
TAGGED = Tag(tagged=Link(RUN), word="paper", noted=NOW, noted_by="me")
WITHDRAWN = Withdrawal(withdrawn=Link(RUN), why="wrong isomer", noted=NOW, noted_by="me")
UNDONE = Undone(undoes=Link(WITHDRAWN), noted=NOW, noted_by="me")
SENT = DeedSent(
    run=Link(RUN),
    index=0,
    deed=Link(LOADING),
    likeness="0",
    first_run=RUN.iri,
    consent=Link(YES),
    sent=NOW,
    cents=40,
)

TALK = Conversation(started=NOW, software=SOFTWARE)
CALLED = ConversationName(conversation=Link(TALK), name="water", given=NOW)
TURN = Turn(conversation=Link(TALK), question="energy of water?", planner="rules", started=NOW)
SAID = Message(turn=Link(TURN), index=0, body='{"kind": "request"}')
CONSULTED = Consultation(
    turn=Link(TURN), agent="structures", digest="00", question="its mass?", answered=Link(TALK)
)
ANSWERED = TurnOutcome(
    turn=Link(TURN),
    status="answered",
    answer="-76.4 Eh",
    ended=NOW,
    runs=(Link(RUN),),
    files=("water.html",),
    requests=2,
    input_tokens=3000,
    cached_tokens=1000,
    output_tokens=90,
    dollars=0.01,
    wall_time=2.5,
)
NAMED = Identification(
    identifies=Link(WATER),
    perception="1",
    inchi_key="XLYOFNOQVPJJNP-UHFFFAOYSA-N",
    skeleton="XLYOFNOQVPJJNP",
    smiles="O",
)
CODE = Derivation(code="keep('pKa', 4.8)", used=frozenset({Link(THERMO)}), ended=NOW)
ACIDITY = DerivedQuantity(
    name="pKa", value=4.8, unit="", of=frozenset({Link(WATER)}), derivation=Link(CODE)
)

LATER: list[GraphModel] = [
    one
    for found in sorted(Path(__file__).parent.glob("instances_*.py"))
    for one in import_module(f"tests.ontologies.{found.stem}").EVERYTHING
]
"""Of modules that bring theirs in a file beside this one."""

EVERYTHING: tuple[GraphModel, ...] = (
    WATER, SALT, LEVEL, HF, D4, IN_WATER, WHOLE, HELD, SCANNED, POPULATIONS, STABLE, BRIGHT,
    BROUGHT, OWNED, ORBITAL, COLUMNS, DENSITY, POTENTIAL, POINT, OPTIMISED, ANALYSIS,
    ELECTRONIC_LEVEL, THERMO, RESOLVED, EMBEDDED, PUSHED, POLARISED,
    CLOSED, SPINS, TURNED, DRIVEN, HYDROXIDE, PROTON, AMONG, BOUND,
    SOFTWARE, DEVICE, ACTIVITY, RUN, *STEPS, PART, OUTCOME,
    MICROWAVE, DESCRIBED, PARAMETERS, LOAD, UPDATE, HEATED, READING, LOADING, WAITING, YES, SENT,
    TAGGED, WITHDRAWN, UNDONE, REQUESTER,
    IN_ALPB, GFN2, LIGHT, EASED, SHAKEN, MEANT,
    TALK, CALLED, TURN, SAID, CONSULTED, ANSWERED, CODE, ACIDITY, NAMED,
    *LATER,
)  # fmt: skip
