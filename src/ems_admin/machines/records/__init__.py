"""The durable records as frozen values: what is stored, in which words. No rule stands here, and no way to disk."""
