/** Reading what a screen needs: when it appears, and again after a session was lost or an Admin went away. */

import { useEffect } from "preact/hooks";
import { reachable, signedIn } from "../stores/session";

/** Reads while `needed` and somebody may; a change of `moments` reads anew. */
export function useRead(read: () => unknown, needed: boolean, ...moments: readonly unknown[]): void {
  const open = signedIn.value && reachable.value;
  useEffect(() => {
    if (open && needed) read();
  }, [open, needed, ...moments]);
}
