const TICK = 250; // milliseconds
const PATIENCE = 60000; // milliseconds: what has not come by then does not come
const STEADY = 4; // ticks: so long the page must stand still before we leave it alone
const EDGE = 12; // pixels between what a step speaks of and the edges of what it may take
const ACTIONS = ["keydown", "pointerdown"];
const SCROLLING = ["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown", " "];

const running = new WeakMap(); // where we are drawn → what stops an earlier call for it
let scrolledFor = ""; // the sizes of bar and page when the page was last scrolled

export default function ({ data, parentElement }) {
  const root = parentElement.ownerDocument;
  const seen = root.body.dataset;
  running.get(parentElement)?.(); // never another's: a page that goes is called once more
  const isNarrow = root.defaultView.innerWidth < 640; // the bar and its question come first there
  if (seen.left === data.visit || isNarrow) return;

  const began = Date.now();
  let steady = 0;
  let before = null;
  let isResting = false;

  // The page may still be fitting what the step speaks of, and what stands above it may grow.
  function follow() {
    const part = target();
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
    if (steady >= STEADY) rest();
  }

  function bar() {
    return root.querySelector(".st-key-lesson_bar");
  }

  function main() {
    return root.querySelector("[data-testid='stMainBlockContainer']");
  }

  function sizes() {
    return `${bar().offsetHeight} ${main().offsetHeight}`;
  }

  function target() {
    const isDrawn = (part) => part.getClientRects().length > 0;
    return [...root.querySelectorAll(`.st-key-${data.target}`)].find(isDrawn);
  }

  // The line of pages lies over the top of the window, and below it the lesson's bar; a room's bar
  // lies over its end. The page begins at its top if all of the part is on the screen then. What is
  // too tall for the rest begins at its own top: the browser would leave it where both of its ends
  // are hidden.
  function bringIn(part) {
    scrolledFor = sizes();
    const space = root.querySelector("[data-testid='stHeader']").offsetHeight;
    const margin = space + bar().parentElement.offsetHeight + EDGE;
    const below = EDGE + (root.querySelector("[data-testid='stBottom']")?.offsetHeight ?? 0);
    const page = root.querySelector("[data-testid='stMain']");
    const end = part.getBoundingClientRect().bottom + page.scrollTop + below;
    if (end <= root.documentElement.clientHeight) {
      page.scrollTo(0, 0);
      return;
    }
    const isTall = part.offsetHeight > root.documentElement.clientHeight - margin - below;
    part.style.scrollMargin = `${margin}px 0 ${below}px`;
    part.scrollIntoView({ block: isTall ? "start" : "nearest" });
    part.style.scrollMargin = "";
  }

  // All stands still. What grows yet, before the visitor does anything, grew late: the bar would
  // cover what the step speaks of, and the page would push it away.
  function rest() {
    isResting = true;
    seen.spotlight = data.visit;
    clearInterval(timer);
    growth.observe(bar(), { box: "border-box" });
    growth.observe(main());
  }

  function give(event) {
    const isScrolling = !ACTIONS.includes(event.type) || SCROLLING.includes(event.key);
    if (!isScrolling && !isResting) return;
    seen.left = data.visit;
    end();
  }

  const growth = new ResizeObserver(() => {
    const part = target();
    if (part !== undefined && sizes() !== scrolledFor) bringIn(part);
  });
  const timer = setInterval(follow, TICK);
  const events = ["wheel", "touchmove", ...ACTIONS]; // the visitor scrolls: we do not
  events.forEach((name) => root.addEventListener(name, give, { passive: true }));
  const end = () => {
    clearInterval(timer);
    growth.disconnect();
    events.forEach((name) => root.removeEventListener(name, give));
  };
  running.set(parentElement, end);
  if (seen.spotlight === data.visit) rest();
  else follow();
  return end;
}
