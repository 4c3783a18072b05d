"""The planner of the evals with a question of the tests: which of two molecules lies lower."""

from __future__ import annotations

import re

from evals.planner import Bench, energy, planner


def compare(bench: Bench) -> str:
    """Say which of two molecules lies lower."""
    plain = bench.question.lower()
    names = [one for one in re.findall(r"[a-z]+", plain) if one in ("water", "ammonia")]
    both = bench.compute(sorted(dict.fromkeys(names)))
    bench.all()
    (first, one), (second, two) = both.items()
    apart = bench.sums("hartree", "kcal/mol", f"{energy(one)} - {energy(two)}")
    bench.all()
    return (
        f"{first}: {energy(one):.6f} Eh ({one['run']})\n{second}: {energy(two):.6f} Eh "
        f"({two['run']})\nThey lie {abs(apart[0]):.2f} kcal/mol apart."
    )


stand_in = planner(compare, "argument")
