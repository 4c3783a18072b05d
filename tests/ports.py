"""Ports for servers that live as long as a measurement or a test."""

import socket


def free_port() -> int:
    """Return the number of a port of this machine that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
