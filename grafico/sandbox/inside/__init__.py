"""What runs inside the sandbox, where it is the package `inside`: standard library and NumPy only.

Nothing here imports from the rest of Grafico, which is not there.
"""
