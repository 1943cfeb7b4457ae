"""The declarations: every authority as a finite-state machine. Pure: no I/O, no clock, no randomness, no asyncio."""
