"""How much a snippet may take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SandboxLimits:
    """The limits of one sandbox; all but `kept` and `warm_up` are of one snippet.

    Attributes:
        seconds: of wall time, unless the snippet is given less; and of processor time.
        memory: bytes of address space, of which the libraries take about half a gigabyte.
        disk: bytes of the working folder, which lies in memory, and again of `/tmp`.
        file_size: bytes of one file.
        files: files that are given back.
        output: bytes that are kept of what is printed, and again of warnings.
        code: characters of the snippet.
        requests: to the knowledge graph.
        answers: bytes of all its answers.
        rows: of the answer of a query.
        kept: bytes of all files that the sandbox has given back.
        warm_up: seconds after which a sandbox that does not start is given up.
    """

    seconds: float = 30.0
    memory: int = 2 << 30
    disk: int = 128 << 20
    file_size: int = 32 << 20
    files: int = 32
    output: int = 20_000
    code: int = 100_000
    requests: int = 5_000
    answers: int = 256 << 20
    rows: int = 10_000
    kept: int = 1 << 30
    warm_up: float = 60.0
