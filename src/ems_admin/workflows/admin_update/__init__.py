"""Updating the Admin alone: planned, carried out by an operation that leaves the EMS as it is, and shown."""
