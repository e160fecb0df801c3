const PATIENCE = 3000; // milliseconds for which what the visitor did may be on its way
const ACTIONS = ["pointerup", "keyup"];
const STATE = "data-test-script-state";

let acted = 0; // when the visitor did something that the server has not answered yet

// Has the part of the page around it run again and again, but never while the page runs or is
// about to: what the browser would send then are the controls' values of before, and they would
// undo what was set.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.ownerDocument;
  const app = root.querySelector("[data-testid='stApp']");

  function act() {
    acted = Date.now();
  }

  function beat() {
    const isAtRest = app.getAttribute(STATE) === "notRunning";
    if (isAtRest && Date.now() - acted > PATIENCE) setTriggerValue("beat", Date.now());
  }

  const answer = new MutationObserver(() => (acted = 0));
  answer.observe(app, { attributes: true, attributeFilter: [STATE] });
  ACTIONS.forEach((name) => root.addEventListener(name, act, true));
  const timer = setInterval(beat, 1000 * data.every);
  return () => {
    clearInterval(timer);
    answer.disconnect();
    ACTIONS.forEach((name) => root.removeEventListener(name, act, true));
  };
}
