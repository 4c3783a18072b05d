"""A store on a SPARQL server.

`store` is the store. `address`, `connection` and `transport` bring a request there, `asking` writes
it and reads the answer, `conditional` inserts under a condition. `aside`, `namespace`, `spelling`
and `wrong` know what servers do in a way of their own; `blazegraph` starts one.
"""
