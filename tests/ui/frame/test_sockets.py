"""Connections that are accepted later send what they have at once."""

import os
import socket

import pytest

from epca.ui.frame.sockets import OPEN, send_at_once


def accepted(listening):
    with socket.create_connection(listening.getsockname()), listening.accept()[0] as connection:
        return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.skipif(not OPEN.is_dir(), reason="this system does not list open files there")
def test_accepted_connections_send_at_once():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        assert not accepted(listening)
        send_at_once()
        assert accepted(listening)


def test_other_open_files_are_left_alone():
    reading, writing = os.pipe()
    with socket.socket() as other:
        before = len(os.listdir(OPEN)) if OPEN.is_dir() else 0
        send_at_once()
        assert not other.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        assert not OPEN.is_dir() or len(os.listdir(OPEN)) == before
    os.write(writing, b"x")
    assert os.read(reading, 1) == b"x"
    os.close(reading)
    os.close(writing)
