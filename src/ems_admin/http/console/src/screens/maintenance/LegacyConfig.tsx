/** A configuration of the old layout: it is taken over once, and the old file stays where it is. */

import { ConfirmOverwrite } from "../../panels/ConfirmOverwrite";
import { RefusalNote } from "../../panels/RefusalNote";
import { isBusy } from "../../stores/acts";
import { model } from "../../stores/console";
import { readEditor } from "../../stores/editor";
import { takeLegacyOver } from "../../stores/migration";
import { Button } from "../../parts/Button";
import { Note } from "../../parts/Note";

const TARGET_EXISTS: ReadonlySet<string> = new Set(["target_exists"]);

export function LegacyConfig() {
  if (model.value?.install_state.state !== "legacy_root_config") return null;
  const takeOver = (overwrite: boolean) => void takeLegacyOver(overwrite).then(readEditor);
  return (
    <>
      <Note
        tone="attention"
        title="A configuration of an older EMS is here"
        actions={
          <Button kind="primary" busy={isBusy("migrate-legacy")} onClick={() => takeOver(false)}>
            Take it over
          </Button>
        }
      >
        <p>It is checked, backed up and put into its new place. The old file stays as it is and is not read again.</p>
      </Note>
      <RefusalNote corner="maintenance" except={TARGET_EXISTS} />
      <ConfirmOverwrite corner="maintenance" codes={TARGET_EXISTS} title="Replace the configuration that is there?" label="Replace" onConfirm={() => takeOver(true)} />
    </>
  );
}
