"""A Guided Upgrade on a real Docker daemon: whole, to an EMS that is not well, and cut at every one of its steps.

The cases of the cuts are values (`table.py`). Each has a site of its own, with an EMS that was installed over HTTP.
"""
