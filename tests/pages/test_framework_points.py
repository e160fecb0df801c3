"""The points of Framework: added, moved and removed by the controls, or read from a link."""

import pytest

from epca.data.clouds import decode_cloud, draw_cloud
from tests.pages.test_framework import spoken
from tests.visit import press, visit


def test_points_are_added_moved_and_removed_by_the_controls():
    app = visit("framework")
    points = draw_cloud("one far outlier").tolist()
    app.number_input(key="point_x").set_value(4.5).run()
    app.number_input(key="point_y").set_value(-3.0).run()
    press(app, "Add x, y")
    assert decode_cloud(app.session_state["points"]).tolist() == [*points, [4.5, -3.0]]
    assert app.number_input(key="point").value == 22  # the one that was added
    app.number_input(key="point").set_value(2).run()
    press(app, "Move point 2 to x, y")
    assert decode_cloud(app.session_state["points"]).tolist() == [
        points[0],
        [4.5, -3.0],
        *points[2:],
        [4.5, -3.0],
    ]
    press(app, "Remove point 2")
    assert decode_cloud(app.session_state["points"]).tolist() == [
        points[0],
        *points[2:],
        [4.5, -3.0],
    ]
    assert "of 21 points" in spoken(app)
    app.number_input(key="point").set_value(22).run()
    press(app, "Remove point 22")
    assert app.error[0].value == "There is no point 22; they are numbered from 1 to 21."
    app.selectbox(key="cloud").set_value("clean").run()
    assert "of 20 points" in spoken(app)
    assert app.number_input(key="point").value == 1
    assert not app.error


def test_the_last_point_leaves_the_one_before_it_chosen():
    app = visit("framework")
    app.number_input(key="point").set_value(21).run()
    press(app, "Remove point 21")
    assert app.number_input(key="point").value == 20
    press(app, "Remove point 20")
    assert decode_cloud(app.session_state["points"]).tolist() == draw_cloud("clean").tolist()[:19]


@pytest.mark.parametrize("text", ["x", "1.2", "0.0_1.1_99999.0", "0.0_1.1_1", "_", "1" * 5000])
def test_bad_points_in_a_link_are_said_once(text):
    app = visit("framework", points=text)
    assert not app.exception
    assert app.main.warning[0].value.startswith("The link's points cannot be shown: ")
    assert "of 21 points" in spoken(app)
    app.run()
    assert not app.main.warning
