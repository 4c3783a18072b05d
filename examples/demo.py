"""Two molecules, their frequencies, one query over both and a report.

The level is HF/def2-SVP, so that the second derivatives of acetic acid take seconds; at
B3LYP/def2-SVP they take two minutes on one core.
"""

import sys
import time
from pathlib import Path

from grafico import Grafico
from grafico.cli.tables import answer, summary
from grafico.views.progress import Progress

HERE = Path(__file__).resolve().parent
OUTPUT = HERE.parent / "demo"

QUERY = """
SELECT ?formula ?energy_Eh ?gibbs_Eh ?point_group ?how_computed
WHERE {
  ?result a g:FrequencyAnalysis ;
          g:atoms/g:formula ?formula ;
          g:energy ?energy_Eh ;
          g:level [ g:method ?method ; g:basis ?basis ] .
  ?heat g:frequencies ?result ; g:gibbsEnergy ?gibbs_Eh ; g:pointGroup ?point_group .
  BIND(CONCAT(?method, "/", ?basis) AS ?how_computed)
}
ORDER BY ?energy_Eh
"""


def main() -> None:
    started = time.monotonic()
    with Progress() as progress, Grafico(OUTPUT / "store", listener=progress) as grafico:
        runs: list[str] = []
        for molecule in ("CC(=O)O", HERE / "water.xyz"):
            result = grafico.run(molecule, task="frequencies", method="HF", basis="def2-SVP")
            summary(result)
            runs.append(result.run)
        print("Both results, asked of the knowledge graph:\n" + QUERY)
        answer(grafico.query(QUERY), "table")
        report = OUTPUT / "report.html"
        report.write_text(grafico.report(*runs), encoding="utf-8")
    print(f"\n{time.monotonic() - started:.1f} s. The report: {report}")
    if not result.reused:
        print("Everything is remembered: the same command again takes seconds.", file=sys.stderr)


if __name__ == "__main__":
    main()
