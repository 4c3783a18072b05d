"""A session: what is asked in Python, settings, the knowledge graph behind it, and traces."""
