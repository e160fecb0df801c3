// Lists, dialogs, popovers and full-screen charts close by Esc themselves: it is theirs then.
const TAKEN = [
  "[role=listbox]",
  "[role=dialog]",
  "[data-testid=stPopoverBody]",
  "[data-testid=stFullScreenFrame] [aria-label='Close fullscreen']",
].join(", ");

export default function ({ parentElement, setTriggerValue }) {
  const root = parentElement.ownerDocument;

  function hear(event) {
    if (event.key !== "Escape" || root.querySelector(TAKEN) !== null) return;
    setTriggerValue("pressed", true);
  }

  root.addEventListener("keydown", hear, true); // before a list that closes by it
  return () => root.removeEventListener("keydown", hear, true);
}
