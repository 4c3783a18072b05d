"""Which molecules have a part, in a process of its own: some patterns take for ever.

`python -m workflows.molecule.matching` reads a request from its standard input and writes the
answer as JSON.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from triplestore.errors import InputError, ResourceError, TimeLimitError

LONGEST = 500
"""Characters of a pattern."""


def matching(pattern: str, smiles: Sequence[str], seconds: float) -> list[bool]:
    """Tell for each molecule whether it has a part.

    Args:
        pattern: SMARTS, or a SMILES, whose atoms then are matched as they are written.
        smiles: the molecules.
        seconds: how long it may take.

    Raises:
        InputError: the pattern cannot be read.
        TimeLimitError: it took longer.
        ResourceError: the process ended by itself.
    """
    asked = f"molecules with the part {pattern[:80]!r} were to be found"
    if len(pattern) > LONGEST:
        found = f"it has {len(pattern)} characters, and the limit is {LONGEST}"
        raise InputError(asked, found, "give a smaller part")
    request = {"pattern": pattern, "smiles": list(smiles), "seconds": seconds}
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-W", "ignore", "-m", __name__], input=json.dumps(request),
            env={"PYTHONPATH": str(Path(__file__).parents[2]), "LC_ALL": "C.UTF-8"},
            capture_output=True, text=True, timeout=seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        advice = "give a part that says more of its atoms and bonds"
        raise TimeLimitError(asked, f"it took longer than {seconds:g} s", advice) from error
    if done.returncode:
        raise ResourceError(asked, f"the search ended with status {done.returncode}", "ask again")
    said = cast("dict[str, Any]", json.loads(done.stdout))
    if "fault" in said:
        raise InputError(asked, str(said["fault"]), "write it as SMARTS or SMILES")
    return cast("list[bool]", said["found"])


def _main() -> None:
    from rdkit import Chem, rdBase

    request = json.load(sys.stdin)
    limit = int(request["seconds"]) + 1  # it ends too when nobody waits for it any more
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    with rdBase.CaptureErrorLog() as log:
        part: Any = Chem.MolFromSmarts(request["pattern"])
    if part is None or not part.GetNumAtoms():
        said = re.sub(r"^\[[\d:]+\] ", "", log.messages.strip().partition("\n")[0])
        print(json.dumps({"fault": f"that is no SMARTS: {said[:200] or 'it is empty'}"}))
        return
    with rdBase.BlockLogs():
        mols: list[Any] = [Chem.MolFromSmiles(smiles) for smiles in request["smiles"]]
        found = [mol is not None and mol.HasSubstructMatch(part) for mol in mols]
    print(json.dumps({"found": found}))


if __name__ == "__main__":
    _main()
