"""Finishing the replacement of an Admin, in whichever process does it: its updater, or whoever starts the site next.

The site lock is not taken here: whoever walks lets one Admin go and another one come. Natively the lock of the updater
is held instead; of a container there is only one. Source: `replacement.md` 7.4, 7.8.
"""
