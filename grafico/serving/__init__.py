"""What the servers over HTTP have in common: connections, and how they begin and end."""
