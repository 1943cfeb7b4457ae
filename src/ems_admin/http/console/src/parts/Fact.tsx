/** One line of a list of facts: its name, and what it is. */

import type { ComponentChildren } from "preact";

export function Fact({ name, value }: { name: string; value: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
