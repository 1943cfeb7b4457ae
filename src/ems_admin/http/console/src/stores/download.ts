/** The configuration as a file for the operator. It gives no authority and leaves no trace on the server. */

import { act } from "./acts";
import { draft } from "./draft";
import { client } from "./session";

export async function download(): Promise<void> {
  const answer = await act("config", "config-download", () => client.file("/api/setup/config/download", draft.value));
  if (!answer.ok) return;
  const address = URL.createObjectURL(answer.file);
  const link = document.createElement("a");
  link.href = address;
  link.download = "config.json";
  link.click();
  URL.revokeObjectURL(address);
}
