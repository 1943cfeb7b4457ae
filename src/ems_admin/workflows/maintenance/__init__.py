"""Maintenance: looking after an EMS that is installed."""
