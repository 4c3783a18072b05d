"""What can be asked of a cluster, and how such a request is prepared."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from ontologies.clusters import SolventCluster
from ontologies.conformers import ConformerCandidates
from ontologies.connectivity import connectivity
from ontologies.level import Level
from triplestore.errors import ComponentError, GraficoError, InputError
from workflows.conformer.crest import CREST, crest
from workflows.conformer.elsewhere import GROWTH
from workflows.conformer.metadynamics import metadynamics
from workflows.conformer.request import SeveralCost
from workflows.dft.request.forms import DFTRequest, Force
from workflows.dft.request.molecule_cost import MoleculeCost
from workflows.engine import Call, Executor
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.form import Form, fill
from workflows.engine.request.rules import Rare, Words
from workflows.molecule.polyhedra import is_metal
from workflows.molecule.subject import MOLECULE, lasting, smiles_of
from workflows.programs.xtb import XTB
from workflows.registry.levels import LevelForm
from workflows.registry.outside import check_ions

from .graph import CLUSTERS, ClusterPlan, ClusterState
from .packing import grow, pack, together

MOST_ATOMS = 600
"""Of a cluster: what a processor relaxes in an hour or so."""

STEPS = 500
"""Of each optimisation at most: molecules that are placed at random have a long way to go."""

DOCKS = (6, 6)
"""The release of xtb since which CREST docks with it."""

Engine = Literal["best there is", "placing", "CREST"]

EXAMPLE = "name one, such as water, or give its SMILES"


class ClusterRequest(Form):
    """What is asked of a molecule in a solvent."""

    solvent: Annotated[
        str, Field(description="What is put around it: a name, a SMILES, a file or an IRI.")
    ] = "water"
    count: Annotated[
        int, Field(ge=1, le=200, description="Molecules of the solvent, how many.")
    ] = 6
    level: Annotated[
        Literal["GFN2-xTB", "GFN1-xTB"],
        Words({"GFN2-xTB": ("gfn2", "xtb"), "GFN1-xTB": ("gfn1",)}),
        Field(description="Of geometries and energies."),
    ] = "GFN2-xTB"
    continuum: Annotated[
        str, Field(description="A solvent as a continuum around it all (ALPB), such as water.")
    ] = ""
    seeds: Annotated[
        int, Field(ge=1, le=100, description="Clusters that are placed at random, how many.")
    ] = 4
    engine: Annotated[
        Engine,
        Words({"best there is": ("auto", "best"), "CREST": ("qcg", "quantumclustergrowth")}),
        Field(description="Places the solvent: CREST's cluster growth, or at random."),
    ] = "best there is"
    picoseconds: Annotated[
        float,
        Rare(),
        Field(
            gt=0,
            le=10_000,
            allow_inf_nan=False,
            description="Of GFN-FF metadynamics with xtb from each, where it is installed.",
        ),
    ] = 6.0
    kept: Annotated[
        int, Rare(), Field(ge=1, le=100, description="Geometries of each that are relaxed.")
    ] = 3
    force: Force = False


async def prepare_cluster(
    given: Given[ConceptualAtoms], request: ClusterRequest, executor: Executor
) -> Prepared[ClusterState]:
    """Find out what a cluster means.

    Raises:
        InputError: the molecule is a crystal, the solvent is none, it is too large, or it is an ion
            of hydrogen, which the level was not made for.
        ComponentError: CREST was asked for and is not installed.
        GraficoError: the solvent cannot be read.
    """
    solute = given.model
    asked = f"{solute.formula} with {request.count} {request.solvent[:60]} was asked for"
    if solute.is_periodic:
        raise InputError(asked, f"{solute.formula} is a crystal", "give a molecule")
    around = await _solvent(request.solvent, asked, executor)
    solvent = around.model
    size = len(solute.numbers) + request.count * len(solvent.numbers)
    if size > MOST_ATOMS:
        raise InputError(
            asked,
            f"these are {size} atoms; up to {MOST_ATOMS} are placed",
            "ask for fewer solvent molecules",
        )
    words = {"method": request.level}
    words |= {"solvent": request.continuum} if request.continuum else {}
    level = (await LevelForm.variant(words)(**words).resolve(solute, executor)).level
    check_ions({solute.formula: solute}, [level])
    sampling = _sampling(request, solute, solvent, asked)
    bonds = [smiles_of(given), *[smiles_of(around)] * request.count]
    plan = ClusterPlan(
        solute,
        solvent,
        request.solvent,
        request.count,
        ".".join(bonds) if all(bonds) else "",
        sampling.engine,
        sampling.placing,
        sampling.further,
        request.kept,
        {"task": "optimise", "max_steps": STEPS, **words},
    )
    state = ClusterState(plan, sampling.remarks)

    async def begin() -> ClusterState:  # what its clusters came to before is remembered
        return state

    many = len(sampling.placing) * (request.kept if sampling.further else 1)
    return Prepared(
        state,
        CLUSTERS.goal("clusters of a molecule"),
        (solute, solvent, level),
        f"{given.text or solute.formula} with {request.count} {request.solvent} at {level.label}",
        (_cost(solute, solvent, request, level, many),),
        tuple(f"{request.solvent}: {one}" for one in around.remarks),
        request.model_copy(update={"solvent": lasting(request.solvent.strip(), around, executor)}),
        begin=begin,
    )


async def _solvent(text: str, asked: str, executor: Executor) -> Given[ConceptualAtoms]:
    """Return a molecule of the solvent.

    Raises:
        InputError: it is no molecule that a solvent consists of.
        GraficoError: it cannot be read.
    """
    if not text.strip():
        raise InputError(asked, "no solvent is named", EXAMPLE)
    try:
        found = await MOLECULE.read(text.strip(), fill(MOLECULE.form, {}), executor)
    except GraficoError as error:
        error.found = f"the solvent {text[:60]!r}: {error.found}"
        raise
    atoms = found.model
    reasons = {
        "it is a crystal": atoms.is_periodic,
        f"it has the charge {atoms.charge:+d}": atoms.charge != 0,
        f"it has the multiplicity {atoms.multiplicity}": atoms.multiplicity != 1,
        "it holds a metal": any(is_metal(number) for number in atoms.numbers.tolist()),
        "it is several molecules": not atoms.is_periodic and len(connectivity(atoms).molecules) > 1,
    }
    if wrong := [reason for reason, holds in reasons.items() if holds]:
        raise InputError(asked, f"{text[:60]} is no solvent: {', and '.join(wrong)}", EXAMPLE)
    return found


@dataclass(frozen=True)
class Sampling:
    """What makes geometries.

    Attributes:
        engine: what it is called, with its settings.
        placing: puts the solvent around the molecule, by name.
        further: what is done with each of these; None for nothing.
        remarks: what is to be known.
    """

    engine: str
    placing: Mapping[str, Call[ConformerCandidates]]
    further: Callable[[ConceptualAtoms], Call[ConformerCandidates]] | None = None
    remarks: tuple[str, ...] = ()


def _sampling(
    request: ClusterRequest, solute: ConceptualAtoms, solvent: ConceptualAtoms, asked: str
) -> Sampling:
    """Return what makes geometries.

    Raises:
        ComponentError: CREST was asked for, and it or what it needs is not installed.
    """
    crested, xtb, remarks = CREST.version(), XTB.version(), list[str]()
    lack = _lack(xtb)
    if request.engine == "CREST":
        crested = CREST.required(asked)
        if lack:
            raise ComponentError(asked, lack, "install that, or take the engine placing")
    if crested and request.engine != "placing":
        if not lack:
            return _by_crest(request, solute, solvent, crested)
        remarks.append(f"{lack}: the solvent was placed at random instead")
    numbers = range(1, request.seeds + 1)
    placing = {f"seed {n}": pack.bind(solute, solvent, request.count, n) for n in numbers}
    engine = f"{request.seeds} placed at random"
    if not xtb:
        remarks.append(
            "xtb is not on the path: clusters are relaxed as they were placed, and may lie higher"
        )
        return Sampling(engine, placing, remarks=tuple(remarks))
    engine += f", then xtb {xtb} metadynamics, GFN-FF, {request.picoseconds:g} ps at 300 K"
    return Sampling(
        engine,
        placing,
        lambda one: metadynamics.bind(one, xtb, request.picoseconds, 300.0),
        tuple(remarks),
    )


def _lack(xtb: str | None) -> str:
    """Return what CREST lacks to dock solvent molecules; empty for nothing."""
    needs = "to dock, CREST needs the program xtb, 6.6 or newer"
    if xtb is None:
        return f"{needs}, which is not on the path"
    return "" if tuple(map(int, re.findall(r"\d+", xtb)[:2])) >= DOCKS else f"{needs}; it is {xtb}"


def _by_crest(
    request: ClusterRequest, solute: ConceptualAtoms, solvent: ConceptualAtoms, version: str
) -> Sampling:
    """Return cluster growth, and a search that keeps the molecules together."""
    method, around = request.level, request.continuum
    remarks = (
        "CREST docks solvent molecules without the charge of the molecule; what it has grown was "
        "sampled and relaxed with it",
    )
    return Sampling(
        f"CREST {version} QCG, then NCI-MTD, {method}",
        {"CREST's cluster": grow.bind(solute, solvent, request.count, version, around)},
        lambda one: crest.bind(one, version, "nci", method, around),
        remarks if solute.charge else (),
    )


def _cost(
    solute: ConceptualAtoms,
    solvent: ConceptualAtoms,
    request: ClusterRequest,
    level: Level,
    many: int,
) -> SeveralCost:
    whole = pack(solute, solvent, request.count, 1).molecule
    atoms = together(solute, solvent, request.count, whole.positions)
    return SeveralCost(
        MoleculeCost(atoms, level, DFTRequest(task="optimise")),
        many,
        "clusters",
        "ask for fewer seeds or solvent molecules",
    )


DEFINITION = Definition(
    CLUSTERS,
    (ClusterRequest,),
    MOLECULE,
    prepare_cluster,
    help="Solvent molecules are put around the molecule, by CREST's quantum cluster growth and its "
    "search for complexes where that is installed, else at random and then by GFN-FF metadynamics "
    "with xtb where that is; the lowest of each are relaxed by tight binding. Clusters in which "
    "bonds changed are left out and told. The ensemble is refined at a better level by its IRI.",
    makes=(SolventCluster,),
    elsewhere=GROWTH,
)
