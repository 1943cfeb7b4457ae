/** A part of the page that the first one does not need: fetched once that stands, so that it stands sooner. */

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "./Button";
import { Note } from "./Note";
import { Waiting } from "./Waiting";

/** Where it comes from, and the part itself as soon as it is here. */
export interface Later {
  fetch: () => Promise<ComponentType>;
  here: ComponentType | null;
}

export function later(fetch: () => Promise<ComponentType>): Later {
  return { fetch, here: null };
}

/** Have it at hand. Rejects when it cannot be fetched. */
export async function fetched(part: Later): Promise<void> {
  part.here ??= await part.fetch();
}

interface ShownLaterProps {
  part: Later;
  /** A dialog leaves no gap in the page while it is fetched. */
  quiet?: boolean;
}

export function ShownLater({ part, quiet }: ShownLaterProps) {
  const [, drawAgain] = useState(0);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    setFailed(false);
    fetched(part).then(
      () => drawAgain((times) => times + 1),
      () => setFailed(true),
    );
  }, [part]);
  const Part = part.here;
  if (Part) return <Part />;
  if (failed) return <Outdated />;
  return quiet ? null : <Waiting what="this page" />;
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
