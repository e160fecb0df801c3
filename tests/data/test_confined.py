"""Files of strangers: a flood in a header is refused, whatever else they do ends with the child."""

import os
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from epca.data import DataError, confined, read_files, read_picture
from epca.data.confined import Bounds
from epca.data.limits import MAX_VALUES
from tests import hostile
from tests.files import encode, npy, pack, pictures, pngs, written

resource = pytest.importorskip("resource", reason="this system has no limits for processes")
MB = 2**20
TOO_MUCH = "there is too much in its file besides the picture"
FLOODS = {
    "TIFF tags": (lambda: hostile.tiff_flood(40_000, 0), TOO_MUCH),
    "TIFF tags that share their value": (lambda: hostile.tiff_flood(900, 400_000), TOO_MUCH),
    "PGM comment": (lambda: hostile.pgm_comment(20 * MB), TOO_MUCH),
    "PGM comment before its maximum": (lambda: hostile.pgm_late_comment(20 * MB), TOO_MUCH),
    "BigTIFF": (lambda: b"II+\0" + bytes(100), TOO_MUCH),
    "TIFF of two minds": (lambda: b"MM*\0" + bytes(100), TOO_MUCH),
    "PPM of Pillow's own": (lambda: b"PyCMYK\n4 4\n" + bytes(64), TOO_MUCH),
    "JPEG segments": (lambda: hostile.jpeg_flood(225_000), TOO_MUCH),
    "PNG chunks": (lambda: hostile.png_flood(b"gAMA", bytes(4), 60_000), TOO_MUCH),
    "PNG texts": (lambda: hostile.png_flood(b"tEXt", b"a\0b", 60_000), TOO_MUCH),
    "GIF extensions": (lambda: hostile.gif_flood(200_000), TOO_MUCH),
    "deep folders": (lambda: hostile.deep_folders(32_000), "lies more than 32 folders deep"),
}


@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_is_refused_before_a_library_meets_it(kind):
    """By counting, on every system: in a few hundredths of a second, where it took minutes."""
    make, message = FLOODS[kind]
    content = make()
    before = time.process_time()
    with pytest.raises(DataError, match=message):
        read_files([("flood", content)])
    assert time.process_time() - before < 0.5


@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_takes_no_memory(kind):
    """Where it took many times its size: what is counted is not kept."""
    make, message = FLOODS[kind]
    content = make()
    tracemalloc.start()
    try:
        with pytest.raises(DataError, match=message):
            read_files([("flood", content)])
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < MB


@pytest.mark.parametrize(("length", "is_read"), [(3000, True), (5000, False)])
def test_a_header_has_room_for_a_comment_but_for_no_book(length, is_read):
    content = hostile.pgm_comment(length)
    if is_read:
        assert read_picture("honest", content, (2, 2)).shape == (2, 2)
    else:
        with pytest.raises(DataError, match=TOO_MUCH):
            read_picture("book", content, (2, 2))


@pytest.mark.parametrize("format", ["PNG", "JPEG", "TIFF", "GIF", "BMP", "PPM"])
def test_honest_pictures_pass(format):
    content = encode(pictures(1)[0], format)
    assert read_picture("honest", content, (8, 8)).shape == (8, 8)


def test_an_honest_upload_is_read_as_without_the_child():
    files = [("mine.zip", pack(pngs(pictures(5), "ann") | pngs(pictures(5, seed=1), "bob")))]
    found = confined.read_files(files, size=32)
    expected = read_files(files, size=32)
    np.testing.assert_array_equal(found.images, expected.images)
    np.testing.assert_array_equal(found.labels, expected.labels)
    assert found.digest == expected.digest
    assert (found.name, found.source, found.notices) == ("mine", "upload", expected.notices)
    bare = confined.read_files([("mine.npy", npy(pictures(5)))], is_occluded=True)
    assert bare.labels is None
    assert bare.is_occluded
    face = encode(pictures(1)[0])
    np.testing.assert_array_equal(
        confined.read_picture("face", face, (8, 8)), read_picture("face", face, (8, 8))
    )


