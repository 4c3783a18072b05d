"""The science as typed execution graphs: an engine, and a folder for each domain."""
