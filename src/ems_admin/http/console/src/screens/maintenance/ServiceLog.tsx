/** The last lines that a service wrote. It follows as long as its reader stands at the end. */

import { useEffect, useRef } from "preact/hooks";
import { log, LOG_LENGTHS, logLength, showLines, watchLog } from "../../stores/containers";
import { SelectField } from "../../parts/Field";

/** Pixels from the end at which somebody still reads the end. */
const NEAR = 24;

export function ServiceLog({ service }: { service: string }) {
  useEffect(() => watchLog(service), [service]);
  const frame = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  const shown = log.value?.service === service ? log.value.lines : null;
  useEffect(() => {
    const pre = frame.current;
    if (pre && follows.current) pre.scrollTop = pre.scrollHeight;
  }, [shown]);
  return (
    <section class="log service-log" aria-label={`Log of ${service}`}>
      <pre
        ref={frame}
        tabIndex={0}
        aria-label={`The last lines of ${service}`}
        onScroll={({ currentTarget: pre }) => {
          follows.current = pre.scrollHeight - pre.scrollTop - pre.clientHeight < NEAR;
        }}
      >
        {shown === null ? "Reading …" : shown.length === 0 ? "Nothing written yet." : shown.join("\n")}
      </pre>
      <SelectField
        label="Lines"
        value={String(logLength.value)}
        options={LOG_LENGTHS.map((length) => ({ value: String(length), label: `The last ${length}` }))}
        onChange={(next) => showLines(Number(next))}
      />
    </section>
  );
}
