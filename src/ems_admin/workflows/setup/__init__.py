"""Guided Setup: begun, given a build, ended."""
