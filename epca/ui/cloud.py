"""The plane one works in: points to add, move and remove, and the lines learned from them, as an inline component."""

from string import Template

import streamlit as st

from epca import palette

HTML = (
    '<div class="plane"><svg role="application" tabindex="-1"></svg><ul class="legend"></ul></div>'
)
CSS = Template("""
.plane svg { display: block; width: 100%; height: auto; overflow: hidden; border-radius: 4px;
             border: 1px solid color-mix(in srgb, var(--st-text-color) 30%, transparent);
             background: var(--st-background-color); font-family: var(--st-font); }
.ground { fill: transparent; cursor: crosshair; }
.grid { stroke: var(--st-text-color); stroke-opacity: 0.12; }
.axis { stroke: var(--st-text-color); stroke-opacity: 0.45; }
.tick { fill: var(--st-text-color); pointer-events: none; }
.learned { stroke-width: 3; pointer-events: none; }
.point { cursor: grab; touch-action: none; outline: none; }
.point .reach { fill: transparent; }
.point .dot { stroke: $BLUE; stroke-width: 2.5; fill: var(--st-background-color); }
.point.activated .dot { fill: $BLUE; fill-opacity: 0.75; }
.point:focus .halo { stroke: var(--st-text-color); stroke-width: 2.5; }
.point .halo { fill: none; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 18px; list-style: none; margin: 6px 0 0; padding: 0; color: var(--st-text-color);
          font: 0.9rem var(--st-font); }
.legend svg { display: inline-block; width: 44px; height: 10px; border: 0; vertical-align: middle; margin-right: 6px; }
""").substitute(vars(palette))
JS = """
const SCALE = 60, STEP = 0.1, EVERY = 150, PATIENCE = 3000;
const written = value => String(value).replace("-", "−");

function draw(name, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export default function({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".plane"), svg = root.querySelector("svg");
  const own = root.own ??= { points: [], serial: 0, sent: 0, chosen: 0, dragged: null };
  const [right, top] = data.limits;
  const px = x => (x + right) * SCALE, py = y => (top - y) * SCALE;
  const clamp = (value, limit) => Math.round(100 * Math.min(limit, Math.max(-limit, value))) / 100;
  const send = () => {
    own.serial += 1;
    own.sent = Date.now();
    setTriggerValue("points", { serial: own.serial, points: own.points });
  };
  const place = event => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [clamp(at.x / SCALE - right, right), clamp(top - at.y / SCALE, top)];
  };
  const remove = i => { own.points.splice(i, 1); own.chosen = Math.max(0, Math.min(i, own.points.length - 1)); send(); };

  function frame() {
    const size = 13 * 2 * right * SCALE / (svg.clientWidth || 2 * right * SCALE);
    const ground = draw("rect", { class: "ground", x: 0, y: 0, width: 2 * right * SCALE, height: 2 * top * SCALE });
    ground.onclick = event => { own.points.push(place(event)); own.chosen = own.points.length - 1; send(); };
    const grid = [];
    for (let x = 1 - right; x < right; x++) {
      grid.push(draw("line", { class: x ? "grid" : "axis", x1: px(x), x2: px(x), y1: 0, y2: 2 * top * SCALE }));
      if (x && x % 2 === 0) grid.push(draw("text", { class: "tick", x: px(x) + 3, y: py(0) - 4, "font-size": size }, written(x)));
    }
    for (let y = 1 - top; y < top; y++) {
      grid.push(draw("line", { class: y ? "grid" : "axis", x1: 0, x2: 2 * right * SCALE, y1: py(y), y2: py(y) }));
      if (y && y % 2 === 0) grid.push(draw("text", { class: "tick", x: px(0) + 4, y: py(y) - 4, "font-size": size }, written(y)));
    }
    for (const line of grid) line.style.pointerEvents = "none";
    return [...grid, ground];
  }
  function line({ mean: [x, y], direction: [dx, dy], name, colour, dash }) {
    const ends = { x1: px(x - 20 * dx), y1: py(y - 20 * dy), x2: px(x + 20 * dx), y2: py(y + 20 * dy) };
    return draw("line", { class: "learned", stroke: colour, "stroke-dasharray": dash, "data-name": name, ...ends });
  }
  function point([x, y], i) {
    const known = data.dots[i] ?? { radius: 6, activated: false, text: "" };
    const circle = (name, r) => draw("circle", { class: name, cx: px(x), cy: py(y), r });
    const label = `point ${i + 1} at ${x.toFixed(2)}, ${y.toFixed(2)}${known.text}`;
    return draw("g", {
      class: known.activated ? "point activated" : "point", role: "button", tabindex: i === own.chosen ? 0 : -1,
      "aria-label": label, "data-index": i,
    }, draw("title", {}, label), circle("reach", 14), circle("halo", known.radius + 5), circle("dot", known.radius));
  }
  function show() {
    const focused = root.getRootNode().activeElement?.dataset?.index !== undefined;
    own.chosen = Math.min(own.chosen, own.points.length - 1);
    const size = i => data.dots[i]?.radius ?? 0;  // the small ones on top
    const order = own.points.map((_, i) => i).sort((i, j) => size(j) - size(i));
    svg.replaceChildren(...frame(), ...data.lines.map(line), ...order.map(i => point(own.points[i], i)));
    if (focused) svg.querySelector(`.point[data-index="${own.chosen}"]`)?.focus({ preventScroll: true });
  }

  svg.onpointerdown = event => {
    const hit = event.target.closest(".point");
    if (!hit) return;
    event.preventDefault();
    own.chosen = Number(hit.dataset.index);
    if (event.shiftKey) return remove(own.chosen);
    own.dragged = { moved: false, last: 0 };
    svg.setPointerCapture(event.pointerId);
    hit.focus({ preventScroll: true });
  };
  svg.onpointermove = event => {
    if (!own.dragged) return;
    own.points[own.chosen] = place(event);
    own.dragged.moved = true;
    show();
    if (Date.now() - own.dragged.last > EVERY) { own.dragged.last = Date.now(); send(); }
  };
  svg.onpointerup = svg.onpointercancel = () => {
    if (own.dragged?.moved) send();
    own.dragged = null;
  };
  svg.onkeydown = event => {
    const i = own.chosen, far = (event.shiftKey ? 10 : 1) * STEP, count = own.points.length;
    const moves = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] };
    const choices = { PageUp: (i + count - 1) % count, PageDown: (i + 1) % count, Home: 0, End: count - 1 };
    if (moves[event.key]) {
      own.points[i] = [clamp(own.points[i][0] + moves[event.key][0], right), clamp(own.points[i][1] + moves[event.key][1], top)];
      send();
    } else if (event.key in choices) own.chosen = choices[event.key];
    else if (event.key === "Delete" || event.key === "Backspace") remove(i);
    else return;
    event.preventDefault();
    show();
  };

  // What comes back for an older state of the points must not undo what the hand did since.
  const isOld = data.serial < own.serial && Date.now() - own.sent < PATIENCE;
  if (!own.dragged && !isOld) {
    own.points = data.points.map(pair => [...pair]);
    own.serial = data.serial;
  }
  svg.setAttribute("viewBox", `0 0 ${2 * right * SCALE} ${2 * top * SCALE}`);
  svg.setAttribute("aria-label", data.label);
  show();
  root.querySelector(".legend").replaceChildren(...data.lines.map(({ name, colour, dash, text }) => {
    const item = document.createElement("li");
    const sample = draw("svg", { viewBox: "0 0 44 10", "aria-hidden": "true" },
      draw("line", { x1: 0, x2: 44, y1: 5, y2: 5, stroke: colour, "stroke-width": 3, "stroke-dasharray": dash }));
    item.append(sample, `${name}: ${text}`);
    return item;
  }));
}
"""
_component = st.components.v2.component("cloud", html=HTML, css=CSS, js=JS)


def cloud(points, dots, lines, *, limits, label, serial, key, on_change):
    """Show points (n, 2) and lines; on_change() finds {serial, points} in st.session_state[key].points.

    dots : per point {radius, activated, text}; lines : {name, text, colour, dash, mean, direction};
    serial : that of the last change heard of, so that a late answer does not undo what was done since.
    """
    data = {
        "points": points.tolist(),
        "dots": dots,
        "lines": lines,
        "limits": limits,
        "label": label,
        "serial": serial,
    }
    _component(key=key, data=data, on_points_change=on_change)
