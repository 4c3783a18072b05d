"""The page: conversation, structures and runs in a browser of this machine."""
