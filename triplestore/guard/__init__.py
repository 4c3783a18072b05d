"""The guard: which queries written by others may be asked at all; `lexer` cuts them into tokens."""
