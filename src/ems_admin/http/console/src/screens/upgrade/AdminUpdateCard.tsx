/** The smaller thing: a newer EMS Admin, while the EMS stays as it is. */

import { useState } from "preact/hooks";
import type { AdminUpdatePlan } from "../../server/upgrade_shapes";
import { RefusalNote } from "../../panels/RefusalNote";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { Listed } from "../../parts/EndsAndKeeps";
import { SelectField } from "../../parts/Field";
import { isBusy } from "../../stores/acts";
import { model, runningJob } from "../../stores/console";
import { adminPlan, adminTargets, leaveAdminUpdate, planAdminUpdate, updateAdminAlone } from "../../stores/upgrade_admin";
import { FromTo } from "./Way";

export function AdminUpdateCard() {
  const offered = adminTargets.value;
  const [picked, setPicked] = useState<string | null>(null);
  const tag = picked ?? offered[0]?.system_tag ?? null;
  return (
    <section class="card admin-update" aria-labelledby="admin-update">
      <h3 id="admin-update">Only EMS Admin</h3>
      <p class="soft">This console can be brought to another build by itself. Your EMS keeps running and is not touched.</p>
      {tag === null ? (
        <p class="soft">EMS Admin {model.value?.instance.system_tag} is the newest there is.</p>
      ) : (
        <div class="row admin-update-row">
          <SelectField
            label="EMS Admin of"
            value={tag}
            options={offered.map((build) => ({ value: build.system_tag, label: build.system_tag }))}
            onChange={(value) => (setPicked(value), leaveAdminUpdate())}
          />
          <Button
            busy={isBusy(`admin-plan-${tag}`)}
            reason={runningJob.value ? "Wait until the work that is under way has ended." : null}
            onClick={() => void planAdminUpdate(tag)}
          >
            Look at this update
          </Button>
        </div>
      )}
      <RefusalNote corner="admin-update" />
      {adminPlan.value && <Planned tag={adminPlan.value.tag} plan={adminPlan.value.plan} />}
    </section>
  );
}

/** A plan in which nothing is to be done says so; any other one is one question. */
function Planned({ tag, plan }: { tag: string; plan: AdminUpdatePlan }) {
  if (plan.plan_id === null) return <p role="status">EMS Admin is the one of {tag} already. Nothing is to be done.</p>;
  return (
    <Dialog
      title={`Update EMS Admin to ${tag}?`}
      onClose={leaveAdminUpdate}
      actions={
        <>
          <Button onClick={leaveAdminUpdate}>Not now</Button>
          <Button kind="primary" busy={isBusy("admin-execute")} onClick={() => void updateAdminAlone()}>
            Update EMS Admin
          </Button>
        </>
      }
    >
      <FromTo from={model.value?.instance.system_tag ?? plan.current_admin?.build_id ?? null} to={tag} />
      <p>The new EMS Admin is tried out first. If it does not come up healthy, the one of today comes back.</p>
      <Listed title="This is interrupted" items={["EMS Admin restarts. This page waits for it and goes on by itself."]} />
      <Listed title="This stays exactly as it is" items={["the EMS that runs, and its build", "its configuration and its data", "your backups"]} />
      <RefusalNote corner="admin-update" />
    </Dialog>
  );
}
