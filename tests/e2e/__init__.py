"""The product as people meet it: the real command, a real EMS, a real browser."""
