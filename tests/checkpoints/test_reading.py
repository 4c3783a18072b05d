"""Checkpoints of whoever: nothing in them is run, whatever it is called; needs no extra."""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from triplestore.errors import InputError
from workflows.mace import files, levels
from workflows.mace.reading import Picture, UnreadableError, read_checkpoint, weights_of


class Runs:
    """Runs something when it is unpickled, as hostile files do."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.call = function, arguments

    def __reduce__(self) -> Any:
        return self.call


class ScaleShiftMACE:
    """Carries the name that is looked for."""


def archive(content: bytes, numbers: dict[str, bytes] | None = None, **more: bytes) -> bytes:
    """Return a file as PyTorch writes them."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as file:
        file.writestr("archive/data.pkl", content)
        for key, one in (numbers or {}).items():
            file.writestr(f"archive/data/{key}", one)
        for name, one in more.items():
            file.writestr(f"archive/{name}/x.py", one)
    return whole.getvalue()


def tensor(size: str, stride: str, offset: int = 0) -> bytes:
    """Return a pickle of a tensor of three numbers, in the words of the protocol."""
    text = (
        "ctorch._utils\n_rebuild_tensor_v2\n((Vstorage\nctorch\nDoubleStorage\nV0\nVcpu\nI3\ntQ"
        f"I{offset}\n({size}t({stride}t" + "I00\nNtR."
    )
    return text.encode()


def module(state: dict[str, Any], name: str = "ScaleShiftMACE") -> bytes:
    """Return a pickle of a module."""
    return (
        pickle.dumps(ScaleShiftMACE(), 2)[:-1].replace(b"ScaleShiftMACE", name.encode())
        + pickle.dumps(state, 2)[2:-1]
        + b"b."
    )


@pytest.mark.parametrize("function", [subprocess.call, eval, exec, os.mkdir])
@pytest.mark.parametrize("inside", [False, True])
def test_a_hostile_pickle_runs_nothing(function: Any, inside: bool, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    said = {
        subprocess.call: ["mkdir", str(trace)],
        os.mkdir: str(trace),
        eval: f"__import__('os').mkdir({str(trace)!r})",
        exec: f"import os; os.mkdir({str(trace)!r})",
    }[function]
    hostile = Runs(function, said)
    pickle.loads(pickle.dumps(hostile, 2))
    assert trace.is_dir()  # it does what it is to do, where it is let
    trace.rmdir()
    content = module({"heads": hostile}) if inside else pickle.dumps(hostile, 2)
    path = tmp_path / "hostile.model"
    path.write_bytes(archive(content))
    digest, _ = files.digest_of(str(path), "it was asked for")
    if inside:
        picture = levels.picture_of(digest, "it was asked for")
        assert isinstance(picture.heads, Picture)
    else:
        with pytest.raises(InputError, match="nothing in it was run"):
            levels.picture_of(digest, "it was asked for")
    assert not trace.exists()


def test_attributes_are_looked_up_in_its_state_and_its_parts() -> None:
    part = {"_modules": OrderedDict(), "_parameters": OrderedDict(), "size": 3}
    found = read_checkpoint(archive(module({"heads": ["a"], "_buffers": {"none": None}} | part)))
    assert type(found).__name__ == "ScaleShiftMACE"
    assert found.heads == ["a"]
    assert found.size == 3
    assert len(found) == 1
    assert dict(weights_of(found)) == {}
    with pytest.raises(AttributeError):
        found.nothing  # noqa: B018


def test_numbers_are_read_as_pytorch_keeps_them() -> None:
    numbers = {"0": np.arange(3, dtype="<f8").tobytes()}
    state = b"(dV_parameters\n(dVw\n" + tensor("I2\n", "I1\n", 1)[:-1] + b"ssb."
    content = b"c__main__\nScaleShiftMACE\n)\x81" + state
    found = read_checkpoint(archive(content, numbers))
    assert dict(weights_of(found))["w"].tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("size", "stride", "offset"),
    [
        ("I4\n", "I1\n", 0),
        ("I2\n", "I1\n", 2),
        ("I1000000\nI1000000\n", "I0\nI0\n", 0),
        ("I2\n", "I-1\n", 1),
        ("I-2\n", "I1\n", 0),
        ("I2\n", "I1\nI1\n", 0),
    ],
)
def test_tensors_beyond_their_numbers_are_refused(size: str, stride: str, offset: int) -> None:
    numbers = {"0": np.arange(3, dtype="<f8").tobytes()}
    with pytest.raises(UnreadableError):
        read_checkpoint(archive(tensor(size, stride, offset), numbers))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "no checkpoint"),
        (b"\x80\x02}.", "no checkpoint"),
        (archive(b"\x80\x02}."), "no module"),
        (archive(b"\x80\x02}.", code=b"def forward"), "TorchScript"),
        (archive(b"garbage"), "damaged"),
        (archive(module({}))[:-60], "no checkpoint"),
        (archive(b"(Vstorage\nVOtherStorage\nV0\nVcpu\nI3\ntQ."), "type"),
        (archive(b"(Vstorage\nVDoubleStorage\nV../../data.pkl\nVcpu\nI3\ntQ."), "type"),
    ],
)
def test_what_is_no_checkpoint_says_so(content: bytes, told: str) -> None:
    with pytest.raises(UnreadableError, match=told):
        read_checkpoint(content)


def test_what_is_compressed_is_refused_before_it_is_read() -> None:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("archive/data.pkl", b"\0" * 10_000_000)
    with pytest.raises(UnreadableError, match="compressed"):
        read_checkpoint(whole.getvalue())


def test_another_architecture_is_named(tmp_path: Path) -> None:
    path = tmp_path / "other.model"
    path.write_bytes(archive(module({}, "PolarMACE")))
    digest, name = files.digest_of(str(path), "it was asked for")
    assert name == "other.model"
    with pytest.raises(InputError, match="it is a PolarMACE"):
        levels.picture_of(digest, "it was asked for")
