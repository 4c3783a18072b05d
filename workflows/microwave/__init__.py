"""A virtual microwave synthesizer."""
