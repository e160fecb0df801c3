"""What the browser's tests of lessons look for on a page."""

from epca.ui.frame import lesson as ui

WINDOW = {"width": 1280, "height": 720}
PATIENCE = 20  # looks at a page that is still being drawn


def address(server, where, more=""):
    return ui.link(*where, base=server) + more


def box(page, selector):
    return page.locator(selector).first.bounding_box()


def is_outlined(page, key):
    part = page.locator(f".st-key-{key}").first
    return part.evaluate("part => getComputedStyle(part).outlineStyle") == "solid"


def scrolled(page):
    return page.get_by_test_id("stMain").evaluate("part => part.scrollTop")


CUT = """() => {
    const bar = document.querySelector(".st-key-lesson_bar").getBoundingClientRect();
    const strip = document.querySelector(".st-key-stays")?.parentElement;
    const isSticky = strip && getComputedStyle(strip).position === "sticky";
    return isSticky ? bar.bottom - strip.getBoundingClientRect().top : 0;
}"""


def cut_by_the_bar(page):
    """How many pixels of what stays of a scrolled page are behind the lesson's bar."""
    return page.evaluate(CUT)


def is_in_sight(page, part):
    """Wholly below the bar; one that is too tall for that begins there."""
    bar = box(page, ".st-key-lesson_bar")
    top = bar["y"] + bar["height"]
    height = page.viewport_size["height"]
    if part["height"] > height - top - 24:
        return top - 1 <= part["y"] <= top + 40
    return top - 1 <= part["y"] and part["y"] + part["height"] <= height + 1


def when_still(page, find):
    """What `find` finds wrong; it may take a while until the page is drawn and scrolled."""
    for _ in range(PATIENCE):
        if not find():
            return []
        page.wait_for_timeout(300)
    return find()
