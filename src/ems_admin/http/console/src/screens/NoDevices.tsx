/** The devices step before there is a device: with what is here already, with an example, or one by one. */

import type { Role } from "../server/setup_shapes";
import { placeWords } from "../editor/form";
import { isBusy } from "../stores/acts";
import { schema } from "../stores/builds";
import { model } from "../stores/console";
import { useExample } from "../stores/draft";
import { beginFromLive, beginsFromLive, leftOut } from "../stores/merging";
import { Button } from "../parts/Button";
import { Icon } from "../parts/Icon";
import { Note } from "../parts/Note";
import { useRead } from "./useRead";

const ROLES: readonly Role[] = ["battery", "inverter", "grid_meter"];

/** A setup says less than a configuration does: what it has no word for is named. */
export function LeftOut() {
  const places = leftOut.value;
  if (places.length === 0) return null;
  return (
    <Note tone="plain" title="Some of it is not part of a setup" onDismiss={() => (leftOut.value = [])}>
      <p>These come from the build again. Change them in Maintenance once the EMS runs.</p>
      <ul class="bullets">
        {places.map((pointer) => (
          <li key={pointer}>{placeWords([], pointer)}</li>
        ))}
      </ul>
    </Note>
  );
}

/** Layouts of an install in which a live configuration lies. */
const WITH_CONFIG: ReadonlySet<string> = new Set(["standard_config_only", "standard_install", "admin_prepared_install"]);

export function NoDevices() {
  const example = schema.value?.example;
  const here = WITH_CONFIG.has(model.value?.install_state.state ?? "");
  useRead(() => beginFromLive("devices"), beginsFromLive.value && schema.value !== null);
  if (here) return <BeginFromLive />;
  return (
    <div class="empty">
      <div class="empty-signs" aria-hidden="true">
        {ROLES.map((role) => (
          <Icon key={role} name={role} size="large" />
        ))}
      </div>
      <h3>No devices yet</h3>
      {example ? (
        <>
          <p class="soft">Just looking around? This build brings devices that exist only in software, so that you can see everything at work.</p>
          <Button kind="primary" onClick={() => useExample(example)}>
            Add the demo devices
          </Button>
        </>
      ) : (
        <p class="soft">Add them one by one below. You find a device's address in its app or in your router.</p>
      )}
    </div>
  );
}

function BeginFromLive() {
  const example = schema.value?.example;
  return (
    <div class="empty">
      <div class="empty-signs" aria-hidden="true">
        <Icon name="file" size="large" />
      </div>
      <h3>No devices yet</h3>
      <p class="soft">A configuration is here already. Begin with its devices, or add others below.</p>
      <div class="row">
        <Button kind="primary" busy={isBusy("begin-from-live")} onClick={() => void beginFromLive("devices")}>
          Begin with what is here
        </Button>
        {example && <Button onClick={() => useExample(example)}>Add the demo devices</Button>}
      </div>
    </div>
  );
}
