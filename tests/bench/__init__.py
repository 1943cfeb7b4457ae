"""What the project measures of itself: `make bench`. Every figure is a ratio of two things timed in the same run."""
