const TICK = 250; // milliseconds
const PATIENCE = 60000; // milliseconds: what has not come by then does not come
const STEADY = 4; // ticks: so long the page must stand still before we leave it alone
const SCROLLING = ["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown", " "];

let stop = () => {}; // what an earlier call left running

export default function ({ data, parentElement }) {
  const root = parentElement.ownerDocument;
  const seen = root.body.dataset;
  stop();
  const isNarrow = root.defaultView.innerWidth < 640; // the bar and its question come first there
  if (seen.spotlight === data.visit || isNarrow) return;

  const began = Date.now();
  let steady = 0;
  let before = null;

  // The page may still be fitting what the step speaks of, and what stands above it may grow.
  function follow() {
    const part = [...root.querySelectorAll(`.st-key-${data.target}`)].find(isDrawn);
    if (part === undefined) {
      if (Date.now() - began > PATIENCE) end();
      return;
    }
    bringIn(part);
    const app = root.querySelector("[data-testid='stApp']");
    const top = part.getBoundingClientRect().top;
    const isRunning = app !== null && app.dataset.testScriptState === "running";
    steady = !isRunning && top === before ? steady + 1 : 0;
    before = top;
    if (steady >= STEADY) done();
  }

  function isDrawn(part) {
    return part.getClientRects().length > 0;
  }

  // The line of pages lies over the top of the window, and below it the lesson's bar.
  function bringIn(part) {
    const bar = root.querySelector(".st-key-lesson_bar");
    const isSticky = getComputedStyle(bar.parentElement).position === "sticky";
    const space = root.querySelector("[data-testid='stHeader']").offsetHeight;
    const margin = space + (isSticky ? bar.offsetHeight : 0) + 12;
    part.style.scrollMargin = `${margin}px 0 12px`;
    part.scrollIntoView({ block: "nearest" });
    part.style.scrollMargin = "";
  }

  function done() {
    seen.spotlight = data.visit;
    end();
  }

  function give(event) {
    if (event.type !== "keydown" || SCROLLING.includes(event.key)) done();
  }

  const timer = setInterval(follow, TICK);
  const events = ["wheel", "touchmove", "keydown"]; // the visitor scrolls: we do not
  events.forEach((name) => root.addEventListener(name, give, { passive: true }));
  const end = () => {
    clearInterval(timer);
    events.forEach((name) => root.removeEventListener(name, give));
  };
  stop = end;
  follow();
  return end; // a page that goes must not stop what the next one has begun
}
