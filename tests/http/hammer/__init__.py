"""Many people at once, with no manners: what every route must stand."""
