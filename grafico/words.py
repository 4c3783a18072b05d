"""Words for people."""

from workflows.words import count as count
