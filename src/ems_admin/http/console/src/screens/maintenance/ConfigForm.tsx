/** The config as a form: one card for each part of it. */

import type { FormSection } from "../../server/config_shapes";
import { above } from "../../editor/pointer";
import { refusals } from "../../stores/acts";
import { form, textFault } from "../../stores/editor";
import { Note } from "../../parts/Note";
import { Waiting } from "../../parts/Waiting";
import { Fields } from "./FormFields";

export function ConfigForm() {
  const sections = form.value?.form;
  // Without a build there is no form; why, and what to do, stands above.
  if (!sections) return refusals.value.editor ? null : <Waiting what="the form" />;
  if (textFault.value) {
    return (
      <Note tone="attention" title="The JSON view is not finished">
        <p>{textFault.value} What you typed there is kept. Mend it there, or discard it, before you go on with the form.</p>
      </Note>
    );
  }
  return (
    <div class="stack-wide">
      {sections.map((section) => (
        <Section key={section.key} section={section} />
      ))}
    </div>
  );
}

function Section({ section }: { section: FormSection }) {
  const id = `section-${section.key}`;
  return (
    <section class="card card-flat form-section" aria-labelledby={id}>
      <h3 id={id}>{section.label}</h3>
      {section.help && <p class="soft">{section.help}</p>}
      <Fields fields={section.fields} pointer={above(section.fields[0]?.pointer ?? "")} />
    </section>
  );
}
