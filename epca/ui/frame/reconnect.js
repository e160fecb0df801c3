const STATE = "data-test-connection-state";

// Runs the page again when its server answers again. A server that was started anew knows nothing
// of the page's buttons until then, and the first click would be lost.
export default function ({ parentElement, setTriggerValue }) {
  const app = parentElement.ownerDocument.querySelector("[data-testid='stApp']");
  let wasConnected = true;

  function look() {
    const isConnected = app.getAttribute(STATE) === "CONNECTED";
    if (isConnected && !wasConnected) setTriggerValue("back", true);
    wasConnected = isConnected;
  }

  const connection = new MutationObserver(look);
  connection.observe(app, { attributes: true, attributeFilter: [STATE] });
  return () => connection.disconnect();
}
