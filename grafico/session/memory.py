"""What a session remembers: queries, results, runs, single objects."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ogm import GraphModel
from ontologies.provenance import Requested, Run
from triplestore import Table
from triplestore.errors import GraficoError, NotFoundError
from workflows.engine.execution.outdated import outdated_runs
from workflows.engine.execution.withdrawn import (
    resting_on,
    why_withdrawn,
    withdrawals,
    withdrawn_results,
)
from workflows.registry import subject_kinds, workflows
from workflows.registry.notices import runs_in_doubt
from workflows.registry.readers import read_files, readers, refusal_of
from workflows.show.blocks import Sections
from workflows.show.displayed_run import DisplayedRun, StoredRun

from . import inspection, latest
from .handles import Handle, iri_of
from .listing import Listing
from .naming import all_meant, is_name, is_short, meant, numbered
from .narrowed import Narrowed
from .opened import OpenSession, in_own_loop
from .query_table import QueryTable
from .search import Hit, find_results, only_run_about
from .sifting import Sifting, newest, unit_symbol
from .written_files import write_file

if TYPE_CHECKING:
    from pyoxigraph import Triple

    from ogm.keeping.bundle import Exported

PAGES = (".html", ".htm")
"""How files of reports end."""


class Memory(OpenSession):
    """A session that answers from what is stored."""

    def atoms(self, iri: str) -> Any:
        """Return the structure of that IRI, or of the result or run of that IRI.

        Raises:
            NotFoundError: nothing of that IRI is stored, or it has no structure.
        """
        return workflows().usual.whole.subject.stored_object(self.kg, self.iri(iri))

    def query(self, sparql: str) -> QueryTable | bool | list[Triple]:
        """Answer a read-only SPARQL query; the prefixes g, prov, rdf, rdfs, xsd, unit are known.

        Returns:
            A table (`frame()` gives it to pandas), a truth value, or triples.

        Raises:
            QueryError: not a query, not read-only, or beyond the limits.
        """
        answer = inspection.query(self.kg.store, sparql, settings=self.settings)
        if isinstance(answer, Table):
            return QueryTable(answer.variables, answer.rows, answer.cut)
        return answer

    async def find_async(
        self,
        subject: object = "",
        *,
        name: str = "",
        limit: int = 50,
        withdrawn: bool = False,
        since: str | datetime | None = None,
        method: str = "",
        basis: str = "",
        workflow: str = "",
        failed: bool = False,
        tag: str = "",
        formula: str = "",
        solvent: str = "",
        level: str = "",
        above: str | float | None = None,
        below: str | float | None = None,
        sort: bool = False,
        largest: bool = False,
        every: bool | None = None,
        **said: Any,
    ) -> Listing[Hit]:
        """Return stored results, newest first; `find` is the same without `await`.

        Args:
            subject: what they are about: for a molecule a SMILES, a name, an InChI, an InChIKey, a
                formula, a file or an IRI; empty for anything.
            name: the property, such as `gibbs_energy` or `dipole_moment`, or what code has derived;
                empty for the energy. It may be called `property`, too.
            limit: how many at most.
            withdrawn: also what somebody has withdrawn.
            since: only what was made since a time, such as `last week`, `2 days ago` or ISO 8601.
            method: part of the method's name, dispersion included; empty for any.
            basis: part of the basis set's name; empty for any.
            workflow: only what such a run, or a part of it, came to; by its name.
            failed: only what was made in runs that failed or did not reach their goal.
            tag: only what a run with this tag, or a part of it, came to.
            formula: of the molecule, in any order.
            solvent: part of the name of the solvent around it; empty for any, and for none.
            level: method, or method and basis set, such as `B3LYP/def2-SVP`; whole names of both.
            above: only values above it: a number in the unit that is shown, or with another one
                behind it, such as `10 kcal/mol`.
            below: likewise.
            sort: by value, the smallest first.
            largest: by value, the largest first.
            every: also older and intermediate values of a molecule at a level, not the newest
                alone; if nobody says, of what is named, and of all not.
            said: what can be said of the subject, see `grafico find --help`: `by`, `kind`,
                `online`, ….

        Raises:
            InputError: a time, a formula or a bound is none.
            GraficoError: the subject cannot be read or not be identified, or there is no such
                workflow.
        """
        for kind in subject_kinds():
            subject = said.pop(kind.name, subject)
        name = said.pop("property", None) or name
        out: set[str] = set() if withdrawn else withdrawn_results(self.kg)
        only = Narrowed(since, method, basis, workflow, failed, tag, formula, solvent, level=level)
        every = bool(subject) if every is None else every
        sifting = Sifting(above, below, sort, largest, every)
        most = max(limit, sifting.needed) + len(out)
        hits = await find_results(self, subject, only, name=name, most=most, **said)
        there = [hit for hit in hits if hit.result not in out]
        older = 0 if every else len(there) - len(newest(there))
        kept = sifting.of(there)[:limit]
        units = {unit_symbol(hit) for hit in kept}
        unit = units.pop() if len(units) == 1 else ""
        called = {"value": (name or "energy").replace(" ", "_")}
        return Listing(kept, "Results", {"value": unit} if unit else {}, older, called)

    find = in_own_loop(find_async, "find")

    def runs(
        self,
        limit: int | str = 50,
        *,
        parts: bool = False,
        withdrawn: bool = False,
        who: str = "",
        **only: Any,
    ) -> Listing[latest.RunLine]:
        """Return the latest runs, newest first.

        Args:
            limit: how many at most; a text is what they were about, see `only`.
            parts: list also those that are parts of others, such as the entries of a batch.
            withdrawn: list also those that somebody has withdrawn.
            who: asked for them: a part of the name of the account, its machine or the program
                between; `me` for this account.
            only: those alone `since` a time (`last week`, `2 days ago`, ISO 8601, a `datetime`),
                of a `workflow`, a `method`, a `basis` or a `solvent` (a part of its name), with a
                `tag` or a `formula`, or that `failed`; the same words as for `find`. Besides
                `about` (a part of what they were about) and a `status`.

        Raises:
            InputError: a time, a formula or a status is none.
            GraficoError: there is no such workflow.
        """
        if isinstance(limit, str):
            limit, only = 50, {"about": limit, **only}
        where = Narrowed(**only).of_runs(self.kg) + (latest.asked_by(who) if who else "")
        out = withdrawals(self.kg)
        found = latest.runs(self.kg.store, limit + len(out), parts=parts, where=where)
        found = [line for line in found if withdrawn or line.run not in out][:limit]
        return Listing(self._whole(found), "Runs", {"energy": "Eh"})

    def _whole(self, found: Sequence[latest.RunLine]) -> list[latest.RunLine]:
        """Return lines with all that is said of their runs elsewhere."""
        out = withdrawals(self.kg)
        rests = set(resting_on(self.kg, out)[0]) if out else set[str]()
        lines = latest.with_results(self.kg, found)
        old = outdated_runs(self.kg, [line.run for line in lines]) | runs_in_doubt(self.kg)
        numbers = numbered(self.kg.store, [line.run for line in lines])
        askers = latest.askers(self.kg.store, [line.run for line in lines])
        return [
            replace(
                line,
                outdated=line.run in old,
                number=numbers.get(line.run),
                withdrawn=line.run in out,
                rests=line.run in rests and line.run not in out,
                who=askers.get(line.run, ""),
            )
            for line in lines
        ]

    def iri(self, name: Handle = "last") -> str:
        """Return the IRI of a run or an object by what it is called.

        Args:
            name: `last`, `last~1`, a running number (`#17`), the beginning of an IRI's last part,
                a tag, an IRI, or what the only run was about, such as a molecule; or what `run`
                returned.

        Raises:
            NotFoundError: nothing is called so.
            InputError: several things are.
        """
        return self.iris(name)[0] if isinstance(name, str) else iri_of(name)

    def iris(self, *names: Handle) -> list[str]:
        """Return the IRIs of several, each called as for `iri`; `last 3` are the latest three."""
        words = [name if isinstance(name, str) else iri_of(name) for name in names]
        with suppress(NotFoundError):
            return all_meant(self.kg.store, words)
        if words[1:] and any(map(is_short, words)):
            return all_meant(self.kg.store, words)  # `last 3` means what only all of it says
        return [*dict.fromkeys(map(self._meant, words))]

    def _meant(self, word: str) -> str:
        try:
            return meant(self.kg.store, word)
        except NotFoundError as error:
            if is_name(word) or not word.strip():
                raise
            none = error
        return self.wait_for(lambda: only_run_about(self, word, none))

    def show(self, iri: str = "last") -> inspection.Portrait:
        """Return one object and its neighbours, with what its domain says first of it."""
        from workflows.show.object_blocks import heads
        from workflows.show.run_blocks import read_run
        from workflows.show.units import fact_in
        from workflows.show.where import asked_for

        from ..views.text import fact_text

        portrait = inspection.show(self.kg.store, self.iri(iri))
        with suppress(GraficoError):  # what is damaged, or of a strange class, is shown as it is
            model = self.kg.pull(GraphModel, portrait.iri)
            facts = [
                *heads(model),
                *(asked_for(self.kg, model.iri) if isinstance(model, Run) else ()),
            ]
            gone = why_withdrawn(self.kg, [portrait.iri])
            portrait = replace(portrait, note=gone or portrait.note)
            facts = [fact_in(fact, self.settings.energy_unit) for fact in facts]
            said = [(f.label.strip(), fact_text(f)) for f in facts]
            if isinstance(model, Run):
                ran = read_run(self.kg, model.iri)
                end = ": ".join(filter(None, (ran.status or "it has not ended", ran.message)))
                when = f"{model.started:%Y-%m-%d %H:%M} UTC"
                said += [("asked", f"{model.goal}, {when}"), ("status", end)]
                known = workflows()
                owner = known.action_of(model.graph)
                if model.graph not in {*known, *readers()} and owner is None:
                    said.append(("workflow", f"{model.graph}, which is not installed here"))
            if gone:
                said.insert(0, ("not to be relied upon", gone))
            return replace(portrait, headline=said)
        return portrait

    def blocks(self, iri: str) -> Sections:
        """Return what is shown of a run, or of any other object, as blocks."""
        from workflows.batch.result import BatchResult
        from workflows.show.object_blocks import blocks_of
        from workflows.show.run_blocks import read_run, run_blocks

        model = self.kg.pull(GraphModel, self.iri(iri))
        if isinstance(model, Run | Requested):
            if (batch := BatchResult.stored(self.kg, model.iri)) is not None:
                return Sections(batch.shown_sections())
            return Sections(run_blocks(read_run(self.kg, model.iri)))
        return Sections((blocks_of(model),))

    def result(self, name: Handle = "last") -> DisplayedRun:
        """Return what a stored run came to, with its numbers, tables and geometry.

        Nothing is computed; `resume` goes on with a run that did not reach its goal.

        Args:
            name: what the run is called: `last`, `#17`, a tag, an IRI; or a file that was read.

        Raises:
            NotFoundError: nothing is called so.
        """
        from workflows.batch.result import BatchResult

        iri = self.iri(name)
        return BatchResult.stored(self.kg, iri) or StoredRun.of(self.kg, iri)

    def read(self, *files: str | Path) -> DisplayedRun | list[DisplayedRun]:
        """Read outputs of other programs into the store, and return what is in them.

        It is what the command `import` does. Doing it again changes nothing.

        Args:
            files: of Gaussian, ORCA, Psi4, xtb and others; or folders of them.

        Returns:
            What a job came to; several jobs in a list.

        Raises:
            InputError: one of them is no such file.
        """
        found = list(read_files(self.kg, [str(one) for one in files], lambda _: None))
        for one in found:
            if one.fate in ("refused", "not known"):
                raise refusal_of(one)
        runs = [StoredRun.of(self.kg, one.run) for one in found if one.run]
        return runs[0] if len(runs) == 1 else [*runs]

    def report(self, *runs: Handle | Path, output: str | Path = "") -> str:
        """Return an HTML report on runs: what `run` returned, or what they are called.

        Args:
            runs: which; the last if none. A path, or a text that ends in `.html`, is the output.
            output: a file to write it into, in the place of what stands there.

        Raises:
            NotFoundError: nothing is called so.
            InputError: no file can stand there.
        """
        from ..views.report import report

        named, files = list[Handle](), [output] if output else []
        for one in runs:
            is_file = isinstance(one, Path) or (isinstance(one, str) and one.endswith(PAGES))
            (files if is_file else named).append(cast("Any", one))
        page = report(self.kg, self.iris(*(named or ("last",))), self.settings.energy_unit)
        for place in files:
            write_file(Path(place), page)
        return page

    def export(
        self,
        output: str | Path,
        *objects: Handle,
        overwrite: bool = False,
        author: str = "",
        licence: str = "",
        anonymous: bool = False,
    ) -> Exported:
        """Write runs or other objects, with all that they rest on, into one file (`.zip`).

        Args:
            output: where to write it.
            objects: what `run` returned, other objects, or their IRIs.
            overwrite: replace the file if it exists.
            author: who publishes it, for archives.
            licence: its licence, for archives.
            anonymous: leave out who asked, agreed, tagged or withdrew.

        Raises:
            NotFoundError: one of them is not stored.
            InputError: nothing is named, or the file cannot be written there.
        """
        from ogm.keeping.bundle import export_bundle
        from workflows.engine.request.endings import check_ending

        check_ending(str(output), (".zip",))
        roots = self.iris(*objects)
        return export_bundle(
            self.kg,
            roots,
            Path(output),
            overwrite=overwrite,
            author=author,
            licence=licence,
            names=not anonymous,
        )
