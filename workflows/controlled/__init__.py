"""Lists of chemicals that are controlled, and of explosives: what is on them is not made."""
