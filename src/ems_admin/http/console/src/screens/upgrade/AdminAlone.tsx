/** EMS Admin on its way to another build while the EMS stays: an Admin update, or a return to the build that runs. */

import { RefusalNote } from "../../panels/RefusalNote";
import { JobProgress } from "../../panels/JobProgress";
import { UnfinishedOperation } from "../../panels/UnfinishedOperation";
import { jobTitle } from "../../setup/jobs";
import { runningJob, type LiveTransition } from "../../stores/console";
import { replacing } from "../../stores/replacement";
import { Reconnect } from "../Reconnect";

export function AdminAlone({ operation }: { operation: LiveTransition | null }) {
  const job = runningJob.value;
  return (
    <section class="step" aria-labelledby="admin-alone">
      <header class="step-head">
        <h3 id="admin-alone">EMS Admin goes to {operation?.system_tag ?? "another build"}</h3>
        <p class="soft">Your EMS is not touched. It runs on as it is.</p>
      </header>
      {replacing.value ? (
        <Reconnect inside />
      ) : job ? (
        <>
          <JobProgress job={job} corner="upgrade" title={jobTitle(job.kind)} />
          <RefusalNote corner="upgrade" />
        </>
      ) : (
        <UnfinishedOperation corner="upgrade" />
      )}
    </section>
  );
}
