"""Plain requests understood by rules: read, answered, and behind the door of a language model."""
