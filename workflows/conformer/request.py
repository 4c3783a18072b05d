"""What can be asked of the conformers of a molecule, and how such a request is prepared."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import ConformerEnsemble
from triplestore.errors import InputError
from workflows.dft.request.forms import DFTRequest
from workflows.dft.request.molecule_cost import MoleculeCost
from workflows.engine import Executor
from workflows.engine.request.cost import Cost, Granted
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.rules import For, Rare, Words
from workflows.molecule.subject import MOLECULE, smiles_of
from workflows.programs.xtb import Method
from workflows.registry.levels import LevelForm
from workflows.text.words import listed
from workflows.tightbinding.solvents import substitute

from .candidates import SEED
from .crest import Search
from .elsewhere import SEARCH
from .forms import KCAL, EnsembleRequest
from .graph import CONFORMERS, EnsemblePlan, EnsembleState
from .result import Conformers
from .sampling import Sampler, chosen_sampler, sampling
from .settling import TIGHTLY

BY_EMBEDDING = For("sampler", ("auto", "embedding"))
BY_CREST = For("sampler", ("auto", "CREST"))
BY_DYNAMICS = For("sampler", ("auto", "metadynamics"))


class ConformerRequest(EnsembleRequest):
    """How conformers are looked for."""

    method: Annotated[
        Literal["GFN2-xTB", "GFN1-xTB", "GFN-FF"],
        Words({"GFN2-xTB": ("gfn2", "xtb"), "GFN1-xTB": ("gfn1",), "GFN-FF": ("gfnff",)}),
        Field(description="Of their geometries and energies."),
    ] = "GFN2-xTB"
    solvent: Annotated[str, Field(description="A solvent around them (ALPB), such as water.")] = ""
    solvent_substitute: Annotated[
        bool,
        For("solvent"),
        Rare(),
        Field(description="Where ALPB lacks the solvent, take one that is near, and say so."),
    ] = False
    sampler: Annotated[
        Sampler,
        Words({"embedding": ("rdkit", "etkdg"), "metadynamics": ("md",)}),
        Field(description="What makes geometries: auto takes CREST if installed, else embedding."),
    ] = "auto"
    search: Annotated[
        Search | None,
        BY_CREST,
        Rare(),
        Field(description="CREST: nci keeps separate molecules together; it is taken for these."),
    ] = None
    search_level: Annotated[
        Method | None,
        BY_CREST,
        Rare(),
        Field(description="CREST: level of the search, if not the method."),
    ] = None
    starts: Annotated[
        int,
        BY_EMBEDDING,
        Field(ge=1, le=10_000, description="Geometries that are embedded."),
    ] = 200
    picoseconds: Annotated[
        float,
        BY_DYNAMICS,
        Rare(),
        Field(gt=0, le=100_000, allow_inf_nan=False, description="Of metadynamics, ps."),
    ] = 30.0
    start_window: Annotated[
        float,
        Rare(),
        Field(
            gt=0,
            le=1000,
            allow_inf_nan=False,
            description="Geometries up to here above the lowest by the sampler, kcal/mol.",
        ),
    ] = 12.0
    seed: Annotated[int, Rare(), Field(ge=0, le=2**31 - 1, description="Of the embedding.")] = SEED


@dataclass(frozen=True)
class SeveralCost:
    """What relaxing several geometries of one molecule will take.

    Attributes:
        one: what one of them takes.
        many: how many there will be at most.
        noun: what they are, such as `geometries`.
        advice: how there would be fewer.
    """

    one: MoleculeCost
    many: int
    noun: str
    advice: str

    @property
    def label(self) -> str:
        """What it is."""
        return self.one.label

    def cost(self, granted: Granted, executor: Executor) -> Cost | None:
        """Return what it will take; None where that is not worth an estimate."""
        found = self.one.cost(replace(granted, hours=granted.hours / self.many), executor)
        if found is None:
            return None
        return replace(
            found,
            size=f"up to {self.many} {self.noun} of {found.size}",
            seconds=found.seconds * self.many,
            advice=self.advice,
        )


async def prepare_conformers(
    given: Given[ConceptualAtoms], request: ConformerRequest, executor: Executor
) -> Prepared[EnsembleState]:
    """Find out what the conformers of a molecule mean.

    Raises:
        InputError: it is a crystal, its bonds are not known, or there is no such solvent.
    """
    atoms = given.model
    if atoms.is_periodic:
        raise InputError(
            f"conformers of {atoms.formula} were asked for", "it is a crystal", "give a molecule"
        )
    smiles = smiles_of(given)
    if not smiles:
        raise InputError(
            f"conformers of {atoms.formula} were asked for",
            "its bonds are not known",
            "give a SMILES or a file with bonds (MOL, SDF)",
        )
    solvent, substituted = request.solvent, ""
    if request.solvent_substitute and solvent:
        solvent, substituted = substitute(solvent)
    words = {"method": request.method} | ({"solvent": solvent} if solvent else {})
    resolved = await LevelForm.variant(words)(**words).resolve(atoms, executor)
    task = "frequencies" if request.weights == "Gibbs energy" else "optimise"
    plan = EnsemblePlan(
        request.of_each(task, words),
        request.thresholds,
        request.window / KCAL,
        request.weights,
        request.temperature,
        settles=task == "optimise" and request.convergence != TIGHTLY,
    )
    sampler = chosen_sampler(smiles) if request.sampler == "auto" else request.sampler
    told = [substituted] if substituted else []
    for_crest = [one for one in (request.search, request.search_level) if one]
    if for_crest and sampler != "CREST":
        told.append(
            f"{listed(for_crest)} is for CREST, which is not on the path: geometries are made by "
            f"{sampler}"
        )
    state = EnsembleState(
        atoms,
        smiles,
        resolved.level,
        plan,
        sampling(
            atoms,
            smiles,
            sampler,
            method=request.search_level or request.method,
            search=request.search,
            solvent=solvent,
            starts=request.starts,
            seed=request.seed,
            window=request.start_window,
            picoseconds=request.picoseconds,
        ),
        remarks=tuple(told),
    )
    alone = DFTRequest(task=task, max_steps=request.max_steps)
    alone.check(atoms, resolved.level)

    async def begin() -> EnsembleState:  # what its geometries came to before is remembered
        return state

    return Prepared(
        state,
        CONFORMERS.goal("the conformers of a molecule"),
        (atoms, resolved.level),
        f"conformers of {atoms.formula} at {resolved.level.label}",
        (
            SeveralCost(
                MoleculeCost(atoms, resolved.level, alone),
                request.starts,
                "geometries",
                "ask for fewer starts",
            ),
        ),
        (*told, *resolved.remarks),
        begin=begin,
    )


DEFINITION = Definition(
    CONFORMERS,
    (ConformerRequest,),
    MOLECULE,
    prepare_conformers,
    Conformers.of,
    help="Geometries are embedded and relaxed by a force field, then by tight binding; those in "
    "which bonds have changed are left out, those alike are told once. Every geometry is computed "
    "as if it had been asked for alone, so that nothing is computed twice. The ensemble is refined "
    "at a better level by `refine`.",
    makes=(ConformerEnsemble,),
    elsewhere=SEARCH,
)
