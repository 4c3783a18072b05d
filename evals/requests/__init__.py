"""Does the agent do the science right: requests in plain words, judged: ``make evals``."""
