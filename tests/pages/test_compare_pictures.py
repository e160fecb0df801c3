"""Compare's pictures, charts and what can be taken away: all equal a plain recomputation."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from epca import METHODS
from epca.images import data_url, row
from epca.views.pictures import Heat, laid_out
from tests.compared import cells, lines, plain, texts
from tests.visit import PAPER, charts, components, execute, offered, visit


@pytest.fixture(scope="module")
def models(occluded):
    return {label: METHODS[label](30).fit(occluded.X) for label in ("EPCA", "PCA")}


def picture_of(images):
    return data_url(laid_out(images, gap=1, zoom=1))


@pytest.fixture(scope="module")
def selected():
    """The page with two images selected."""
    return visit("compare", methods=["EPCA", "PCA"], sel=["3", "12"], **PAPER)


def test_charts_equal_a_plain_recomputation(selected, models, faces, occluded):
    assert not selected.exception
    errors = {
        label: np.linalg.norm(faces.X - model.reconstruct(occluded.X), axis=1)
        for label, model in models.items()
    }
    shown = selected.table[1].value
    assert shown.columns.tolist() == ["image 3", "image 12"]
    assert shown.loc["EPCA"].tolist() == [f"{errors['EPCA'][i]:,.0f}" for i in (3, 12)]
    figures = {it["layout"]["title"]["text"]: it["data"] for it in charts(selected).values()}
    pair = figures["Error: EPCA against PCA"][0]
    order = np.argsort(pair["customdata"])
    np.testing.assert_allclose(np.array(pair["x"])[order], errors["PCA"], rtol=1e-9)
    np.testing.assert_allclose(np.array(pair["y"])[order], errors["EPCA"], rtol=1e-9)
    sizes = zip(pair["customdata"], pair["marker"]["size"], strict=True)
    assert sorted(i for i, size in sizes if size == 14) == [3, 12]
    np.testing.assert_allclose(
        figures["Per-image error, smallest first"][1]["y"], np.sort(errors["PCA"]), rtol=1e-9
    )


def test_the_matrix_shows_the_selected_images(selected, models, faces, occluded):
    shown = lines(selected)
    assert components(selected)["matrix"]["heads"] == ["3", "12"]
    assert [line["alt"] for line in shown.values()] == [
        f"{label}: images 3, 12" for label in ("Clean", "Occluded", "EPCA", "PCA")
    ]
    expected = {"Clean": faces.X[[3, 12]], "Occluded": occluded.X[[3, 12]]}
    expected |= {label: model.reconstruct(occluded.X[[3, 12]]) for label, model in models.items()}
    for label, X in expected.items():
        assert shown[label]["picture"] == picture_of(row(X, (32, 32))), label


@pytest.mark.parametrize("show", ["residuals", "errors"])
def test_residuals_and_errors_are_of_the_occluded_and_the_clean(show, models, faces, occluded):
    query = {"methods": ["EPCA", "PCA"], "sel": ["3", "12"], "pictures": show}
    shown = visit("compare", **query, **PAPER)
    X = occluded.X[[3, 12]]
    aim = faces.X[[3, 12]] if show == "errors" else X
    left = {label: aim - model.reconstruct(X) for label, model in models.items()}
    limit = max(np.abs(values).max() for values in left.values())
    for label, values in left.items():
        expected = picture_of(Heat(row(values, (32, 32)), limit))
        assert lines(shown)[label]["picture"] == expected
    assert components(shown)["matrix"]["corner"] == f"colours: ±{limit:.3g}"


def test_ten_components_of_each_method():
    sent = components(visit("compare", methods=["EPCA", "PCA"]))["components"]
    assert sent["heads"] == [str(i) for i in range(1, 11)]
    assert [line["label"] for line in sent["rows"]] == ["EPCA", "PCA"]


@pytest.fixture
def taken():
    """The page with all that can be switched on, and what it offers to take away."""
    query = {"methods": ["EPCA", "LpPCA"], "LpPCA_p": "1.5", "c": "5", "sel": ["3"]}
    query |= {"cluster": "true", "runs": "2", "repeat": "true", "seeds": "2"}
    page = visit("compare", **query, pictures="errors")
    assert not page.exception
    return page, offered(page)


@pytest.mark.slow
def test_the_script_prints_the_pages_numbers(taken, tmp_path):
    """With own parameters, clustering and seeds."""
    page, found = taken
    printed = execute(found["code"], tmp_path)
    for label in ("EPCA", "LpPCA"):
        numbers = [line.split()[1:] for line in printed.splitlines() if line.startswith(label)]
        alone, images, means, spreads = numbers
        line = {heading: cell["text"] for heading, cell in cells(page)[label].items()}
        error, change, _, occluded, auc, _, accuracy, sd, iterations = map(float, alone[:9])
        assert line["error (10⁶)"] == f"{error / 1e6:.1f}"
        assert line["against PCA"] == f"{change:+.1%}".replace("-", "−")
        assert line["on occluded (10⁶)"] == f"{occluded / 1e6:.1f}"
        assert line["AUC"] == f"{auc:.3f}"
        assert line["clustering accuracy"] == f"{accuracy:.1%} ± {sd:.1%}"
        assert line["iterations"] == f"{iterations:.0f}"
        over_seeds = plain(page.table[1].value.loc[label, "error (10⁶)"])
        assert over_seeds == f"{float(means[0]) / 1e6:.1f} ± {float(spreads[0]) / 1e6:.1f}"
        assert images[:2] == ["image", "3:"]
        assert page.table[2].value.loc[label, "image 3"] == f"{float(images[2]):,.0f}"


def test_table_and_faces_to_take_away_are_what_the_page_shows(taken):
    page, found = taken
    table = found["table"].set_index("method")
    shown = page.table[1].value
    for label in ("EPCA", "LpPCA"):
        assert texts(page, "error (10⁶)")[label] == f"{table.loc[label, 'error'] / 1e6:.1f}"
        mean, sd = table.loc[label, ["error_mean", "error_sd_over_seeds"]] / 1e6
        assert plain(shown.loc[label, "error (10⁶)"]) == f"{mean:.1f} ± {sd:.1f}"
    picture = np.asarray(Image.open(BytesIO(found["pictures"]["Faces"]())))
    rows = len(lines(page))
    assert rows * 32 * 3 < len(picture) < rows * 36 * 3 + 40  # with a line of ids
    assert np.ptp(picture.astype(int), axis=-1).max() > 50  # errors are in colour
