"""Going on from the last state of a recorded run of the DFT graph."""

from __future__ import annotations

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from triplestore.errors import RecordError
from workflows.engine import Executor, Finish, Router, replay, run_graph
from workflows.engine.run import former_run
from workflows.words import count

from .graph import DFT, start
from .request import DFTRequest


async def resume_dft(
    run: str,
    executor: Executor,
    request: DFTRequest | None = None,
    *,
    router: Router | None = None,
) -> Finish:
    """Enter a run again where it ended or was cut off; what it has computed is remembered.

    Args:
        run: IRI of the run.
        executor: runs and records what is still to be done.
        request: what is asked now; None for what was asked then.
        router: who chooses; the goal router if None.

    Raises:
        NotFoundError: the run is not stored.
        InputError: it is a run of another graph.
        RecordError: what it started from is not stored.
        GraficoError: a calculation failed; the run is recorded as failed.
    """
    former = former_run(DFT, run, executor)
    about = executor.kg.pull_all(GraphModel, sorted(link.iri for link in former.about))
    atoms = [one for one in about if isinstance(one, ConceptualAtoms)]
    levels = [one for one in about if isinstance(one, Level)]
    if len(atoms) != 1 or len(levels) != 1:
        raise RecordError(
            f"run {run} was to be entered again",
            f"it names {count(len(atoms), 'structure')} and "
            f"{count(len(levels), 'level of theory', 'levels of theory')}, not one of each",
            "ask for the calculation anew; what was finished is remembered",
        )
    request = request or DFTRequest.stored(former.request)
    first = start(atoms[0], levels[0], executor, request)
    return await run_graph(
        DFT,
        await replay(DFT, first, run, executor),
        request,
        request.goal(),
        executor,
        subject=former.subject,
        about=about,
        router=router,
        resume_from=run,
    )
