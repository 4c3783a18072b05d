"""The command itself: what it imports, and what it says where it cannot."""

from __future__ import annotations

import pytest

from grafico.serving.listening import is_here, read_place
from triplestore.errors import InputError


@pytest.mark.parametrize(
    ("text", "place", "here"),
    [
        ("8765", ("127.0.0.1", 8765), True),
        (":8765", ("127.0.0.1", 8765), True),
        ("localhost:1", ("localhost", 1), True),
        ("127.8.8.8:1", ("127.8.8.8", 1), True),
        ("[::1]:0", ("::1", 0), True),
        ("0.0.0.0:80", ("0.0.0.0", 80), False),
        ("[::]:80", ("::", 80), False),
        ("localhost.example:80", ("localhost.example", 80), False),
    ],
)
def test_where_to_listen(text: str, place: tuple[str, int], here: bool) -> None:
    assert read_place(text) == place
    assert is_here(place[0]) is here


@pytest.mark.parametrize("text", ["", "localhost", "localhost:", "1:x", "70000", "-1"])
def test_where_nobody_can_listen(text: str) -> None:
    with pytest.raises(InputError):
        read_place(text)
