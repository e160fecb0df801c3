"""Activated: one selection, fed by every view, the keyboard and the link."""

import csv
from urllib.parse import urlparse

import pytest

from tests.browser.chromium import click_dot, go_to_data, open_page, settle, turn_to
from tests.visit import execute


@pytest.fixture
def activated(page, server):
    turn_to(page, f"{server}/activated", is_anew=False)
    page.locator(".st-key-outlier_map .scatterlayer .point").first.wait_for()
    settle(page)
    return page


def in_link(page):
    return sorted(
        int(part[4:]) for part in urlparse(page.url).query.split("&") if part.startswith("sel=")
    )


def large(page, key):
    """Ids of the dots that a chart draws large."""
    chart = page.locator(f".st-key-{key} .js-plotly-plot")
    return sorted(
        chart.evaluate(
            "c => c.data[0].customdata.filter((_, i) => c.data[0].marker.size[i] === 14)"
        )
    )


def number(cell):
    return int(cell.get_attribute("aria-label").split()[1].rstrip(","))


def pressed(page):
    """Id of the image → whether its button is pressed, of all that the strip shows."""
    cells = page.locator("button.cell").evaluate_all(
        "all => all.map(cell => [cell.ariaLabel, cell.ariaPressed === 'true'])"
    )
    return {int(label.split()[1].rstrip(",")): is_pressed for label, is_pressed in cells}


def assert_selected(page, ids):
    """In the link, in both charts and in the strip, as far as it shows them."""
    ids = sorted(ids)
    wanted = "&".join(f"sel={i}" for i in ids)
    page.wait_for_function(
        "wanted => [...new URLSearchParams(location.search).getAll('sel')].length === wanted",
        arg=len(ids),
    )
    settle(page)
    assert in_link(page) == ids, wanted
    assert [large(page, key) for key in ("subspace", "outlier_map")] == [ids] * 2
    shown = pressed(page)
    assert [i for i in shown if shown[i]] == [i for i in shown if i in ids]


@pytest.mark.parametrize("key", ["subspace", "outlier_map"])
def test_a_click_in_a_chart_toggles(activated, key):
    """On the dot that lies farthest from all others, so that the click can mean no other."""
    chart = activated.locator(f".st-key-{key} .js-plotly-plot")
    place = chart.evaluate(
        """c => { const {x, y} = c.data[0], w = c._fullLayout.xaxis, h = c._fullLayout.yaxis;
        const at = x.map((v, i) => [w.l2p(v), h.l2p(y[i])]);
        const far = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1]);
        const gap = i => Math.min(...at.filter((_, j) => j !== i).map(p => far(p, at[i])));
        const gaps = at.map((_, i) => gap(i));
        return gaps.reduce((best, g, i, all) => g > all[best] ? i : best, 0); }"""
    )
    sample = chart.evaluate(f"c => c.data[0].customdata[{place}]")
    dots = activated.locator(f".st-key-{key} .scatterlayer .trace").first.locator(".point")
    click_dot(activated, dots.nth(place))
    assert_selected(activated, [sample])
    click_dot(activated, dots.last)  # the selected one lies on top
    assert_selected(activated, [])


def test_the_strip_by_mouse_and_keyboard_and_esc(activated):
    first, second = activated.locator("button.cell").nth(0), activated.locator("button.cell").nth(1)
    ids = [number(first), number(second)]
    first.click()
    assert_selected(activated, ids[:1])
    second.focus()
    activated.keyboard.press("Enter")
    assert_selected(activated, ids)
    activated.keyboard.press("Escape")
    assert_selected(activated, [])
    activated.get_by_role("button", name="Select again").click()
    assert_selected(activated, ids)


def test_esc_closes_a_list_a_popover_or_a_full_screen_chart_first(activated):
    first = activated.locator("button.cell").first
    first.click()
    assert_selected(activated, [number(first)])
    activated.get_by_role("button", name="Glossary").click()
    activated.get_by_text("Symbols are").or_(
        activated.get_by_test_id("stPopoverBody")
    ).first.wait_for()
    body = activated.get_by_test_id("stPopoverBody")
    while body.count():  # a busy browser may draw it before it listens
        activated.keyboard.press("Escape")
        activated.wait_for_timeout(1000)
    assert_selected(activated, [number(first)])
    activated.get_by_role("combobox", name="Selected images").click()
    activated.get_by_role("listbox").wait_for()
    activated.keyboard.press("Escape")
    activated.get_by_role("listbox").wait_for(state="detached")
    assert_selected(activated, [number(first)])
    activated.locator(".st-key-subspace").hover()
    activated.locator(".st-key-subspace").get_by_role("button", name="Fullscreen").click()
    activated.get_by_role("button", name="Close fullscreen").wait_for()
    activated.keyboard.press("Escape")
    activated.get_by_role("button", name="Close fullscreen").wait_for(state="detached")
    assert_selected(activated, [number(first)])


