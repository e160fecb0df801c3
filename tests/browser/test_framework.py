"""The plane under a hand and under a keyboard: the points follow what is clicked and pressed."""

import re

import pytest

from epca.data.clouds import LIMITS, decode_cloud, draw_cloud, encode_cloud
from tests.browser.chromium import go_to_data, settle, turn_to

CLOUD = "one far outlier"
PRESET = draw_cloud(CLOUD).tolist()


@pytest.fixture
def plane(page, server):
    points = encode_cloud(draw_cloud(CLOUD))
    turn_to(page, f"{server}/framework?points={points}", is_anew=False)
    svg = page.locator(".st-key-plane svg[role=application]")
    svg.locator(".point").first.wait_for()
    svg.scroll_into_view_if_needed()
    return svg


def pixel(plane, x, y):
    """The whole pixel of the window nearest to a place in the plane, which has a border of one."""
    box = plane.bounding_box()
    across, down = (
        (x / LIMITS[0] + 1) / 2 * (box["width"] - 2),
        (1 - y / LIMITS[1]) / 2 * (box["height"] - 2),
    )
    return round(box["x"] + 1 + across), round(box["y"] + 1 + down)


def drawn(plane):
    """The points as the page shows them, by their number."""
    labels = [point.get_attribute("aria-label") for point in plane.locator(".point").all()]
    found = [re.match(r"point (\d+) at (-?[\d.]+), (-?[\d.]+)", label).groups() for label in labels]
    return [[float(x), float(y)] for _, x, y in sorted(found, key=lambda it: int(it[0]))]


def linked(page):
    """The points as the address has them."""
    page.wait_for_url("**points=**")
    settle(page)
    return decode_cloud(re.search(r"points=([^&]*)", page.url)[1]).tolist()


def slope(plane, name):
    ends = plane.locator(f".learned[data-name='{name}']")
    x1, y1, x2, y2 = (float(ends.get_attribute(end)) for end in ("x1", "y1", "x2", "y2"))
    return (y2 - y1) / (x2 - x1)


def test_a_click_adds_exactly_that_point(page, plane):
    assert drawn(plane) == PRESET
    before = slope(plane, "PCA")
    page.mouse.click(*pixel(plane, 4.5, -3.0))
    *old, new = linked(page)
    assert old == PRESET
    assert new == pytest.approx([4.5, -3.0], abs=0.02)  # half a pixel and half a hundredth
    assert drawn(plane) == [*old, new]
    assert slope(plane, "PCA") != before
    page.get_by_text(re.compile(r"^\d+ of 22 points activated")).wait_for()


def test_dragging_moves_and_shift_click_removes(page, plane):
    page.mouse.move(*pixel(plane, -5.0, 3.8))
    page.mouse.down()
    page.mouse.move(*pixel(plane, -1.0, 1.0), steps=5)
    page.mouse.move(*pixel(plane, 0.0, -3.0), steps=5)
    page.mouse.up()
    *others, moved = linked(page)
    assert others == PRESET[:-1]
    assert moved == pytest.approx([0.0, -3.0], abs=0.02)
    assert drawn(plane)[-1] == moved
    page.keyboard.down("Shift")
    page.mouse.click(*pixel(plane, *moved))
    page.keyboard.up("Shift")
    page.get_by_text(re.compile(r"of 20 points activated")).wait_for()
    assert linked(page) == drawn(plane) == others


def test_the_keyboard_alone_chooses_moves_and_removes(page, plane):
    plane.locator(".point[tabindex='0']").focus()
    page.keyboard.press("End")
    for _ in range(5):
        page.keyboard.press("ArrowRight")  # as fast as they come: no press may be lost
    page.keyboard.press("Shift+ArrowDown")
    page.get_by_label("point 21 at -4.50, 2.80").wait_for()
    assert linked(page)[-1] == [-4.5, 2.8]
    assert plane.locator(".point:focus").get_attribute("data-index") == "20"
    page.keyboard.press("PageDown")
    page.keyboard.press("Delete")
    page.get_by_text(re.compile(r"of 20 points activated")).wait_for()
    assert linked(page) == [*PRESET[1:-1], [-4.5, 2.8]]


