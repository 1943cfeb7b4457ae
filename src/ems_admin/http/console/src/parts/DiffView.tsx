/** A difference, line by line: what comes, what goes, and where. */

import type { Diff } from "../server/setup_shapes";
import { countChanges, diffLines, type DiffLineKind } from "../setup/diff";

const SIGNS: Record<DiffLineKind, string> = { added: "+", removed: "−", same: " ", place: "" };
const SPOKEN: Record<DiffLineKind, string> = { added: "added: ", removed: "removed: ", same: "", place: "" };

export function DiffView({ diff }: { diff: Diff }) {
  const lines = diffLines(diff.text);
  const { added, removed } = countChanges(lines);
  if (lines.length === 0) {
    return (
      <div class="card card-flat">
        <h3>No difference</h3>
        <p class="soft">The live configuration already says exactly this.</p>
      </div>
    );
  }
  return (
    <figure class="diff" aria-label="Difference to the live configuration">
      <figcaption>
        <span>config.json</span>
        <span class="diff-added">+{added}</span>
        <span class="diff-removed">−{removed}</span>
      </figcaption>
      <div class="diff-lines" tabIndex={0} role="region" aria-label="Changed lines">
        {lines.map((line, index) => (
          <div key={index} class={`diff-line diff-line-${line.kind}`}>
            <span class="diff-number" aria-hidden="true">
              {line.after ?? line.before ?? ""}
            </span>
            <span class="diff-sign" aria-hidden="true">
              {SIGNS[line.kind]}
            </span>
            <span class="diff-text">
              <span class="for-ears">{SPOKEN[line.kind]}</span>
              {line.text}
            </span>
          </div>
        ))}
      </div>
    </figure>
  );
}
