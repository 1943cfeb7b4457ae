/** One question before something is done: what it means, and a way to leave everything as it is. */

import type { ComponentChildren } from "preact";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";

interface AskFirstProps {
  title: string;
  yes: string;
  no: string;
  danger?: boolean;
  busy?: boolean;
  children: ComponentChildren;
  onYes: () => void;
  onClose: () => void;
}

export function AskFirst({ title, yes, no, danger, busy, children, onYes, onClose }: AskFirstProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{no}</Button>
          <Button kind={danger ? "danger" : "primary"} {...(busy ? { busy } : {})} onClick={onYes}>
            {yes}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
