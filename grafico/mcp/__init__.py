"""The tools of `grafico.agent` for assistants that speak the Model Context Protocol."""
