"""Each workflow over real files, killed for good at each of its durable writes, and started again."""
