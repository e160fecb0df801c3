function make(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function headCell(measure) {
  const made = make("th", measure.minor ? "measure minor" : "measure", measure.heading);
  made.scope = "col";
  made.style.setProperty("--width", `${measure.width}rem`);
  if (measure.help) made.title = measure.help;
  return made;
}

function headLine(data) {
  const line = make("tr", "heads");
  const pictures = make("td", "pictures");
  const strip = make("div", "strip");
  data.heads.forEach((name) => strip.append(make("span", "", name)));
  for (let i = data.heads.length; i < data.columns; i += 1) strip.append(make("span"));
  pictures.append(strip);
  line.append(make("td", "label", data.corner), pictures, ...data.measures.map(headCell));
  return line;
}

// A bar from the middle: to the left and green where the share is negative, which is better.
function bar(share) {
  const track = make("div", "bar");
  const fill = make("div", share < 0 ? "less" : "more");
  const width = Math.min(Math.abs(share), 1) * 50;
  fill.style.width = `${width}%`;
  fill.style.left = share < 0 ? `${50 - width}%` : "50%";
  track.append(fill);
  return track;
}

// A line without this number has an empty cell, which covers what scrolls below it.
function numberCell(cell, measure) {
  const made = make("td", measure.minor ? "number minor" : "number");
  if (cell === undefined) return made;
  if (cell.best) made.classList.add("best");
  made.append(make("span", "", cell.best ? `★ ${cell.text}` : cell.text));
  if (cell.share !== undefined && cell.share !== null) made.append(bar(cell.share));
  return made;
}

function labelCell(row) {
  const label = make("th", "label");
  label.scope = "row";
  const name = make("span", "name", row.label);
  if (row.colour) {
    label.style.setProperty("--colour", row.colour);
    label.classList.add("coloured");
  }
  if (row.help) name.title = row.help;
  label.append(name);
  if (row.note) {
    const note = make("span", "note", row.note);
    note.title = row.note;
    label.append(note);
  }
  return label;
}

function pictureCell(row) {
  const cell = make("td", "pictures");
  if (row.text !== undefined) {
    const text = make("div", "text", row.text);
    text.title = row.text;
    cell.append(text);
    return cell;
  }
  const picture = make("img");
  picture.src = row.picture;
  picture.alt = row.alt;
  cell.append(picture);
  return cell;
}

function bodyLine(row, place, measures) {
  const line = make("tr", row.sticky ? "sticky" : "");
  line.style.setProperty("--place", place);
  const cells = row.cells ?? [];
  const numbers = measures.map((measure, i) => numberCell(cells[i], measure));
  line.append(labelCell(row), pictureCell(row), ...numbers);
  return line;
}

function total(measures) {
  return `${measures.reduce((sum, measure) => sum + measure.width, 0)}rem`;
}

// How wide the longest word is, at most, in units of its type.
function widest(names) {
  const words = names.flatMap((name) => name.split(" "));
  return 0.55 * Math.max(1, ...words.map((word) => word.length));
}

// What is above the box, whatever is scrolled; the box may have the rest of the window.
function measureAbove(box, main) {
  const top = box.getBoundingClientRect().top + (main?.scrollTop ?? 0);
  box.style.setProperty("--spare", `calc(${top}px + var(--head) + 0.7rem)`);
}

// A box that scrolls takes the focus, so that the arrow keys scroll it.
function makeReachable(box) {
  const isScrolled =
    box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;
  if (isScrolled) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

function follow(box, spare) {
  const host = box.getRootNode().host;
  const main = host?.closest("[data-testid=stMain]");
  const update = () => {
    if (spare === null) measureAbove(box, main);
    makeReachable(box);
  };
  const observer = new ResizeObserver(update);
  observer.observe(box);
  const page = host?.closest("[data-testid=stMainBlockContainer]");
  if (page) observer.observe(page);
  update();
  return () => observer.disconnect();
}

const running = new WeakMap(); // box → what ends its earlier call: new data do not end it

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".box");
  running.get(box)?.();
  const table = box.querySelector("table");
  const lines = data.rows.map((row, place) => bodyLine(row, place, data.measures));
  box.classList.toggle("measured", data.measures.length > 0);
  box.style.setProperty("--rows", data.rows.length);
  box.style.setProperty("--columns", data.columns);
  box.style.setProperty("--aspect", data.aspect);
  box.style.setProperty("--wide", widest(data.heads));
  box.style.setProperty("--all", total(data.measures));
  box.style.setProperty("--major", total(data.measures.filter((measure) => !measure.minor)));
  box.style.setProperty("--largest", `${data.largest}rem`);
  box.style.setProperty("--label", `${data.labelWidth}rem`);
  table.replaceChildren(headLine(data), ...lines);
  if (data.spare !== null) box.style.setProperty("--spare", `${data.spare}rem`);
  const stop = follow(box, data.spare);
  running.set(box, stop);
  return stop;
}
