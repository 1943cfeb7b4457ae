"""How an Admin is replaced that runs as a container."""
