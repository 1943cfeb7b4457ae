"""Everything durable that is a file: records, the live config, what a Setup generates, the journal, the site lock."""
