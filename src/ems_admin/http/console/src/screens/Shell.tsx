/** What stands around every screen: the way between them, and whether the server answers. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { act } from "../stores/acts";
import { model, readFault, runningJob } from "../stores/console";
import { logOut, reachable } from "../stores/session";
import { Button } from "../parts/Button";
import { Icon, type IconName } from "../parts/Icon";
import { Note } from "../parts/Note";
import { address, place, type Place } from "../tab/route";
import { Brand } from "./Brand";

const WAYS: readonly { to: Place; label: string; icon: IconName }[] = [
  { to: "home", label: "Home", icon: "home" },
  { to: "setup", label: "Setup", icon: "setup" },
  { to: "maintenance", label: "Maintenance", icon: "maintenance" },
  { to: "state", label: "State", icon: "state" },
];

/** Which way leads to the work of this moment, or null. */
function whereWorkIs(): Place | null {
  if (!runningJob.value) return null;
  return model.value?.lifecycle.owner === "guided_setup" || runningJob.value.workflow_id !== null ? "setup" : "maintenance";
}

export function Shell({ children }: { children: ComponentChildren }) {
  const here = place.value;
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    // After a change of screen a reader begins at its top, as after a page load.
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
    window.scrollTo({ top: 0 });
    document.title = `${here === "recovery" ? "Unfinished" : (WAYS.find((way) => way.to === here)?.label ?? "Home")} – EMS Admin`;
  }, [here]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the content
      </a>
      <header class="top">
        <div class="top-inside">
          <a class="brand-link" href={address("home")} aria-label="EMS Admin, home">
            <Brand />
          </a>
          <nav class="ways" aria-label="Main">
            {WAYS.map((way) => (
              <a key={way.to} class="way" href={address(way.to)} aria-current={way.to === here ? "page" : way.to === "maintenance" && here === "recovery" ? "true" : undefined}>
                <Icon name={way.icon} />
                <span>{way.label}</span>
                {way.to === whereWorkIs() && <span class="way-dot" aria-hidden="true" />}
              </a>
            ))}
          </nav>
          <Button kind="quiet" icon="lock" onClick={() => void act("home", "sign-out", logOut)}>
            Sign out
          </Button>
        </div>
      </header>
      {!reachable.value && (
        <p class="line-cut" role="status">
          <span class="spinner" aria-hidden="true" /> EMS Admin does not answer. Trying again; this page goes on by itself.
        </p>
      )}
      <main class="page" id="main" tabIndex={-1} ref={main}>
        {readFault.value && (
          <Note tone="trouble" title="The state could not be read just now" urgent>
            <p>{readFault.value.message}</p>
          </Note>
        )}
        {children}
      </main>
    </>
  );
}
