"""The page Activated samples: its numbers are the library's, one selection shows everywhere, a face of one's own goes through."""

import re

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from epca import EPCA
from epca.corruption import occlude
from epca.ui import activated
from tests.files import encode, npy, pack, pictures, pngs
from tests.visit import charts, press, upload, visit, visit_with_upload


def test_activated_numbers_equal_a_plain_recomputation(faces):
    app = visit("activated")
    assert not app.exception
    occluded = occlude(faces.X, random_state=0)
    epca = EPCA(30).fit(occluded.X)
    t = epca.residuals(occluded.X)
    share = 1 - np.sum(2 * t**2 / (t + 1)) / epca.objective_history_[-1]
    k = epca.n_activated_
    clean = np.setdiff1d(np.flatnonzero(epca.alpha_), occluded.samples)
    expected = f"**{k} of 400 activated; {len(clean)} of {k} are clean; the weights make {share:.2%} of the objective.**"
    assert app.main.markdown[0].value == expected
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
    app.switch_page("pages/data.py").run()
    upload(app, "mine.zip", pack(pngs(pictures(8))))
    app.switch_page("pages/activated.py").run()
    assert not app.exception
    assert set(app.multiselect(key="sel").value) <= {5}


samples = st.integers(1, 80).flatmap(
    lambda n: st.tuples(
        st.lists(st.floats(0, 1), min_size=n, max_size=n),
        st.lists(st.booleans(), min_size=n, max_size=n),
    )
)


@given(
    samples,
    st.sampled_from(list(activated.SORTS)),
    st.sampled_from(activated.FILTERS),
    st.sets(st.integers(0, 79)),
)
def test_ids_are_right_under_every_sort_and_filter(data, sort, keep, selected):
    alpha, occluded = np.array(data[0]), np.array(data[1])
    table = pd.DataFrame(
        {
            "sample": np.arange(len(alpha)),
            "alpha": alpha,
            "occluded": occluded,
            "residual": 1 - alpha,
        }
    )
    ids = activated.arrange(table, sort, keep, selected)
    wanted = {
        "all": range(len(alpha)),
        "activated": np.flatnonzero(alpha > 0),
        "inactive": np.flatnonzero(alpha == 0),
        "occluded": np.flatnonzero(occluded),
        "clean": np.flatnonzero(~occluded),
        "selected": [i for i in sorted(selected) if i < len(alpha)],
    }[keep]
    assert len(ids) == min(len(wanted), activated.SHOWN) == len(set(ids))
    assert set(ids) <= set(wanted)
    key = {"alpha": -alpha, "residual": 1 - alpha, "sample": np.arange(len(alpha))}[
        activated.SORTS[sort]
    ]
    assert np.all(np.diff(key[ids]) >= 0)
    left = [i for i in wanted if i not in ids]
    assert not left or key[left].min() >= key[ids].max()


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
    assert re.search(
        r"In the outlier map it is: \*\*(regular|good leverage|orthogonal outlier|bad leverage)\*\*",
        text,
    )


def test_a_face_of_ones_own(faces):
    app = visit("activated", **{"face": "one of yours", "try": "true"})
    assert "32 × 32 pixels" in app.file_uploader(key="own_face").label
    app.file_uploader(key="own_face").upload("me.txt", b"no picture").run()
    assert app.error[0].value.startswith("me.txt: this is no picture;")
    app.file_uploader(key="own_face").upload("me.png", encode(faces.images[7])).run()
    assert not app.exception
    residual = EPCA(30).fit(occlude(faces.X, random_state=0).X).residuals(faces.X[7:8])[0]
    assert app.main.markdown[-1].value.startswith(f"Its residual is {residual:.4g}, larger")


def test_where_the_truth_is_not_known_nothing_pretends_to_know_it():
    app = visit_with_upload("mine.npy", npy(pictures(12)), is_occluded=True)
    app.switch_page("pages/activated.py").run()
    assert not app.exception
    assert app.selectbox(key="show").options == ["all", "activated", "inactive", "selected"]
    assert "who is occluded is not known" in app.main.markdown[0].value
    assert "who is occluded is not known" in app.caption[0].value
    names = {trace.get("name") for figure in charts(app).values() for trace in figure["data"]}
    assert names <= {None, "activated", "inactive"}
    app.multiselect(key="sel").set_value([1]).run()
    assert app.table[0].value["occluded"].tolist() == ["–"]


def test_a_bad_selection_in_a_link_is_said():
    app = visit("activated", sel=["3", "4000"])
    assert app.multiselect(key="sel").value == [3]
    assert app.main.warning[0].value.startswith(
        "The link has `sel=4000`; images are numbered from 0 to 399."
    )
