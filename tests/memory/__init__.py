"""The ports in memory, for whoever steps workflows by hand: every call stops once before it acts, every durable change
once after it has landed."""
