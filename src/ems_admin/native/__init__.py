"""The native engine: an EMS without Docker, as child processes that outlive the Admin which started them.

`engine.py` is the whole of it from outside; the other files each know one thing.
"""
