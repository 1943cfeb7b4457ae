/** The config as text. What is not valid yet is kept as it was typed, and said to be so. */

import { useId } from "preact/hooks";
import { text, textFault, typeText } from "../../stores/editor";

export function ConfigText() {
  const id = useId();
  return (
    <div class="field text-config">
      <label for={id}>config.json</label>
      <textarea
        id={id}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        wrap="off"
        value={text.value}
        aria-invalid={textFault.value ? true : undefined}
        aria-describedby={`${id}-hint${textFault.value ? ` ${id}-fault` : ""}`}
        onInput={(event) => typeText(event.currentTarget.value)}
      />
      {textFault.value && (
        <p class="field-fault" id={`${id}-fault`} role="status">
          {textFault.value}
        </p>
      )}
      <p class="hint" id={`${id}-hint`}>
        Six dots stand for a password that is stored. Left as they are, it stays.
      </p>
    </div>
  );
}
