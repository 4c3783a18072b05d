"""Does Grafico do the science right, and what does it cost."""
