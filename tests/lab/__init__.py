"""Real parts for tests: a Docker engine, a registry, images of the working tree, and a site that runs on them.

Fixtures (`fixtures.py`, there for every test):

- `lab`: a `Lab`, one for each worker, as new for each test. `lab.engine` starts, stops and is cut from its power;
  `lab.registry` comes and goes, with a password if wanted; `lab.builds["good" | "newer" | "unhealthy" | "dying"]` name
  images that lie in registry and engine, with their digests; `lab.catalogue` is a folder with System Builds of them;
  `lab.api` asks the engine; `lab.address` is where the host (a browser too) reaches published ports.
- `house`: a `House`: a site on that engine. `house.start_admin()` puts its Admin up as `docker-compose.admin.yml` says;
  `house.url`, `admins()`, `updaters()`, `health()`, `read_record("pending-transition")`, `code()`, `wait_until(…)`,
  `kill_admin()`, `kill_updater()`; `house.fuse.lay("record:replacement-run:after:step=claimed", role="updater")` kills
  a process at one point (`layers/fuse.py` says what a point is).
- `docker`: an `aiodocker.Docker` on that engine.

Nothing here takes part in what is tested: the lab looks at engine and disk itself. It takes root, and the packages that
`tools/machine.sh test` brings; without them tests fail and name that command. What is slow to make is kept below
`~/.cache/ems-admin-lab`.
"""
