"""The page Activated: the library's numbers, one selection everywhere, a new face."""

import re

import numpy as np
import pytest

from epca import EPCA
from epca.corruption import occlude
from epca.ui.parts.notices import GUARD
from epca.views import activated
from tests.files import encode, faces_of, npy, pack, pictures, pngs
from tests.visit import (
    PAPER,
    charts,
    components,
    press,
    turn_to,
    upload,
    visit,
    visit_with_upload,
)


def test_activated_numbers_equal_a_plain_recomputation(faces):
    app = visit("activated", **PAPER)
    assert not app.exception
    occluded = occlude(faces.X, random_state=0)
    epca = EPCA(30).fit(occluded.X)
    t = epca.residuals(occluded.X)
    share = 1 - np.sum(2 * t**2 / (t + 1)) / epca.objective_history_[-1]
    k = epca.n_activated_
    clean = np.setdiff1d(np.flatnonzero(epca.alpha_), occluded.samples)
    assert app.main.markdown[0].value == (
        f"**{k} of 400 activated; {len(clean)} of {k} are clean; "
        f"the weights make up {share:.2%} of the objective.**"
    )
    strip = components(app)["trusted_most"]["cells"]
    np.testing.assert_allclose(
        [cell["bar"] for cell in strip], np.sort(epca.alpha_)[::-1][:k] / epca.alpha_.max()
    )
    shown = charts(app)
    assert {key: figure["layout"]["title"]["text"] for key, figure in shown.items()} == {
        "subspace": "Place in the subspace",
        "outlier_map": "Outlier map",
    }
    place, outliers = (figure["data"][0] for figure in shown.values())
    np.testing.assert_allclose(t[outliers["customdata"]], outliers["y"], rtol=1e-9)
    scores = epca.transform(occluded.X)[place["customdata"]]
    np.testing.assert_allclose(scores[:, 0], place["x"], rtol=1e-9)


def test_a_selection_shows_everywhere(faces):
    app = visit("activated", **PAPER, sel=["3", "12"])
    assert app.multiselect(key="sel").value == [3, 12]
    for figure in charts(app).values():
        dots = figure["data"][0]
        assert sorted(dots["customdata"][-2:]) == [3, 12]
        assert dots["marker"]["size"][-2:] == [14, 14]
        assert max(dots["marker"]["size"][:-2]) < 14
    assert "2 of 400 selected" in app.caption[0].value
    inspected = components(app)["inspected"]
    assert [row["label"] for row in inspected["rows"]] == ["image 3", "image 12"]
    assert inspected["heads"] == ["Clean", "Occluded", "EPCA", "Residual"]
    epca = EPCA(30).fit(occlude(faces.X, random_state=0).X)
    facts = app.table[0].value
    residuals = epca.residuals(occlude(faces.X, random_state=0).X)[[3, 12]]
    assert facts.loc["residual"].tolist() == [f"{residual:,.4g}" for residual in residuals]
    press(app.main, "Clear")
    assert app.multiselect(key="sel").value == []


def test_what_is_selected_stays_so_everywhere_when_the_page_runs_again():
    """First the link has it, then the session."""
    app = visit("activated", **PAPER)
    strip = [cell["id"] for cell in components(app)["trusted_most"]["cells"]]
    app.multiselect(key="sel").set_value(strip[:2]).run()
    app.run()
    assert app.multiselect(key="sel").value == strip[:2]
    cells = components(app)["trusted_most"]["cells"]
    assert [cell["id"] for cell in cells if cell["selected"]] == strip[:2]
    for figure in charts(app).values():
        assert sorted(figure["data"][0]["customdata"][-2:]) == sorted(strip[:2])
    assert len(components(app)["inspected"]["rows"]) == 2


def test_where_nothing_is_selected_the_most_trusted_is_inspected(faces):
    app = visit("activated", **PAPER)
    best = int(EPCA(30).fit(occlude(faces.X, random_state=0).X).alpha_.argmax())
    assert [row["label"] for row in components(app)["inspected"]["rows"]] == [f"image {best}"]
    assert app.caption[0].value == f"The most trusted image, {best}: none is selected."


