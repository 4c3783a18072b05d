"""How blocks are rendered: as HTML, for a notebook, and by the terminal, JSON and models.

No module here knows a domain: what there is to show is said by the domains and by
`workflows.show.object_blocks`.
"""