def test_a_refused_change_is_said_and_undone(page, server):
    turn_to(page, f"{server}/framework?points=0.0_100.50_200.90")
    plane = page.locator(".st-key-plane svg[role=application]")
    plane.locator(".point[tabindex='0']").focus()
    page.keyboard.press("Delete")
    page.get_by_text("A cloud of 2 points was asked for; it must have 3 to 60.").wait_for()
    settle(page)
    assert drawn(plane) == [[0.0, 0.0], [1.0, 0.5], [2.0, 0.9]]


def test_the_controls_beside_the_plane_add_move_and_remove(page, plane):
    page.get_by_role("button", name="Add x, y").click()
    assert linked(page) == [*PRESET, [-3.0, 3.0]] == drawn(plane)
    page.get_by_role("button", name="Remove point 22").wait_for()  # the one that was added
    page.get_by_label("Point", exact=True).fill("1")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Remove point 1", exact=True).click()
    page.get_by_text(re.compile(r"of 21 points activated")).wait_for()
    assert linked(page) == [*PRESET[1:], [-3.0, 3.0]] == drawn(plane)
    page.get_by_role("button", name="Undo all changes").click()
    page.wait_for_function("!location.search.includes('points=')")
    settle(page)
    assert drawn(plane) == PRESET


def ringed(plane):
    """The number of the point with the ring."""
    return int(plane.locator(".point.chosen").get_attribute("data-index")) + 1


def test_what_the_hand_chose_last_is_what_the_button_removes(page, plane):
    page.mouse.click(*pixel(plane, 4.5, -3.0))
    page.get_by_role("button", name="Remove point 22").wait_for()
    page.mouse.move(*pixel(plane, *PRESET[20]))
    page.mouse.down()
    page.mouse.move(*pixel(plane, 0.0, -3.0), steps=5)
    page.mouse.up()
    page.get_by_role("button", name="Remove point 21").wait_for()
    assert ringed(plane) == 21
    assert page.get_by_label("Point", exact=True).input_value() == "21"
    page.keyboard.press("PageDown")
    page.get_by_role("button", name="Remove point 22").click()
    page.get_by_text(re.compile(r"of 21 points activated")).wait_for()
    assert linked(page)[:20] == PRESET[:20]
    assert drawn(plane)[20] == pytest.approx([0.0, -3.0], abs=0.02)
    page.get_by_label("Point", exact=True).fill("3")
    page.keyboard.press("Enter")
    plane.locator(".point.chosen[data-index='2']").wait_for()


def test_choosing_a_point_of_a_preset_does_not_edit_it(page, plane, server):
    turn_to(page, f"{server}/framework")
    page.get_by_role("button", name="Undo all changes", disabled=True).wait_for()
    page.mouse.click(*pixel(plane, *PRESET[20]))
    page.get_by_role("button", name="Remove point 21").wait_for()
    assert ringed(plane) == 21
    assert page.get_by_role("button", name="Undo all changes").is_disabled()
    assert "points=" not in page.url


def test_another_page_and_back_keeps_the_points(page, plane):
    page.mouse.click(*pixel(plane, 4.5, -3.0))
    points = linked(page)
    go_to_data(page)
    page.get_by_role("link", name="Framework", exact=True).click()
    plane.locator(".point").first.wait_for()
    assert linked(page) == points == drawn(plane)
    page.mouse.click(*pixel(plane, -4.5, -3.0))
    page.get_by_text(re.compile(r"of 23 points activated")).wait_for()
    settle(page)
    page.go_back()
    page.get_by_text(re.compile(r"of 22 points activated")).wait_for()
    assert linked(page) == points == drawn(plane)
