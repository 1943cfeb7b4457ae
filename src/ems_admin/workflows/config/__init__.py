"""The configuration of the EMS: from a draft to a reviewed preview to the one way in which it is written."""
