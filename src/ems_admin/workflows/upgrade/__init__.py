"""Guided Upgrade: what stands against one, and what a build would mean for this install."""
