"""Jobs: whole runs that go on elsewhere, in a folder that needs no network and no store."""
