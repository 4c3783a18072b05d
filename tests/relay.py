"""Stands for a command that `tests.warm` runs: hands on streams and signals, ends as it does."""

import array
import json
import os
import signal
import socket
import sys

place, *words = sys.argv[1:]
given = {"words": words, "environment": dict(os.environ), "folder": os.getcwd()}
said = json.dumps(given).encode()
with socket.socket(socket.AF_UNIX) as connection:
    wanted = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    signal.pthread_sigmask(signal.SIG_BLOCK, wanted)  # until there is somebody to hand them on to
    connection.connect(place)
    socket.send_fds(connection, [f"{len(said):12}".encode()], [0, 1, 2])
    connection.sendall(said)
    [child] = array.array("i", connection.recv(4))
    for number in wanted:
        signal.signal(number, lambda number, _: os.kill(child, number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, wanted)
    [status] = array.array("i", connection.recv(4))
if status < 0:
    signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)
sys.exit(status)
