"""From what somebody asks to a run: forms, definitions of workflows, estimates, resuming."""
