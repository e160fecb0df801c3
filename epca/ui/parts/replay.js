const WAIT = 600; // milliseconds a step
const SVG = "http://www.w3.org/2000/svg";

function fill(made, attributes, text) {
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  made.textContent = text;
  return made;
}

function element(tag, attributes = {}, text = "") {
  return fill(document.createElement(tag), attributes, text);
}

function shape(tag, attributes, text = "") {
  return fill(document.createElementNS(SVG, tag), attributes, text);
}

function drawing(label, children) {
  const svg = shape("svg", { viewBox: "0 0 360 170", role: "img", "aria-label": label });
  svg.append(...children);
  return svg;
}

function path(look, d) {
  return shape("path", { class: look, d });
}

function words(x, y, text, anchor = "start") {
  return shape("text", { x, y, "text-anchor": anchor }, text);
}

function dot(x, y, r) {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

function diamond(x, y, r) {
  return `M${x - r} ${y}L${x} ${y - r}L${x + r} ${y}L${x} ${y + r}Z`;
}

// The objective over the steps: a dot for each, a line up to the present one.
function curve(data, now) {
  const x = (i) => 10 + (340 * i) / (data.steps.length - 1);
  const y = (i) => 135 - 110 * data.steps[i].height;
  const all = data.steps.map((_, i) => dot(x(i), y(i), 1.5));
  const past = data.steps.slice(0, now + 1).map((_, i) => `${x(i)} ${y(i)}`);
  return drawing(data.steps[now].text, [
    path("axis", `M10 140H350${all.join("")}`),
    path("past", `M${past.join("L")}`),
    path("now", dot(x(now), y(now), 5)),
    words(30, 20, data.highest),
    words(10, 158, data.lowest),
    words(350, 158, "steps", "end"),
  ]);
}

// The weights, largest first: clean images are dots, occluded ones diamonds.
function weights(data, step) {
  const last = Math.max(data.ranks, 2) - 1;
  const x = (i) => 40 + (310 * i) / last;
  const y = (alpha) => 140 - (125 * alpha) / data.largest;
  const occluded = new Set(step.occluded);
  const dots = [];
  const diamonds = [];
  step.alpha.forEach((alpha, i) => {
    if (occluded.has(i)) {
      diamonds.push(diamond(x(i), y(alpha), 4.5));
    } else {
      dots.push(dot(x(i), y(alpha), 3));
    }
  });
  return drawing(step.weights, [
    path("axis", "M40 10V140H350"),
    path("activated", dots.join("")),
    path("occluded", diamonds.join("")),
    words(36, 18, data.largest.toPrecision(2), "end"),
    words(36, 144, "0", "end"),
    words(350, 156, "rank of the image", "end"),
  ]);
}

// A part of the objective: its name and value, and a bar of its share.
function term([name, share, text, colour]) {
  const style = `width: ${100 * share}%; background: ${colour}`;
  const rail = element("div", { class: "rail" });
  rail.append(element("div", { class: "bar", style }));
  const row = element("div", { class: "term" });
  row.append(element("div", {}, `${name}: ${text}`), rail);
  return row;
}

// A picture of the sprite sheet. A cell without a row of its own takes the row of the step.
function face(data, cell, stepRow) {
  const row = cell.row ?? stepRow;
  const share = (place, count) => (count > 1 ? (100 * place) / (count - 1) : 0);
  const style = [
    `background-image: url(${data.sprite})`,
    `background-size: ${100 * data.columns}% ${100 * data.rows}%`,
    `background-position: ${share(cell.column, data.columns)}% ${share(row, data.rows)}%`,
  ].join("; ");
  const figure = element("figure");
  figure.append(
    element("div", { class: "face", style, role: "img", "aria-label": cell.caption }),
    element("figcaption", {}, cell.caption),
  );
  return figure;
}

function codeLine({ inner, text, equation }) {
  const item = element("li", { class: inner ? "inner" : "" });
  item.append(element("span", {}, text), element("span", {}, equation));
  return item;
}

// One clock: the buttons and the slider set it, and everything shown follows it.
class Player {
  constructor(parent, data) {
    this.parent = parent;
    this.data = data;
    this.root = this.find("player");
    this.scrub = this.find("scrub");
    this.last = data.steps.length - 1;
    this.now = Number(this.root.dataset.step ?? 0);
    this.timer = null;
    this.prepare();
    this.listen();
    this.pause();
    this.show(this.now);
  }

  find(name) {
    return this.parent.querySelector(`.${name}`);
  }

  put(name, nodes) {
    this.find(name).replaceChildren(...nodes);
  }

  prepare() {
    for (const [name, colour] of Object.entries(this.data.colours)) {
      this.root.style.setProperty(`--${name}`, colour);
    }
    this.root.style.setProperty("--width", this.data.width);
    this.root.style.setProperty("--height", this.data.height);
    this.root.setAttribute("aria-label", this.data.label);
    this.root.querySelector(".method").textContent = this.data.method;
    this.scrub.max = this.last;
    this.put("code", this.data.code.map(codeLine));
  }

  listen() {
    this.find("play").onclick = () => (this.timer === null ? this.start() : this.pause());
    this.find("back").onclick = () => this.jump(this.now - 1);
    this.find("next").onclick = () => this.jump(this.now + 1);
    this.scrub.oninput = () => this.jump(Number(this.scrub.value));
  }

  start() {
    if (this.now === this.last) {
      this.show(0);
    }
    this.find("play").textContent = "Pause";
    this.find("title").setAttribute("aria-live", "off");
    this.timer = setInterval(() => this.show(this.now + 1), WAIT);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.find("play").textContent = "Play";
    this.find("title").setAttribute("aria-live", "polite");
  }

  jump(step) {
    this.pause();
    this.show(step);
  }

  show(step) {
    this.now = Math.max(0, Math.min(step, this.last));
    const { data } = this;
    const state = data.steps[this.now];
    this.root.dataset.step = this.now;
    this.scrub.value = this.now;
    this.scrub.setAttribute("aria-valuetext", state.title);
    this.find("title").textContent = state.title;
    this.find("value").textContent = state.text;
    this.find("remark").textContent = state.remark;
    this.markCode(state.phases);
    this.put("curve", [curve(data, this.now)]);
    this.put("terms", state.terms.map(term));
    this.put("dots", [weights(data, state)]);
    this.put(
      "moves",
      [...state.moves, state.smallest].map((text) => element("li", {}, text)),
    );
    this.put(
      "faces",
      data.cells.map((cell) => face(data, cell, state.row)),
    );
    if (this.now === this.last) {
      this.pause();
    }
  }

  markCode(phases) {
    [...this.find("code").children].forEach((item, i) => {
      if (phases.includes(this.data.code[i].phase)) {
        item.setAttribute("aria-current", "step");
      } else {
        item.removeAttribute("aria-current");
      }
    });
  }
}

const players = new WeakMap(); // root → its player: new data do not end it

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".player");
  players.get(root)?.pause();
  const player = new Player(parentElement, data);
  players.set(root, player);
  return () => clearInterval(player.timer);
}
