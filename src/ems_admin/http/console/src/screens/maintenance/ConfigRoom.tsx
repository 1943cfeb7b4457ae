/** The configuration of the EMS: as a form, as text, its history, and the review before anything is saved. */

import { RefusalNote } from "../../panels/RefusalNote";
import { edited, live, readEditor, saved, stale } from "../../stores/editor";
import { model } from "../../stores/console";
import { readMigration, review } from "../../stores/migration";
import { never } from "../../setup/steps";
import { Button } from "../../parts/Button";
import { Note } from "../../parts/Note";
import { RoomHead } from "../../parts/RoomHead";
import { Waiting } from "../../parts/Waiting";
import { address, further, go } from "../../tab/route";
import { useRead } from "../useRead";
import { ConfigForm } from "./ConfigForm";
import { ConfigHistory } from "./ConfigHistory";
import { ConfigReview } from "./ConfigReview";
import { ConfigText } from "./ConfigText";
import { EditBar } from "./EditBar";
import { LegacyConfig } from "./LegacyConfig";
import { MqttMigration } from "./MqttMigration";
import { SavedNote } from "./SavedNote";
import { StaleEdit } from "./StaleEdit";
import { openView, viewNamed, type View } from "./views";

const TABS: readonly { view: View; label: string }[] = [
  { view: "form", label: "Form" },
  { view: "json", label: "JSON" },
  { view: "history", label: "History" },
];

export function ConfigRoom() {
  const view = viewNamed(further.value);
  useRead(() => (void readEditor(), void readMigration()), true);
  return (
    <>
      <RoomHead title="Configuration" lead="What your EMS knows of your home. Nothing is changed before you have seen the difference and saved it." />
      <LegacyConfig />
      {saved.value && view !== "history" && <SavedNote saved={saved.value} />}
      {review.value?.needed && !stale.value && !edited.value && view !== "migration" && <MigrationOffer />}
      <nav class="tabs" aria-label="Views of the configuration">
        {TABS.map((tab) => (
          <a key={tab.view} href={address("maintenance", "config", tab.view === "form" ? undefined : tab.view)} aria-current={tab.view === view ? "page" : undefined}>
            {tab.label}
          </a>
        ))}
      </nav>
      <RefusalNote corner="editor" />
      {stale.value && view !== "history" ? <StaleEdit refusal={stale.value} /> : <ViewBody view={view} />}
      {(view === "form" || view === "json") && edited.value && !stale.value && <EditBar />}
    </>
  );
}

function ViewBody({ view }: { view: View }) {
  if (view === "history") return <ConfigHistory />;
  if (view === "migration") return <MqttMigration />;
  if (!live.value) return <Waiting what="the configuration" />;
  if (live.value.config === null && !edited.value) return <NoConfig />;
  switch (view) {
    case "form":
      return <ConfigForm />;
    case "json":
      return <ConfigText />;
    case "review":
      return <ConfigReview />;
    default:
      return never(view);
  }
}

function NoConfig() {
  const layout = model.value?.install_state.state;
  // What is to be done then stands above.
  if (layout === "legacy_root_config") return null;
  const first = layout === "none";
  return (
    <div class="empty">
      <h3>There is no configuration yet</h3>
      <p class="soft">{first ? "Guided setup makes one, or a backup brings one back." : "A backup or the history may bring one back."}</p>
      <div class="row">
        <Button kind="primary" onClick={() => go("setup")}>
          Open guided setup
        </Button>
        <Button onClick={() => go("maintenance", "backups")}>Open backups</Button>
      </div>
    </div>
  );
}

function MigrationOffer() {
  return (
    <Note tone="attention" title="MQTT brokers can move to one place" actions={<Button onClick={() => openView("migration")}>See what would change</Button>}>
      <p>Some devices carry their broker inside themselves. In one place, a broker and its password are changed once for all of them.</p>
    </Note>
  );
}
