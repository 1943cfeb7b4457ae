"""What both engines stand on: asking over HTTP, judging an Admin, masked words, plain files, the order of services."""
