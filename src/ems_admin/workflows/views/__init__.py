"""What the console reads in one go."""
