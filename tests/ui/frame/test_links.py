"""Links: they restore every setting or say why not, and the address follows the controls."""

import pytest

from epca.ui.frame import style
from epca.ui.frame.settings import CHOSEN_METHODS
from tests.files import npy, pictures
from tests.visit import at, leave, upload, visit


def test_a_link_restores_settings():
    app = visit(c="10", samples="40", sigma="2^12", kind="block-black")
    assert (app.slider(key="c").value, app.slider(key="samples").value) == (10, 40)
    assert app.select_slider(key="sigma_shown").value == 12
    assert app.selectbox(key="kind").value == "block-black"
    assert not app.main.warning


def test_another_page_keeps_the_settings():
    app = visit(c="10", kind="band")
    app.switch_page("pages/data.py").run()
    assert app.slider(key="c").value == 10
    assert app.selectbox(key="kind").value == app.selectbox(key="kind_shown").value == "band"


def test_users_see_labels_and_links_have_codes():
    app = visit()
    app.selectbox(key="kind_shown").set_value("block-black").run()
    assert "black square" in app.selectbox(key="kind_shown").options
    assert "block-black" in app.selectbox(key="kind").options
    assert app.query_params == {"kind": "block-black"}
    app.selectbox(key="kind_shown").set_value("salt-and-pepper").run()
    assert app.query_params == {}
    app.select_slider(key="sigma_shown").set_value(-3).run()
    assert "0.125 (2⁻³)" in app.select_slider(key="sigma_shown").options
    assert app.query_params == {"sigma": "2^-3"}


@pytest.mark.parametrize("name", ["framework", "paper", "learn"])
def test_pages_without_an_experiment_hide_it_and_keep_it(name):
    app = visit(name, c="44", kind="band")
    assert style.BARE in app.get("html")[0].proto.body
    assert not [button.key for button in app.sidebar.button]  # no presets
    assert app.query_params == {"c": "44", "kind": "band"}
    app.switch_page("pages/home.py").run()
    assert app.slider(key="c").value == 44
    assert app.selectbox(key="kind_shown").value == "band"


def test_what_is_not_ours_stays_in_the_address():
    app = visit(embed="true", utm="class")
    app.slider(key="c").set_value(10).run()
    assert app.query_params["utm"] == "class"


KEYS = ("dataset", "kind", "samples", "pixels", "c", "sigma", "seed")


@pytest.mark.parametrize("value", ["99999", "-1", "x", "", "--5", "9" * 5000, "1e999"])
def test_bad_values_in_a_link_fall_back_and_that_is_said_once(value):
    app = visit(**dict.fromkeys(KEYS, value))
    assert not app.exception
    assert app.slider(key="c").value == 20
    assert app.select_slider(key="sigma_shown").value == 0
    said = app.main.warning[0].value.split("  \n")
    assert [text.split("=")[0] for text in said] == [f"The link has `{key}" for key in KEYS]
    rule = "which must be a whole number from 1 to 100. Showing 20 instead."
    assert said[KEYS.index("c")] == f"The link has `c={value[:40]}`, {rule}"
    assert app.query_params == {}
    app.run()
    assert not app.main.warning


