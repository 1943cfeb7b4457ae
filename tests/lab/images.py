"""The images of the lab: the product's own Dockerfile, built from the working tree for several builds, and pushed.

What takes long, the base and the packages, is made once for each Dockerfile and lock file: the disks of an engine and a
registry that hold them lie in the cache, and every lab begins on a copy.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from ems_admin.builds.identity import build_identity
from ems_admin.codec import encode
from ems_admin.demo.packing import successor
from ems_admin.machines.records.build import ImagePin, OwnIdentity
from tests.house.tracked import ROOT
from tests.lab.asking import Api
from tests.lab.base import PYTHON, RECIPE, base_tar
from tests.lab.cache import kept, key
from tests.lab.context import product_context, tar
from tests.lab.daemon import a_dockerd
from tests.lab.plot import Plot
from tests.lab.registry import ADDRESS, a_registry
from tests.lab.wheels import LOCK, wheels
from tools.build_identity import identity

BASE: Final = "ems-lab/base:latest"
OFFLINE: Final = {"BASE": BASE, "PIP_NO_INDEX": "1"}
LAYERS: Final = Path(__file__).parent / "layers"
PROGRAM: Final = "/opt/ems-admin/program"
PACKAGES: Final = f"/opt/ems-admin/lib/python{PYTHON}/site-packages"
DEFECTS: Final = {
    "good": "",
    "newer": "",
    "unhealthy": f"USER 0:0\nRUN rm {PROGRAM}/ems_admin/http/console/dist/assets/index-*.js\nUSER 10001:10001\n",
    "dying": "COPY dying.py /opt/ems-admin/bin/ems-admin\n",
}
"""The builds, the oldest first, and what is wrong with their Admin."""


@frozen(kw_only=True)
class LabBuild:
    """One build whose images lie in the registry."""

    name: str
    identity: OwnIdentity
    admin: ImagePin
    ems: ImagePin
    admin_image_id: str


def first_disks(plot: Plot) -> Path:
    """Give the disks of an engine and a registry that hold the packages; the first time that takes a minute or two.

    Folders `docker` and `registry`. The layers of the working tree of that time are there as well, and help as long as
    nothing was changed.
    """
    made_from = key((ROOT / "Dockerfile").read_bytes(), LOCK.read_bytes(), RECIPE)
    return kept("disks", made_from, partial(_build_the_packages, plot))


def _build_the_packages(plot: Plot, into: Path) -> None:
    base, context = base_tar(), product_context(wheels())
    with a_registry(plot, into / "registry"), a_dockerd(plot, into / "docker") as engine:
        api = Api(engine.socket)
        api.stream("images/create", base, fromSrc="-", repo=BASE.partition(":")[0], tag="latest")
        build_product(api, context, own_identity())
        packages = f"{ADDRESS}/ems-admin/packages:latest"
        _build(api, context, "runtime", OFFLINE, tag=packages)
        push(api, packages)
        engine.stop()


def copied(disks: Path, to: Path) -> None:
    """Copy the disks of an engine and a registry that do not run."""
    for disk in ("docker", "registry"):
        subprocess.run(["cp", "--archive", "--reflink=auto", str(disks / disk), str(to / disk)], check=True)


def build_all(api: Api) -> tuple[LabBuild, ...]:
    """Build the working tree, and push it under the name of every build, the oldest first."""
    own = own_identity()
    plain = build_product(api, product_context(wheels()), own)
    wanted = [(name, identified(own, number)) for number, name in enumerate(DEFECTS)]
    with ThreadPoolExecutor(max_workers=2) as hands:
        return tuple(hands.map(lambda one: name_and_push(api, plain, *one), wanted))


@frozen(kw_only=True)
class Product:
    """The ids of the images as the Dockerfile makes them."""

    admin: str
    ems: str


def build_product(api: Api, context: bytes, who: OwnIdentity) -> Product:
    """Build both images by the product's Dockerfile."""
    said = OFFLINE | {
        "SYSTEM_TAG": who.system_tag,
        "BUILD_ID": who.build_id,
        "REVISION": who.revision,
        "BUILT_AT": _text(who.built_at),
        "REQUIRES": who.requires,
    }
    ems = _build(api, context, "ems", said, tag="ems-lab/ems:latest")
    return Product(ems=ems, admin=_build(api, context, "admin", said, tag="ems-lab/admin:latest"))


def name_and_push(api: Api, product: Product, name: str, who: OwnIdentity) -> LabBuild:
    """Give the product's images the identity of a build, and its defect; push them."""
    ems, admin = (f"{ADDRESS}/ems-admin/{part}:{who.system_tag}" for part in ("ems", "admin"))
    said = {"system_tag": who.system_tag, "build_id": who.build_id, "revision": who.revision, "defect": None}
    files = {f"root{PROGRAM}/ems/build.json": json.dumps(said).encode()}
    _build(api, _layer(files, product.ems, who, ""), "", {}, tag=ems)
    files = {
        f"root{PROGRAM}/ems_admin/build.json": encode(build_identity(who)),
        f"root{PROGRAM}/lab_fuse.py": (LAYERS / "fuse.py").read_bytes(),
        f"root{PACKAGES}/lab_fuse.pth": (LAYERS / "fuse.pth").read_bytes(),
        "dying.py": (LAYERS / "dying.py").read_bytes(),
    }
    image = _build(api, _layer(files, product.admin, who, DEFECTS[name]), "", {}, tag=admin)
    return LabBuild(name=name, identity=who, admin=push(api, admin), ems=push(api, ems), admin_image_id=image)


def _layer(files: Mapping[str, bytes], below: str, who: OwnIdentity, defect: str) -> bytes:
    """Give the context that puts files upon an image, and says that it is another build."""
    labels = {
        "org.opencontainers.image.version": who.system_tag,
        "org.opencontainers.image.revision": who.revision,
        "org.opencontainers.image.created": _text(who.built_at),
        "io.ems-admin.build-id": who.build_id,
    }
    said = " ".join(f'{label}="{value}"' for label, value in labels.items())
    recipe = f"FROM {below}\nCOPY root/ /\n{defect}LABEL {said}\n"
    return tar({**files, "Dockerfile": recipe.encode()})


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _build(api: Api, context: bytes, target: str, said: Mapping[str, str], *, tag: str) -> str:
    api.stream("build", context, t=tag, target=target, buildargs=json.dumps(said), forcerm="1")
    image = api.image(tag)
    assert image is not None
    identified_by: str = image["Id"]
    return identified_by


def push(api: Api, image: str) -> ImagePin:
    """Push an image, and give it with the digest that the registry answers."""
    name, _, tag = image.rpartition(":")
    messages = api.stream(f"images/{name}/push", tag=tag)
    digest = next(message["aux"]["Digest"] for message in messages if "Digest" in message.get("aux", {}))
    return ImagePin(image=image, digest=digest)


def own_identity() -> OwnIdentity:
    """Say which build the working tree is."""
    said = identity(ROOT)
    return OwnIdentity(
        system_tag=str(said["system_tag"]),
        build_id=str(said["build_id"]),
        revision=str(said["revision"]),
        built_at=datetime.fromisoformat(str(said["built_at"])),
        digest=None,
        requires=str(said["requires"]),
    )


def identified(own: OwnIdentity, later: int) -> OwnIdentity:
    """Give the identity of the build that is `later` minor versions after the working tree's."""
    if later == 0:
        return evolve(own)
    major, minor, _ = own.system_tag.removeprefix("v").split(".", 2)
    return successor(own, f"v{major}.{int(minor) + later}.0", hashlib.sha256(own.build_id.encode()).hexdigest())
