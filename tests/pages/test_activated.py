"""The page Activated samples: the library's numbers, one selection everywhere, a new face."""

import re

import numpy as np

from epca import EPCA
from epca.corruption import occlude
from tests.files import encode, npy, pack, pictures, pngs
from tests.visit import charts, press, texts, turn_to, upload, visit, visit_with_upload


def test_activated_numbers_equal_a_plain_recomputation(faces):
    app = visit("activated")
    assert not app.exception
    occluded = occlude(faces.X, random_state=0)
    epca = EPCA(30).fit(occluded.X)
    t = epca.residuals(occluded.X)
    share = 1 - np.sum(2 * t**2 / (t + 1)) / epca.objective_history_[-1]
    k = epca.n_activated_
    clean = np.setdiff1d(np.flatnonzero(epca.alpha_), occluded.samples)
    assert app.main.markdown[0].value == (
        f"**{k} of 400 activated; {len(clean)} of {k} are clean; "
        f"the weights make {share:.2%} of the objective.**"
    )
    shown = charts(app)
    assert {key: figure["layout"]["title"]["text"] for key, figure in shown.items()} == {
        "alpha": "Weight α, largest first",
        "embedding": "Place in the subspace",
        "outliers": "Outlier map",
    }
    alpha, place, outliers = (figure["data"][0] for figure in shown.values())
    np.testing.assert_allclose(epca.alpha_[alpha["customdata"]], alpha["y"], atol=1e-12)
    np.testing.assert_allclose(t[outliers["customdata"]], outliers["y"], rtol=1e-9)
    np.testing.assert_allclose(epca.transform(occluded.X)[:, 0], place["x"], rtol=1e-9)


def test_a_selection_shows_everywhere(faces):
    app = visit("activated", sel=["3", "12"])
    assert app.multiselect(key="sel").value == [3, 12]
    for figure in charts(app).values():
        dots = figure["data"][0]
        large = [
            i
            for i, size in zip(dots["customdata"], dots["marker"]["size"], strict=True)
            if size == 14
        ]
        assert sorted(large) == [3, 12]
    assert app.caption[0].value.startswith("2 of 400 selected")
    epca = EPCA(30).fit(occlude(faces.X, random_state=0).X)
    shown = app.table[0].value
    assert shown.index.tolist() == ["3", "12"]
    residuals = epca.residuals(occlude(faces.X, random_state=0).X)[[3, 12]]
    assert shown["residual"].tolist() == [f"{residual:.4g}" for residual in residuals]
    press(app.main, "Clear")
    assert app.multiselect(key="sel").value == []


def test_another_set_drops_ids_it_does_not_have():
    app = visit("activated")
    app.multiselect(key="sel").set_value([5, 399]).run()
    turn_to(app, "data")
    upload(app, "mine.zip", pack(pngs(pictures(8))))
    turn_to(app, "activated")
    assert not app.exception
    assert app.multiselect(key="sel").value == [5]
    assert app.caption[0].value.startswith("1 of 8 selected")
    assert re.fullmatch(
        r"“Selected images” .* 5, 399, .* one of 0, 1, 2, 3, 4, 5, 6, 7 here\. .* 5 now\.",
        app.main.warning[0].value,
    )


def test_a_face_left_out_goes_through_a_model_that_never_saw_it(faces):
    app = visit("activated")
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
        f"Its residual is {residual:.4g}, larger than that of {share:.0%} of the 399 images fitted."
    )
    kinds = "regular|good leverage|orthogonal outlier|bad leverage"
    assert re.search(rf"In the outlier map it is: \*\*({kinds})\*\*", text)


def test_a_face_of_ones_own(faces):
    app = visit("activated", **{"face": "own", "try": "true"})
    assert "32 × 32 pixels" in app.file_uploader(key="own_face").label
    app.file_uploader(key="own_face").upload("me.txt", b"no picture").run()
    assert app.error[0].value.startswith("me.txt: this is no picture;")
    app.file_uploader(key="own_face").upload("me.png", encode(faces.images[7])).run()
    assert not app.exception
    residual = EPCA(30).fit(occlude(faces.X, random_state=0).X).residuals(faces.X[7:8])[0]
    *_, face, reconstruction, colours, text = texts(app)
    assert (face, reconstruction) == ("**Face**", "**Reconstruction**")
    assert colours.startswith("**Residual, ±")
    assert text.startswith(f"Its residual is {residual:.4g}, larger")


def test_where_the_truth_is_not_known_nothing_pretends_to_know_it():
    app = visit_with_upload("mine.npy", npy(pictures(12)), is_occluded=True)
    app.slider(key="c").set_value(3).run()
    turn_to(app, "activated")
    assert not app.exception
    assert app.selectbox(key="show_shown").options == [
        "all",
        "activated",
        "not activated",
        "selected",
    ]
    assert "which are occluded is not known" in app.main.markdown[0].value
    assert "which are occluded is not known" in app.caption[0].value
    names = {trace.get("name") for figure in charts(app).values() for trace in figure["data"]}
    assert names - {None} == {"activated", "not activated"}
    app.multiselect(key="sel").set_value([1]).run()
    assert app.main.markdown[1].value == "**As they come**"
    assert app.table[0].value["occluded"].tolist() == ["–"]


def test_a_bad_selection_in_a_link_is_said():
    app = visit("activated", sel=["3", "4000"])
    assert app.multiselect(key="sel").value == [3]
    assert app.main.warning[0].value == (
        "The link has `sel=4000`, which must be one of 0, …, 399. It takes the others."
    )


def test_a_collapse_is_said():
    app = visit_with_upload("mine.npy", npy(pictures(30)))
    app.slider(key="c").set_value(25).run()
    turn_to(app, "activated")
    assert app.main.warning[0].value.startswith("Some images are fitted exactly.")
    assert not visit("activated").main.warning
