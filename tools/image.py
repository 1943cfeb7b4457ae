"""Build the images of this checkout: `python -m tools.image [--registry HOST/PATH]`, behind `make image`.

Both images of a System Build come from one Dockerfile and one identity, that of `build.json`. With a registry they are
pushed, and the build is packed into `dist/catalogue/`, pinned to the digests that the registry gave: a folder that an
Admin takes as its catalogue. `BASE` in the environment names another base; with `PIP_NO_INDEX=1` the packages are those
that lie in `wheels/`.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from ems_admin.builds.catalogue import CATALOGUE, CATALOGUE_LIMIT, Catalogue
from ems_admin.builds.identity import own_identity
from ems_admin.builds.packing import replace_file
from ems_admin.codec import encode
from ems_admin.demo.archives import DemoBuild, Images, pack_build
from ems_admin.machines.records.build import ImagePin
from tools import build_identity, console

ROOT = build_identity.ROOT
FROM_OUTSIDE = ("BASE", "PIP_NO_INDEX")
HERE = "ems-admin"
"""What the images are called that no registry knows."""


def build(target: str, image: str, who: dict[str, object]) -> None:
    """Build one target of the Dockerfile."""
    said = [f"{name.upper()}={value}" for name, value in who.items() if name != "format_version"]
    said += [f"{name}={os.environ[name]}" for name in FROM_OUTSIDE if os.environ.get(name)]
    arguments = [word for one in said for word in ("--build-arg", one)]
    subprocess.run(["docker", "build", "--target", target, "--tag", image, *arguments, "."], cwd=ROOT, check=True)


def push(image: str) -> ImagePin:
    """Push an image, and give it with the digest that the registry gave."""
    subprocess.run(["docker", "push", image], check=True)
    asked = ["docker", "image", "inspect", "--format", "{{json .RepoDigests}}", image]
    known = json.loads(subprocess.run(asked, check=True, capture_output=True).stdout)
    name = image.rpartition(":")[0]
    (digest,) = {found.partition("@")[2] for found in known if found.startswith(f"{name}@")}
    return ImagePin(image=image, digest=digest)


def pack(images: Images, into: Path) -> None:
    """Pack the build of this checkout, pinned to its images, and list it."""
    own = own_identity()
    if own is None:
        sys.exit("build identity: build.json cannot be read")
    into.mkdir(parents=True, exist_ok=True)
    entry = pack_build(DemoBuild(identity=own, notes="Built from a checkout.", images=images), into)
    replace_file(into / CATALOGUE, encode(Catalogue(format_version=1, builds=(entry,)), limit=CATALOGUE_LIMIT))


def main() -> None:
    """Build both; push and pack them where a registry is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--registry", default="", help="where to push them, for instance nas.local:5000/ems-admin")
    place = parser.parse_args().registry.rstrip("/")
    console.build()
    who = build_identity.write(ROOT)
    names = {target: f"{place or HERE}/{target}:{who['system_tag']}" for target in ("ems", "admin")}
    for target, image in names.items():
        build(target, image, who)
    if place:
        images = Images(admin=push(names["admin"]), ems=push(names["ems"]))
        pack(images, ROOT / "dist/catalogue")
        names = {"ems": f"{names['ems']}@{images.ems.digest}", "admin": f"{names['admin']}@{images.admin.digest}"}
    for name in names.values():
        sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main()
