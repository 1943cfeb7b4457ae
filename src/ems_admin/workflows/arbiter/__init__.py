"""The arbiter: who may begin, switch, recover or release, asked of all records together and delegated to their owners.

Source: `seed 000` 7.
"""
