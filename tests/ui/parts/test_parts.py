"""Parts that several pages share: the selection, what is pinned, charts, what components get."""

import pytest
import streamlit

from epca.ui.frame.selected import MOST_SELECTED
from epca.ui.parts import charts as parts
from epca.ui.parts import selection
from epca.views import activated
from tests.visit import charts, components, metrics, press, visit


@pytest.mark.parametrize(
    ("before", "ids", "after"),
    [
        ([], [5], [5]),
        ([5, 7], [5], [7]),  # one that is selected is taken back
        ([5], [3], [3, 5]),
        ([5], [5, 6, 2], [2, 5, 6]),  # several are added
        ([5], [], [5]),
        ([], range(300), list(range(MOST_SELECTED))),
    ],
)
def test_one_toggles_and_several_are_added(before, ids, after, monkeypatch):
    state = {"sel": before}
    monkeypatch.setattr(streamlit, "session_state", state)
    selection.toggle(ids)
    assert state["sel"] == after


def test_what_was_cleared_can_be_selected_again():
    app = visit("activated", sel=["3", "12"])
    press(app.main, "Clear")
    assert app.multiselect(key="sel").value == []
    press(app.main, "Select again")
    assert app.multiselect(key="sel").value == [3, 12]
    assert "Select again" not in [button.label for button in app.main.button]


def test_what_was_cleared_goes_with_its_images():
    app = visit("activated", sel=["3", "12"])
    press(app.main, "Clear")
    app.selectbox(key="dataset_shown").set_value("digits").run()
    assert "Select again" not in [button.label for button in app.main.button]


def test_points_chosen_in_a_chart_are_known_by_their_data(monkeypatch):
    points = [{"customdata": 4}, {"x": 1}, {"customdata": None}, {"customdata": 0}]
    monkeypatch.setattr(streamlit, "session_state", {"alpha": {"selection": {"points": points}}})
    assert parts.chosen("alpha") == [4, 0]


def test_what_is_pinned_stands_beside_what_is_set_now():
    app = visit("home", pinned="dataset=orl|c=5", c="8")
    assert not app.exception
    shown = app.table[0].value
    assert shown.columns.tolist() == ["A", "B"]
    assert shown.loc["Rank c"].tolist() == ["5", "8"]
    now = metrics(app)
    then = metrics(visit("home", c="5"))
    for name, value in now.items():
        if value == then[name]:
            assert name not in shown.index
        else:
            assert shown.loc[name].tolist() == [then[name], value]
    assert now["Activated images"] != then["Activated images"]
    found = components(app)
    assert [row["label"] for row in found["pinned_A"]["rows"]] == ["A: Occluded", "A: EPCA"]
    assert found["pinned_A"]["rows"][1]["picture"] != found["pinned_B"]["rows"][1]["picture"]
    press(app, "Unpin A")
    assert not app.table


def test_a_projector_enlarges_the_charts():
    plain = charts(visit("activated", c="5"))["subspace"]["layout"]
    large = charts(visit("activated", c="5", projector="true"))["subspace"]["layout"]
    assert plain["font"]["size"] == parts.FILLING_SIZE
    assert large["font"]["size"] == parts.PROJECTED_FILLING_SIZE
    assert "height" not in large  # it follows the window: the rule of one screen holds there, too
    below = charts(visit("watch", c="5", projector="true"))["run_objective"]["layout"]
    assert below["font"]["size"] == parts.PROJECTED_SIZE


def test_the_gallery_gets_a_sheet_and_its_measures():
    app = visit("activated", c="5", show="activated", sel=["3"], tab="all")
    data = components(app)["faces"]
    k = int(app.main.markdown[0].value.removeprefix("**").split(" of ")[0])
    assert data["aspect"] == 1
    assert data["columns"] == activated.COLUMNS
    assert data["rows"] == -(-min(k, activated.SHOWN) // activated.COLUMNS)
    assert data["sprite"].startswith("data:image/png;base64,")
    assert len(data["cells"]) == min(k, activated.SHOWN)
    assert all("not activated" not in cell["label"] for cell in data["cells"])


def test_the_player_gets_a_sheet_and_its_measures():
    data = components(visit("watch", c="5"))["player"]
    assert data["columns"] == 6  # mean, four components, reconstruction
    assert data["width"] == data["height"] == 1
    assert data["rows"] == 1 + max(step["row"] for step in data["steps"]) + 1  # and the face itself
    assert {cell["column"] for cell in data["cells"]} == set(range(6))


def test_a_link_opens_a_deviation():
    app = visit("paper", **{"deviation_activation-sign": "true"})
    assert not app.main.warning
    assert [box.proto.expanded for box in app.expander][:3] == [False, True, False]


@pytest.mark.parametrize("id", ["2", "gone", "`![](//elsewhere/x)"])
def test_a_link_to_a_deviation_that_is_not_here_is_told(id):
    app = visit("paper", **{f"deviation_{id}": "true"})
    assert not app.exception
    (said,) = [warning.value for warning in app.main.warning]
    shown = " ".join(id.replace("`", " ").split())
    assert said.startswith("The link has `deviation_")
    assert said.endswith(f"{shown}=true`, which is none of the deviations here.")
    assert app.query_params == {}
    assert not any(box.proto.expanded for box in app.expander)
