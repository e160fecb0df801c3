"""Reads the files of strangers in a child process with limits on memory and processor time.

A few hundred kilobytes can make a reader work for minutes or fill the memory: a flood of tags in a
TIFF, of segments in a JPEG, of folders in a zip. Known floods are counted beforehand; whatever else
there may be ends with the child.
"""

import atexit
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

from epca.data.imageset import DataError, ImageSet
from epca.data.limits import MAX_MEMORY, MAX_SECONDS

EVERY = 0.05  # seconds between two calls of the callback
SLACK = 5  # seconds on the clock for each second of processor time; then we end the child


class Bounds(NamedTuple):
    """What reading may take: bytes of memory, seconds of processor time."""

    memory: int = MAX_MEMORY
    seconds: int = MAX_SECONDS


def read_files(files, *, bounds=None, callback=None, **options):
    """As `readers.read_files`, confined. What callback() raises ends the child."""
    name = files[0][0] if len(files) == 1 else f"{len(files)} files"
    head, content = _ask(name, "files", (files,), options, bounds or Bounds(), callback)
    shape = tuple(head["shape"])
    count = int(np.prod(shape))
    images = np.frombuffer(content, np.uint8, count).reshape(shape)
    content = content[count:]
    labels = None
    if head["has_labels"]:
        labels = np.frombuffer(content, np.int64, shape[0])
        content = content[labels.nbytes :]
    unknown = np.frombuffer(content, bool).reshape(shape) if head["has_unknown"] else None
    texts = [tuple(head["class_names"]), tuple(head["notices"])]
    facts = [head["source"], *texts, head["is_occluded"], unknown]
    return ImageSet(head["name"], images, labels, *facts)


def read_picture(name, content, shape, *, bounds=None, callback=None):
    """As `pictures.read_picture`, confined."""
    arguments = (name, content, shape)
    _, content = _ask(name, "picture", arguments, {}, bounds or Bounds(), callback)
    return np.frombuffer(content, np.uint8).reshape(shape)


def call(function, name, content, *, bounds=None, callback=None):
    """function(name, content), confined: what a module's own function makes of a file, as JSON.

    A ValueError of the function comes as a DataError.
    """
    kind = f"{function.__module__}:{function.__name__}"
    head, _ = _ask(name, kind, (name, content), {}, bounds or Bounds(), callback)
    return head["value"]


def _ask(name, kind, arguments, options, bounds, callback):
    """The head and the bytes of a child's answer; DataError where it has none."""
    name = os.path.basename(name)[-80:]
    child = _take()
    try:
        answer = _talk(child, pickle.dumps((kind, arguments, options, bounds)), bounds, callback)
    except TimeoutError:
        raise DataError(_too_slow(name, kind, bounds)) from None
    finally:
        _end(child)
        # the environment as it is here and now: nobody may change it while it is copied
        threading.Thread(target=warm_up, args=(_environment(),), daemon=True).start()
    head, _, content = answer.partition(b"\n")
    if child.returncode or not head:  # it may have been ended amid its answer
        raise DataError(_why(name, kind, child.returncode, bounds))
    head = json.loads(head)
    if "error" in head:
        raise DataError(head["error"])
    if "lacks" in head:
        raise DataError(_too_large(name, kind, bounds))
    return head, content


def _talk(child, request, bounds, callback):
    """What the child answers; TimeoutError where it takes too long."""
    deadline = time.monotonic() + SLACK * bounds.seconds
    with suppress(BrokenPipeError), child.stdin:  # one that is gone has no answer, either
        child.stdin.write(request)
    child.stdin = None
    while time.monotonic() < deadline:
        try:
            return child.communicate(timeout=EVERY)[0]
        except subprocess.TimeoutExpired:
            if callback is not None:
                callback()
    raise TimeoutError


PLAIN = "save the images again as plain PNG files, or give fewer"
ADVICE = {"files": PLAIN, "picture": PLAIN}
OTHER = "choose another file"


def _why(name, kind, code, bounds):
    """Why a child ended without an answer, by its exit code."""
    if -code == getattr(signal, "SIGXCPU", None):
        return _too_slow(name, kind, bounds)
    return f"{name}: its reader ended ({code}); {ADVICE.get(kind, OTHER)}."


def _too_slow(name, kind, bounds):
    advice = ADVICE.get(kind, OTHER)
    return f"{name}: reading it takes more than {bounds.seconds} s; {advice}."


def _too_large(name, kind, bounds):
    advice = ADVICE.get(kind, OTHER)
    return f"{name}: reading it takes more than {bounds.memory // 2**20} MB of memory; {advice}."


_lock = threading.Lock()
_spare = []  # the child that the next visitor gets, which has imported already


def warm_up(environment=None):
    """Have a child ready, so that the next visitor does not wait for its start.

    environment : the child's; None → as ours is
    """
    with _lock:
        if not _spare:
            _spare.append(_start(environment or _environment()))


def _take():
    with _lock:
        child = _spare.pop() if _spare else _start(_environment())
    if child.poll() is not None:  # it was ended meanwhile
        _end(child)
        child = _start(_environment())
    return child


def _environment():
    ours = str(Path(__file__).parents[2])  # Python's own path may name it only as where one is
    path = os.pathsep.join(filter(None, (ours, *sys.path)))
    # each thread would reserve memory
    return os.environ | {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}


def _start(environment):
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "epca.data.child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )


def _end(child):
    child.kill()
    for pipe in filter(None, (child.stdin, child.stdout)):
        pipe.close()
    child.wait()


@atexit.register
def _end_spare():
    with _lock:
        while _spare:
            _end(_spare.pop())
