"""Runners: who starts jobs and tells how they are: this machine, or a batch system."""
