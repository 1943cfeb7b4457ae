"""What builds the project. Nothing here is part of the product."""
