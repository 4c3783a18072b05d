"""Devices: who may command one, what it was told to do and what came of it, and how it is stopped.

`Driver` is what stands for a device, simulated or real; `Command` is a step of a graph that
commands one; `Operations` keeps two records of each thing that a device does by itself, one before
and one after it; `leased` lets one request command a device at a time.
"""
