"""The process that has everything imported and forks a child for each snippet.

It never runs a snippet itself. It speaks frames over one socket:

    → {NAME: PATH, …}, the files that are to be there
    ← {"doing": TEXT} …  {"ready": true}
    → one byte with the child's socket for values, then {"code", "seconds", …limits}; where it has
      "start", the working folder is emptied before, and holds these
    ← {"status", "seconds", "cpu", "exceeded", "sizes", "files", "refused", "there",
      "last"} and the bytes; `last` asks to be replaced

When the socket closes it ends, and with it the whole sandbox.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import re
import resource
import select
import selectors
import shutil
import signal
import socket
import stat
import time
import traceback
from dataclasses import dataclass, field
from typing import Any

from . import client, confine, snippet
from .frames import pack, receive

WORK, SCRATCH, KEPT = "/work", "/tmp", "/kept"
NAMES = re.compile(r"\w[\w+=.-]{0,99}(?:/\w[\w+=.-]{0,99}){0,2}")
"""Of files that are given back: letters, digits and few signs, at most two folders deep."""

INODES = 2_000
"""Files and folders that there may be; the kernel would let there be millions."""

BEGUN = b"\n"
"""What a child says first, when it is confined and its snippet begins."""

TICK = 0.05
TOLD = 1 << 20
"""Bytes that a child may say of what came of its snippet."""


def main(fd: int) -> None:
    """Serve until the other side hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=fd)
    control.sendall(pack({"doing": "importing NumPy, pandas and matplotlib"}))
    os.umask(0o077)
    restore(receive(control, 1 << 24, 0)[0])
    snippet.prepare_libraries()
    clear(SCRATCH)
    settle()
    later = [*snippet.LATER]
    control.sendall(pack({"ready": True}))
    while True:
        while later and not select.select([control], [], [], 0)[0]:
            with contextlib.suppress(ImportError):
                snippet.import_later(later.pop(0))
            settle()
        try:
            _, fds, _, _ = socket.recv_fds(control, 1, 1)
            request, _ = receive(control, 1 << 24, 0)
        except EOFError:
            return
        if "start" in request:
            clear(WORK)
            restore(request["start"])
        reply, body = Child(request).run(fds[0])
        # what is left is then left to a fresh sandbox
        reply["last"] = not clear(SCRATCH) or inodes(WORK) > INODES or not reply["begun"]
        control.sendall(pack(reply, body))


def settle() -> None:
    """Keep what is imported out of the collector's sight: children share its pages."""
    gc.collect()
    gc.freeze()


def restore(files: dict[str, str]) -> None:
    """Put files of earlier snippets into the working folder: by name, where they are kept."""
    for name, kept in files.items():
        with contextlib.suppress(OSError):
            os.makedirs(os.path.join(WORK, os.path.dirname(name)), exist_ok=True)
            shutil.copyfile(os.path.join(KEPT, kept), os.path.join(WORK, name))


def clear(folder: str) -> bool:
    """Remove all in a folder; tell whether that was possible."""
    try:
        os.chmod(folder, 0o700)
        for entry in os.scandir(folder):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)
    except (OSError, RecursionError):
        return False
    return True


@dataclass
class Output:
    """What comes out of one pipe: the first so many bytes, and how many there were."""

    most: int
    size: int = 0
    kept: bytearray = field(default_factory=bytearray)

    def add(self, piece: bytes) -> None:
        """Take what was read."""
        self.size += len(piece)
        self.kept += piece[: self.most - len(self.kept)]


