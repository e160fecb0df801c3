"""What goes wrong outside of the program becomes a notice, and nothing wrong is cached."""

import os

import pytest

from epca.data import load_dataset
from epca.data.catalogue import Entry, stamp
from epca.estimator import EPCA
from epca.registry import METHODS
from tests.files import npy, pictures
from tests.visit import components, metrics, press, settle, turn_to, upload, visit

RAW = "Unable to allocate 9.00 TiB for an array with shape (400, 400)"  # as numpy says it


def fail(*_, **__):
    raise MemoryError(RAW)


@pytest.fixture(autouse=True)
def fresh(nothing_cached):
    """Nothing is cached but what a server reads at its start."""
    visit("glossary")


def texts(app):
    """All that the page says."""
    tables = [table.value.to_string() for table in app.table]
    return "\n".join(
        [item.value for item in [*app.error, *app.warning, *app.info, *app.markdown, *app.caption]]
        + tables
    )


FITS = {  # page and its switches → what stays in spite of EPCA's failure
    ("home", ""): "EPCA could not be fitted: there was not enough memory.",
    ("activated", ""): "EPCA could not be fitted: there was not enough memory.",
    ("compare", ""): "Image by image",
    ("compare", "repeat"): "Over several seeds",
    ("tune", ""): "can be suggested without a clean image",
    ("tune", "sweep"): "41 of 41 fits failed",
    ("watch", ""): "Recording the first run failed: there was not enough memory.",
}


def many(page):
    """The page with its switch; marked where it makes many fits."""
    return pytest.param(*page, marks=pytest.mark.slow) if page[1] else page


@pytest.mark.parametrize(("name", "switch"), map(many, FITS))
def test_a_fit_out_of_memory_is_said_the_rest_goes_on_and_it_is_tried_again(
    name, switch, monkeypatch
):
    switches = {switch: "true"} if switch else {}
    with monkeypatch.context() as broken:
        broken.setattr(EPCA, "fit_reduced", fail)
        app = visit(name, c="5", **switches)
        assert not app.exception
        said = (
            texts(app)
            + "".join(header.value for header in app.header)
            + str(app.get("plotly_chart"))
        )
        assert FITS[name, switch] in said
        assert "there was not enough memory" in said
        assert RAW not in said
        assert app.slider(key="c").value == 5
    settle(app.run())
    assert not app.exception
    assert "not enough memory" not in texts(app)


def test_one_method_out_of_memory_leaves_the_others(monkeypatch):
    monkeypatch.setattr(METHODS["R1PCA"], "fit_reduced", fail)
    app = visit("compare", c="5", methods=["R1PCA", "PCA", "EPCA"])
    assert not app.exception
    table = app.table[0].value
    line = next(row for row in components(app)["matrix"]["rows"] if row["label"] == "R1PCA")
    assert line["text"] == table.loc["R1PCA", "note"] == "there was not enough memory."
    assert table.loc["R1PCA", "error (10⁶)"] == "–" != table.loc["EPCA", "error (10⁶)"]
    assert not app.error


COMPUTATIONS = {  # what fails → page, switches, notice
    "epca.metrics.clustering_accuracy": (
        "compare",
        {"cluster": "true"},
        "Clustering with EPCA failed: there was not enough memory.",
    ),
    "epca.tasks.pd.concat": (
        "compare",
        {"repeat": "true"},
        "Fitting over seeds failed: there was not enough memory.",
    ),
    "epca.history.record": (
        "watch",
        {},
        "Recording the first run failed: there was not enough memory.",
    ),
    "epca.tasks.reduce_to_span": (
        "activated",
        {"try": "true"},
        "Fitting EPCA without image 0 failed: there was not enough",
    ),
    "epca.tasks._of_samples": (
        "tune",
        {"sweep": "true"},
        "σ sweep failed: there was not enough memory.",
    ),
    "epca.views.activated.sample_table": (
        "activated",
        {},
        "There is not enough memory for this page now.",
    ),
    "epca.tasks.load_dataset": (
        "home",
        {"dataset": "digits"},
        "There is not enough memory for this page now.",
    ),
    "epca.experiment.prepare": (
        "home",
        {"seed": "77"},
        "Preparing images failed: there was not enough memory.",
    ),
}


SLOW = ("epca.tasks.pd.concat", "epca.tasks._of_samples")


def marked(place):
    return pytest.param(place, marks=pytest.mark.slow) if place in SLOW else place


@pytest.mark.parametrize("place", map(marked, COMPUTATIONS))
@pytest.mark.slow
def test_every_computation_out_of_memory_becomes_a_notice(place, monkeypatch):
    name, query, notice = COMPUTATIONS[place]
    with monkeypatch.context() as broken:
        broken.setattr(place, fail)
        app = visit(name, c="5", **query)
        assert not app.exception
        assert notice in texts(app)
        assert app.selectbox(key="dataset").value == query.get("dataset", "orl")
    settle(app.run())
    assert not app.exception
    assert "not enough memory" not in texts(app)


