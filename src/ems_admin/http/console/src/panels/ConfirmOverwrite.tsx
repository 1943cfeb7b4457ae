/** Something would be replaced. What, and only after a yes. */

import { dismissRefusal, refusals, type Corner } from "../stores/acts";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";

interface ConfirmOverwriteProps {
  corner: Corner;
  codes: ReadonlySet<string>;
  title: string;
  label: string;
  onConfirm: () => void;
}

export function ConfirmOverwrite({ corner, codes, title, label, onConfirm }: ConfirmOverwriteProps) {
  const refusal = refusals.value[corner];
  if (!refusal || !codes.has(refusal.error)) return null;
  const close = () => dismissRefusal(corner);
  return (
    <Dialog
      title={title}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" onClick={() => (close(), onConfirm())}>
            {label}
          </Button>
        </>
      }
    >
      <p>{refusal.message}</p>
      <p>A backup of what is there now is made first.</p>
    </Dialog>
  );
}
