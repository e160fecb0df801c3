"""Names and messages of megabytes in small files: what is told of them has a length."""

import numpy as np
import pytest

from epca.data import DataError, confined, read_files
from epca.data.imageset import SHORTENED, shortened
from epca.data.limits import MESSAGE_LENGTH, NAME_LENGTH
from tests import hostile
from tests.files import npz, pack, pictures, pngs


def test_a_long_text_keeps_its_beginning_and_its_end():
    text = "".join(map(str, range(1000)))
    assert shortened("as it is", 8) == "as it is"
    short = shortened(text, 100)
    assert len(short) == 100
    assert short[:60] == text[:60]
    assert short[-30:] == text[-30:]
    assert " … " in short


@pytest.mark.parametrize("count", [100_000, 5_000_000])
def test_an_array_of_millions_of_dimensions_is_refused_in_a_short_message(count):
    with pytest.raises(DataError, match="an array of shape") as caught:
        confined.read_files([("small.mat", hostile.mat_of_dimensions(count))])
    assert len(str(caught.value)) <= MESSAGE_LENGTH
    assert str(caught.value).endswith("so give fewer images.")


def test_arrays_with_long_names_are_refused_in_a_short_message():
    arrays = {letter * 60_000: np.zeros((5, 2, 2, 2, 2), np.uint8) for letter in "abcdef"}
    with pytest.raises(DataError) as caught:
        read_files([("names.npz", npz(**arrays))])
    assert len(str(caught.value)) <= MESSAGE_LENGTH


def labelled(labels):
    return npz(images=pictures(len(labels)), labels=np.array(labels))


def test_long_names_of_classes_are_shortened_and_still_differ():
    long = [f"{'a' * 5000}{i}{'b' * 500}" for i in range(3)]
    names = [*long, "short", "x" * NAME_LENGTH, *long]
    found = confined.read_files([("names.npz", labelled(names))])
    assert found.labels.tolist() == [0, 1, 2, 3, 4, 0, 1, 2]
    assert all(len(name) <= NAME_LENGTH for name in found.class_names)
    assert len(set(found.class_names)) == 5
    assert found.class_names[3:] == ("short", "x" * NAME_LENGTH)
    assert SHORTENED in found.notices


def test_long_names_of_folders_are_shortened_too():
    folder = "f" * 3000
    good = pngs(pictures(3))
    files = {f"{folder}{i}/{name}": picture for i in (0, 1) for name, picture in good.items()}
    found = read_files([("set.zip", pack(files))])
    assert len(set(found.class_names)) == 2
    assert all(len(name) <= NAME_LENGTH for name in found.class_names)


def test_ordinary_names_stay_as_they_are():
    found = read_files([("names.npz", labelled(["ann", "bob", "ann", "bob"]))])
    assert found.class_names == ("ann", "bob")
    assert SHORTENED not in found.notices
