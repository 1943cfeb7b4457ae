"""What running work is: its kinds and its entries."""
