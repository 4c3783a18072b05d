"""A store in a folder: one process holds the quads, and all others are its clients.

On the client's side: `embedded` (the store), `wire` (the messages), `launch` (how the process is
started). On the other: `__main__` (the process), `serving` (connections), `engine` (what is done
for them), `sink`, `answering` and `folder`. Queries of others are answered apart, with limits:
`jobs`, `replica`, `replicating` and `ceiling`; the store in memory uses these as well.
"""
