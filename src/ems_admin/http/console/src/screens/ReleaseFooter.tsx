/** What can be done with the chosen build: take it, bring its Admin here first, change to it, or go on. */

import { useState } from "preact/hooks";
import { isBusy } from "../stores/acts";
import { changeBuild, updateAdmin, useBuild, verification, verify, verifying } from "../stores/builds";
import { actionAt, model, runningJob } from "../stores/console";
import { openStep } from "../stores/workflow";
import { releaseAct } from "../setup/release_act";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";

interface ReleaseFooterProps {
  /** Whether the held build is here and proven. */
  ready: boolean;
  /** The build that this setup holds already. */
  held: string | null;
  chosen: string | null;
}

export function ReleaseFooter({ ready, held, chosen }: ReleaseFooterProps) {
  const [asked, setAsked] = useState<"change" | "update_admin" | null>(null);
  if (chosen === null) return null;
  const operation = model.value?.setup?.operation_id ?? null;
  const act = releaseAct({ chosen, held, ready, operation, state: verification.value?.action_state ?? null });
  const close = () => setAsked(null);
  switch (act) {
    case "go_on":
      return (
        <Button kind="primary" icon="arrow" onClick={() => openStep("devices")}>
          Continue to devices
        </Button>
      );
    case "change":
      return (
        <>
          <Button kind="primary" busy={isBusy("change-build")} reason={waits() ?? refusedAt("/api/setup/system-build/supersede")} onClick={() => setAsked("change")}>
            Change to this build
          </Button>
          {asked === "change" && <ChangeBuild chosen={chosen} held={held} onClose={close} />}
        </>
      );
    case "update_admin":
      return (
        <>
          <Button kind="primary" busy={isBusy("update-admin")} reason={waits() ?? refusedAt("/api/setup/system-build/update-admin")} onClick={() => setAsked("update_admin")}>
            Update this Admin first
          </Button>
          {asked === "update_admin" && <UpdateAdmin chosen={chosen} onClose={close} />}
        </>
      );
    case "use":
    case "nothing":
      return <UseBuild chosen={chosen} possible={act === "use"} />;
  }
}

function waits(): string | null {
  return runningJob.value ? "Wait until the work above has ended." : null;
}

/** The server's own reason against an act, where it speaks of it. */
function refusedAt(path: string): string | null {
  const action = actionAt(path);
  return action && !action.enabled ? (action.reason?.message ?? null) : null;
}

function UseBuild({ chosen, possible }: { chosen: string; possible: boolean }) {
  return (
    <>
      <Button kind="primary" busy={isBusy("use-build")} disabled={!possible} reason={waits() ?? refusedAt("/api/setup/releases/prepare")} onClick={() => void useBuild(chosen)}>
        Use this build
      </Button>
      {!possible && !verifying.value && !runningJob.value && (
        <Button icon="restart" onClick={() => void verify(chosen)}>
          Check again
        </Button>
      )}
    </>
  );
}

function ChangeBuild({ chosen, held, onClose }: { chosen: string; held: string | null; onClose: () => void }) {
  return (
    <Dialog
      title={`Change to ${chosen}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Stay with {held}</Button>
          <Button kind="primary" busy={isBusy("change-build")} onClick={() => void changeBuild(chosen).finally(onClose)}>
            Change build
          </Button>
        </>
      }
    >
      <p>The setup begins again with the other build. Your devices and options stay; the configuration has to be reviewed and written again.</p>
    </Dialog>
  );
}

function UpdateAdmin({ chosen, onClose }: { chosen: string; onClose: () => void }) {
  return (
    <Dialog
      title={`Update EMS Admin to ${chosen}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" busy={isBusy("update-admin")} onClick={() => void updateAdmin(chosen).finally(onClose)}>
            Update EMS Admin
          </Button>
        </>
      }
    >
      <p>The EMS Admin of this build takes the place of the one that runs here. It is tried out first, and if it does not come up healthy the old one comes back.</p>
      <p>Your EMS is not touched. This page comes back by itself; you sign in once more, and everything you entered is still here.</p>
    </Dialog>
  );
}
