"""Which molecules have a part. Some patterns take for ever: call it by `isolated`."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from triplestore.errors import InputError

LONGEST = 500
"""Characters of a pattern."""


def matching(pattern: str, smiles: Sequence[str]) -> list[bool]:
    """Tell for each molecule whether it has a part.

    Args:
        pattern: SMARTS, or a SMILES, whose atoms then are matched as they are written.
        smiles: the molecules.

    Raises:
        InputError: the pattern cannot be read.
    """
    from rdkit import Chem, rdBase

    part = _read(pattern)
    with rdBase.BlockLogs():
        mols: list[Any] = [Chem.MolFromSmiles(one) for one in smiles]
        return [mol is not None and bool(mol.HasSubstructMatch(part)) for mol in mols]


def _read(pattern: str) -> Any:
    from rdkit import Chem, rdBase

    asked = f"cannot find molecules with the part {pattern[:80]!r}"
    if len(pattern) > LONGEST:
        problem = f"it has {len(pattern)} characters, and the limit is {LONGEST}"
        raise InputError(asked, problem, "give a smaller part")
    with rdBase.CaptureErrorLog() as log:
        part: Any = Chem.MolFromSmarts(pattern)
    if part is None or not part.GetNumAtoms():
        said = re.sub(r"^\[[\d:]+\] ", "", log.messages.strip().partition("\n")[0])
        problem = f"that is no SMARTS: {said[:200] or 'it is empty'}"
        raise InputError(asked, problem, "write it as SMARTS or SMILES")
    return part