def test_the_gallery_is_one_tab_away_and_has_all_images():
    app = visit("activated", **PAPER, tab="all", sort="sample")
    assert not charts(app)
    first = [cell["id"] for cell in components(app)["faces"]["cells"]]
    assert first == list(range(activated.SHOWN))
    app.get("pagination")[0].set_value(5).run()
    last = [cell["id"] for cell in components(app)["faces"]["cells"]]
    assert last == list(range(4 * activated.SHOWN, 400))


def test_another_set_clears_the_selection():
    app = visit("activated")
    app.multiselect(key="sel").set_value([5, 399]).run()
    turn_to(app, "data")
    upload(app, "mine.zip", pack(pngs(pictures(8))))
    turn_to(app, "activated")
    assert not app.exception
    assert app.multiselect(key="sel").value == []


def test_a_face_left_out_goes_through_a_model_that_never_saw_it(faces):
    app = visit("activated", **PAPER)
    app.toggle(key="try").set_value(True).run()
    app.number_input(key="out").set_value(12).run()
    assert not app.exception
    X = occlude(faces.X, random_state=0).X
    others = np.delete(X, 12, axis=0)
    model = EPCA(30).fit(others)
    residual = model.residuals(X[12:13])[0]
    share = np.mean(model.residuals(others) < residual)
    text = app.main.markdown[-1].value
    assert text.startswith(
        f"Its residual is {residual:,.4g}, larger than that of {share:.0%} "
        "of the 399 images fitted."
    )
    kinds = "regular|good leverage|orthogonal outlier|bad leverage"
    assert re.search(rf"In the outlier map it is: \*\*({kinds})\*\*", text)
    app.number_input(key="out").set_value(11).run()
    assert app.main.markdown[-1].value != text


def test_without_one_image_c_can_be_one_less():
    app = visit_with_upload("mine.npy", npy(faces_of(5)[:8]))
    turn_to(app, "activated")
    app.slider(key="c").set_value(7).run()
    app.toggle(key="try").set_value(True).run()
    assert app.info[-1].value == "Without one image c can be at most 6; lower it in the sidebar."
    app.slider(key="c").set_value(6).run()
    assert not app.info
    assert app.main.markdown[-1].value.startswith("Its residual is ")


def test_a_face_of_ones_own(faces):
    app = visit("activated", **PAPER, **{"face": "own", "try": "true"})
    assert "32 × 32 pixels" in app.file_uploader(key="own_face").label
    app.file_uploader(key="own_face").upload("me.txt", b"no picture").run()
    assert app.error[0].value.startswith("me.txt: this is no picture;")
    app.file_uploader(key="own_face").upload("me.png", encode(faces.images[7])).run()
    assert not app.exception
    residual = EPCA(30).fit(occlude(faces.X, random_state=0).X).residuals(faces.X[7:8])[0]
    rows = [row["label"] for row in components(app)["new_face"]["rows"]]
    assert rows[:2] == ["Face", "Reconstruction"]
    assert rows[2].startswith("Residual, ±")
    assert app.main.markdown[-1].value.startswith(f"Its residual is {residual:,.4g}, larger")


def test_where_the_truth_is_not_known_nothing_pretends_to_know_it():
    app = visit_with_upload("mine.npy", npy(pictures(12)), is_occluded=True)
    app.slider(key="c").set_value(3).run()
    app.session_state["tab"] = "all"
    turn_to(app, "activated")
    assert not app.exception
    assert app.selectbox(key="show_shown").options == [
        "all",
        "activated",
        "not activated",
        "selected",
    ]
    assert "which are occluded is not known" in app.main.markdown[0].value
    assert "which are occluded is not known" in app.main.caption[-1].value
    (legend,) = [part.proto.body for part in app.main.get("html") if "looks" in part.proto.body]
    assert "activated" in legend
    assert "occluded" not in legend
    assert components(app)["inspected"]["heads"][0] == "As they come"
    assert app.table[0].value.loc["occluded"].tolist() == ["–"]


def test_a_bad_selection_in_a_link_is_said():
    app = visit("activated", sel=["3", "4000"])
    assert app.multiselect(key="sel").value == [3]
    assert app.main.warning[0].value == (
        "The link has `sel=4000`, which must be one of 0, …, 399. It takes the others."
    )