def test_a_refusal_is_the_readers_own():
    with pytest.raises(DataError, match=r"bad\.txt: neither pictures nor arrays\. Pictures"):
        confined.read_files([("bad.txt", b"no picture")])


def slow_picture():
    """A PGM as text, whose pixels Pillow decodes in Python."""
    return b"P2\n3000 3000\n255\n" + b"1 " * 9_000_000


@pytest.mark.slow
def test_reading_ends_after_its_processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with pytest.raises(DataError, match=r"slow\.pgm: reading it takes more than 1 s; save"):
        confined.read_picture("slow.pgm", slow_picture(), (8, 8), bounds=Bounds(seconds=1))
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used < 3


@pytest.mark.slow
def test_reading_ends_at_its_memory():
    large = encode(np.zeros((4800, 4800, 3), np.uint8))  # 66 MB once decoded
    with pytest.raises(DataError, match=r"large\.png: reading it takes more than 170 MB of memory"):
        confined.read_picture("large.png", large, (8, 8), bounds=Bounds(memory=170 * MB))
    assert confined.read_picture("large.png", large, (8, 8)).shape == (8, 8)


@pytest.mark.slow
def test_an_array_that_takes_too_much_memory_is_told_from_a_broken_one():
    content = npy(np.zeros((3, 1000, 2000)))
    with pytest.raises(DataError, match=r"a\.npy: reading it takes more than 100 MB of memory"):
        confined.read_files([("a.npy", content)], bounds=Bounds(memory=100 * MB))


@pytest.mark.slow
def test_as_many_values_as_are_read_fit_into_the_memory():
    """Deflated, as nothing else of them is below the limit for a file; not by too much."""
    values = np.resize(np.float32([0, 300.5, 601]), (MAX_VALUES // 62_500, 250, 250))
    values[::10] = np.random.default_rng(0).random((250, 250))
    deflated = written(np.savez_compressed, images=values)
    assert confined.read_files([("a.npz", deflated)], size=None).images.shape == values.shape


def test_reading_ends_with_the_interest_in_it():
    """What the callback raises ends the child at once."""

    class Left(BaseException):
        pass

    def leave():
        raise Left

    confined.warm_up()
    (child,) = confined._spare
    with pytest.raises(Left):
        confined.read_picture("slow.pgm", slow_picture(), (8, 8), callback=leave)
    assert child.returncode == -9


@pytest.mark.parametrize("end", [-50, 30])
def test_a_child_that_ends_amid_its_answer_is_a_refusal(end, monkeypatch):
    """As one that the system ends for want of memory."""
    talk = confined._talk

    def cut(child, *request):
        answer = talk(child, *request)
        child.returncode = -9
        return answer[:end]

    monkeypatch.setattr(confined, "_talk", cut)
    with pytest.raises(DataError, match=r"mine\.npy: its reader ended \(-9\); save the images"):
        confined.read_files([("mine.npy", npy(pictures(5)))])


def test_the_child_finds_what_the_server_finds(tmp_path, monkeypatch):
    """Also where packages come by the path alone, as some systems have it."""
    (tmp_path / "only_here.py").write_text("def read(name, content):\n    return name\n")
    monkeypatch.syspath_prepend(tmp_path)
    confined._end_spare()  # it began with another path
    from only_here import read

    assert confined.call(read, "mine.csv", b"") == "mine.csv"


def test_a_child_that_was_ended_meanwhile_is_replaced():
    confined.warm_up()
    (child,) = confined._spare
    child.kill()
    child.wait()
    assert confined.read_files([("mine.npy", npy(pictures(5)))]).images.shape == (5, 8, 8)


def test_no_child_outlives_its_server():
    """A server that is killed closes the pipe that its child listens to."""
    code = (
        "import os, signal; from epca.data import confined; confined.warm_up();"
        "print(confined._spare[0].pid, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    server = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    pid = int(server.stdout)
    deadline = time.monotonic() + 60
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(pid)


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] == "Z")
