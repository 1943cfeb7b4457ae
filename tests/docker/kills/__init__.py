"""The replacement of an Admin on a real Docker daemon, killed, cut and crossed at every step.

The cases are values (`table/`). A case is played on a site of its own: the Admin is a real container, asked over HTTP,
and a fuse inside the images kills or holds a process at the point that the case names (`playing.py`). What came of it
is asked of the disk, the daemon and the Admin in one place (`judging.py`), and has to be what the case says. The page
is written from the same values (`page.py`), so it cannot say anything that no test holds.
"""
