"""Backup and restore: whole or not at all, while others write, killed, damaged, out of disk."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from ogm import KnowledgeGraph
from ogm.keeping.backup import QUADS, backup, restore
from ogm.keeping.checksums import checked_file
from ogm.reading import decode, described
from tests.triplestore.servers import OxigraphServer
from triplestore import InputError, NotFoundError, ResourceError, Store, open_store
from triplestore.broker.folder import read_holder

from .samples import Arrays, Bud, Leaf

ROOT = Path(__file__).parents[2]


def content(store: Store) -> set[bytes]:
    return {line for piece in store.dump() for line in piece.splitlines()}


def big(seed: int) -> Arrays:
    """An object with an array that lies in a file."""
    return Arrays(f8=np.random.default_rng(seed).random((100, 100)))


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], KnowledgeGraph]]:
    """Opens stores by name in one folder; a name that begins with m lives in memory."""
    stores: list[Store] = []

    def make(name: str) -> KnowledgeGraph:
        memory = name.startswith("m")
        store = open_store("memory:" if memory else str(tmp_path / name))
        stores.append(store)
        return KnowledgeGraph(store, tmp_path / f"{name}-arrays" if memory else None)

    yield make
    for store in stores:
        store.close()
        if store.home and (holder := read_holder(store.home)):
            os.kill(holder.pid, signal.SIGKILL)


@pytest.fixture
def full(opened: Callable[[str], KnowledgeGraph]) -> KnowledgeGraph:
    """A store in memory with a thousand quads and three arrays."""
    kg = opened("m-full")
    kg.push(*(Leaf(name=f"leaf {i}\n", size=i) for i in range(250)), *map(big, range(3)))
    kg.store.insert(b'<urn:a> <urn:b> "in a graph" <urn:g> .\n')
    return kg


def child(code: str, *arguments: object, **more) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **more,
    )


@pytest.mark.parametrize("source", ["memory", "folder"])
@pytest.mark.parametrize("target", ["m2", "other"])
def test_one_kind_of_store_restores_into_another(
    source: str, target: str, opened: Callable[[str], KnowledgeGraph], tmp_path: Path
):
    kg, there = opened(source), opened(target)
    model = big(1)
    kg.push(Leaf(name="é\t\"'"), Bud(name="b"), model)
    kg.store.insert(b'<urn:a> <urn:b> "in a graph" <urn:g> .\n_:x <urn:b> _:y .\n')
    saved = backup(kg, tmp_path / "file")
    assert (saved.arrays, saved.missing) == (1, {})
    for _ in range(2):  # the second time changes nothing
        restored = restore(there, tmp_path / "file")
        assert (restored.quads, restored.arrays) == (saved.quads, 1)
        assert content(there.store) == content(kg.store)
    assert there.pull(Arrays, model.iri) == model


def test_a_store_on_a_server(full: KnowledgeGraph, tmp_path: Path):
    server = OxigraphServer(tmp_path)
    try:
        with open_store(server.url) as store:
            there = KnowledgeGraph(store, tmp_path / "blobs")
            backup(full, tmp_path / "file")
            restore(there, tmp_path / "file")
            assert content(store) == content(full.store)
            saved = backup(there, tmp_path / "again")
            assert (saved.arrays, saved.missing) == (3, {})
    finally:
        server.stop()
    back = KnowledgeGraph(open_store("memory:"), tmp_path / "back")
    restore(back, tmp_path / "again")
    assert content(back.store) == content(full.store)


def test_an_empty_store(opened: Callable[[str], KnowledgeGraph], tmp_path: Path):
    saved = backup(opened("m"), tmp_path / "file")
    assert saved.quads == 0
    assert restore(opened("m2"), tmp_path / "file").quads == 0


def test_what_a_store_has_already_stays(
    full: KnowledgeGraph, opened: Callable[[str], KnowledgeGraph], tmp_path: Path
):
    there = opened("m2")
    there.push(Leaf(name="mine"))
    before = content(there.store)
    backup(full, tmp_path / "file")
    restore(there, tmp_path / "file")
    assert content(there.store) == before | content(full.store)


def test_the_file_can_be_read_with_common_tools(full: KnowledgeGraph, tmp_path: Path):
    path = tmp_path / "file.zip"
    backup(full, path)
    assert path.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(path) as file:
        assert file.testzip() is None
        manifest = json.loads(file.read("manifest.json"))
        assert manifest["format"] == "grafico-backup"
        assert manifest["counts"] == {"quads": len(content(full.store)), "arrays": 3}
        [name, *_] = (n for n in file.namelist() if n.startswith("arrays/"))
        with file.open(name) as array:
            assert np.load(array).shape == (100, 100)


WRITER = """
    import itertools, sys
    import numpy as np
    from ogm import KnowledgeGraph
    from tests.ogm.samples import Arrays
    from triplestore import open_store
    kg = KnowledgeGraph(open_store(sys.argv[1]))
    for i in itertools.count():
        kg.push(Arrays(f8=np.random.default_rng([int(sys.argv[2]), i]).random(9000)), durable=False)
        if i == 3:
            print("ready", flush=True)