@pytest.mark.slow
def test_a_run_of_the_papers_protocol_out_of_memory_is_not_cached(monkeypatch):
    link = {
        "source": "here",
        "paper_set": "orl",
        "paper_seeds": "1",
        "paper_ranks": ["10"],
        "paper_methods": ["PCA-OM"],
    }
    app = visit("paper", **link)
    with monkeypatch.context() as broken:
        broken.setattr(METHODS["PCA-OM"], "fit_reduced", fail)
        press(app, "Run")
        assert not app.exception
        assert "1 of 1 fits failed; they are left out of the means." in texts(app)
    press(app, "Run")
    assert not app.exception
    assert "fits failed" not in texts(app)


def test_an_upload_out_of_memory_leaves_the_former_data(monkeypatch):
    def talk(child, *request):
        child.returncode = 0
        return b'{"lacks": "memory"}\n'

    monkeypatch.setattr("epca.data.confined._talk", talk)
    app = upload(visit("data"), "mine.npy", npy(pictures(12)))
    assert not app.exception
    assert "memory" in app.error[0].value
    assert RAW not in app.error[0].value
    assert app.title[0].value == "ORL faces"


def test_reading_that_fails_is_said_once_and_the_pages_go_on(monkeypatch, caplog):
    """Else every page would read again, and fail again."""

    def fail(*arguments, **options):
        raise OSError("no process left")

    monkeypatch.setattr("epca.tasks.confined.read_files", fail)
    app = upload(visit("data"), "mine.npy", npy(pictures(12)))
    assert not app.exception
    assert app.error[0].value == "Reading failed: no process left. Give the files again, or fewer."
    assert app.title[0].value == "ORL faces"
    assert "could not be read" in caplog.text
    turn_to(app, "learn")
    assert not app.exception
    assert not app.error


def test_what_visitors_should_know_of_a_cluster_is_said_on_every_page(monkeypatch):
    monkeypatch.setattr("epca.ui.jobs.runner.Runner.notice", "The cluster does not answer.")
    app = visit("learn")
    for _ in range(2):
        assert [warning.value for warning in app.warning] == ["The cluster does not answer."]
        app.run()


# Files that change under a visitor


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    return tmp_path


def test_a_file_replaced_by_one_of_the_same_size_and_date_is_read_anew(folder):
    """As an archive that keeps dates does when it is unpacked again."""
    path = folder / "mine.npy"
    path.write_bytes(npy(pictures(12)))
    app = visit("home", dataset="mine")
    before = texts(app) + str(metrics(app))
    times = path.stat()
    sheet = components(app)["home_faces"]
    path.write_bytes(npy(pictures(12, seed=1)))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    app.run()
    assert components(app)["home_faces"] != sheet
    path.write_bytes(npy(pictures(12)))
    app.run()
    assert texts(app) + str(metrics(app)) == before


def test_a_picture_renamed_or_replaced_in_a_folder_changes_its_stamp(folder):
    entry = Entry("mine", "mine", "your file", path=folder)
    (folder / "a.png").write_bytes(b"1")
    (folder / "b.png").write_bytes(b"2")
    seen = [stamp(entry)]
    times = (folder / "a.png").stat()
    (folder / "a.png").write_bytes(b"3")
    os.utime(folder / "a.png", ns=(times.st_atime_ns, times.st_mtime_ns))
    seen.append(stamp(entry))
    (folder / "a.png").rename(folder / "c.png")
    seen.append(stamp(entry))
    assert len(set(seen)) == 3


@pytest.mark.parametrize("name", ["home", "data", "activated", "compare", "tune", "watch"])
@pytest.mark.slow
def test_a_file_that_goes_between_listing_and_reading_is_said(name, folder, monkeypatch):
    path = folder / "mine.npy"
    path.write_bytes(npy(pictures(12)))
    app = visit(name, dataset="mine", c="3")

    def load_late(chosen):
        path.unlink(missing_ok=True)
        return load_dataset(chosen)

    path.write_bytes(npy(pictures(13)))
    monkeypatch.setattr("epca.tasks.load_dataset", load_late)
    app.run()
    assert not app.exception
    assert app.sidebar.error[0].value.startswith("name='mine' is neither a data set nor a path.")
    assert app.sidebar.error[0].value.endswith("Showing orl instead.")
    assert app.slider(key="c").max == 100  # of orl


def test_a_file_deleted_while_its_setting_is_pinned(folder):
    path = folder / "mine.npy"
    path.write_bytes(npy(pictures(12)))
    app = visit("home", pinned="dataset=mine|c=3")
    assert "12" in app.table[0].value.loc["Activated images", "A"]
    path.unlink()
    app.run()
    assert not app.exception
    assert app.main.warning[0].value.startswith("What was pinned cannot be shown. ")
