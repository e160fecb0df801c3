// Has the part of the page around it run again and again, but never while the page runs: what the
// browser would send then are the controls' values of before, and they would undo what was set.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.ownerDocument;

  function beat() {
    const app = root.querySelector("[data-testid='stApp']");
    if (app.dataset.testScriptState === "notRunning") setTriggerValue("beat", Date.now());
  }

  const timer = setInterval(beat, 1000 * data.every);
  return () => clearInterval(timer);
}
