"""What can be asked of a cluster, and how such a request is prepared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from ontologies.clusters import SolventCluster
from ontologies.conformers import ConformerCandidates
from ontologies.connectivity import connectivity
from ontologies.level import Level
from triplestore.errors import GraficoError, InputError
from workflows.conformer.crest import CREST
from workflows.conformer.request import SeveralCost
from workflows.dft.request.forms import DFTRequest, Force
from workflows.dft.request.molecule_cost import MoleculeCost
from workflows.engine import Call, Executor, Goal
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.form import Form, Rare, Words, fill
from workflows.levels import LevelForm
from workflows.molecule.polyhedra import is_metal
from workflows.molecule.subject import MOLECULE, smiles_of
from workflows.xtb import XTB

from .graph import CLUSTERS, ClusterPlan, ClusterState
from .packing import grow, pack, together

MOST_ATOMS = 600
"""Of a cluster: what a processor relaxes in an hour or so."""

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
        Literal["GFN2-xTB", "GFN1-xTB"], Field(description="Of geometries and energies.")
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
        Field(gt=0, le=10_000, allow_inf_nan=False,
              description="Of GFN-FF metadynamics with xtb from each, where it is installed."),
    ] = 6.0  # fmt: skip
    kept: Annotated[
        int, Rare(), Field(ge=1, le=100, description="Geometries of each that are relaxed.")
    ] = 3
    force: Force = False


async def prepare_cluster(
    given: Given[ConceptualAtoms], request: ClusterRequest, executor: Executor
) -> Prepared[ClusterState]:
    """Find out what a cluster means.

    Raises:
        InputError: the molecule is a crystal, the solvent is none, or it is too large.
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
            asked, f"these are {size} atoms; up to {MOST_ATOMS} are placed",
            "ask for fewer solvent molecules",
        )  # fmt: skip
    words = {"method": request.level}
    words |= {"solvent": request.continuum} if request.continuum else {}
    level = (await LevelForm.variant(words)(**words).resolve(solute, executor)).level
    sampling, engine, xtb, remarks = _sampling(request, solute, solvent, asked)
    bonds = [smiles_of(given), *[smiles_of(around)] * request.count]
    plan = ClusterPlan(
        solute, solvent, request.solvent, request.count, ".".join(bonds) if all(bonds) else "",
        engine, sampling, xtb, request.picoseconds, request.kept, {"task": "optimise", **words},
    )  # fmt: skip
    state = ClusterState(plan, remarks)

    async def begin() -> ClusterState:  # what its clusters came to before is remembered
        return state

    many = len(sampling) * (request.kept if xtb else 1)
    return Prepared(
        state,
        Goal("clusters of a molecule", lambda situation: situation.ranked),
        (solute, solvent, level),
        f"{given.text or solute.formula} with {request.count} {request.solvent} at {level.label}",
        (_cost(solute, solvent, request, level, many),),
        tuple(f"{request.solvent}: {one}" for one in around.remarks),
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


def _sampling(
    request: ClusterRequest, solute: ConceptualAtoms, solvent: ConceptualAtoms, asked: str
) -> tuple[Mapping[str, Call[ConformerCandidates]], str, str, tuple[str, ...]]:
    """Return what makes geometries, what that is called, xtb's version and remarks."""
    version = CREST.version()
    if request.engine == "CREST":
        version = CREST.required(asked)
    if version and request.engine != "placing":
        call = grow.bind(solute, solvent, request.count, version, request.continuum)
        return {"CREST's cluster": call}, f"CREST {version} QCG", "", ()
    numbers = range(1, request.seeds + 1)
    sampling = {f"seed {n}": pack.bind(solute, solvent, request.count, n) for n in numbers}
    engine = f"{request.seeds} placed at random"
    if xtb := XTB.version():
        engine += f", then xtb {xtb} metadynamics, GFN-FF, {request.picoseconds:g} ps at 300 K"
        return sampling, engine, xtb, ()
    remark = "xtb is not on the path: clusters are relaxed as they were placed, and may lie higher"
    return sampling, engine, "", (remark,)


def _cost(
    solute: ConceptualAtoms, solvent: ConceptualAtoms, request: ClusterRequest, level: Level,
    many: int,
) -> SeveralCost:  # fmt: skip
    whole = pack(solute, solvent, request.count, 1).molecule
    atoms = together(solute, solvent, request.count, whole.positions)
    return SeveralCost(
        MoleculeCost(atoms, level, DFTRequest(task="optimise")), many, "clusters",
        "ask for fewer seeds or solvent molecules",
    )  # fmt: skip


DEFINITION = Definition(
    CLUSTERS,
    (ClusterRequest,),
    MOLECULE,
    prepare_cluster,
    help="Solvent molecules are put around the molecule, by CREST's quantum cluster growth where "
    "that is installed, else at random and then by GFN-FF metadynamics with xtb where that is; the "
    "lowest of each are relaxed by tight binding. Clusters in which bonds changed are left out and "
    "told. The ensemble is refined at a better level by its IRI.",
    makes=(SolventCluster,),
)
