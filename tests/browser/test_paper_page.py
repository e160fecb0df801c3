"""Paper in the browser: figures answer, a run goes on while one reads, Cancel ends it."""

import re

import pytest

from epca import paper
from tests.browser.chromium import go_to_data, point_at, settle, turn_to

KKT = "tests/test_activation.py::test_kkt"
SMALL = (
    "source=here&paper_set=orl&paper_seeds=1&paper_ranks=10&paper_methods=PCA&paper_methods=PCA-OM"
)


def run(page):
    page.get_by_role("button", name="Run", exact=True).click()


def test_the_first_screen_says_what_holds(page, server):
    page.set_viewport_size({"width": 1366, "height": 768})
    turn_to(page, f"{server}/paper")
    findings = page.locator(".st-key-findings").get_by_role("table").first
    box = findings.bounding_box()
    assert box["y"] > 0
    assert box["y"] + box["height"] < 768
    assert page.get_by_test_id("stSidebar").get_by_role("slider").count() == 0
    green = "rgb(197, 232, 219)"
    assert colour_of(page.get_by_role("cell", name="holds", exact=True).first) == green


def colour_of(cell):
    return cell.evaluate("cell => getComputedStyle(cell).backgroundColor")


def test_differences_are_marked_and_coloured_and_figures_answer(page, server):
    turn_to(page, f"{server}/paper")
    far = page.get_by_role("cell", name=re.compile("^\\+.*▲$")).first
    assert colour_of(far) == "rgb(246, 203, 170)"
    assert far.evaluate("cell => getComputedStyle(cell).color") == "rgb(0, 0, 0)"
    page.get_by_role("tab", name="Figures").click()
    page.wait_for_url("**paper_tab=Figures**")
    settle(page)
    for key in ("paper_difference", "paper_sigma", "paper_rank"):
        point_at(page, page.locator(f".st-key-{key} .scatterlayer .point").nth(3))
        page.locator(f".st-key-{key} .hoverlayer .hovertext").first.wait_for()


def test_the_open_tab_is_in_the_address_and_back_returns_to_the_last(page, server):
    turn_to(page, f"{server}/paper")
    for name in ("Table III", "What was run"):
        page.get_by_role("tab", name=name).click()
        settle(page)
    page.wait_for_url("**paper_tab=What**")
    page.reload()
    page.get_by_role("tab", name="What was run", selected=True).wait_for()
    page.go_back()
    page.get_by_role("tab", name="Table III", selected=True).wait_for()


def test_a_deviation_opens_to_its_lines_and_a_link_keeps_it_open(page, server):
    turn_to(page, f"{server}/paper")
    assert not page.get_by_text("def test_kkt").is_visible()
    page.get_by_text("k + Σ√(f/λ) = 1 has the wrong sign.").click()
    page.get_by_text("def test_kkt").wait_for()
    page.get_by_text(
        f"test_kkt in tests/test_activation.py, line {paper.source(KKT).line}:"
    ).wait_for()
    page.wait_for_url("**deviation_activation-sign=true**")
    page.reload()
    page.get_by_text("def test_kkt").wait_for()


@pytest.mark.new_window
def test_a_run_is_cancelled_while_one_reads_on(page, server):
    turn_to(page, f"{server}/paper?source=here&paper_set=orl&paper_seeds=10")
    run(page)
    page.get_by_text(re.compile(r"[1-9]\d* of \d+ fits done")).wait_for()
    page.get_by_text("k + Σ√(f/λ) = 1 has the wrong sign.").click()
    page.get_by_text("def test_kkt").wait_for()
    page.get_by_text(re.compile(r"\d\d+ of \d+ fits done")).wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Cancelled. Change a setting, or start again.").wait_for()
    settle(page)
    assert page.get_by_test_id("stProgress").count() == 0
    assert page.get_by_role("heading", name="Table I").count() == 0
    assert page.get_by_role("tab", name="Table I").count() == 0
    assert page.get_by_test_id("stException").count() == 0


@pytest.mark.new_window
def test_a_run_is_still_there_after_another_page(page, server):
    turn_to(page, f"{server}/paper?{SMALL}")
    run(page)
    page.get_by_text("This run was made here.").wait_for()
    settle(page)
    shown = page.get_by_role("row", name="PCA-OM").last.inner_text()
    go_to_data(page)
    page.get_by_role("link", name="Paper", exact=True).click()
    page.get_by_text("This run was made here.").wait_for()
    settle(page)
    assert page.get_by_role("row", name="PCA-OM").last.inner_text() == shown
    assert page.get_by_role("spinbutton", name="Seeds").input_value() == "1"


@pytest.mark.new_window
def test_a_file_is_read_or_refused(page, server):
    turn_to(page, f"{server}/paper?source=file")
    drop = page.get_by_test_id("stFileUploaderDropzoneInput")
    drop.set_input_files({"name": "no.csv", "mimeType": "text/csv", "buffer": b"\xff\xfe"})
    page.get_by_text(
        "no.csv is no table in CSV. Choose the raw.csv that epca reproduce wrote."
    ).wait_for()
    table = paper.shipped()
    table = table[table["dataset"] == "jaffe"]
    content = table.to_csv(index=False).encode()
    drop.set_input_files({"name": "raw.csv", "mimeType": "text/csv", "buffer": content})
    page.get_by_text(f"{len(table)} fits read from your file.").wait_for()
    page.get_by_role("tab", name="Table III").click()
    page.get_by_role("heading", name="Table III").wait_for()
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="All fits (raw.csv)").click()
    assert len(download.value.path().read_text().splitlines()) == 1 + len(table)
