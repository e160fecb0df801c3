function span(className, text) {
  const made = document.createElement("span");
  made.className = className;
  made.textContent = text;
  return made;
}

// The picture at this place of the sprite sheet, which has data.columns pictures in a row.
function face(data, place) {
  const column = place % data.columns;
  const row = Math.floor(place / data.columns);
  const made = span("face", "");
  const across = data.columns > 1 ? (100 * column) / (data.columns - 1) : 0;
  const down = data.rows > 1 ? (100 * row) / (data.rows - 1) : 0;
  made.style.backgroundImage = `url(${data.sprite})`;
  made.style.backgroundSize = `${100 * data.columns}% ${100 * data.rows}%`;
  made.style.backgroundPosition = `${across}% ${down}%`;
  return made;
}

function bar(data, cell) {
  const track = span("bar", "");
  const fill = span("fill", "");
  fill.style.width = `${100 * cell.bar}%`;
  fill.style.background = cell.is_occluded ? data.colours.occluded : data.colours.clean;
  track.append(fill);
  return track;
}

function button(data, cell, place) {
  const made = document.createElement("button");
  made.className = cell.is_occluded ? "cell occluded" : "cell";
  made.type = "button";
  made.dataset.id = cell.id;
  made.setAttribute("aria-pressed", String(cell.selected));
  made.setAttribute("aria-label", cell.label);
  made.title = cell.label;
  made.append(face(data, place));
  if (cell.bar !== undefined) made.append(bar(data, cell));
  made.append(span("caption", cell.caption));
  if (cell.note) made.append(span("note", cell.note));
  return made;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".gallery");
  const focused = root.getRootNode().activeElement?.dataset?.id;
  const scrolled = root.scrollLeft;
  const buttons = data.cells.map((cell, place) => {
    const made = button(data, cell, place);
    made.onclick = () => setTriggerValue("clicked", cell.id);
    return made;
  });
  root.classList.toggle("strip", data.strip);
  root.style.setProperty("--aspect", data.aspect);
  root.style.setProperty("--occluded", data.colours.occluded);
  root.setAttribute("aria-label", data.label);
  root.tabIndex = data.strip ? 0 : -1; // a part that scrolls is reached by the keyboard
  root.replaceChildren(...buttons);
  root.scrollLeft = scrolled;
  if (focused !== undefined) {
    root.querySelector(`[data-id="${focused}"]`)?.focus();
  }
}
