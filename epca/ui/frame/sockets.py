"""The server's sockets: what is sent leaves at once."""

import os
import socket
import stat
from contextlib import suppress
from pathlib import Path

OPEN = Path("/dev/fd")  # the open files of a process, on Linux and macOS


def send_at_once() -> None:
    """Switch Nagle's algorithm off for all connections that this process will accept.

    Streamlit's listening socket does not, and every picture on a connection in use waited 40 ms for
    the browser to confirm the one before.
    """
    for name in os.listdir(OPEN) if OPEN.is_dir() else ():
        with suppress(OSError):  # it is closed by now
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                _send_at_once(int(name))


def _send_at_once(descriptor: int) -> None:
    with socket.socket(fileno=os.dup(descriptor)) as found:
        is_tcp = found.family in (socket.AF_INET, socket.AF_INET6)
        if is_tcp and found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
