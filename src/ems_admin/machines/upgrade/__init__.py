"""What a Guided Upgrade consists of: its steps, what it settles before the Admin is replaced, and how it goes on."""
