"""The Docker engine: the EMS as containers, and the Admin replaced as one. Everything is decided by looking."""
