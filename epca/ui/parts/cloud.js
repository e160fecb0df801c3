const SCALE = 60; // units of the drawing for one unit of the plane
const STEP = 0.1; // how far an arrow key moves a point; ten times as far with Shift
const EVERY = 150; // milliseconds between two messages to the server during a drag
const PATIENCE = 3000; // milliseconds for which the server may still answer to older points
const FAR = 20; // from its mean, a line is drawn this far in both directions: beyond the plane
const TYPE = 13; // pixels on the screen
const UNKNOWN = { radius: 6, activated: false, text: "" }; // a point the server has not seen yet

const CHOICES = {
  PageUp: (i, count) => (i + count - 1) % count,
  PageDown: (i, count) => (i + 1) % count,
  Home: () => 0,
  End: (i, count) => count - 1,
};
const MOVES = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

function draw(name, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

// Rounded to hundredths, within ±limit.
function clamp(value, limit) {
  return Math.round(100 * Math.min(limit, Math.max(-limit, value))) / 100;
}

function legendItem({ name, colour, dash, text }) {
  const stroke = { stroke: colour, "stroke-width": 3, "stroke-dasharray": dash };
  const line = draw("line", { x1: 0, x2: 44, y1: 5, y2: 5, ...stroke });
  const item = document.createElement("li");
  item.append(
    draw("svg", { viewBox: "0 0 44 10", "aria-hidden": "true" }, line),
    `${name}: ${text}`,
  );
  return item;
}

// The points as the visitor's hand left them, and the drawing of them and of the learned lines.
class Plane {
  constructor(root) {
    this.root = root;
    this.svg = root.querySelector("svg");
    this.points = [];
    this.chosen = 0; // the index of the point that keys move and the buttons beside it remove
    this.drag = null;
    this.serial = 0; // of the last message to the server
    this.sentAt = 0;
    this.svg.onpointerdown = (event) => this.grab(event);
    this.svg.onpointermove = (event) => this.pull(event);
    this.svg.onpointerup = () => this.drop();
    this.svg.onpointercancel = () => this.drop();
    this.svg.onkeydown = (event) => this.press(event);
  }

  // Take what the server says. Its answer to older points must not undo what the hand did since.
  update(data, setTriggerValue) {
    this.data = data;
    this.setTriggerValue = setTriggerValue;
    [this.right, this.top] = data.limits;
    const isOld = data.serial < this.serial && Date.now() - this.sentAt < PATIENCE;
    if (!this.drag && !isOld) {
      this.points = data.points.map((pair) => [...pair]);
      this.chosen = data.chosen;
      this.serial = data.serial;
    }
    this.root.style.setProperty("--dot", data.colour);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.svg.setAttribute("aria-label", data.label);
    this.show();
    this.root.querySelector(".legend").replaceChildren(...data.lines.map(legendItem));
  }

  send() {
    this.serial += 1;
    this.sentAt = Date.now();
    const { serial, points, chosen } = this;
    this.setTriggerValue("points", { serial, points, chosen });
  }

  get width() {
    return 2 * this.right * SCALE;
  }

  get height() {
    return 2 * this.top * SCALE;
  }

  px(x) {
    return (x + this.right) * SCALE;
  }

  py(y) {
    return (this.top - y) * SCALE;
  }

  // Where in the plane the pointer is.
  place(event) {
    const inverse = this.svg.getScreenCTM().inverse();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(inverse);
    return [clamp(at.x / SCALE - this.right, this.right), clamp(this.top - at.y / SCALE, this.top)];
  }

  add(event) {
    this.points.push(this.place(event));
    this.chosen = this.points.length - 1;
    this.send();
  }

  remove(i) {
    this.points.splice(i, 1);
    this.chosen = Math.max(0, Math.min(i, this.points.length - 1));
    this.send();
  }

  move(i, [dx, dy]) {
    const [x, y] = this.points[i];
    this.points[i] = [clamp(x + dx, this.right), clamp(y + dy, this.top)];
    this.send();
  }

  grab(event) {
    const hit = event.target.closest(".point");
    if (!hit) {
      return;
    }
    event.preventDefault();
    this.chosen = Number(hit.dataset.index);
    if (event.shiftKey) {
      this.remove(this.chosen);
      return;
    }
    this.drag = { sentAt: 0 };
    this.svg.setPointerCapture(event.pointerId);
    this.show();
    this.focus();
  }

  pull(event) {
    if (!this.drag) {
      return;
    }
    this.points[this.chosen] = this.place(event);
    this.show();
    if (Date.now() - this.drag.sentAt > EVERY) {
      this.drag.sentAt = Date.now();
      this.send();
    }
  }

  drop() {
    if (this.drag) {
      this.send();
    }
    this.drag = null;
  }

  press(event) {
    const { key } = event;
    if (key in MOVES) {
      const times = event.shiftKey ? 10 : 1;
      this.move(
        this.chosen,
        MOVES[key].map((step) => times * step),
      );
    } else if (key in CHOICES) {
      this.chosen = CHOICES[key](this.chosen, this.points.length);
      this.send();
    } else if (key === "Delete" || key === "Backspace") {
      this.remove(this.chosen);
    } else {
      return;
    }
    event.preventDefault();
    this.show();
  }

  show() {
    const hasFocus = this.root.getRootNode().activeElement?.dataset?.index !== undefined;
    this.chosen = Math.min(this.chosen, this.points.length - 1);
    this.svg.replaceChildren(
      ...this.drawGrid(),
      this.drawGround(),
      ...this.data.lines.map((line) => this.drawLine(line)),
      ...this.smallOnTop().map((i) => this.drawPoint(i)),
    );
    if (hasFocus) this.focus();
  }

  focus() {
    this.svg.querySelector(".chosen")?.focus({ preventScroll: true });
  }

  smallOnTop() {
    const radius = (i) => this.data.dots[i]?.radius ?? 0;
    return this.points.map((_, i) => i).sort((i, j) => radius(j) - radius(i));
  }

  drawGround() {
    const size = { width: this.width, height: this.height };
    const ground = draw("rect", { class: "ground", x: 0, y: 0, ...size });
    ground.onclick = (event) => this.add(event);
    return ground;
  }

  drawGrid() {
    const nodes = [];
    for (let x = 1 - this.right; x < this.right; x++) {
      const ends = { x1: this.px(x), x2: this.px(x), y1: 0, y2: this.height };
      nodes.push(draw("line", { class: x ? "grid" : "axis", ...ends }));
      nodes.push(...this.drawTick(x, this.px(x) + 3, this.py(0) - 4));
    }
    for (let y = 1 - this.top; y < this.top; y++) {
      const ends = { x1: 0, x2: this.width, y1: this.py(y), y2: this.py(y) };
      nodes.push(draw("line", { class: y ? "grid" : "axis", ...ends }));
      nodes.push(...this.drawTick(y, this.px(0) + 4, this.py(y) - 4));
    }
    return nodes;
  }

  // The number at a line of the grid: at every second one, and not at the axes.
  drawTick(value, x, y) {
    if (value === 0 || value % 2 !== 0) {
      return [];
    }
    const zoom = this.svg.clientWidth / this.width || 1;
    const text = String(value).replace("-", "−");
    return [draw("text", { class: "tick", x, y, "font-size": TYPE / zoom }, text)];
  }

  drawLine({ mean: [x, y], direction: [dx, dy], name, colour, dash }) {
    return draw("line", {
      class: "learned",
      stroke: colour,
      "stroke-dasharray": dash,
      "data-name": name,
      x1: this.px(x - FAR * dx),
      y1: this.py(y - FAR * dy),
      x2: this.px(x + FAR * dx),
      y2: this.py(y + FAR * dy),
    });
  }

  drawPoint(i) {
    const [x, y] = this.points[i];
    const dot = this.data.dots[i] ?? UNKNOWN;
    const label = `point ${i + 1} at ${x.toFixed(2)}, ${y.toFixed(2)}${dot.text}`;
    const circle = (name, r) => draw("circle", { class: name, cx: this.px(x), cy: this.py(y), r });
    const states = ["point", dot.activated && "activated", i === this.chosen && "chosen"];
    const attributes = {
      class: states.filter(Boolean).join(" "),
      role: "button",
      tabindex: i === this.chosen ? 0 : -1,
      "aria-label": label,
      "data-index": i,
    };
    return draw(
      "g",
      attributes,
      draw("title", {}, label),
      circle("reach", 14),
      circle("halo", dot.radius + 5),
      circle("dot", dot.radius),
    );
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".plane");
  root.plane ??= new Plane(root);
  root.plane.update(data, setTriggerValue);
}
