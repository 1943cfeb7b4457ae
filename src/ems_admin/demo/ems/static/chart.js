/* A chart of four curves over time, drawn as SVG: what was is solid, what is expected is faint. */

const SPACE = "http://www.w3.org/2000/svg";
const MARGIN = { top: 16, right: 14, bottom: 26, left: 58 };
const SERIES = [
  { key: "solar", filled: true },
  { key: "battery", filled: true },
  { key: "grid", filled: false },
  { key: "house", filled: false },
];

const time = (row) => new Date(row.at).getTime();

/** The largest step of 1, 2, 2.5 or 5 that divides `span` into at most `parts`. */
function niceStep(span, parts) {
  const rough = span / parts;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough);
}

function draw(parent, name, attributes, text) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

export class Chart {
  /** @param onPoint is told the row under the pointer, or null when there is none. */
  constructor(place, onPoint) {
    this.place = place;
    this.onPoint = onPoint;
    this.rows = [];
    this.data = null;
    new ResizeObserver(() => this.render()).observe(place);
    place.addEventListener("pointermove", (event) => this.point(event.clientX));
    place.addEventListener("pointerleave", () => this.point(null));
    place.addEventListener("keydown", (event) => this.walk(event));
    place.addEventListener("blur", () => this.point(null));
  }

  /** data: {past, forecast, from, until, ticks: [{at, label}]} */
  show(data) {
    this.data = data;
    this.rows = [...data.past, ...data.forecast];
    this.render();
  }

  render() {
    const { clientWidth: width, clientHeight: height } = this.place;
    if (!this.data || !width || !height) return;
    this.scale(width, height);
    const svg = document.createElementNS(SPACE, "svg");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    svg.setAttribute("aria-hidden", "true");
    this.drawGrid(svg, width, height);
    this.drawCurves(draw(svg, "g", {}), this.data.past);
    const last = this.data.past.at(-1);
    if (this.data.forecast.length && last) {
      this.drawCurves(draw(svg, "g", { class: "expected" }), [last, ...this.data.forecast]);
      draw(svg, "line", { class: "now", x1: this.x(last), x2: this.x(last), y1: MARGIN.top, y2: height - MARGIN.bottom });
    }
    this.overlay = draw(svg, "g", {});
    this.place.replaceChildren(svg);
    if (this.at !== undefined && this.at !== null) this.mark(this.at);
  }

  scale(width, height) {
    const watts = this.rows.flatMap((row) => SERIES.map(({ key }) => row[key]));
    const highest = Math.max(500, ...watts) * 1.04;
    const lowest = Math.min(0, ...watts) * 1.06;
    this.step = niceStep(highest - lowest, 5);
    const top = Math.ceil(highest / this.step) * this.step;
    const bottom = Math.floor(lowest / this.step) * this.step;
    const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
    const { from, until } = this.data;
    this.x = (row) => MARGIN.left + ((time(row) - from) / (until - from)) * inner.width;
    this.y = (value) => MARGIN.top + ((top - value) / (top - bottom)) * inner.height;
    this.range = { top, bottom };
  }

  drawGrid(svg, width, height) {
    for (let value = this.range.bottom; value <= this.range.top + 1; value += this.step) {
      const y = this.y(value);
      draw(svg, "line", { class: value === 0 ? "zero" : "rule", x1: MARGIN.left, x2: width - MARGIN.right, y1: y, y2: y });
      const large = Math.max(this.range.top, -this.range.bottom) >= 2000;
      const label = (large ? `${Number((value / 1000).toFixed(2))} kW` : `${Math.round(value)} W`).replace("-", "−");
      draw(svg, "text", { x: MARGIN.left - 8, y: y + 4, "text-anchor": "end" }, label);
    }
    const { ticks } = this.data;
    const every = Math.ceil(ticks.length / Math.max(2, Math.floor(width / 56)));
    ticks.forEach((tick, index) => {
      if ((ticks.length - 1 - index) % every) return; // the last one always stands
      const anchor = tick.at === this.data.until ? "end" : tick.at === this.data.from ? "start" : "middle";
      draw(svg, "text", { x: this.x({ at: tick.at }), y: height - 6, "text-anchor": anchor }, tick.label);
    });
  }

  drawCurves(group, rows) {
    if (rows.length < 2) return;
    for (const { key, filled } of SERIES) {
      const line = rows.map((row) => `${this.x(row).toFixed(1)} ${this.y(row[key]).toFixed(1)}`).join("L");
      if (filled) {
        const zero = this.y(0).toFixed(1);
        const ends = `L${this.x(rows.at(-1)).toFixed(1)} ${zero}L${this.x(rows[0]).toFixed(1)} ${zero}Z`;
        draw(group, "path", { class: `area ${key}`, d: `M${line}${ends}` });
      }
      draw(group, "path", { class: `curve ${key}`, d: `M${line}` });
    }
  }

  point(clientX) {
    if (clientX === null || !this.rows.length) return this.mark(null);
    const x = clientX - this.place.getBoundingClientRect().left;
    const near = (row) => Math.abs(this.x(row) - x);
    this.mark(this.rows.reduce((best, row, index) => (near(row) < near(this.rows[best]) ? index : best), 0));
  }

  walk(event) {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way || !this.rows.length) return;
    event.preventDefault();
    const from = this.at ?? this.data.past.length - 1;
    this.mark(Math.min(this.rows.length - 1, Math.max(0, from + way)));
  }

  mark(index) {
    this.at = index;
    this.overlay?.replaceChildren();
    const row = index === null ? null : this.rows[index];
    if (row) {
      const x = this.x(row);
      draw(this.overlay, "line", { class: "pointer", x1: x, x2: x, y1: MARGIN.top, y2: this.y(this.range.bottom) });
      for (const { key } of SERIES) draw(this.overlay, "circle", { class: `dot ${key}`, cx: x, cy: this.y(row[key]), r: 4.5 });
    }
    this.onPoint(row ?? null);
  }
}
