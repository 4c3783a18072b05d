"""What the kernel is told before a snippet runs: limits, and system calls that are refused.

The namespaces keep files, network and processes of the host out of reach. The filter lets through
what a snippet needs for itself (`calls`), and so neither processes and threads (of which root may
have any number, `RLIMIT_NPROC` or not) nor anything else that would get around the limits.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import struct

from .calls import ALLOWED, IGNORED, LAST, RULES, Rule

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Column of the table and the kernel's name for the architecture."""

_LOAD, _EQUAL, _ABOVE, _HAS, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _FILTER = 38, 22, 2

_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def program(machine: str, pid: int) -> bytes:
    """Return the filter for a process as the kernel's BPF."""
    column, architecture = MACHINES[machine]
    lines = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
        (_ABOVE, 0, 1, LAST),
        (_RETURN, 0, 0, _ERRNO | errno.ENOSYS),
    ]
    for table, answer in ((ALLOWED, _ALLOW), (IGNORED, _ERRNO)):
        for numbers in table.values():
            number = numbers[column]
            if number is not None:
                lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, answer)]
    for rule in RULES.values():
        decided = _decided(rule, pid)
        lines += [(_EQUAL, 0, len(decided), rule.numbers[column]), *decided]
    lines.append((_RETURN, 0, 0, _ERRNO | errno.EPERM))
    return b"".join(struct.pack("HBBI", *line) for line in lines)


def _decided(rule: Rule, pid: int) -> list[tuple[int, int, int, int]]:
    """Return the lines that decide on a call by one of its arguments."""
    lines = [(_LOAD, 0, 0, 16 + 8 * rule.argument)]  # its low half: both are little-endian
    for value in rule.allowed:
        lines += [(_EQUAL, 0, 1, pid if value is None else value), (_RETURN, 0, 0, _ALLOW)]
    for value in rule.ignored:
        lines += [(_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ERRNO)]
    if rule.without:
        lines += [(_HAS, 1, 0, rule.without), (_RETURN, 0, 0, _ALLOW)]
    return [*lines, (_RETURN, 0, 0, _ERRNO | errno.EPERM)]


def _prctl(option: int, *arguments: object) -> None:
    given = [*arguments, *[0] * (4 - len(arguments))]
    if _libc.prctl(option, *(ctypes.c_ulong(x) if isinstance(x, int) else x for x in given)):
        number = ctypes.get_errno()
        raise OSError(number, f"prctl {option}: {os.strerror(number)}")


def refuse_calls() -> None:
    """Install the filter for this process, for good.

    Raises:
        OSError: the kernel knows no filters.
        KeyError: an architecture that the table does not have.
    """
    code = program(platform.machine(), os.getpid())
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _prctl(_PR_SET_SECCOMP, _FILTER, ctypes.byref(_Program(len(code) // 8, code)))


def limit(*, seconds: int, memory: int, file_size: int) -> None:
    """Set the kernel's limits for this process.

    Args:
        seconds: of processor time.
        memory: bytes of address space; a little more is kept back for a last word.
        file_size: bytes of one file.
    """
    limits = {
        resource.RLIMIT_CPU: (seconds, seconds + 1),
        resource.RLIMIT_AS: (memory, memory + SPARE),
        resource.RLIMIT_FSIZE: (file_size, file_size),
        resource.RLIMIT_NOFILE: (128, 128),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_MEMLOCK: (0, 0),
        resource.RLIMIT_MSGQUEUE: (0, 0),
        resource.RLIMIT_SIGPENDING: (16, 16),  # of all that its user may have waiting
    }
    for name, pair in limits.items():
        resource.setrlimit(name, pair)


SPARE = 128 << 20


def use_spare() -> None:
    """Take what was kept back when memory ran out."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
