"""The sentences behind the codes, one file a subject. `refusals.py` puts them together."""
