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
  made.style.width = `${data.width}px`;
  made.style.height = `${data.height}px`;
  made.style.backgroundImage = `url(${data.sprite})`;
  made.style.backgroundSize = `${data.width * data.columns}px auto`;
  made.style.backgroundPosition = `-${column * data.width}px -${row * data.height}px`;
  return made;
}

function button(data, cell, place) {
  const made = document.createElement("button");
  made.className = "cell";
  made.type = "button";
  made.dataset.id = cell.id;
  made.setAttribute("aria-pressed", String(cell.selected));
  made.setAttribute("aria-label", cell.label);
  made.title = cell.label;
  made.append(face(data, place), span("caption", cell.caption));
  return made;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".gallery");
  const focused = root.getRootNode().activeElement?.dataset?.id;
  const buttons = data.cells.map((cell, place) => {
    const made = button(data, cell, place);
    made.onclick = () => setTriggerValue("clicked", cell.id);
    return made;
  });
  root.setAttribute("aria-label", data.label);
  root.replaceChildren(...buttons);
  if (focused !== undefined) {
    root.querySelector(`[data-id="${focused}"]`)?.focus();
  }
}
