"""Pure values that several machines go by: fingerprints, tags, references, trees."""
