"""What `fsck` says of molecules: those whose spin would be read otherwise today."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ogm import KnowledgeGraph
from ogm.terms import with_prefixes
from triplestore import Table
from workflows.engine.execution.resting import resting_on
from workflows.registry import workflows
from workflows.registry.notices import Notice, notices
from workflows.text.words import count

from .spin.recheck import spin_of

READ = """
    SELECT DISTINCT ?atoms ?smiles ?spin {
        { ?made a g:Embedding ; g:atoms ?atoms ; g:orderedSmiles ?smiles . }
        UNION { ?told a g:SpinOrigin ; g:spinOf ?atoms ; g:spinSmiles ?smiles . }
        ?atoms g:multiplicity ?spin .
        FILTER(CONTAINS(?smiles, "[") || STRLEN(?smiles) < 8)
    } ORDER BY ?atoms"""
"""Structures whose spin was read of their bonds. Left out are those without an atom in brackets
that are larger than what the table corrects (O=O): their electrons are paired as written."""

PLAIN = re.compile(
    r"\[N\+\]\(=O\)\[O-\]|O=\[N\+\]\(?\[O-\]|"
    r"\[(?:[A-Z][a-z]?@{1,2}H?|nH|NH3\+|[OS]-|F-|Cl-|Br-|I-|Li\+|Na\+|K\+)\]"
)
"""Atoms in brackets without free electrons: most of those there are, so that RDKit is not asked."""

NAMED = 3
"""Results and runs that are named; all are counted."""


@notices("spin", "species whose spin would be read otherwise today")
def misread(kg: KnowledgeGraph) -> Iterator[Notice]:
    """Yield the structures whose spin was read, and would be read otherwise today."""
    answer = kg.store.query(with_prefixes(READ))
    assert isinstance(answer, Table)
    for row in answer.rows:
        atoms, smiles, former = (str(getattr(term, "value", term)) for term in row)
        if "[" in smiles and "[" not in PLAIN.sub("", smiles):
            continue
        spin = spin_of(smiles)
        if spin is None or spin.multiplicity == int(former):
            continue
        because = f" ({spin.reason})" if spin.reason else ""
        found = resting_on(kg, [atoms])
        runs = _that_took_it(kg, found.runs)
        yield Notice(
            atoms,
            f"multiplicity {former} was read of {smiles}; today it is "
            f"{spin.multiplicity}{because}{_rests(found.results, runs)}",
            runs,
        )


def _that_took_it(kg: KnowledgeGraph, runs: Sequence[str]) -> tuple[str, ...]:
    """Return the runs without those of workflows that take a molecule of any spin."""
    named = " ".join(f"<{run}>" for run in runs)
    answer = kg.store.query(
        with_prefixes(f"""
        SELECT ?run ?graph ?around {{ VALUES ?run {{ {named} }} ?run g:graph ?graph .
            OPTIONAL {{ ?run g:parent/g:graph ?around }} }} ORDER BY ?run""")
    )
    assert isinstance(answer, Table)
    rows = [[str(getattr(term, "value", term or "")) for term in row] for row in answer.rows]
    any_spin = {
        graph
        for graph in {name for _, *names in rows for name in names}
        if graph in workflows() and getattr(workflows()[graph].whole.subject, "any_spin", False)
    }
    return tuple(run for run, *names in rows if not any_spin & {*names})


def _rests(results: Sequence[str], runs: Sequence[str]) -> str:
    """Return what rests on a structure, in words."""
    told = [
        f"{count(len(iris), word)} ({', '.join(iris[:NAMED])}{', …' * (len(iris) > NAMED)})"
        for iris, word in ((results, "result"), (runs, "run"))
        if iris
    ]
    return f"; on it rest {' and '.join(told)}" if told else "; nothing rests on it"
