"""What is shown of runs and results: typed blocks, which every door renders in its own way."""
