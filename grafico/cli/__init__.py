"""The command line: verbs, options, tables, and the person at the terminal."""
