"""Calculations and what runs them: keys, task folders, the executor, events."""
