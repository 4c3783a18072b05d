"""The exercises of El Agente Gráfico's section B.2, judged by the objects that an agent leaves.

Bai, Aldossary et al., *El Agente Gráfico: Structured Execution Graphs for Scientific Agents*. The
questions are worded anew; the structures were built from the compounds that the article names
(its own files are not public), and every reference value was found by another program.
"""
