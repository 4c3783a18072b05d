"""Computing on this machine: slots, worker processes, what becomes of them."""