class Child:
    """One snippet, from the fork to its last file."""

    def __init__(self, request: dict[str, Any]) -> None:
        self.request = request
        self.exceeded = ""
        self.scratch = 0

    def run(self, values: int) -> tuple[dict[str, Any], bytes]:
        """Run it and return the head and the body of the reply."""
        os.chmod(WORK, 0o700)
        os.chdir(WORK)
        before = survey()
        outputs = [Output(self.request["output"]), Output(self.request["output"]), Output(TOLD)]
        pipes = [os.pipe() for _ in outputs]
        started = time.monotonic()
        pid = os.fork()
        if pid == 0:
            try:
                self._become([write for _, write in pipes], values)
            except BaseException:
                os.write(2, traceback.format_exc().encode())
            finally:
                os._exit(70)
        os.close(values)
        selector = selectors.DefaultSelector()
        for (read, write), output in zip(pipes, outputs, strict=True):
            os.close(write)
            os.set_blocking(read, False)
            selector.register(read, selectors.EVENT_READ, output)
        self._watch(pid, selector, started + self.request["seconds"])
        _, status, used = os.wait4(pid, 0)
        for key in list(selector.get_map().values()):
            while drain(key):
                pass
        selector.close()
        for read, _ in pipes:
            os.close(read)
        seconds = time.monotonic() - started
        after = survey()
        files, contents, refused = self._collect(before, after)
        code = os.waitstatus_to_exitcode(status)
        if code == -signal.SIGXCPU:
            self.exceeded = "time"
        held = inodes(WORK)
        if held > INODES:
            self.exceeded = "disk"
        reply = {
            "status": code,
            "seconds": seconds,
            "cpu": used.ru_utime + used.ru_stime,
            "exceeded": self.exceeded,
            "inodes": max(held, self.scratch),
            "begun": outputs[2].kept.startswith(BEGUN),
            "sizes": [len(output.kept) for output in outputs],
            "printed": [output.size for output in outputs[:2]],
            "files": files,
            "refused": refused,
            "there": [name for name in after if NAMES.fullmatch(name)],
        }
        return reply, b"".join([*(bytes(output.kept) for output in outputs), *contents])

    def _become(self, outputs: list[int], values: int) -> None:
        """Be the child: arrange descriptors, confine this process, run the snippet."""
        null, end = os.pipe()  # nothing to read
        os.close(end)
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 100) for fd in (null, *outputs, values)]
        for low, fd in enumerate(high):
            os.dup2(fd, low)
        os.closerange(5, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        client.connect(4)
        confine.limit(
            seconds=self.request["cpu"],
            memory=self.request["memory"],
            file_size=self.request["file_size"],
        )
        confine.refuse_calls()
        os.write(3, BEGUN)
        snippet.run(self.request["code"], 3, self.request.get("seed"))
        os._exit(0)

    def _watch(self, pid: int, selector: selectors.BaseSelector, until: float) -> None:
        """Read its output until it ends, and end it when it goes too far."""
        death = os.pidfd_open(pid)
        selector.register(death, selectors.EVENT_READ, None)
        while True:
            ready = selector.select(TICK)
            for key, _ in ready:
                if key.data is not None and not drain(key):
                    selector.unregister(key.fd)
            if any(key.data is None for key, _ in ready):
                break
            if time.monotonic() > until:
                self.exceeded = "time"
            elif max(inodes(WORK), self._scratched()) > INODES:
                self.exceeded = "disk"
            if self.exceeded:
                os.kill(pid, signal.SIGKILL)
        selector.unregister(death)
        os.close(death)

    def _scratched(self) -> int:
        """Return how many files and folders it has had among those of the moment."""
        self.scratch = max(self.scratch, inodes(SCRATCH))
        return self.scratch

    def _collect(
        self, before: dict[str, tuple[int, ...]], after: dict[str, tuple[int, ...]]
    ) -> tuple[list[dict[str, Any]], list[bytes], list[str]]:
        """Read the files that are new or changed; say which cannot be given back and why."""
        files: list[dict[str, Any]] = []
        contents: list[bytes] = []
        refused: list[str] = []
        for name, what in sorted(after.items()):
            if before.get(name) == what:
                continue
            try:
                contents.append(self._read(name, contents))
                files.append({"name": name, "size": len(contents[-1])})
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                refused.append(f"{ascii(name)[:120]}: {reason}")
        if len(refused) > 20:
            refused[20:] = [f"and {len(refused) - 20} more"]
        return files, contents, refused

    def _read(self, name: str, before: list[bytes]) -> bytes:
        if not NAMES.fullmatch(name):
            raise ValueError("its name holds characters that are not allowed, or is too long")
        if len(before) >= self.request["files"]:
            raise ValueError(f"{len(before)} files are the most that one snippet may give back")
        data = os.lstat(name)
        if not stat.S_ISREG(data.st_mode):
            link = stat.S_ISLNK(data.st_mode)
            raise ValueError("a symbolic link" if link else "not a plain file")
        room = self.request["disk"] - sum(map(len, before))  # sparse files may have any size
        if data.st_size > room:
            raise ValueError(f"it has {data.st_size} bytes, and {room} more are the most in all")
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(fd, "rb") as file:
            return file.read(data.st_size)


def drain(key: selectors.SelectorKey) -> bool:
    """Read what a pipe holds; False at its end, or if it holds nothing."""
    try:
        piece = os.read(key.fd, 1 << 16)
    except BlockingIOError:
        return False
    key.data.add(piece) if key.data is not None else None
    return bool(piece)


def inodes(folder: str) -> int:
    """Return how many files and folders a file system in memory holds."""
    status = os.statvfs(folder)
    return status.f_files - status.f_ffree


def survey(folder: str = "", depth: int = 0) -> dict[str, tuple[int, ...]]:
    """Return the files of the working folder, with what changes whenever they do."""
    found: dict[str, tuple[int, ...]] = {}
    with contextlib.suppress(OSError):
        for entry in os.scandir(os.path.join(WORK, folder)):
            name = os.path.join(folder, entry.name)
            if entry.is_dir(follow_symlinks=False):
                if depth < 3:
                    found.update(survey(name, depth + 1))
                continue
            data = entry.stat(follow_symlinks=False)
            found[name] = (data.st_ino, data.st_ctime_ns, data.st_size)
    return found