"""


def test_while_others_write_nothing_is_missing(
    opened: Callable[[str], KnowledgeGraph], tmp_path: Path
):
    kg = opened("store")
    writers = [child(WRITER, tmp_path / "store", seed) for seed in range(2)]
    try:
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
        for number in range(2):
            saved = backup(kg, tmp_path / f"file{number}")
            assert not saved.missing
            assert saved.arrays > 3
            there = opened(f"m{number}")
            assert restore(there, tmp_path / f"file{number}").arrays == saved.arrays
            quads = b"".join(there.store.dump())
            iris = sorted({line.split(b" ")[0][1:-1].decode() for line in quads.splitlines()})
            models = decode(Arrays, iris, described(quads), there.files)
            assert [model.iri for model in models] == iris
            assert len(models) == saved.arrays
    finally:
        for writer in writers:
            writer.kill()
            _, said = writer.communicate()
            assert not said


KILLED = """
    import os, signal, sys
    from pathlib import Path
    from ogm import KnowledgeGraph
    from ogm.keeping.backup import backup, restore
    from triplestore import open_store
    kg = KnowledgeGraph(open_store(sys.argv[2]))
    def tell(text):
        if text.endswith(sys.argv[4]):
            os.kill(os.getpid(), signal.SIGKILL)
    {"backup": backup, "restore": restore}[sys.argv[1]](kg, Path(sys.argv[3]), tell=tell)
"""


def assert_killed(process: subprocess.Popen[str]) -> None:
    _, said = process.communicate()
    assert process.returncode == -signal.SIGKILL, said


def test_killed_while_it_saves(
    full: KnowledgeGraph, opened: Callable[[str], KnowledgeGraph], tmp_path: Path
):
    kg, path = opened("store"), tmp_path / "file"
    backup(full, tmp_path / "first")
    restore(kg, tmp_path / "first")
    for moment in (" quads", "array 2 of 3"):
        assert_killed(child(KILLED, "backup", tmp_path / "store", path, moment))
        assert not path.exists()
    assert (tmp_path / ".file.part").exists()
    backup(kg, path)
    assert not (tmp_path / ".file.part").exists()
    there = opened("m2")
    restore(there, path)
    assert content(there.store) == content(full.store)


def test_killed_while_it_restores_and_repeated(
    full: KnowledgeGraph, opened: Callable[[str], KnowledgeGraph], tmp_path: Path
):
    full.push(*(Leaf(name=f"more {i}", size=i) for i in range(10_000)))
    path = tmp_path / "file"
    backup(full, path)
    for moment in ("checking array 1 of 3", "array 2 of 3", " quads"):
        assert_killed(child(KILLED, "restore", tmp_path / "store", path, moment))
    kg = opened("store")
    stored = content(kg.store)
    assert stored, "the last was killed after its first transaction"
    assert stored < content(full.store)
    restore(kg, path)
    assert content(kg.store) == content(full.store)
    assert kg.files is not None
    assert len(list(kg.files.folder.rglob("*.npy"))) == 3


def test_two_at_once_write_one_file(full: KnowledgeGraph, tmp_path: Path):
    def tell(text: str) -> None:
        with pytest.raises(ResourceError, match="another process is writing it"):
            backup(full, tmp_path / "file")

    backup(full, tmp_path / "file", tell=tell)


def test_a_file_that_exists_is_replaced_only_when_asked(full: KnowledgeGraph, tmp_path: Path):
    path = tmp_path / "file"
    path.write_text("precious")
    with pytest.raises(InputError, match="it exists"):
        backup(full, path)
    assert path.read_text() == "precious"
    backup(full, path, overwrite=True)
    assert zipfile.is_zipfile(path)
    with pytest.raises(InputError, match="no ordinary file"):
        backup(full, Path("/dev/null"), overwrite=True)
    with pytest.raises(InputError, match="there is no folder"):
        backup(full, tmp_path / "no" / "file")


def test_a_file_that_appears_meanwhile_is_left(full: KnowledgeGraph, tmp_path: Path):
    path = tmp_path / "file"

    def tell(text: str) -> None:
        path.write_text("precious")

    with pytest.raises(InputError, match="come into being meanwhile"):
        backup(full, path, tell=tell)
    assert path.read_text() == "precious"
    assert [p.name for p in tmp_path.glob(".*")] == []


def limit_files() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


FULL = """
    import sys
    from pathlib import Path
    import numpy as np
    from ogm import KnowledgeGraph
    from ogm.keeping.backup import backup, restore
    from tests.ogm.samples import Arrays
    from triplestore import ResourceError, open_store
    kg = KnowledgeGraph(open_store("memory:"), Path(sys.argv[1]))
    try:
        restore(kg, Path(sys.argv[2])) if sys.argv[3] == "restore" else None
        backup(kg, Path(sys.argv[2]).with_name("new"))
    except ResourceError as error:
        print(error)
        print(len(list(kg.store.dump())))
