"""What Grafico itself costs, as ratios measured in one run: ``make bench``."""
