function make(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function headCell(text, help) {
  const made = make("th", "measure", text);
  made.scope = "col";
  if (help) made.title = help;
  return made;
}

function headLine(data) {
  const line = make("tr", "heads");
  const pictures = make("td", "pictures");
  const strip = make("div", "strip");
  data.heads.forEach((name) => strip.append(make("span", "", name)));
  for (let i = data.heads.length; i < data.columns; i += 1) strip.append(make("span"));
  pictures.append(strip);
  line.append(make("td", "label"), pictures);
  data.measures.forEach((measure) => line.append(headCell(measure.heading, measure.help)));
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

function numberCell(cell) {
  const made = make("td", cell.best ? "number best" : "number");
  made.append(make("span", "", cell.best ? `★ ${cell.text}` : cell.text));
  if (cell.share !== undefined && cell.share !== null) made.append(bar(cell.share));
  return made;
}

function bodyLine(row, place) {
  const line = make("tr", row.sticky ? "sticky" : "");
  line.style.setProperty("--place", place);
  const label = make("th", "label");
  label.scope = "row";
  const name = make("span", "name", row.label);
  if (row.colour) {
    name.style.borderLeftColor = row.colour;
    name.classList.add("coloured");
  }
  label.append(name);
  if (row.note) {
    const note = make("span", "note", row.note);
    note.title = row.note;
    label.append(note);
  }
  const pictures = make("td", "pictures");
  const picture = make("img");
  picture.src = row.picture;
  picture.alt = row.alt;
  pictures.append(picture);
  line.append(label, pictures, ...(row.cells ?? []).map(numberCell));
  return line;
}

export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".box");
  const table = box.querySelector("table");
  box.style.setProperty("--rows", data.rows.length);
  box.style.setProperty("--columns", data.columns);
  box.style.setProperty("--aspect", data.aspect);
  box.style.setProperty("--measures", data.measures.length);
  box.style.setProperty("--spare", `${data.spare}rem`);
  box.style.setProperty("--largest", `${data.largest}rem`);
  box.style.setProperty("--label", `${data.labelWidth}rem`);
  table.replaceChildren(headLine(data), ...data.rows.map(bodyLine));
}
