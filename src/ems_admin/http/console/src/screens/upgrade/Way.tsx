/** The way of an upgrade as a picture: its four places, and from which build to which it leads. */

import { PLACE_TITLES, PLACES, type UpgradePlace } from "../../upgrade/phase";
import { Icon } from "../../parts/Icon";

export function Way({ here }: { here: UpgradePlace }) {
  const reached = PLACES.indexOf(here);
  return (
    <nav class="upgrade-way" aria-label="Way of the upgrade">
      <ol>
        {PLACES.map((name, index) => (
          <li key={name} class={index < reached ? "upgrade-place upgrade-passed" : "upgrade-place"} aria-current={index === reached ? "step" : undefined}>
            <span class="upgrade-sign">{index < reached ? <Icon name="tick" /> : index + 1}</span>
            <span>{PLACE_TITLES[name]}</span>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** From what runs to what will, large enough to be read from across a cellar. */
export function FromTo({ from, to }: { from: string | null; to: string }) {
  return (
    <p class="from-to">
      <span class="from-to-build">
        <span class="hint">Now</span>
        <strong>{from ?? "unknown"}</strong>
      </span>
      <Icon name="arrow" size="large" />
      <span class="for-ears">to</span>
      <span class="from-to-build from-to-next">
        <span class="hint">Then</span>
        <strong>{to}</strong>
      </span>
    </p>
  );
}