"""


def test_a_full_disk_leaves_no_half_file(full: KnowledgeGraph, tmp_path: Path):
    full.push(*map(big, range(5, 15)))
    backup(full, tmp_path / "file")
    assert full.files is not None
    big_literals = tmp_path / "quads"
    big_literals.mkdir()
    code = FULL.replace(
        'restore(kg, Path(sys.argv[2])) if sys.argv[3] == "restore" else None',
        "kg.files = None; [kg.push(Arrays(f8=np.random.random(9000))) for _ in range(3)]",
    )
    done = child(code, tmp_path / "a", big_literals / "x", "", preexec_fn=limit_files)
    said, wrong = done.communicate()
    assert "the disk is full" in said, wrong
    assert not wrong
    assert list(big_literals.iterdir()) == []


def test_a_full_disk_while_restoring(full: KnowledgeGraph, tmp_path: Path):
    full.push(Arrays(f8=np.random.default_rng(1).random(20_000)))
    backup(full, tmp_path / "file")
    done = child(FULL, tmp_path / "a", tmp_path / "file", "restore", preexec_fn=limit_files)
    said, wrong = done.communicate()
    assert "the disk is full" in said, wrong
    assert said.endswith("\n0\n"), "no quad before all arrays"
    assert list((tmp_path / "a").rglob("*.part")) == []


# --- what is not a whole backup ------------------------------------------------------------


def refused(path: Path, there: KnowledgeGraph, match: str = "read the backup") -> None:
    with pytest.raises(InputError, match=match):
        restore(there, path)
    assert content(there.store) == set()


def test_other_files_are_refused(opened: Callable[[str], KnowledgeGraph], tmp_path: Path):
    there, path = opened("m2"), tmp_path / "file"
    with pytest.raises(NotFoundError, match="no such file"):
        restore(there, path)
    path.write_bytes(b"")
    refused(path, there, "something else")
    path.write_text("three\nwater\n")
    refused(path, there, "something else")
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("letter.txt", "dear")
    refused(path, there, "it has no manifest")
    refused(tmp_path, there, "no ordinary file")


def test_a_file_that_was_cut_off_or_altered_is_refused_or_the_same(
    full: KnowledgeGraph, opened: Callable[[str], KnowledgeGraph], tmp_path: Path
):
    path, damaged, there = tmp_path / "file", tmp_path / "damaged", opened("m2")
    backup(full, path)
    whole = path.read_bytes()
    chance = random.Random(1)
    for length in chance.sample(range(len(whole)), 40):
        damaged.write_bytes(whole[:length])
        refused(damaged, there)
    # arrays fill most of the file; the ends hold the quads and the directory
    places = [
        *range(60),
        *range(len(whole) - 900, len(whole)),
        *chance.sample(range(len(whole)), 99),
    ]
    unharmed = 0
    for place in places:
        altered = bytearray(whole)
        altered[place] ^= 1 << chance.randrange(8)
        damaged.write_bytes(altered)
        there = KnowledgeGraph(open_store("memory:"), tmp_path / "arrays2")
        try:
            restore(there, damaged)
        except InputError:
            assert content(there.store) == set()
        else:  # a time stamp or an attribute
            unharmed += 1
            assert content(there.store) == content(full.store)
    assert unharmed < len(places) / 2


def rewritten(path: Path, **parts: bytes | None) -> Path:
    """A copy with parts replaced; keys have underscores for slashes and dots."""
    copy = path.with_name("rewritten")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(copy, "w") as new:
        for name in old.namelist():
            text = parts.get(name.replace(".", "_").replace("/", "_"), old.read(name))
            if text is not None:
                new.writestr(name, text)
    return copy


def test_what_does_not_belong_together_is_refused(
    full: KnowledgeGraph, opened: Callable[[str], KnowledgeGraph], tmp_path: Path
):
    path, there = tmp_path / "file", opened("m2")
    backup(full, path)
    with zipfile.ZipFile(path) as file:
        manifest = json.loads(file.read("manifest.json"))
        quads = file.read(QUADS)
        array = next(name for name in file.namelist() if name.endswith(".npy"))

    def saying(**more: object) -> bytes:
        return json.dumps({**manifest, **more}).encode()

    refused(rewritten(path, manifest_json=saying(version=2)), there, "update Grafico")
    refused(rewritten(path, manifest_json=saying(version="1")), there)
    refused(rewritten(path, manifest_json=saying(format="grafico-bundle")), there, "import")
    refused(rewritten(path, manifest_json=saying(format="x")), there, "it is a x")
    refused(rewritten(path, manifest_json=saying(parts={})), there, "disagree")
    refused(rewritten(path, manifest_json=b"{"), there, "cannot be read")
    refused(rewritten(path, manifest_json=b"[" * 100_000), there, "cannot be read")
    refused(rewritten(path, manifest_json=None), there, "it has no manifest")
    refused(rewritten(path, quads_nq=quads + b"<urn:a> <urn:b> <urn:c> .\n"), there, "checksum")
    refused(rewritten(path, quads_nq=None), there, "disagree")
    gone = {array.replace("/", "_").replace(".", "_"): None}
    refused(rewritten(path, **gone), there, "has it not")
    other = {array.replace("/", "_").replace(".", "_"): b"\x93NUMPY" + b"x" * 200}
    refused(rewritten(path, **other), there, "header is damaged")


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "arrays/../evil.npy", "arrays/x.npy"])
def test_no_name_leaves_the_file(name: str, full: KnowledgeGraph, tmp_path: Path):
    path = tmp_path / "file"
    backup(full, path)
    with zipfile.ZipFile(path, "a") as file:
        file.writestr(name, "evil")
    refused(path, KnowledgeGraph(open_store("memory:"), tmp_path / "x"), "does not belong there")


def test_a_directory_that_is_too_long_is_not_read(tmp_path: Path):
    from ogm.keeping.container import ContainerLimits, ContainerReader

    path = tmp_path / "file"
    with zipfile.ZipFile(path, "w") as file:
        for number in range(2000):
            file.writestr(f"arrays/{number:064x}.npy", b"")
    with pytest.raises(InputError, match="too long"):
        ContainerReader(path, "grafico-backup", 1, (QUADS,), ContainerLimits(directory=100_000))


# --- damaged stores ------------------------------------------------------------------------


def test_what_was_missing_before_is_told_and_the_rest_is_saved(
    full: KnowledgeGraph, opened: Callable[[str], KnowledgeGraph], tmp_path: Path
):
    assert full.files is not None
    first, second, third = sorted(full.files.folder.rglob("*.npy"))
    first.unlink()
    second.write_bytes(second.read_bytes()[:-1] + b"x")
    saved = backup(full, tmp_path / "file")
    assert saved.missing == {first.stem: "its file is missing", second.stem: "its checksum differs"}
    there = opened("m2")
    restored = restore(there, tmp_path / "file")
    assert restored.missing == tuple(sorted([first.stem, second.stem]))
    assert content(there.store) == content(full.store)
    assert there.files is not None
    checked_file(there.files, third.stem)


def test_restoring_mends_damaged_arrays(full: KnowledgeGraph, tmp_path: Path):
    backup(full, tmp_path / "file")
    assert full.files is not None
    names = sorted(full.files.folder.rglob("*.npy"))
    names[0].unlink()
    names[1].write_bytes(names[1].read_bytes()[:-1] + b"x")
    restore(full, tmp_path / "file")
    for path in names:
        checked_file(full.files, path.stem)


def test_arrays_need_a_folder(full: KnowledgeGraph, tmp_path: Path):
    backup(full, tmp_path / "file")
    refused(tmp_path / "file", KnowledgeGraph(open_store("memory:")), "no folder for arrays")
