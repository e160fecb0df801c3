"""Another wording of a label changes nothing but what users see: links go on to work."""

import pytest

from epca.data import clouds
from epca.ui.frame import controls
from epca.views import framework, paper, shows
from tests.visit import settle, visit

NEW = "reworded"
CASES = {  # control: page, code → label, a code, what else the link has
    "pictures": ("compare", shows.SHOWS, "residuals", {"methods": ["PCA"], "c": "5"}),
    "cloud": ("framework", clouds.PRESETS, "heavy tails", {}),
    "paper_tab": ("paper", paper.TABS, "Figures", {}),
}


@pytest.mark.parametrize("key", CASES)
def test_a_link_holds_the_code_and_the_page_shows_the_label(key, monkeypatch):
    page, labels, code, query = CASES[key]
    monkeypatch.setitem(labels, code, NEW)
    app = visit(page, **query, **{key: code})
    assert not app.exception
    assert not app.main.warning
    assert app.session_state[key] == code
    assert controls.CONTROLS[key].rule.show(code) == NEW
    if key == "paper_tab":
        assert [tab.label for tab in app.tabs][2] == NEW
        assert app.session_state["paper_tab_shown"] == NEW
    else:
        choices = {item.key: item.options for item in (*app.selectbox, *app.segmented_control)}
        assert NEW in choices[f"{key}_shown"]


def test_a_reworded_choice_is_in_the_link_by_its_code(monkeypatch):
    monkeypatch.setitem(clouds.PRESETS, "clean", NEW)
    app = visit("framework")
    app.selectbox(key="cloud_shown").set_value("clean").run()
    assert app.query_params["cloud"] == "clean"


def test_the_learners_label_is_in_the_script_and_its_code_in_the_link(monkeypatch):
    renamed = framework.LEARNERS["regression"]._replace(label=NEW)
    monkeypatch.setitem(framework.LEARNERS, "regression", renamed)
    app = settle(visit("framework", learner="regression"))
    assert app.session_state["learner"] == "regression"
    assert f"({NEW})" in app.session_state["_offer"].code
