"""What the System Alignment transition is made of: facts, rules, edges by purpose, and its outlook."""
