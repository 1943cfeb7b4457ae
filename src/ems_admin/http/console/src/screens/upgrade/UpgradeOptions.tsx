/** How the upgrade is to be done. Two choices matter to everybody; the others are there for who looks for them. */

import { UPGRADE_OPTIONS, type UpgradeOption } from "../../server/upgrade_view";
import { Switch } from "../../parts/Field";
import { options, setOption } from "../../stores/upgrade_target";
import { OPTION_WORDS } from "../../upgrade/words";

const FOR_EVERYBODY: ReadonlySet<UpgradeOption> = new Set(["backup", "auto_rollback"]);

export function UpgradeOptions() {
  return (
    <section class="card card-flat features upgrade-options" aria-labelledby="upgrade-options">
      <h4 id="upgrade-options">How it is done</h4>
      {UPGRADE_OPTIONS.filter((name) => FOR_EVERYBODY.has(name)).map((name) => (
        <Choice key={name} name={name} />
      ))}
      <details>
        <summary>More options</summary>
        <div class="features">
          {UPGRADE_OPTIONS.filter((name) => !FOR_EVERYBODY.has(name)).map((name) => (
            <Choice key={name} name={name} />
          ))}
        </div>
      </details>
    </section>
  );
}

function Choice({ name }: { name: UpgradeOption }) {
  const { label, hint } = OPTION_WORDS[name];
  return <Switch label={label} hint={hint} on={options.value[name]} onChange={(on) => setOption(name, on)} />;
}
