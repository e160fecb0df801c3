"""The process that reads the files of a stranger within limits; `confined` starts it.

It gets one request by its standard input and answers by its standard output: a line of JSON, then
the bytes of the arrays that the line tells of. It ends when nobody asks any more.
"""

import json
import os
import pickle
import sys
import time
from contextlib import suppress
from importlib import import_module

import numpy as np
from PIL import Image

from epca.data.imageset import DataError, LacksMemory
from epca.data.pictures import read_picture
from epca.data.readers import read_files

NICENESS = 5  # pages are drawn before reading goes on


def main():
    """Answer the request."""
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    Image.init()  # its readers of formats, now and not while a visitor waits
    try:
        kind, arguments, options, bounds = pickle.load(sys.stdin.buffer)  # from our own parent
    except EOFError:
        return
    read = READERS.get(kind) or _function(kind)
    _confine(*bounds)
    try:
        head, arrays = read(*arguments, **options)
    except (MemoryError, LacksMemory):
        head = {"lacks": "memory"}
        arrays = []
    except DataError as error:
        head = {"error": str(error)}
        arrays = []
    with suppress(BrokenPipeError):  # nobody waits any more
        answer.write(json.dumps(head).encode() + b"\n")
        for array in arrays:
            answer.write(np.ascontiguousarray(array))
        answer.close()
    os._exit(0)  # at once: somebody waits


def _confine(memory, seconds):
    """Have the system end this process beyond so many bytes, or seconds of processor time.

    Where a system knows no such limit, the parent's clock and the counted limits remain.
    """
    try:
        import resource
    except ImportError:
        return
    os.nice(NICENESS)
    used = int(time.process_time())
    _limit(resource, "RLIMIT_CORE", 0)
    _limit(resource, "RLIMIT_FSIZE", 0)  # it writes no file
    _limit(resource, "RLIMIT_CPU", used + seconds, used + seconds + 1)
    _limit(resource, "RLIMIT_AS", memory)


def _limit(resource, name, soft, hard=None):
    kind = getattr(resource, name)
    most = resource.getrlimit(kind)[1]
    wanted = [soft, soft if hard is None else hard]
    if most != resource.RLIM_INFINITY:
        wanted = [min(value, most) for value in wanted]
    with suppress(ValueError, OSError):
        resource.setrlimit(kind, wanted)


def _files(files, **options):
    images = read_files(files, **options)
    head = {
        "name": images.name,
        "source": images.source,
        "class_names": images.class_names,
        "notices": images.notices,
        "is_occluded": images.is_occluded,
        "shape": images.images.shape,
        "has_labels": images.labels is not None,
        "has_unknown": images.unknown is not None,
    }
    arrays = [images.images]
    if images.labels is not None:
        arrays.append(images.labels.astype(np.int64))
    if images.unknown is not None:
        arrays.append(images.unknown)
    return head, arrays


def _picture(name, content, shape):
    return {"shape": shape}, [read_picture(name, content, shape)]


def _function(path):
    """The reader that is a function of ours, by its module and name."""
    module, _, name = path.partition(":")
    function = getattr(import_module(module), name)

    def read(*arguments):
        try:
            return {"value": function(*arguments)}, []
        except ValueError as error:
            raise DataError(str(error)) from None

    return read


READERS = {"files": _files, "picture": _picture}

if __name__ == "__main__":
    main()
