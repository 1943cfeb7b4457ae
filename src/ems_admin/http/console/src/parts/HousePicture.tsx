/** A small house with sun, roof, battery and grid: it lights up when the EMS does its work. */

export type Mood = "resting" | "working" | "running" | "troubled";

export function HousePicture({ mood }: { mood: Mood }) {
  return (
    <svg class={`house house-${mood}`} viewBox="0 0 360 200" aria-hidden="true" focusable="false">
      <circle class="house-sun" cx="292" cy="46" r="22" />
      <path class="house-rays" d="M292 10v-8M292 90v-8M328 46h8M248 46h8M317.5 20.5l5.5-5.5M261 77l5.5-5.5M317.5 71.5l5.5 5.5M261 15l5.5 5.5" />
      <path class="house-ground" d="M8 176h344" />
      <path class="house-wall" d="M96 98v78h128V98" />
      <path class="house-roof" d="M80 104 160 42l80 62" />
      <path class="house-panel" d="m172 51.5 52 40.3-17 .2-51-39.5z" />
      <path class="house-panel-lines" d="m185 61.5-16 .1M198 71.6l-16 .1M211 81.7l-16 .1" />
      <rect class="house-door" x="150" y="130" width="26" height="46" rx="3" />
      <rect class="house-window" x="112" y="116" width="24" height="24" rx="3" />
      <rect class="house-window" x="190" y="116" width="22" height="24" rx="3" />
      <rect class="house-battery" x="246" y="128" width="36" height="48" rx="6" />
      <rect class="house-charge" x="253" y="150" width="22" height="19" rx="2.5" />
      <path class="house-wire" d="M224 150h22" />
      <path class="house-flow" d="M224 150h22" />
      <path class="house-mast" d="M44 176V84M28 98h32M32 110h24" />
      <path class="house-wire" d="M44 150h52" />
      <path class="house-flow" d="M44 150h52" />
    </svg>
  );
}
