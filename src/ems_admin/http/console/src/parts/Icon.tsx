/** The few signs of the console. They stand beside words and are never read aloud. */

import type { JSX } from "preact";

const SHAPES = {
  home: <path d="M4 11.2 12 4.5l8 6.7V19a1 1 0 0 1-1 1h-4.5v-5.5h-5V20H5a1 1 0 0 1-1-1z" />,
  setup: <path d="M12 3.5v3M12 17.5v3M3.5 12h3M17.5 12h3M6 6l2.1 2.1M15.9 15.9 18 18M18 6l-2.1 2.1M8.1 15.9 6 18M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6" />,
  maintenance: <path d="M14.5 6.2a4.3 4.3 0 0 1 5.3 5.3l-2.6-.6-.9-.9-.6-2.6zM14.6 11.2l-8.5 8.4a1.8 1.8 0 0 1-2.5-2.5L12 8.6a4.3 4.3 0 0 1 4.7-4.4" />,
  state: <path d="M6.5 4.5h0a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M17.5 14.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M9 7h5a3 3 0 0 1 3 3v4M13 12l3.9 2.2L19.5 11" />,
  battery: <path d="M5.5 8h11a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 4 14.5v-5A1.5 1.5 0 0 1 5.5 8M20.5 10.5v3M7.5 11v2M10.5 11v2M13.5 11v2" />,
  inverter: <path d="M12 3.5v2M4.9 6.4l1.4 1.4M19.1 6.4l-1.4 1.4M7.5 13a4.5 4.5 0 0 1 9 0M3.5 16.5h17M6.5 20h11" />,
  grid_meter: <path d="M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16M12 12l3.5-3.5M8 15.5h8M7.5 9.5l.01 0M12 7v.01M16.8 12.5v.01" />,
  tick: <path d="m5.5 12.5 4.2 4.2 8.8-9.2" />,
  cross: <path d="m7 7 10 10M17 7 7 17" />,
  dash: <path d="M7 12h10" />,
  warning: <path d="M12 4.5 20.5 19h-17zM12 10v4M12 16.6v.01" />,
  info: <path d="M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16M12 11.2V16M12 8v.01" />,
  bolt: <path d="M13.5 3.5 6 13.5h5l-1 7 7.5-10h-5z" />,
  arrow: <path d="M5 12h14M13 6l6 6-6 6" />,
  out: <path d="M14 5h5v5M19 5l-8 8M17 14v4a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h4" />,
  plus: <path d="M12 5v14M5 12h14" />,
  trash: <path d="M5 7h14M10 7V4.8h4V7M7 7l.8 12a1 1 0 0 0 1 1h6.4a1 1 0 0 0 1-1L17 7M10.5 11v5M13.5 11v5" />,
  lock: <path d="M7 11h10a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1M8.5 11V8a3.5 3.5 0 0 1 7 0v3" />,
  stop: <path d="M7.5 6.5h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1" />,
  down: <path d="M12 4v11M7 10.5l5 5 5-5M5 20h14" />,
  restart: <path d="M5 12a7 7 0 1 0 2.3-5.2L5 9M5 4.5V9h4.5" />,
  up: <path d="M12 20V6M6.5 11.5 12 6l5.5 5.5M6 3.5h12" />,
  back: <path d="M19 12H5M11 6l-6 6 6 6" />,
  sliders: <path d="M4 7h9M17 7h3M4 17h3M11 17h9M15 5a2 2 0 1 1 0 4 2 2 0 0 1 0-4M9 15a2 2 0 1 1 0 4 2 2 0 0 1 0-4" />,
  box: <path d="M12 3.8 20 8v8l-8 4.2L4 16V8zM4 8l8 4.2L20 8M12 12.2v8" />,
  pulse: <path d="M3.5 12.5h4l2.2-6 4.2 11 2.3-5h4.3" />,
  safe: <path d="M5 5h14a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1M7 18v2M17 18v2M12 8.3a3.2 3.2 0 1 1 0 6.4 3.2 3.2 0 0 1 0-6.4M12 8.3v1.4M12 13.3v1.4M8.8 11.5h1.4M13.8 11.5h1.4" />,
  recovery: <path d="M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16M12 8v4.5l3 2" />,
  history: <path d="M4.6 12A7.5 7.5 0 1 0 7 6.6L4.6 9M4.6 4.8V9h4.2M12 8v4.3l2.8 1.7" />,
  play: <path d="M8.5 5.8v12.4l9.5-6.2z" />,
  file: <path d="M7 3.8h7l4 4v11.4a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V4.8a1 1 0 0 1 1-1M13.5 4v4.3H18M9 13h6M9 16h4" />,
} satisfies Record<string, JSX.Element>;

export type IconName = keyof typeof SHAPES;

export function Icon({ name, size = "normal" }: { name: IconName; size?: "normal" | "large" }) {
  return (
    <svg class={`icon icon-${size}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {SHAPES[name]}
    </svg>
  );
}
