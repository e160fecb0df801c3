const CONNECTION = "data-test-connection-state";
const ACTIONS = ["keydown", "pointerdown"];

export default function ({ parentElement, setTriggerValue }) {
  const root = parentElement.ownerDocument;
  const { history } = root.defaultView;
  if (!Object.hasOwn(history, "pushState")) mergeEntries(root, history);
  return runAgain(root.querySelector("[data-testid='stApp']"), setTriggerValue);
}

// Runs the page again when its server answers again. A server that was started anew knows nothing
// of the page's buttons until then, and the first click would be lost.
function runAgain(app, setTriggerValue) {
  let wasConnected = true;

  function look() {
    const isConnected = app.getAttribute(CONNECTION) === "CONNECTED";
    if (isConnected && !wasConnected) setTriggerValue("back", true);
    wasConnected = isConnected;
  }

  const connection = new MutationObserver(look);
  connection.observe(app, { attributes: true, attributeFilter: [CONNECTION] });
  return () => connection.disconnect();
}

// Has an action leave at most one entry of a page for Back. Streamlit adds one for each setting
// that the script changes: Back would go through settings that nobody chose.
function mergeEntries(root, history) {
  let hasEntry = false;
  for (const action of ACTIONS) root.addEventListener(action, () => (hasEntry = false), true);

  history.pushState = function (state, title, address) {
    const isSamePage = new URL(address, location).pathname === location.pathname;
    const write = hasEntry && isSamePage ? "replaceState" : "pushState";
    History.prototype[write].call(history, state, title, address);
    hasEntry = true;
  };
}
