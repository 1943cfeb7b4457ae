#!/opt/ems-admin/bin/python3
"""An Admin that can say who it is, and ends as soon as it is to serve."""

import sys

from ems_admin.app import main

if "serve" in sys.argv[1:]:
    sys.exit("this build dies when it is to serve")
main()
