"""A small real energy management system: it reads a config, runs a control loop and shows what it does.

It stands alone: packed into a System Build it is a program of its own, and imports nothing of `ems_admin`. Only its
devices are simulated: a roof, a household and a battery, with a believable day.
"""