RULES = {  # page: {control: (a value it does not have, what it must be, what is shown instead)}
    "activated": {
        "sort": ("size", "one of alpha, residual, sample", "α, largest first"),
        "show": ("x", "one of all, activated, not-activated, selected, occluded, clean", "all"),
        "face": ("mine", "one of left-out, own", "one left out of the fit"),
        "try": ("perhaps", "true or false", "off"),
    },
    "data": {"upload_size": ("40", "one of 32, 48, 64", "32")},
    "compare": {
        "pictures": (
            "all",
            "one of reconstructions, residuals, errors, ignored",
            "reconstructions",
        ),
        "runs": ("0", "a whole number from 1 to 100", "20"),
        "seeds": ("x", "a whole number from 2 to 20", "5"),
        "cluster": ("yes please", "true or false", "off"),
    },
    "tune": {"sweep": ("maybe", "true or false", "off")},
    "watch": {
        "watch": ("400", "a whole number from 0 to 399", "none"),
        "sigma2": ("2^99", "one of same, …, 2^20", "as in the sidebar"),
        "tol2": ("5", "one of 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8", "1e-3"),
    },
    "framework": {
        "sigma_2d": ("2^99", "one of 2^-6, …, 2^6", "0.125 (2⁻³)"),
        "gamma": ("0", "a number from 1 to 5", "1"),
        "learner": ("x", "one of subspace, regression", "subspace"),
    },
    "paper": {
        "source": ("x", "one of shipped, file, here", "shipped run"),
        "paper_tab": (
            "Table II",
            "one of Table I, Table III, Figures, How EPCA fared, What was run",
            "Table I",
        ),
    },
    "learn": {
        "teacher": ("me", "true or false", "off"),
        "lesson": ("9", "one of 1, 2, 3, 4, 5, 6, 7", "none"),
    },
}
NEEDED = {  # control: what brings it
    "face": {"try": "true"},
    "runs": {"cluster": "true"},
    "seeds": {"repeat": "true"},
    "sort": {"tab": "all"},
    "show": {"tab": "all"},
}
CASES = [(page, key) for page, rows in RULES.items() for key in rows]


@pytest.mark.parametrize(("name", "key"), CASES)
@pytest.mark.slow
def test_bad_values_for_a_pages_own_controls_are_said_once_too(name, key):
    value, rule, instead = RULES[name][key]
    app = at(name, **NEEDED.get(key, {}), **{key: value}).run()
    assert not app.exception
    said = f"The link has `{key}={value}`, which must be {rule}. Showing {instead} instead."
    assert [warning.value for warning in app.main.warning] == [said]
    assert key not in app.query_params
    leave(app)
    app.run()
    assert not app.main.warning


def test_of_several_values_the_good_ones_are_taken():
    app = visit("activated", sel=["3", "4000"])
    assert app.multiselect(key="sel").value == [3]
    said = "The link has `sel=4000`, which must be one of 0, …, 399. It takes the others."
    assert app.main.warning[0].value == said


def test_a_step_without_its_lesson_leaves_the_link():
    app = visit(lesson="99", step="77")
    assert "lesson=99" in app.main.warning[0].value
    assert not app.query_params
    app = visit(lesson="2", step="3")
    assert "step" in app.query_params


def test_a_comma_in_a_label_is_part_of_it():
    chosen = ["PCA", "EPCA, left-out"]
    app = visit("compare", methods=chosen)
    assert not app.exception
    assert not app.warning
    assert app.multiselect(key="methods").value == chosen
    assert app.table[0].value.index.tolist() == chosen
    rule = CHOSEN_METHODS.rule
    assert rule.read(rule.write(chosen)) == chosen


BAIT = "![](//elsewhere/x)`![](//elsewhere/y)"


@pytest.mark.parametrize(
    "link",
    [{"c": BAIT}, *({"pinned": text + BAIT} for text in ("", "c=", "dataset=", "sigma=", "a="))],
)
def test_nothing_in_a_link_is_taken_for_markdown(link):
    said = visit(**link).main.warning[0].value
    assert said.count("`") == 2
    assert said.index("`") < said.index("![](") <= said.rindex("![](") < said.rindex("`")


def test_a_value_that_new_images_do_not_allow_is_changed_and_said():
    app = visit("data", c="80", kind="other-class")
    upload(app, "mine.npy", npy(pictures(12)))
    assert app.slider(key="c").value == 1
    rank, kind = app.main.warning[0].value.split("  \n")
    was = "“Occlusion” was set to whole image: another class, but must be one of shared-pixels"
    assert kind.startswith(was)
    assert kind.endswith(" here. It is set to same pixels in all (paper) now.")
    assert rank.startswith("12 images are few for a rank of 80, so c starts at 1 here: ")
    app.run()
    assert not app.main.warning


def test_what_is_said_stays_when_the_page_runs_again_by_itself():
    app = visit(c="x")
    said = app.main.warning[0].value
    app.session_state["_resumed"] = True
    app.run()
    assert [warning.value for warning in app.main.warning] == [said]
    app.run()
    assert not app.main.warning
