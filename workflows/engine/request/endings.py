"""What a file is called says what is written into it; names that say something else are refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath

from triplestore.errors import InputError


def ending_of(file: str) -> str:
    """Return the ending of the name of a file, in lower case; of a name without one, the name.

    Of such a name that is up to what is no letter: `POSCAR_si` and `POSCAR2` are called `poscar`.
    """
    path = PurePath(file)
    return (path.suffix or re.split(r"[^A-Za-z]", path.name)[0] or path.name).lower()


def check_ending(
    file: str, endings: Iterable[str], unwritten: Mapping[str, tuple[str, str]] | None = None
) -> str:
    """Return the ending of a file that is to be written, in lower case.

    Args:
        file: its name.
        endings: those of what can be written, such as `.xyz`; whole names of files that have
            none, such as `poscar`.
        unwritten: endings that people ask for, each with why there is none and what to do.

    Raises:
        InputError: it has none of them.
    """
    known, found = tuple(endings), ending_of(file)
    if found in known:
        return found
    if unwritten and found in unwritten:
        raise InputError(f"cannot write {file}", *unwritten[found])
    dotted = found.startswith(".")
    said = f"nothing is written as {found}" if dotted else "its name has no ending"
    if len(known) == 1:
        said = f"what is written is a {known[0]} file"
    raise InputError(
        f"cannot write {file}",
        said,
        f"name a file that ends with {', '.join(one for one in known if one[0] == '.')}",
    )
