"""The clickable gallery: one sprite sheet, one real button per image, as an inline component."""

import streamlit as st

from epca.images import data_url

HTML = '<div class="gallery" role="group"></div>'
CSS = """
.gallery { display: flex; flex-wrap: wrap; gap: 6px; }
.cell { border: 3px solid transparent; border-radius: 4px; padding: 0; background-color: transparent; cursor: pointer;
        color: var(--st-text-color); font: 0.7rem var(--st-font); line-height: 1.2; }
.cell .face { display: block; background-repeat: no-repeat; image-rendering: pixelated; }
.cell[aria-pressed="true"] { border-color: var(--st-primary-color); }
.cell:focus-visible { outline: 3px solid var(--st-text-color); outline-offset: 1px; }
"""
JS = """
export default function({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".gallery");
  root.setAttribute("aria-label", data.label);
  const focused = root.getRootNode().activeElement?.dataset?.id;
  root.replaceChildren(...data.cells.map((cell, i) => {
    const button = document.createElement("button");
    button.className = "cell";
    button.type = "button";
    button.dataset.id = cell.id;
    button.setAttribute("aria-pressed", String(cell.selected));
    button.setAttribute("aria-label", cell.label);
    button.title = cell.label;
    const face = document.createElement("span");
    face.className = "face";
    face.style.width = data.width + "px";
    face.style.height = data.height + "px";
    face.style.backgroundImage = `url(${data.sprite})`;
    face.style.backgroundSize = `${data.width * data.columns}px auto`;
    face.style.backgroundPosition = `-${(i % data.columns) * data.width}px -${Math.floor(i / data.columns) * data.height}px`;
    const caption = document.createElement("span");
    caption.textContent = cell.caption;
    button.append(face, caption);
    button.onclick = () => setTriggerValue("clicked", cell.id);
    return button;
  }));
  if (focused !== undefined) root.querySelector(`[data-id="${focused}"]`)?.focus();
}
"""
_component = st.components.v2.component("gallery", html=HTML, css=CSS, js=JS)

COLUMNS, ZOOM = 12, 2


def gallery(sprite, cells, *, label, shape, key, on_click):
    """Show the cells (dicts of id, label, caption, selected) with the images of the sprite sheet, row by row of COLUMNS.

    sprite : uint8 pixels; shape : (height, width) of an image on it; on_click() finds the clicked id in st.session_state[key].
    """
    data = {
        "sprite": data_url(sprite),
        "columns": COLUMNS,
        "width": shape[1] * ZOOM,
        "height": shape[0] * ZOOM,
        "label": label,
        "cells": cells,
    }
    _component(key=key, data=data, on_clicked_change=on_click)
