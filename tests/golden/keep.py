"""``python -m tests.golden.keep``: add what is new to the files of this folder.

What stands there already is never changed: stores and scripts of people hold it.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

FOLDER = Path(__file__).parent


def kept(name: str) -> Any:
    """Return what a file of this folder holds."""
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def keep(name: str, content: Any) -> None:
    """Write a file of this folder."""
    text = json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True)
    (FOLDER / f"{name}.json").write_text(text + "\n", "utf-8")


def joined(old: Any, new: Any) -> Any:
    """Return what was kept, and what is new beside it."""
    if isinstance(old, list) and isinstance(new, list):
        there, here = cast("list[Any]", old), cast("list[Any]", new)
        if all(isinstance(one, str) for one in (*there, *here)):
            return sorted({*there, *here})
        pairs = zip(there, here, strict=False)  # shapes of what stands in a list
        return [joined(*pair) for pair in pairs] + there[len(here) :]
    if not isinstance(old, dict) or not isinstance(new, Mapping):
        return old
    before, now = cast("dict[str, Any]", old), cast("Mapping[str, Any]", new)
    return {key: joined(before.get(key, now.get(key)), now.get(key)) for key in {**before, **now}}


def missing(old: Any, new: Any, place: str = "") -> list[str]:
    """Return what of the old is not in the new: keys that went, values that changed."""
    if isinstance(old, dict):
        lost: list[str] = []
        for key, value in cast("dict[str, Any]", old).items():
            here = f"{place} / {key}" if place else key
            if not isinstance(new, dict) or key not in new:
                lost.append(f"{here}: is gone")
            else:
                lost += missing(value, new[key], here)
        return lost
    if isinstance(old, list):
        gone = [one for one in cast("list[Any]", old) if one not in new]
        return [f"{place}: {one} is gone" for one in gone]
    return [] if old == new else [f"{place}: was {old}, is {new}"]


def shapes(folder: Path) -> dict[str, Any]:
    """Return the shapes of what commands say of the golden store, restored in a folder."""
    from grafico import Grafico
    from ogm.keeping import restore
    from tests.golden.answers import answers

    with Grafico(folder / "store") as session:
        restore(session.kg, FOLDER / "stored" / "second.zip")
    with contextlib.chdir(folder):
        return answers(folder / "store")


def main() -> None:
    """Bring the files up to date."""
    from tests.golden.asked import names
    from tests.golden.doors import imports, options
    from tests.golden.vocabulary import words

    with tempfile.TemporaryDirectory() as folder:
        files = {
            "names": names(),
            "vocabulary": words(),
            "doors": {"imports": imports(), "options": options()},
            "answers": shapes(Path(folder)),
        }
    for file, today in files.items():
        exists = (FOLDER / f"{file}.json").exists()
        keep(file, joined(kept(file), today) if exists else today)


if __name__ == "__main__":
    main()
