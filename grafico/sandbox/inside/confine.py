"""What the kernel is told before a snippet runs: limits, and system calls that are refused.

The namespaces keep files, network and processes of the host out of reach. The filter refuses what
a snippet has no use for and what would get around the limits: processes and threads (of which
root may have any number, `RLIMIT_NPROC` or not), memory that `RLIMIT_AS` does not count (memfd,
System V), sockets, signals to others, and the parts of the kernel where faults were found.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import struct
from collections.abc import Mapping

# name: (x86-64, AArch64); None where there is no such call. From the kernel's syscall tables.
REFUSED: Mapping[str, tuple[int | None, int | None]] = {
    "fork": (57, None), "vfork": (58, None), "clone": (56, 220), "clone3": (435, 435),
    "execve": (59, 221), "execveat": (322, 281), "uselib": (134, None),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200),
    "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "shmget": (29, 194), "shmat": (30, 196), "semget": (64, 190), "msgget": (68, 186),
    "mq_open": (240, 180),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "unshare": (272, 97), "setns": (308, 268),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "mknod": (133, None),
    "mknodat": (259, 33), "fanotify_init": (300, 262), "quotactl": (179, 60),
    "quotactl_fd": (443, 443), "acct": (163, 89), "swapon": (167, 224), "swapoff": (168, 225),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "seccomp": (317, 277),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142),
    "syslog": (103, 116), "personality": (135, 92), "modify_ldt": (154, None),
    "iopl": (172, None), "ioperm": (173, None), "mbind": (237, 235), "set_mempolicy": (238, 237),
    "migrate_pages": (256, 238), "move_pages": (279, 239), "vhangup": (153, 58),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14),
    "lremovexattr": (198, 15), "fremovexattr": (199, 16),
}  # fmt: skip
IGNORED: Mapping[str, tuple[int | None, int | None]] = {
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "chown": (92, None),
    "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None),
    "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88),
}  # fmt: skip
"""Calls that do nothing and say that all is well, as `shutil.copy` makes them. Run by root, they
would change the mode of the host's own devices, which are mounted to be written to."""

OWN_ONLY: Mapping[str, tuple[int, int]] = {"kill": (62, 129), "tgkill": (234, 131)}
"""Calls whose first argument must be the process itself."""

LAST = 450
"""The last system call (`set_mempolicy_home_node`, Linux 5.17) that this list was made with: what
came later is said not to exist."""

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Column of the table and the kernel's name for the architecture."""

_LOAD, _EQUAL, _ABOVE, _RETURN = 0x20, 0x15, 0x25, 0x06
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
    for table, answer in ((REFUSED, errno.EPERM), (IGNORED, 0)):
        for numbers in table.values():
            number = numbers[column]
            if number is not None:
                lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO | answer)]
    for own in OWN_ONLY.values():
        lines += [
            (_EQUAL, 0, 4, own[column]),
            (_LOAD, 0, 0, 16),  # the low half of the first argument: both are little-endian
            (_EQUAL, 0, 1, pid),
            (_RETURN, 0, 0, _ALLOW),
            (_RETURN, 0, 0, _ERRNO | errno.EPERM),
        ]
    lines.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("HBBI", *line) for line in lines)


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
    }
    for name, pair in limits.items():
        resource.setrlimit(name, pair)


SPARE = 128 << 20


def use_spare() -> None:
    """Take what was kept back when memory ran out."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
