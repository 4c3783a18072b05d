"""A stand-in for CREST, which is no part of the test machine: it is NOT CREST and searches nothing.

It takes CREST's command line, relaxes geometries that stand in a file beside it with the real
program xtb, and writes `crest_conformers.xyz` as CREST does: blocks of XYZ of lowest energy first,
each with its energy in Eh in the line of comment. What it is to do instead of that stands in a file
`behaviour` beside it.
"""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

HOME = Path(__file__).resolve().parent
BANNER = """
       ==============================================
       |                 C R E S T                  |
       |  Conformer-Rotamer Ensemble Sampling Tool  |
       ==============================================
       Version 2.12,   Thu 19. Mai 16:32:32 CEST 2022
  Using the xTB program. Compatible with xTB version 6.4.0
"""


def main() -> int:
    """Do as CREST would, as far as a test asks for it."""
    words = sys.argv[1:]
    print(BANNER, flush=True)
    if "--version" in words:
        return 0
    (HOME / "seen.json").write_text(json.dumps({"words": words, "variables": dict(os.environ)}))
    behaviour = (HOME / "behaviour").read_text().strip()
    if behaviour == "reacts":
        print(" *WARNING* Change in topology detected!")
        print(" Topology change compared to the input affects atoms:\n 1(C) 5(O)")
        print(" A topology change was seen in the initial geometry optimization.")
        print("ERROR STOP abnormal termination of crest", file=sys.stderr)
        return 1
    if behaviour == "fails":
        print("  Initial geometry optimization failed!\n  Please check your input.")
        return 1
    if behaviour == "sleeps":
        time.sleep(600)
    if behaviour == "killed":
        os.kill(os.getpid(), 9)
    method = {"--gfn1": ("--gfn", "1"), "--gfn2": ("--gfn", "2"), "--gfnff": ("--gfnff",)}
    options = next(method[word] for word in words if word in method)
    around = words[words.index("--alpb") : words.index("--alpb") + 2] if "--alpb" in words else ()
    blocks = []
    for start in sorted(HOME.glob("start*.xyz")):
        subprocess.run(
            ["xtb", start, *options, *around, "--opt", "--chrg", words[words.index("--chrg") + 1]],
            check=True,
            capture_output=True,
        )
        lines = Path("xtbopt.xyz").read_text().splitlines()
        energy = float(re.findall(r"-\d+\.\d+", lines[1])[0])
        blocks.append((energy, [f"  {lines[0].strip()}", f"        {energy:.8f}", *lines[2:]]))
    text = [line for _, lines in sorted(blocks) for line in lines]
    Path("crest_conformers.xyz").write_text("\n".join(text) + "\n")
    print(" CREST terminated normally.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
