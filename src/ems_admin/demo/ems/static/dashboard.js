/* The dashboard asks the EMS every two seconds and shows what it says. */

import { Chart } from "/assets/chart.js";

const PACE = 2000;
const IDLE = 15;
const FLOWS = [
  { line: "solar-house", watts: (now) => now.solar },
  { line: "battery-house", watts: (now) => now.battery },
  { line: "grid-house", watts: (now) => now.grid },
];

const at = (id) => document.getElementById(id);
const hour = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" });
const date = new Intl.DateTimeFormat([], { weekday: "long", day: "numeric", month: "long" });
let shown = "day";
let latest = null;
let pointed = null;
let answered = 0;

function power(watts) {
  const size = Math.abs(watts);
  return size < 1000 ? `${Math.round(size)} W` : `${(size / 1000).toFixed(size < 9950 ? 2 : 1)} kW`;
}

function signed(watts) {
  return (watts < -0.5 ? "−" : "") + power(watts);
}

async function get(path) {
  const answer = await fetch(path, { signal: AbortSignal.timeout(8000) });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

function sentence(now) {
  if (now.solar > now.house && now.grid < -200) return "The roof feeds the house, and what is left goes to the grid.";
  if (now.battery < -50) return "The roof feeds the house and fills the battery.";
  if (now.battery > 50 && now.grid < 100) return now.solar > 50 ? "Roof and battery feed the house together." : "The battery feeds the house.";
  if (now.grid > 100) return now.battery > 50 ? "Battery and grid feed the house together." : "The house takes power from the grid.";
  return "The house runs on its own power.";
}

function showFlow(now) {
  for (const { line, watts } of FLOWS) {
    const value = watts(now);
    const path = at(line).classList;
    path.toggle("busy", Math.abs(value) > IDLE);
    path.toggle("fast", Math.abs(value) > 1500);
    path.toggle("back", value < 0);
  }
  for (const name of ["solar", "house", "battery", "grid"]) at(name).textContent = power(now[name]);
  at("headline").textContent = sentence(now);
  at("soc").textContent = now.soc === null ? "none" : `${Math.round(now.soc)} %`;
  at("charge").setAttribute("stroke-dasharray", `${now.soc ?? 0} 100`);
  at("charge").style.strokeDasharray = `${now.soc ?? 0} 100`;
}

function showNumbers({ energies, build, healthy }) {
  for (const [name, kwh] of Object.entries(energies)) at(`kwh-${name}`).textContent = kwh.toFixed(1);
  const own = energies.house > 0 ? 1 - energies.imported / energies.house : 1;
  at("own").textContent = Math.round(100 * Math.min(1, Math.max(0, own)));
  at("hint-solar").textContent = energies.solar > 0.05 ? "since sunrise" : "the sun is not up yet";
  at("build").textContent = `Build ${build.build_id} (${build.system_tag})`;
  const pill = at("health");
  pill.textContent = healthy ? "Healthy" : "Not well";
  pill.className = `pill ${healthy ? "well" : "ill"}`;
}

function device(kind, name, told, share) {
  const item = document.createElement("li");
  const line = document.createElement("p");
  const label = document.createElement("b");
  const value = document.createElement("span");
  const bar = document.createElement("progress");
  item.className = kind;
  label.textContent = name.replaceAll("_", " ");
  value.textContent = told;
  bar.max = 100;
  bar.value = share;
  bar.setAttribute("aria-label", `${name}: ${told}`);
  line.append(label, value);
  item.append(line, bar);
  return item;
}

function showDevices(now) {
  const doing = (watts) => (watts > IDLE ? `gives ${power(watts)}` : watts < -IDLE ? `takes ${power(watts)}` : "rests");
  const most = Math.max(1, ...now.inverters.map((one) => one.watts), 3000);
  at("devices").replaceChildren(
    ...now.batteries.map((one) => device("battery", one.name, `${doing(one.watts)} · ${Math.round(one.soc)} % of ${one.kwh} kWh`, one.soc)),
    ...now.inverters.map((one) => device("solar", one.name, one.watts > 1 ? `gives ${power(one.watts)}` : "no sun", (100 * one.watts) / most)),
  );
}

function showLegend() {
  const row = pointed ?? latest;
  for (const item of document.querySelectorAll("#legend li")) item.querySelector("b").textContent = row ? signed(row[item.className]) : "";
  const title = shown === "day" ? "Power today" : "Power of the last minutes";
  at("chart-title").textContent = pointed ? `${title}, ${hour.format(new Date(pointed.at))}` : title;
}

const chart = new Chart(at("plot"), (row) => {
  pointed = row;
  showLegend();
});

async function showChart() {
  if (shown === "day") {
    const day = await get("/api/day");
    const from = new Date(day.past.at(-1).at).setHours(0, 0, 0, 0);
    const until = from + 24 * 3600e3;
    const ticks = [0, 3, 6, 9, 12, 15, 18, 21, 24].map((one) => ({ at: from + one * 3600e3, label: `${String(one).padStart(2, "0")}:00` }));
    chart.show({ ...day, from, until, ticks });
  } else {
    const { past } = await get("/api/recent");
    const until = new Date(past.at(-1).at).getTime();
    const from = until - 600e3;
    const ticks = [10, 8, 6, 4, 2, 0].map((one) => ({ at: until - one * 60e3, label: one ? `−${one} min` : "now" }));
    chart.show({ past, forecast: [], from, until, ticks });
  }
}

function choose(period) {
  shown = period;
  at("show-day").setAttribute("aria-pressed", period === "day");
  at("show-recent").setAttribute("aria-pressed", period === "recent");
  chart.mark(null);
  showChart().catch(() => {});
}

function show(now) {
  latest = now;
  at("clock").textContent = `${date.format(new Date(now.at))}, ${hour.format(new Date(now.at))}`;
  showFlow(now);
  showNumbers(now);
  showDevices(now);
  showLegend();
  document.querySelector(".chart").hidden = !now.history;
  for (const input of document.querySelectorAll("[data-key]")) input.checked = now.switches[input.dataset.key];
}

async function turn(input) {
  at("refusal").textContent = "";
  const answer = await fetch("/api/overrides", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ [input.dataset.key]: input.checked }),
  }).catch(() => null);
  if (answer?.ok) return show(await answer.json());
  input.checked = !input.checked;
  at("refusal").textContent = answer ? await answer.text() : "The EMS does not answer. Try again.";
}

async function round() {
  try {
    show(await get("/api/live"));
    // The day moves slowly; the live view moves with every answer.
    if (latest.history && (shown === "recent" || answered % 15 === 0)) await showChart();
    answered += 1;
  } catch {
    at("health").textContent = "No answer";
    at("health").className = "pill ill";
  }
  setTimeout(round, document.hidden ? 5 * PACE : PACE);
}

at("show-day").addEventListener("click", () => choose("day"));
at("show-recent").addEventListener("click", () => choose("recent"));
for (const input of document.querySelectorAll("[data-key]")) input.addEventListener("change", () => turn(input));
round();
