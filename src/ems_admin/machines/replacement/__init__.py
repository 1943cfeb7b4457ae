"""What the two machines of a replacement share."""
