"""A format is one row of the table: folders of data sets and the uploader then take its files."""

import numpy as np
import pytest

from epca.data import catalogue, confined, endings, load_dataset, readers
from epca.data.readers import FORMATS, Format
from tests.files import npy, pictures
from tests.visit import visit, visit_with_upload

CONTENT = b"OWN" + npy(pictures(12))


def read(name, content, source, options):
    return FORMATS[1].read(name, content.removeprefix(b"OWN"), source, options)


@pytest.fixture
def _own_format(monkeypatch):
    row = Format(".own", (".own",), lambda content: content.startswith(b"OWN"), read)
    monkeypatch.setattr(readers, "FORMATS", (*FORMATS, row))


def test_the_endings_are_those_of_the_formats_that_are_read():
    assert endings() == (".zip", ".npz", ".npy", ".mat")


@pytest.mark.usefixtures("_own_format")
def test_a_new_format_is_found_in_a_folder_of_data_sets(tmp_path, monkeypatch):
    (tmp_path / "mine.own").write_bytes(CONTENT)
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    assert "mine" in catalogue()[0]
    np.testing.assert_array_equal(load_dataset("mine").images, pictures(12))


@pytest.mark.usefixtures("_own_format")
def test_the_uploader_names_a_new_format_and_takes_it(monkeypatch):
    def read_here(files, *, callback=None, **options):
        return readers.read_files(files, **options)

    label = visit("data").file_uploader[0].label
    assert label == "Your images: pictures, or .zip, .npz, .npy, .mat or .own"
    monkeypatch.setattr(confined, "read_files", read_here)  # a child process has no such row
    app = visit_with_upload("mine.own", CONTENT)
    assert not app.exception
    assert app.title[0].value == "mine.own"
