// No test: what the precompiled header of all test programs belongs to.
