"""The player: one clock that shows every step of a recorded fit, as an inline component. Nothing it does runs the page again."""

from string import Template

import streamlit as st

from epca import palette
from epca.images import data_url

HTML = """
<div class="player" role="group">
  <div class="controls">
    <button type="button" class="back">Step back</button>
    <button type="button" class="play">Play</button>
    <button type="button" class="next">Step</button>
    <input type="range" class="scrub" min="0" step="1" value="0">
  </div>
  <p class="title" role="status"></p>
  <div class="columns">
    <section><h2>Algorithm 3</h2><ul class="code"></ul></section>
    <section><h2>The objective and its parts</h2><p class="value"></p><div class="curve"></div><div class="terms"></div></section>
    <section><h2>Weights α &gt; 0, largest first</h2><div class="dots"></div><ul class="moves"></ul></section>
    <section><h2>Mean, components, a face</h2><div class="faces"></div><p class="remark"></p></section>
  </div>
</div>
"""
CSS = Template("""
.player { color: var(--st-text-color); font: 0.9rem var(--st-font); }
h2 { font-size: 1rem; margin: 0 0 0.4rem; }
p { margin: 0.5rem 0; }
ul { list-style: none; margin: 0; padding: 0; }
.controls { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.controls button { font: inherit; color: inherit; background: var(--st-secondary-background-color); cursor: pointer;
  border: 1px solid var(--st-text-color); border-radius: 0.4rem; padding: 0.35rem 0.8rem; min-width: 5.5rem; }
.scrub { flex: 1 1 12rem; min-width: 8rem; accent-color: var(--st-primary-color); }
button:focus-visible, .scrub:focus-visible { outline: 3px solid var(--st-text-color); outline-offset: 2px; }
.title { font-weight: 600; }
.columns { display: flex; flex-wrap: wrap; gap: 1.2rem 2rem; }
section { flex: 1 1 18rem; min-width: 0; }
.code li { display: flex; gap: 0.5rem; justify-content: space-between; padding: 0.15rem 0.4rem 0.15rem 1.4rem; position: relative; }
.code span:last-child { white-space: nowrap; }
.code li.inner { padding-left: 2.4rem; }
.code li[aria-current] { background: var(--st-secondary-background-color); font-weight: 600; }
.code li[aria-current]::before { content: "▶"; position: absolute; left: 0.3rem; }
svg { width: 100%; max-width: 30rem; height: auto; display: block; }
svg text { fill: var(--st-text-color); font-size: 12px; }
.axis { stroke: $GREY; stroke-width: 1; fill: none; }
.past, .now { stroke: $BLUE; fill: none; stroke-width: 1.5; }
.now { fill: $BLUE; }
.activated { fill: $BLUE; }
.occluded { fill: $VERMILION; }
.term { margin: 0.3rem 0; }
.term .rail { height: 0.7rem; background: rgba(128, 128, 128, 0.25); }
.term .bar { height: 100%; }
.faces { display: flex; flex-wrap: wrap; gap: 0.6rem; }
.faces figure { margin: 0; }
.faces figcaption { font-size: 0.8rem; max-width: 5.6rem; }
.face { background-repeat: no-repeat; image-rendering: pixelated; }
""").substitute(vars(palette))
JS = """
const WAIT = 600;  // milliseconds a step
const SVG = "http://www.w3.org/2000/svg";

function element(tag, attributes = {}, text = "", namespace = null) {
  const made = namespace ? document.createElementNS(namespace, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}
function drawing(label, children) {
  const svg = element("svg", { viewBox: "0 0 360 170", role: "img", "aria-label": label }, "", SVG);
  svg.append(...children);
  return svg;
}
const path = (look, d) => element("path", { class: look, d }, "", SVG);
const words = (x, y, text, anchor = "start") => element("text", { x, y, "text-anchor": anchor }, text, SVG);
const dot = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
const diamond = (x, y, r) => `M${x - r} ${y}L${x} ${y - r}L${x + r} ${y}L${x} ${y + r}Z`;

function curve(data, now) {
  const x = (i) => 10 + (340 * i) / (data.steps.length - 1), y = (i) => 135 - 110 * data.steps[i].height;
  const line = data.steps.slice(0, now + 1).map((_, i) => `${i ? "L" : "M"}${x(i)} ${y(i)}`).join("");
  const rest = data.steps.map((_, i) => dot(x(i), y(i), 1.5)).join("");
  return drawing(data.steps[now].text, [
    path("axis", "M10 140H350" + rest), path("past", line), path("now", dot(x(now), y(now), 5)),
    words(30, 20, data.highest), words(10, 158, data.lowest), words(350, 158, "steps", "end")]);
}
function dots(data, step) {
  const shown = Math.max(data.ranks, 2), x = (i) => 40 + (310 * i) / (shown - 1), y = (a) => 140 - (125 * a) / data.largest;
  const is = new Set(step.occluded), good = [], bad = [];
  step.alpha.forEach((a, i) => (is.has(i) ? bad : good).push((is.has(i) ? diamond : dot)(x(i), y(a), is.has(i) ? 4.5 : 3)));
  return drawing(step.weights, [path("axis", "M40 10V140H350"), path("activated", good.join("")), path("occluded", bad.join("")),
    words(36, 18, data.largest.toPrecision(2), "end"), words(36, 144, "0", "end"), words(350, 156, "rank of the image", "end")]);
}
function term([name, share, text, colour]) {
  const row = element("div", { class: "term" }), rail = element("div", { class: "rail" });
  rail.append(element("div", { class: "bar", style: `width: ${100 * share}%; background: ${colour}` }));
  row.append(element("div", {}, `${name}: ${text}`), rail);
  return row;
}
function face(data, cell, row) {
  const figure = element("figure"), { width, height } = data;
  const style = `width: ${width}rem; height: ${height}rem; background-image: url(${data.sprite});
    background-size: ${width * data.columns}rem auto;
    background-position: ${-cell.column * width}rem ${-(cell.row ?? row) * height}rem`;
  const picture = element("div", { class: "face", style, role: "img", "aria-label": cell.caption });
  figure.append(picture, element("figcaption", {}, cell.caption));
  return figure;
}

export default function({ data, parentElement }) {
  const find = (name) => parentElement.querySelector("." + name), root = find("player"), last = data.steps.length - 1;
  const scrub = find("scrub"), play = find("play");
  root.setAttribute("aria-label", data.label);
  scrub.setAttribute("aria-label", "Step of the fit");
  scrub.max = last;
  find("code").replaceChildren(...data.code.map((line) => {
    const item = element("li", { class: line.inner ? "inner" : "" });
    item.append(element("span", {}, line.text), element("span", {}, line.equation));
    return item;
  }));
  let now = Math.min(Number(root.dataset.step ?? 0), last), timer = null;
  function show(step) {
    now = Math.max(0, Math.min(step, last));
    const state = data.steps[now];
    root.dataset.step = scrub.value = now;
    scrub.setAttribute("aria-valuetext", state.title);
    find("title").textContent = state.title;
    [...find("code").children].forEach((item, i) => state.phases.includes(data.code[i].phase)
      ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current"));
    find("value").textContent = state.text;
    find("curve").replaceChildren(curve(data, now));
    find("terms").replaceChildren(...state.terms.map(term));
    find("dots").replaceChildren(dots(data, state));
    find("moves").replaceChildren(...[...state.moves, state.smallest].map((text) => element("li", {}, text)));
    find("faces").replaceChildren(...data.cells.map((cell) => face(data, cell, state.row)));
    find("remark").textContent = state.remark;
    if (now === last) pause();
  }
  function pause() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
    find("title").setAttribute("aria-live", "polite");
  }
  function start() {
    if (now === last) show(0);
    play.textContent = "Pause";
    find("title").setAttribute("aria-live", "off");
    timer = setInterval(() => show(now + 1), WAIT);
  }
  play.onclick = () => (timer === null ? start() : pause());
  find("back").onclick = () => { pause(); show(now - 1); };
  find("next").onclick = () => { pause(); show(now + 1); };
  scrub.oninput = () => { pause(); show(Number(scrub.value)); };
  pause();
  show(now);
  return () => clearInterval(timer);
}
"""
_component = st.components.v2.component("replay", html=HTML, css=CSS, js=JS)

SIDE = 5.6  # of a picture, relative to the type


def replay(sprite, data, *, shape, columns, key):
    """Show the player for data (label, code, cells, steps, …; see `epca.ui.watch`).

    sprite : uint8 pixels of a sheet with so many columns of images of this shape (height, width).
    """
    zoom = SIDE / max(shape)
    data |= {
        "sprite": data_url(sprite),
        "columns": columns,
        "width": shape[1] * zoom,
        "height": shape[0] * zoom,
    }
    _component(key=key, data=data)
