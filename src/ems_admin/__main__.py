"""`python -m ems_admin`: the same as `ems-admin`, for whoever has the package and no script."""

from ems_admin.app import main

main(prog_name="ems-admin")
