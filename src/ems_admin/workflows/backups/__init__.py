"""Backups: made, looked at, restored, tidied."""
