"""The system calls that a snippet may make: its own files, memory, signals and clock, no more.

What is not listed is refused, so that a call nobody thought of reaches nobody: calls that act on
other processes (`prlimit`, `sched_setattr`, `setpriority`, `ioprio_set`, `kcmp`, `pidfd_open`),
those that take from what all processes of a user share (`io_setup`, `inotify_init`, keys) or make
memory that no limit counts (memfd, System V), and the parts of the kernel where faults were found
(`io_uring`, `bpf`, `userfaultfd`, `perf_event_open`).

Numbers: x86-64, AArch64; None where there is no such call. From the kernel's tables, as its headers
`asm/unistd_64.h` and `asm-generic/unistd.h` have them (Linux 6.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Numbers: TypeAlias = Mapping[str, tuple[int | None, int | None]]

ALLOWED: Numbers = {
    # files: the folders in memory can be written to, all others only read
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67),
    "pwrite64": (18, 68), "preadv": (295, 69), "pwritev": (296, 70), "preadv2": (327, 286),
    "pwritev2": (328, 287), "open": (2, None), "openat": (257, 56), "creat": (85, None),
    "close": (3, 57), "close_range": (436, 436), "dup": (32, 23), "dup2": (33, None),
    "dup3": (292, 24), "lseek": (8, 62), "access": (21, None), "faccessat": (269, 48),
    "faccessat2": (439, 439), "stat": (4, None), "lstat": (6, None), "fstat": (5, 80),
    "newfstatat": (262, 79), "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44),
    "getdents": (78, None), "getdents64": (217, 61), "getcwd": (79, 17), "chdir": (80, 49),
    "fchdir": (81, 50), "mkdir": (83, None), "mkdirat": (258, 34), "rmdir": (84, None),
    "unlink": (87, None), "unlinkat": (263, 35), "rename": (82, None), "renameat": (264, 38),
    "renameat2": (316, 276), "link": (86, None), "linkat": (265, 37), "symlink": (88, None),
    "symlinkat": (266, 36), "readlink": (89, None), "readlinkat": (267, 78), "truncate": (76, 45),
    "ftruncate": (77, 46), "fallocate": (285, 47), "fsync": (74, 82), "fdatasync": (75, 83),
    "umask": (95, 166), "fadvise64": (221, 223), "copy_file_range": (326, 285),
    "sendfile": (40, 71), "getxattr": (191, 8),
    "lgetxattr": (192, 9), "fgetxattr": (193, 10), "listxattr": (194, 11), "llistxattr": (195, 12),
    "flistxattr": (196, 13), "pipe": (22, None), "pipe2": (293, 59),
    # waiting, and the channel for values; `sendmsg` could send descriptors
    "select": (23, None), "pselect6": (270, 72), "poll": (7, None), "ppoll": (271, 73),
    "epoll_create": (213, None), "epoll_create1": (291, 20), "epoll_ctl": (233, 21),
    "epoll_wait": (232, None), "epoll_pwait": (281, 22), "sendto": (44, 206), "recvfrom": (45, 207),
    "getsockopt": (55, 209), "getsockname": (51, 204), "getpeername": (52, 205),
    "shutdown": (48, 210),
    # memory, which `RLIMIT_AS` counts
    "munmap": (11, 215), "mremap": (25, 216), "mprotect": (10, 226), "brk": (12, 214),
    "madvise": (28, 233), "msync": (26, 227),
    # the process itself
    "exit": (60, 93), "exit_group": (231, 94), "wait4": (61, 260), "waitid": (247, 95),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136), "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132), "pause": (34, None), "alarm": (37, None), "getitimer": (36, 102),
    "setitimer": (38, 103), "restart_syscall": (219, 128), "getpid": (39, 172),
    "getppid": (110, 173), "gettid": (186, 178), "getpgrp": (111, None), "getuid": (102, 174),
    "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177), "getgroups": (115, 158),
    "getresuid": (118, 148), "getresgid": (120, 150), "getrusage": (98, 165),
    "getrlimit": (97, 163), "setrlimit": (160, 164), "times": (100, 153), "uname": (63, 160),
    "sysinfo": (99, 179), "getcpu": (309, 168), "getrandom": (318, 278), "arch_prctl": (158, None),
    "futex": (202, 98), "set_tid_address": (218, 96), "set_robust_list": (273, 99),
    "rseq": (334, 293), "sched_yield": (24, 124),
    # the clock
    "time": (201, None), "gettimeofday": (96, 169), "clock_gettime": (228, 113),
    "clock_getres": (229, 114), "clock_nanosleep": (230, 115), "nanosleep": (35, 101),
}  # fmt: skip

IGNORED: Numbers = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "flock": (73, 32),
    "sync": (162, 81),
    "syncfs": (306, 267),
}
"""Calls that do nothing and say that all is well, as `shutil.copy` and databases make them. Modes
and times of the host's own devices, which are mounted to be written to, would change; a lock would
hold the host's own files, which can be read; and `sync` would write out the whole machine's."""


@dataclass(frozen=True)
class Rule:
    """A call that is allowed with some arguments only.

    Attributes:
        numbers: of the call.
        argument: which of its arguments decides, from 0.
        allowed: values of it that are allowed; None stands for the process's own number.
        ignored: values for which it does nothing and says that all is well.
        without: bits that it must not have, where no values are listed.
    """

    numbers: tuple[int, int]
    argument: int
    allowed: tuple[int | None, ...] = ()
    ignored: tuple[int, ...] = ()
    without: int = 0


OWN, SELF = None, 0

RULES: Mapping[str, Rule] = {
    "kill": Rule((62, 129), 0, (OWN,)),
    "tgkill": Rule((234, 131), 0, (OWN,)),
    "prlimit64": Rule((302, 261), 0, (SELF, OWN)),
    "sched_getaffinity": Rule((204, 123), 0, (SELF, OWN)),
    # a terminal or not, its size, inheritance, blocking; others send signals or lock
    "ioctl": Rule((16, 29), 1, (0x5401, 0x5413, 0x5450, 0x5451, 0x541B, 0x5421)),
    # duplicates, flags, whether a lock is there; not F_SETOWN, F_SETSIG, F_SETLEASE, F_NOTIFY,
    # F_SETPIPE_SZ, which reach other processes or their user's share; locks of records
    "fcntl": Rule((72, 25), 1, (0, 1, 2, 3, 4, 5, 36, 1030, 1032), (6, 7, 37, 38)),
    # names of threads and of memory, whether it can be dumped, its bounding set
    "prctl": Rule((157, 167), 0, (15, 16, 0x53564D41, 3, 23)),
    "mmap": Rule((9, 222), 3, without=0x40000),  # huge pages are the whole machine's
    "socketpair": Rule((53, 199), 0, (1,)),
}
"""The low half of an argument decides: the kernel takes these as numbers of 32 bits."""

LAST = 450
"""The last system call (`set_mempolicy_home_node`, Linux 5.17) that this list was made with: what
came later is said not to exist."""
