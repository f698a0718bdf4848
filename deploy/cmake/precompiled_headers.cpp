// Nothing: what the precompiled headers of the libraries belong to.
