"""Opening the store that a URL names."""

from __future__ import annotations

from pathlib import Path

from triplestore.store import Store, folder_of, is_remote


def open_store(url: str, home: Path | None = None) -> Store:
    """Open the store that a URL names.

    Args:
        url: `memory:`, a folder, `file://` and a folder, or the `http://` or `https://` URL of a
            SPARQL server's query endpoint. A folder that does not exist is created, readable by
            its owner alone. A server is not asked for anything yet.
        home: the folder for journals and array files of a server's store; others have their own.

    Raises:
        InputError: the URL names something else, or the folder cannot be used.
        ResourceError: the folder cannot be created because the disk is full.
    """
    # Imported here: who only catches errors or checks queries pays for none of them.
    if url == "memory:":
        from triplestore.memory import MemoryStore

        return MemoryStore()
    if is_remote(url):
        from triplestore.remote.store import RemoteStore

        return RemoteStore(url, home)
    from triplestore.broker.embedded import EmbeddedStore

    return EmbeddedStore(folder_of(url))
