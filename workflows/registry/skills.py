"""`Skill`: a recipe of the field in words, for whoever plans: when, the call, what to look at.

Skills are folders with a file `SKILL.md`, as the open format Agent Skills has them: front matter in
YAML with a name and a description, then Markdown. Each package that brings workflows may have some
in its folder `skills`; a person's own lie in a folder that the settings name. They are read, and
nothing in them is run: whatever else lies in a folder is left alone.
"""

from __future__ import annotations

import functools
import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from triplestore.errors import InputError, NotFoundError
from workflows.registry.packages import GROUP, declaring
from workflows.text.names import nearest, plain
from workflows.text.safe_text import printable

FILE = "SKILL.md"

FOLDER = "skills"
"""Of a package, where its skills lie."""

MOST_BYTES = 32_000
"""Of a file: a recipe is read whole by a model."""

MOST_SKILLS = 100
"""Of one folder."""

LONGEST_NAME, LONGEST_DESCRIPTION = 64, 1024
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
FRONT = re.compile(r"---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Skill:
    """A recipe.

    Attributes:
        name: by which it is asked for: small letters, digits and hyphens, as its folder is called.
        description: what it is for and when, in a sentence or two.
        body: the recipe, in Markdown.
        text: the whole file.
        origin: the folder of a person, or the package that brings it.
    """

    name: str
    description: str
    body: str
    text: str
    origin: str


@dataclass(frozen=True)
class Skills:
    """The skills that there are.

    Attributes:
        found: by name, in the order of names.
        refused: what cannot be one, by its place, each with the reason.
    """

    found: Mapping[str, Skill]
    refused: Mapping[str, str] = field(default_factory=dict[str, str])

    def named(self, name: str) -> Skill:
        """Return the skill of a name.

        Raises:
            NotFoundError: there is none.
        """
        names = {plain(one): one for one in self.found}
        if (known := names.get(plain(name))) is not None:
            return self.found[known]
        near = nearest(plain(name), names, 1)
        raise NotFoundError(
            f"the skill {name!r} was asked for",
            "there is none of that name",
            (f"did you mean {near[0]}? " if near else "") + f"there are: {', '.join(self.found)}",
        )


def skills(own: str | Path = "") -> Skills:
    """Return the skills of what is installed, and a person's own.

    One that cannot be read, or that has the name of another, is refused, and holds up none.

    Args:
        own: the person's folder; empty for none.
    """
    found, refused = dict[str, Skill](), dict[str, str]()
    for folder, origin in (*_installed(), *([(Path(own).expanduser(), str(own))] if own else ())):
        for place, one in _read_all(folder, origin):
            if isinstance(one, InputError):
                refused[place] = f"{one.found}; {one.advice}"
            elif (other := found.get(one.name)) is not None:
                refused[place] = f"the name {one.name} is taken by one of {other.origin}"
            else:
                found[one.name] = one
    return Skills(dict(sorted(found.items())), refused)


@functools.cache
def _installed() -> tuple[tuple[Path, str], ...]:
    """Return the folders of skills of what is installed, each with the package that has it."""
    return tuple(
        (folder, place)
        for place, module in declaring(GROUP)
        for home in getattr(module, "__path__", ())
        if (folder := Path(home) / FOLDER).is_dir()
    )


def _read_all(folder: Path, origin: str) -> Iterator[tuple[str, Skill | InputError]]:
    """Iterate over the places of a folder, each with the skill in it or why there is none."""
    try:
        with os.scandir(folder) as entries:
            places = sorted(
                one.name
                for one in entries
                if one.name[:1] not in "._" and (one.is_symlink() or one.is_dir())
            )
    except OSError as error:
        yield str(folder), _refusal(folder, f"it cannot be read: {error.strerror}", "name another")
        return
    for name in places[:MOST_SKILLS]:
        try:
            yield str(folder / name), read_skill(folder / name, origin)
        except InputError as error:
            yield str(folder / name), error
    if (left := len(places) - MOST_SKILLS) > 0:
        found = f"{left} of {len(places)} folders are left out"
        yield f"{folder}/…", _refusal(folder, found, f"keep {MOST_SKILLS} at most")


def read_skill(folder: Path, origin: str = "") -> Skill:
    """Return the skill in a folder.

    Args:
        folder: which has the file `SKILL.md`.
        origin: where it comes from; the folder's own place if empty.

    Raises:
        InputError: there is none, it leads out of the folder, is too long, or is not in the format.
    """

    def refuse(found: str, advice: str) -> InputError:
        return _refusal(folder, found, advice)

    if folder.is_symlink() or (folder / FILE).is_symlink():
        raise refuse("it is a link", "put the file itself there")
    try:  # opened once, without waiting for a writer, and looked at as it is open
        handle = os.open(folder / FILE, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError as error:
        raise refuse(f"{FILE} cannot be read: {error.strerror}", "put one there") from error
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise refuse(f"{FILE} is no regular file", "put a text there")
        with open(handle, "rb", closefd=False) as file:
            content = file.read(MOST_BYTES + 1)
    finally:
        os.close(handle)
    if len(content) > MOST_BYTES:
        raise refuse(f"{FILE} has more than {MOST_BYTES} bytes", "say it in fewer words")
    try:
        text = content.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise refuse(f"{FILE} is not UTF-8", "convert it") from error
    said = _front(text, refuse)
    name, description = (said.get(key) for key in ("name", "description"))
    if not isinstance(name, str) or not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        found = f"its name is {str(name)[:LONGEST_NAME]!r}"
        raise refuse(found, f"take small letters, digits and hyphens, {LONGEST_NAME} at most")
    if name != folder.name:
        raise refuse(f"its name is {name!r}, and that of the folder is not", "call both the same")
    if not isinstance(description, str) or not description.strip():
        raise refuse("it has no description", "say in a sentence what it is for, and when")
    if len(description) > LONGEST_DESCRIPTION:
        raise refuse(
            f"its description has {len(description)} letters",
            f"say it in {LONGEST_DESCRIPTION} at most",
        )
    body = printable(FRONT.sub("", text, count=1)).strip()
    if not body:
        raise refuse("nothing follows its front matter", "write the recipe there")
    told = " ".join(printable(description).split())
    return Skill(name, told, body, printable(text), origin or str(folder.parent))


def _front(text: str, refuse: Any) -> dict[str, Any]:
    """Return the front matter.

    Raises:
        InputError: there is none, or it is no mapping in YAML.
    """
    from ruamel.yaml.error import YAMLError

    match = FRONT.match(text)
    if match is None:
        raise refuse("it does not begin with front matter", "begin with --- name … description ---")
    try:
        said = _loaded(match[1])
    except (YAMLError, ValueError, RecursionError) as error:
        found = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise refuse(f"its front matter is no YAML: {found}", "mend it") from error
    if not isinstance(said, dict):
        raise refuse("its front matter is no mapping", "write name: … and description: …")
    return cast("dict[str, Any]", said)


@functools.lru_cache(256)
def _loaded(text: str) -> Any:
    """Read YAML; the same text is read once, as tools are made for each request."""
    from ruamel.yaml import YAML

    return YAML(typ="safe", pure=True).load(text)  # pyright: ignore[reportUnknownMemberType]


def _refusal(folder: Path, found: str, advice: str) -> InputError:
    return InputError(f"the skill in {folder} was asked for", found, advice)