@pytest.mark.parametrize("mode", ["select", "lasso"])
def test_box_and_lasso_add(activated, mode):
    first = activated.locator("button.cell").first
    first_id = number(first)
    first.click()
    assert_selected(activated, [first_id])
    chart = activated.locator(".st-key-outlier_map .js-plotly-plot")
    chart.scroll_into_view_if_needed()
    chart.hover()
    activated.locator(
        f".st-key-outlier_map .modebar-btn[data-attr='dragmode'][data-val='{mode}']"
    ).click()
    activated.wait_for_function(
        "([plot, mode]) => plot._fullLayout.dragmode === mode", arg=[chart.element_handle(), mode]
    )
    top, share = (
        chart.evaluate(  # the topmost dots down to the widest gap, and how far down its middle is
            """c => { const a = c._fullLayout.yaxis, {y, customdata} = c.data[0];
        const order = y.map((_, i) => i).sort((i, j) => y[j] - y[i]);
        const down = order.map(i => a.l2p(y[i]) / a._length);
        const gaps = down.slice(2, 95).map((d, i) => d - down[i + 1]);
        const m = gaps.indexOf(Math.max(...gaps)) + 2;
        return [order.slice(0, m).map(i => customdata[i]), (down[m - 1] + down[m]) / 2]; }"""
        )
    )
    assert len(top) > 1
    box = activated.locator(".st-key-outlier_map .nsewdrag").first.bounding_box()
    corners = [(0.002, 0.002), (0.998, 0.002), (0.998, share), (0.002, share), (0.002, 0.01)]
    points = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    activated.mouse.move(*points[0])
    activated.mouse.down()
    for point in points[1:] if mode == "lasso" else points[2:3]:
        activated.mouse.move(*point, steps=6)
    activated.mouse.up()
    activated.wait_for_function("new URLSearchParams(location.search).getAll('sel').length > 1")
    settle(activated)
    assert set(top) | {first_id} == set(in_link(activated))
    assert_selected(activated, in_link(activated))


def test_the_link_restores_sort_filter_and_selection_elsewhere(activated, browser):
    activated.get_by_role("radio", name="All images").click()
    activated.get_by_role("combobox", name="Sort by").focus()
    for key in ("ArrowDown", "Enter"):  # from the present choice to the next
        activated.keyboard.press(key)
        activated.wait_for_timeout(300)
    activated.wait_for_url("**sort=residual**")
    settle(activated)
    activated.locator(".st-key-faces button.cell").nth(5).click()
    activated.wait_for_url("**sel=**")
    settle(activated)
    context = browser.new_context()
    copy = context.new_page()
    open_page(copy, activated.url)
    copy.locator(".st-key-faces button.cell").first.wait_for()
    assert in_link(copy) == in_link(activated)
    labels = [
        [cell.get_attribute("aria-label") for cell in page.locator("button.cell").all()]
        for page in (activated, copy)
    ]
    assert labels[0] == labels[1]
    context.close()


def test_changing_page_keeps_the_selection(activated):
    activated.locator("button.cell").first.click()
    activated.wait_for_url("**sel=**")
    settle(activated)
    ids = in_link(activated)
    go_to_data(activated)
    activated.get_by_role("link", name="Activated", exact=True).click()
    activated.locator("button.cell").first.wait_for()
    assert_selected(activated, ids)


def test_back_to_where_nothing_was_selected_selects_nothing(activated):
    """From another page too, to which the selection was taken."""
    address = activated.url
    activated.locator("button.cell").first.click()
    activated.wait_for_url("**sel=**")
    settle(activated)
    go_to_data(activated)
    turn_to(activated, address)
    activated.locator("button.cell").first.wait_for()
    assert_selected(activated, [])


def test_downloads(activated, tmp_path):
    """The table parses, the picture is a picture, the script runs and says what the page says."""
    activated.locator("button.cell").first.click()
    activated.wait_for_url("**sel=**")
    settle(activated)
    activated.get_by_role("button", name="Export").click()
    files = {}
    for label in ("Table (CSV)", "Faces (PNG)", "Python script"):
        with activated.expect_download() as download:
            activated.get_by_role("button", name=label).click()
        files[label] = download.value.path().read_bytes()
    rows = list(csv.DictReader(files["Table (CSV)"].decode().splitlines()))
    assert len(rows) == 400
    assert files["Faces (PNG)"].startswith(b"\x89PNG")
    printed = execute(files["Python script"].decode(), tmp_path)
    sentence = activated.get_by_text("activated;").inner_text()
    assert printed.splitlines()[0] == sentence.split(";")[0]
    (chosen,) = in_link(activated)
    assert f"image {chosen}: alpha " in printed
    assert f"?sel={chosen}&amp;" in activated.locator(".st-key-export_menu pre").inner_text()


@pytest.mark.new_window
def test_keyboard_only(page, server):
    """Tab to a slider, change it, tab on to the strip, choose, clear: all without the mouse."""
    turn_to(page, f"{server}/activated")
    page.locator("button.cell").first.wait_for()

    def tab_to(is_there, most=150):
        focused = (
            "let e = document.activeElement; while (e.shadowRoot) e = e.shadowRoot.activeElement;"
        )
        for _ in range(most):
            page.keyboard.press("Tab")
            if page.evaluate(f"() => {{ {focused} return {is_there}; }}"):
                return
        pytest.fail(f"not reached by the keyboard: {is_there}")

    tab_to("e.getAttribute('aria-label') === 'Rank c'")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**c=21**")
    settle(page)
    tab_to("e.className === 'cell'")
    page.keyboard.press("Space")
    page.wait_for_url("**sel=**")
    settle(page)
    page.keyboard.press("Escape")
    page.wait_for_function("!location.search.includes('sel=')")


def test_the_link_has_the_method_that_is_asked_what_it_ignores(page, server):
    turn_to(page, f"{server}/activated?c=5&sel=3")
    judges = page.locator(".st-key-judged")
    judges.get_by_text("Cauchy PCA", exact=True).click()
    page.wait_for_url("**judge=Cauchy**")
    page.locator(".st-key-inspected").get_by_text("Cauchy PCA", exact=True).wait_for()
    settle(page)
    judges.get_by_text("Cauchy PCA", exact=True).click()
    page.locator(".st-key-inspected").get_by_text("Mask", exact=True).wait_for(state="detached")
    assert "judge=" not in page.url
