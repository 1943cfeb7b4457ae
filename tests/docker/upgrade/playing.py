"""Cuts side by side on one engine: every site comes to its point, everything is gone in one instant, and comes back.

What lies on the disk between the cut and the start is looked at as well: nothing runs then that could still mend it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, Final

from attrs import define, field, frozen

from ems_admin.docker.labels import aside_name
from ems_admin.machines.records.transition import Stage
from tests.docker.upgrade.case import CutGroup, Serving, UpgradeCut, Wish
from tests.docker.upgrade.operator import Operator
from tests.docker.upgrade.site import UpgradeHouse
from tests.lab.lab import Lab

AT_ONCE: Final = 3
"""Sites at a time: enough to fill two cores while the others wait."""
COMES: Final = 150.0
"""Seconds until a site has come to its point."""
SECRET: Final = "password"
_numbers: Final = count(500)


@frozen(kw_only=True)
class OnDisk:
    """What was on the disk when the power was gone."""

    stage: str | None
    known_good: dict[str, Any] | None
    backups: list[tuple[str, int]]
    migrations: list[str]


@define(kw_only=True)
class Play:
    """One case on its site. Mutable: it comes about."""

    case: UpgradeCut
    house: UpgradeHouse
    operator: Operator = field(init=False)
    operation_id: str | None = None
    dark: OnDisk | None = None

    @operator.default
    def _operator(self) -> Operator:
        return Operator(house=self.house, options={} if self.case.well else {"auto_rollback": True})

    def begin(self) -> None:
        """Install an EMS, agree to an upgrade, and wait until it stands at the point."""
        self.house.install()
        if self.case.serving is Serving.NEWER:
            self.house.put_up_anew("newer")
        if self.case.migrates:
            self.house.write_an_old_broker()
        self.house.fuse.lay(self.case.point, role=self.case.role.value, does="hold")
        self.operator.agree()
        self.house.wait_until(lambda: self.house.fuse.holds, "the point is reached", limit=COMES)

    def look_at_the_disk(self) -> None:
        """Look what is there while nothing runs; then let whoever was held be past it."""
        transition = self.house.read_record("pending-transition") or {}
        upgrade = transition.get("mode") == "guided_upgrade"
        self.operation_id = transition["operation_id"] if upgrade else None
        named = self.operation_id or "none"
        self.dark = OnDisk(
            stage=transition["stage"] if upgrade else None,
            known_good=self.house.read_record("known-good-system-build"),
            backups=self.house.backups(named),
            migrations=self.house.migrations(named),
        )
        self.house.fuse.take_away()

    def come_to_an_end(self) -> None:
        """Do what the operator wishes."""
        match self.case.wish:
            case Wish.GO_ON:
                self.operator.go_on()
            case Wish.GIVE_UP:
                self.operator.go_on_until(self.case.heard[0])
                self.operator.call_off()
            case Wish.CALL_OFF:
                self.operator.call_off()

    def complaints(self) -> Iterator[str]:
        """Name everything that is not as it has to be."""
        builds, dark = self.house.lab.builds, self.dark
        if dark is None:
            yield "nobody has looked at the disk"
            return
        if dark.stage != self.case.stage:
            yield f"B1 said {dark.stage} in the dark"
        known = "newer" if self.case.known_good else "good"
        if (dark.known_good or {}).get("build_id") != builds[known].identity.build_id:
            yield f"the known-good build in the dark was {dark.known_good}"
        if tuple(self.operator.heard) != self.case.heard:
            yield f"the operator heard {self.operator.heard}"
        gone_on = self.case.wish is Wish.GO_ON
        yield from self._whole("newer" if gone_on else "good")
        yield from self._once(dark) if gone_on else ()

    def _whole(self, build: str) -> Iterator[str]:
        """Hold that the site runs one build, says so everywhere, and has nothing left over."""
        house, wanted = self.house, self.house.lab.builds[build]
        transition, good = house.read_record("pending-transition"), house.read_record("known-good-system-build")
        over = Stage.COMPLETED if build == "newer" else Stage.CANCELLED
        if (transition or {}).get("stage") != over or house.read_record("guided-upgrade-context") is not None:
            yield f"it is not over: {self.operator.told()}"
        known = {} if good is None else good
        if (known.get("build_id"), known.get("ems_digest")) != (wanted.identity.build_id, wanted.ems.digest):
            yield f"the known-good build is {good}"
        # What has failed is kept, stopped: the next completed operation clears it away.
        aside = [] if self.case.well else [aside_name(house.ems, house.lab.builds["newer"].identity.build_id)]
        if house.ems_digest != wanted.ems.digest or house.services != [house.ems, *aside]:
            yield f"the EMS runs from {house.ems_digest}, of {house.services}"
        admins = [(found.name, found.runs) for found in house.admins()]
        if admins != [(house.name, True)]:
            yield f"there is not one Admin: {admins}"

    def _once(self, dark: OnDisk) -> Iterator[str]:
        """Hold that backup and migration were made once, whenever the power went."""
        transition = self.house.read_record("pending-transition") or {}
        operation_id = str(transition.get("operation_id"))
        backups, migrations = self.house.backups(operation_id), self.house.migrations(operation_id)
        if len(backups) != 1 or (dark.backups and dark.backups != backups):
            yield f"there was the backup {dark.backups}, and there are {backups}"
        if len(migrations) != 1 or (dark.migrations and dark.migrations != migrations):
            yield f"the config had been migrated by {dark.migrations}, and was by {migrations}"
        if SECRET in self.house.config["mqtt"]["brokers"]["shed"]:
            yield "the old broker is still there"


def play_group(group: CutGroup, lab: Lab, tell: Callable[[str], None]) -> list[str]:
    """Play every case through one cut, and give what is wrong with any of them."""
    plays = [Play(case=case, house=_house(case, lab)) for case in group.cases]
    try:
        with ThreadPoolExecutor(max_workers=AT_ONCE) as hands:
            begun = dict(zip((play.case.title for play in plays), hands.map(_begun, plays), strict=True))
        lab.engine.kill()
        there = [play for play in plays if begun[play.case.title] is None]
        for play in there:
            play.look_at_the_disk()
        lab.engine.start()
        with ThreadPoolExecutor(max_workers=len(plays)) as hands:
            faults = [*filter(None, begun.values()), *(fault for some in hands.map(_ended, there) for fault in some)]
        for play in there:
            tell(f"{play.case.title:<55} {play.operator.told()}")
        return faults
    finally:
        for play in plays:
            with contextlib.suppress(OSError):
                play.house.take_down()


def _house(case: UpgradeCut, lab: Lab) -> UpgradeHouse:
    return UpgradeHouse(lab=lab, number=next(_numbers), newer_is_well=case.well)


def _begun(play: Play) -> str | None:
    try:
        play.begin()
    except BaseException as error:  # noqa: BLE001  # also what pytest raises: the others are played to their end
        return f"{play.case.title}: {type(error).__name__}: {error} {play.operator.told()}"
    return None


def _ended(play: Play) -> list[str]:
    try:
        play.come_to_an_end()
        return [f"{play.case.title}: {fault}" for fault in play.complaints()]
    except BaseException as error:  # noqa: BLE001
        return [f"{play.case.title}: {type(error).__name__}: {error}"]
