"""Images and their registry go away. Source: `replacement.md` 7.2; `faults.md` F21, F23, F24."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from tests.docker.kills.acts import fails, forget_image, registry_comes, registry_goes, resume, untag_old_image
from tests.docker.kills.case import Back, Case, Does, new, old
from tests.docker.kills.points import WALKED

GONE: Final = (
    Case(
        title="the registry is gone, and the image is not here; it comes back, and an operator tries again",
        who="the registry",
        before=(registry_goes, forget_image("newer")),
        then=(fails, registry_comes, resume),
        ends=new(),
    ),
    Case(
        title="the image is pruned between the handover and U3",
        who="the image",
        target="dying",
        point=WALKED["after U2"],
        does=Does.HOLD,
        there=(forget_image("dying"),),
        ends=old(Code.IMAGE_UNAVAILABLE, back=Back.NOBODY),
    ),
)
HERE: Final = (
    Case(
        title="the registry is gone, and the image is here",
        who="the registry",
        before=(registry_goes,),
        ends=new(),
    ),
    Case(
        title="the image of the old Admin has lost its names, and the new one ends at once",
        who="the new Admin",
        target="dying",
        point=WALKED["after U2"],
        does=Does.HOLD,
        there=(untag_old_image,),
        ends=old(Code.REPLACEMENT_START_FAILED),
    ),
)
