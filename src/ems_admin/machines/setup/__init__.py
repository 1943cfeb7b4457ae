"""What the machines of Guided Setup share: facts, rules, and the tables that stand beside them."""
