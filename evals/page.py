"""The outcomes as one HTML page that loads nothing: blocks and charts are those of all reports."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import quantiles

from grafico.views.html import Article
from grafico.views.html import page as html
from ogm.keeping.atomic_file import new_file
from workflows.show.blocks import Axis, Chart, Column, Fact, Note, Section, Series, Table, Value

from .rates import FEW, Task, by_task, criteria, rates, tasks, with_interval
from .results import Results, checks, compared, regressions, scores
from .spending import ROLES, SOURCES

FOOTER = "Everything on this page was written when it was made; it loads nothing."

SHARES = ("carryover", "recovery", "window")
"""Parts of one, shown in per cent."""


def write(file: Path, results: Results, earlier: Results | None = None) -> None:
    """Write the page.

    Args:
        file: where.
        results: what is shown.
        earlier: what it is set beside, if anything.

    Raises:
        GraficoError: no file can stand there.
    """
    with new_file(file, overwrite=True, private=False) as new:
        new.write(text(results, earlier).encode())


def text(results: Results, earlier: Results | None = None) -> str:
    """Return the page."""
    articles = [_article(name, tasks(outcomes)) for name, outcomes in results.shown.items()]
    articles.sort(key=lambda one: one.title in results.sets)  # all exercises first
    if earlier:
        articles.insert(0, _beside(results, earlier))
    held = results.experiment
    lead = [f"Evals of {held.model}", f"profile {held.profile}, Grafico {held.release}"]
    pinned = Section(
        "what was held fixed",
        tuple(Fact(name, str(value)) for name, value in asdict(held).items() if name != "settings")
        + tuple(Fact(name, str(value)) for name, value in held.settings.items()),
    )
    articles.append(Article("settings", Section("", ()), (pinned,)))
    return html(articles, f"Evals of {held.model} (Grafico)", lead, None, "", FOOTER)


def _article(name: str, found: Sequence[Task]) -> Article:
    every = [run for one in found for run in one.runs]
    facts = [Fact("tasks", len(found), headline=True), Fact("runs", len(every), headline=True)]
    facts += [
        Fact(criterion, with_interval(by_task(found, criterion, "pass@k", 1)), headline=True)
        for criterion in criteria(every)
    ]
    facts += [Fact(score, value, digits=".3f") for score, value in scores(found).items()]
    facts.append(Fact("broken", sum(bool(run.error) for run in every)))
    charts = (*_radars(found), *_rates(found), *_groups(found), *_costs(found))
    sections = [Section("how often", charts)] if charts else []
    sections += [Section("tasks", (_tasks(found),)), Section("spread", tuple(_spread(found)))]
    sections.append(Section("tools", tuple(_tools(found))))
    shares = tuple(
        (name, trials, successes, with_interval(values))
        for name, (trials, successes, values) in checks(found).items()
    )
    columns = tuple(map(Column, ("check", "trials", "successes", "share over tasks")))
    sections.append(Section("checks", (Table("checks", columns, shares),) if shares else ()))
    reasons = [Note(f"{run.case}: {run.why}") for run in every if run.why]
    sections.append(Section("why not", tuple(reasons)))
    shown = tuple(one for one in sections if one.blocks)
    note = "intervals are over tasks, 95 %"
    note += "; too few tasks for decimals" if len(found) < FEW else ""
    return Article(name, Section("", tuple(facts)), shown, subtitle=note)


def _radars(found: Sequence[Task]) -> Iterator[Chart]:
    """Yield a polygon for each score of the tasks of a level: 1 is the rim, 0 the middle."""
    for level in sorted({one.level for one in found}):
        tasks = [one for one in found if one.level == level]
        if level and len(tasks) > 2:
            yield radar(
                f"level {level}",
                [one.topic for one in tasks],
                {name: [one.score(name) or 0.0 for one in tasks] for name in scores(found)},
            )


def radar(title: str, spokes: Sequence[str], values: Mapping[str, Sequence[float]]) -> Chart:
    """Return values from 0 to 1 on spokes, each set of them a polygon."""
    turns = [math.tau * (0.25 - n / len(spokes)) for n in range(len(spokes))]

    def polygon(radii: Sequence[float], label: str, dashed: bool = False) -> Series:
        points = [
            (r * math.cos(turn), r * math.sin(turn)) for r, turn in zip(radii, turns, strict=True)
        ]
        x, y = zip(*points, points[0], strict=True)
        names = tuple(f"{n}: {r:.2f}" for n, r in zip(spokes, radii, strict=True))
        return Series(label, x, y, "line", (*names, names[0]), dashed=dashed)

    ones = [1.0] * len(spokes)
    rims = [polygon([share * one for one in ones], "0.5 and 1", True) for share in (0.5, 1)]
    lines = [polygon(radii, name) for name, radii in values.items()]
    tips: dict[float, list[str]] = {}
    for turn, name in sorted(zip(turns, spokes, strict=True), key=lambda one: -math.sin(one[0])):
        tips.setdefault(round(math.cos(turn), 6), []).append(name)
    axis = Axis("from above to below", ticks=tuple((x, " / ".join(tips[x])) for x in sorted(tips)))
    rim = Axis("", ticks=((-1.0, ""), (1.0, "")))
    note = f"clockwise from the top: {', '.join(spokes)}"
    return Chart(f"scores, {title}", axis, rim, (*rims, *lines), note=note)


def _spread(found: Sequence[Task]) -> Iterator[Table]:
    """Yield the quartiles of what runs cost, by topic and level, as box plots have them."""
    columns = tuple(map(Column, ("task", "of", "runs", "least", "Q1", "median", "Q3", "most")))
    rows: list[tuple[Value | None, ...]] = []
    for name in ("requests", "final_tokens", "window", "tokens/reasoning", "recovery", "carryover"):
        for one in found:
            each = sorted(run.metrics[name] for run in one.runs if name in run.metrics)
            if each:
                quarters = quantiles(each, n=4, method="inclusive") if each[1:] else each * 3
                of = name.rpartition("/")[2].replace("_", " ")
                rows.append((one.name, of, len(each), each[0], *quarters, each[-1]))
    if rows:
        yield Table("spread over runs", columns, tuple(rows), "spread", many=True)


def _rates(found: Sequence[Task]) -> Iterator[Chart]:
    for criterion in criteria([run for one in found for run in one.runs]):
        values = rates(found, criterion)
        if any(len(each) > 1 for each in values.values()):
            series = tuple(
                Series(rate, tuple(range(1, len(each) + 1)), tuple(100 * one for one in each))
                for rate, each in values.items()
            )
            share = Axis("tasks", "%", reach=100.0)
            yield Chart(f"pass@k and pass^k: {criterion}", Axis("k"), share, series)


def _groups(found: Sequence[Task]) -> Iterator[Chart]:
    """Yield the mean of each topic or level."""
    groups = list(dict.fromkeys(_group(one) for one in found))
    if len(groups) < 2:
        return
    values = {
        group: [100 * one.passes / len(one.runs) for one in found if _group(one) == group]
        for group in groups
    }
    places = {group: float(place) for place, group in enumerate(groups)}
    axis = Axis("topic", ticks=tuple((place, group) for group, place in places.items()))
    means = [sum(each) / len(each) for each in values.values()]
    series = (Series("mean over tasks", tuple(places.values()), tuple(means), "sticks"),)
    yield Chart("passed, by topic", axis, Axis("runs that passed", "%", reach=100.0), series)


def _group(one: Task) -> str:
    return f"{one.topic or one.cases}{f', level {one.level}' if one.level else ''}"


def _costs(found: Sequence[Task]) -> Iterator[Chart]:
    """Yield the tokens of each task by source and by role, and how requests are spread."""
    ticks = tuple((float(place), one.name) for place, one in enumerate(found))
    if any(one.mean("tokens") for one in found):
        for title, names in (("by source", SOURCES), ("by role", ROLES)):
            for prefix, unit in (("tokens", ""), ("USD", "USD")):
                series = tuple(
                    Series(name, tuple(place for place, _ in ticks), tuple(values), "points")
                    for name in names
                    if any(values := [one.mean(f"{prefix}/{name}") or 0.0 for one in found])
                )
                if series:
                    yield Chart(
                        f"{prefix} {title}", Axis("task", ticks=ticks), Axis(prefix, unit), series
                    )
    for name in ("requests", "final_tokens", "window"):
        points = [
            (float(place), run.metrics[name] * (100 if name in SHARES else 1), run.case)
            for place, one in enumerate(found)
            for run in one.runs
            if name in run.metrics
        ]
        if points:
            x, y, labels = zip(*points, strict=True)
            unit = "%" if name in SHARES else ""
            series = (Series("", x, y, "points", labels),)
            label = name.replace("_", " ")
            yield Chart(
                f"{label} of each run", Axis("task", ticks=ticks), Axis(label, unit), series
            )


COLUMNS = {
    "requests": Column("requests", digits=".1f"),
    "calls": Column("calls of tools", digits=".1f"),
    "tokens": Column("tokens", digits=".0f"),
    **{f"tokens/{name}": Column(name, digits=".0f", minor=True) for name in (*SOURCES, *ROLES)},
    "USD": Column("price, nothing cached", "USD", digits=".4f"),
    "USD_cached": Column("price as cached", "USD", digits=".4f"),
    "final_tokens": Column("tokens of the last request", digits=".0f"),
    "window": Column("of the context window", "%", digits=".1f"),
    "recovery": Column("recovery", "%", digits=".1f"),
    "carryover": Column("carryover", "%", digits=".1f"),
}


def _tasks(found: Sequence[Task]) -> Table:
    names = list(scores(found))
    costs = [name for name in COLUMNS if any(one.mean(name) is not None for one in found)]
    columns = (
        Column("task"),
        Column("topic"),
        Column("passed"),
        Column("of"),
        *(Column(name, digits=".3f") for name in names),
        *(COLUMNS[name] for name in costs),
        Column("duration", "s", digits=".1f"),
        Column("outcomes"),
    )
    rows = tuple(
        (
            one.name,
            _group(one),
            one.passes,
            len(one.runs),
            *(one.score(name) for name in names),
            *(_cost(one, name) for name in costs),
            sum(run.seconds for run in one.runs) / len(one.runs),
            ", ".join(dict.fromkeys(run.word for run in one.runs)),
        )
        for one in found
    )
    return Table("tasks", columns, rows, "tasks", many=True)


def _cost(one: Task, name: str) -> float | None:
    value = one.mean(name)
    return value if value is None or name not in SHARES else 100 * value


def _tools(found: Sequence[Task]) -> Iterator[Table]:
    every = [run.metrics for one in found for run in one.runs if not run.error]
    names = sorted({name.partition("/")[2] for one in every for name in one if "calls/" in name})
    rows = tuple(
        (name, *(sum(one.get(f"{of}/{name}", 0) for one in every) / len(every) for of in KINDS))
        for name in names
    )
    columns = (Column("tool"), *(Column(f"{of} a run", digits=".2f") for of in KINDS))
    if rows:
        yield Table("calls of tools, and requests that make them", columns, rows, "tools")


KINDS = ("calls", "requests")


def _beside(results: Results, earlier: Results) -> Article:
    rows: list[tuple[Value | None, ...]] = []
    for one, other, apart in regressions(results, earlier):
        word = "REGRESSION" if apart < 0 else "better" if apart > 0 else "same"
        before, now = (f"{each.passes} of {len(each.runs)}" for each in (other, one))
        costs = [each.mean(name) for name in ("tokens", "USD") for each in (other, one)]
        rows.append((one.cases, one.name, before, now, word, *costs))
    rows.sort(key=lambda row: ("REGRESSION", "better", "same").index(str(row[4])))
    heads = ("cases", "task", "before", "now", "which is", "tokens before", "tokens now")
    columns = (*map(Column, heads), Column("price before", "USD"), Column("price now", "USD"))
    table = Table("side by side", columns, tuple(rows), "beside", many=True)
    worse = sum(row[4] == "REGRESSION" for row in rows)
    said = tuple(Note(line) for line in compared(results, earlier) if "→" not in line)
    title = f"beside {earlier.experiment.model}, Grafico {earlier.experiment.release}"
    banner = (f"{worse} of {len(rows)} tasks pass less often than before.", "") if worse else None
    head = Section("", (Fact("regressions", worse, headline=True),))
    tone = "failed" if worse else "finished"
    return Article(
        title, head, (Section("", said), Section("", (table,))), tone=tone, banner=banner
    )
