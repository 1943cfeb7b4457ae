/** A machine's picture from the server, with one state lit. */

import { useEffect, useRef } from "preact/hooks";

export function Diagram({ svg, lit, label }: { svg: string; lit: string | null; label: string }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const picture = drawn(svg);
    if (!picture) return;
    frame.current?.replaceChildren(picture);
  }, [svg]);
  useEffect(() => light(frame.current, lit), [svg, lit]);
  return <div class="diagram" role="img" aria-label={label} tabIndex={0} ref={frame} />;
}

/** Parsed as a picture and stripped of everything that is not one. Colours come from the console's own tokens. */
function drawn(svg: string): SVGElement | null {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (!(parsed instanceof SVGElement)) return null;
  parsed.querySelectorAll("script, style, foreignObject, a, image, use").forEach((element) => element.remove());
  for (const element of [parsed, ...parsed.querySelectorAll("*")]) {
    for (const { name } of [...element.attributes]) {
      if (name === "style" || name.startsWith("on") || name.endsWith("href")) element.removeAttribute(name);
    }
  }
  parsed.setAttribute("aria-hidden", "true");
  parsed.removeAttribute("role");
  const picture = document.importNode(parsed, true);
  sizeNaturally(picture);
  return picture;
}

/** As wide as there is room, but never so small that its words cannot be read: then it is scrolled. */
function sizeNaturally(picture: SVGElement): void {
  const width = Number((picture.getAttribute("viewBox") ?? "").split(/\s+/)[2]);
  picture.removeAttribute("width");
  picture.removeAttribute("height");
  if (!width) return;
  picture.style.minWidth = `${width}px`;
  picture.style.maxWidth = `${width * LARGEST}px`;
}

/** A drawn point is a small pixel; small pictures may grow by this much. */
const LARGEST = 1.35;

function light(frame: HTMLElement | null, lit: string | null): void {
  frame?.querySelectorAll(".lit").forEach((element) => element.classList.remove("lit"));
  if (lit === null) return;
  const node = [...(frame?.querySelectorAll("g[id]") ?? [])].find((group) => group.id === `state-${lit}`);
  node?.classList.add("lit");
  // A picture may be larger than its frame: bring the present state into view.
  if (frame && node) {
    const place = node.getBoundingClientRect();
    const view = frame.getBoundingClientRect();
    frame.scrollLeft += place.left + place.width / 2 - (view.left + view.width / 2);
    frame.scrollTop += place.top + place.height / 2 - (view.top + view.height / 2);
  }
}
