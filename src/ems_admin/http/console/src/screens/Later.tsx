/** Screens that the first page does not need: fetched once it stands, so that it stands sooner. */

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../parts/Button";
import { Note } from "../parts/Note";
import { Waiting } from "../parts/Waiting";

type Fetched = () => Promise<ComponentType>;

const SCREENS = {
  setup: async () => (await import("./GuidedSetup")).GuidedSetup,
  maintenance: async () => (await import("./maintenance/Maintenance")).Maintenance,
  upgrade: async () => (await import("./upgrade/UpgradeRoom")).UpgradeRoom,
  recovery: async () => (await import("./Recovery")).RecoveryScreen,
  state: async () => (await import("./State")).StateScreen,
  switch: async () => (await import("../panels/SwitchDialog")).SwitchDialog,
} satisfies Record<string, Fetched>;

export type LaterScreen = keyof typeof SCREENS;

const ready = new Map<LaterScreen, ComponentType>();

interface LaterProps {
  name: LaterScreen;
  /** A dialog leaves no gap in the page while it is fetched. */
  quiet?: boolean;
}

export function Later({ name, quiet }: LaterProps) {
  const [, drawAgain] = useState(0);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    setFailed(false);
    fetched(name).then(
      () => drawAgain((times) => times + 1),
      () => setFailed(true),
    );
  }, [name]);
  const Screen = ready.get(name);
  if (Screen) return <Screen />;
  if (failed) return <Outdated />;
  return quiet ? null : <Waiting what="this page" />;
}

async function fetched(name: LaterScreen): Promise<void> {
  if (!ready.has(name)) ready.set(name, await SCREENS[name]());
}

/** The parts of a console that has been replaced meanwhile are not there any more. */
function Outdated() {
  return (
    <Note
      tone="attention"
      title="This page could not be fetched"
      actions={
        <Button kind="primary" onClick={() => window.location.reload()}>
          Load the console again
        </Button>
      }
    >
      <p>EMS Admin may have been updated while this tab was open. Loading again keeps everything you typed.</p>
    </Note>
  );
}

/** Have the other screens at hand before anybody asks for them. */
export function fetchTheOthers(): void {
  for (const name of Object.keys(SCREENS) as LaterScreen[]) void fetched(name).catch(() => undefined);
}
