"""What a kind of subject says about sources of many: how they are split, and how each is read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ogm import GraphModel
from triplestore.errors import InputError
from workflows.text.names import plain

from .form import Form


@dataclass(frozen=True)
class Raw:
    """One record of a source, as it stands there.

    Attributes:
        place: where, such as `line 17`.
        text: what says which subject it is.
        name: what it is called there, if it is.
        columns: what is said of it besides.
        heading: under which the text stands, in plain spelling, where it does.
        suffix: of the file that the text would be; empty where it is what a person would type.
        problem: why it cannot be read, where that is clear already.
        remarks: what was made of it that a person should know.
    """

    place: str
    text: str
    name: str = ""
    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    heading: str = ""
    suffix: str = ""
    problem: str = ""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Record:
    """A subject that was read from a record of a source, or why it could not be.

    Attributes:
        raw: the record.
        given: the text that says which subject it is, where `model` does not.
        model: the subject, where the record says all of it.
        size: how large it is in a measure of its kind.
        canonical: a text that is the same for the same subject, however it is given, if known.
        name: what it is called, if not as in the record.
        columns: what was read of it besides.
        arguments: with which it is computed whatever is asked, such as its charge.
        remarks: what was made of it that a person should know.
        problem: why it cannot be read; empty where it can.
    """

    raw: Raw
    given: str = ""
    model: GraphModel | None = None
    size: int = 0
    canonical: str = ""
    name: str = ""
    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    remarks: tuple[str, ...] = ()
    problem: str = ""


class Library(ABC):
    """How many subjects of a kind are read from one source.

    Attributes:
        form: what can be said about those that are not as they should be.
        suffixes: of files that hold several; all can be compressed (`.gz`).
        columns: headings under which a table says what is meant, the best first, in plain spelling.
        fields: fields of a form that columns say of each entry, with the other headings under which
            they stand, in plain spelling.
    """

    form: ClassVar[type[Form]] = Form
    suffixes: ClassVar[tuple[str, ...]] = ()
    columns: ClassVar[tuple[str, ...]] = ()
    fields: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    def field_of(self, heading: str) -> str:
        """Return the field that a column says, by its heading; empty for none."""
        name = plain(heading)
        return next((one for one, also in self.fields.items() if name in (one, *also)), "")

    def headings(self, raw: Raw) -> Iterable[str]:
        """Return the headings under which something is said of a record."""
        return raw.columns

    def told(self, raw: Raw) -> Mapping[str, Any]:
        """Return fields of the form of a subject that the source says of a record.

        Raises:
            InputError: a column says what it cannot.
        """
        del raw
        return {}

    @abstractmethod
    def split(self, lines: Iterator[str], suffix: str) -> Iterator[Raw]:
        """Iterate over the records of a file, without reading more of it than is needed.

        Args:
            lines: of the file, each with its end; bytes that are no UTF-8 are surrogates.
            suffix: of the file.
        """

    @abstractmethod
    def read(self, raws: Sequence[Raw], said: Form) -> list[Record]:
        """Return what records mean, each at least once; this is called in a process of its own.

        Args:
            raws: the records.
            said: of `form`, filled in.
        """

    def given(self, raw: Raw) -> object:
        """Return what a record says, as a subject takes it: text, or an object of its own.

        Raises:
            InputError: it cannot be read.
        """
        return raw.text

    def written(self, model: GraphModel, name: str, values: Mapping[str, object]) -> str:
        """Return a record of a file that holds several, with what is known of the subject.

        Args:
            model: the subject.
            name: what it is called.
            values: what is known of it, by name.

        Raises:
            InputError: no such file is written, or the subject cannot stand in it.
        """
        raise InputError("a file of many was asked for", "none is written of these", "write CSV")

    def suffix_of(self, head: str) -> str:
        """Return the suffix of a source without a name, by its beginning; empty where not known."""
        return ""


class TextLibrary(Library):
    """Subjects that a text says, a line each; every text is read when it is computed."""

    def split(self, lines: Iterator[str], suffix: str) -> Iterator[Raw]:
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if text and not text.startswith("#"):
                yield Raw(f"line {number}", text)

    def read(self, raws: Sequence[Raw], said: Form) -> list[Record]:
        return [
            Record(raw, given=text, canonical=text, name=raw.name or text)
            for raw in raws
            for text in [" ".join(raw.text.split())]
        ]

    def suffix_of(self, head: str) -> str:
        return self.suffixes[0]