@pytest.mark.slow
def test_a_collapse_is_said():
    app = visit_with_upload("mine.npy", npy(pictures(30)))
    app.selectbox(key="kind_shown").set_value("shared-pixels").run()
    app.slider(key="pixels").set_value(20).run()
    app.slider(key="c").set_value(25).run()
    turn_to(app, "activated")
    assert app.main.warning[0].value.startswith("Some images are fitted exactly.")
    assert not visit("activated").main.warning


@pytest.mark.slow
def test_left_out_residuals_cure_a_collapse_by_one_click(faces):
    app = visit("activated", **PAPER | {"c": "80"})
    assert app.main.warning[0].value.startswith("Some images are fitted exactly.")
    press(app, "Use left-out residuals")
    assert not app.exception
    assert not app.main.warning
    assert app.toggle(key="left_out").value is True
    assert app.query_params["left_out"] == "true"
    occluded = occlude(faces.X, random_state=0)
    plain, guarded = (EPCA(80, left_out=on).fit(occluded.X) for on in (False, True))
    k = guarded.n_activated_
    clean = [
        len(np.setdiff1d(np.flatnonzero(model.alpha_), occluded.samples))
        for model in (plain, guarded)
    ]
    sentence = app.main.markdown[0].value
    assert sentence.startswith(f"**EPCA, left-out: {k} of 400 activated; {clean[1]} of {k} are")
    # what the button's help claims
    assert (plain.n_activated_, k, *clean) == (2, 18, 0, 18)
    assert "18 images are activated instead of 2, all of them clean instead of none" in GUARD
    assert f"the error falls by {-change(80, occluded, faces):.1%}" in GUARD
    assert f"by {change(30, occluded, faces):.1%} there at c = 30" in GUARD


def change(c, occluded, faces):
    """By how much left-out residuals change the error at this rank."""
    plain, guarded = (
        np.square(faces.X - EPCA(c, left_out=on).fit(occluded.X).reconstruct(occluded.X)).sum()
        for on in (False, True)
    )
    return guarded / plain - 1


def test_where_copies_vouch_for_each_other_the_cure_is_not_offered_twice():
    app = visit("activated", **PAPER | {"kind": "other-class"}, left_out="true")
    assert "are there duplicates among the images?" in app.main.warning[0].value
    labels = [button.label for button in app.main.button]
    assert "Lower c to 15" in labels
    assert "Use left-out residuals" not in labels


def test_a_robust_reconstruction_in_the_inspector(faces):
    occluded = occlude(faces.X, random_state=0)
    i = int(occluded.samples[0])
    app = visit("activated", **PAPER, sel=[str(i)], robust="true")
    assert not app.exception
    assert components(app)["inspected"]["heads"] == [
        "Clean", "Occluded", "Robust", "Residual", "Ignored", "Mask",
    ]  # fmt: skip
    weights = EPCA(30).fit(occluded.X).pixel_weights(occluded.X[[i]])
    ignored = f"{np.count_nonzero(weights < 0.5)} of 1,024; in fact occluded: 205."
    assert any(caption.value.endswith(ignored) for caption in app.caption)
    assert app.table[0].value.loc["residual"].tolist() == [
        f"{EPCA(30).fit(occluded.X).residuals(occluded.X[[i]])[0]:,.4g}"
    ]


def test_charts_are_made_once_for_all_who_see_them(nothing_cached, monkeypatch):
    """A projector has its own, with larger type; another selection has its own."""
    made = []
    figures = activated.View.figures

    def count(view, selected):
        made.append(list(selected))
        return figures(view, selected)

    monkeypatch.setattr(activated.View, "figures", count)

    def size(**query):
        return charts(visit("activated", c="12", **query))["subspace"]["layout"]["font"]["size"]

    sizes = [size(), size(), size(projector="true"), size(), size(sel="3")]
    assert made == [[], [], [3]]
    assert sizes[2] > sizes[0]
    assert {sizes[0], sizes[1], sizes[3], sizes[4]} == {sizes[0]}
