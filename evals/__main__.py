"""``python -m evals``: run the published cases and print the report."""

from __future__ import annotations

import asyncio
import sys

from grafico import Grafico

from .published import Question, answer, dataset


async def evaluate() -> bool:
    """Run every case in a store that is forgotten; tell whether all pass."""
    session = Grafico("memory:")

    async def task(question: Question) -> float:
        return await answer(question, session)

    try:
        report = await dataset().evaluate(task, max_concurrency=1, progress=sys.stderr.isatty())
    finally:
        session.close()
    report.print(include_input=False, include_output=True, include_expected_output=True,
                 include_metadata=True, include_reasons=True)  # fmt: skip
    return not report.failures and all(
        result.value for case in report.cases for result in case.assertions.values()
    )


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(evaluate()) else 1)
