const PATIENCE = 20000; // milliseconds; the page may still be fitting what the step speaks of

export default function ({ data, parentElement }) {
  const root = parentElement.ownerDocument;
  const selector = `.st-key-${data.target}`;
  const began = Date.now();

  function unmark() {
    root.querySelectorAll(".spotlight").forEach((part) => part.classList.remove("spotlight"));
  }

  // Streamlit draws parts anew, so the outline is put on again whenever it is gone.
  function mark() {
    const part = root.querySelector(selector);
    if (part === null) {
      if (Date.now() - began > PATIENCE) clearInterval(timer);
      return;
    }
    if (part.classList.contains("spotlight")) return;
    unmark();
    part.classList.add("spotlight");
    if (root.body.dataset.spotlight !== data.step) {
      root.body.dataset.spotlight = data.step;
      part.scrollIntoView({ block: "nearest" });
    }
  }

  unmark();
  const timer = setInterval(mark, 300);
  mark();
  return () => {
    clearInterval(timer);
    unmark();
  };
}
