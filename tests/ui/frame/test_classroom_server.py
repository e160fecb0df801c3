"""Rooms on a real server: interleaved classes stay apart, and a class survives kill -9."""

import asyncio
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack

import pytest

from epca.classroom import codes
from tests.benchmarks.visitor import Visitor
from tests.browser.chromium import free_port, serve

SECRETS = ["1" * 32, "2" * 32]
CODES = [codes.code_of(secret) for secret in SECRETS]
pytestmark = pytest.mark.slow  # a server of its own


def in_a_thread(coroutine):
    """Its result, from an event loop of its own: Playwright's may be running in this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def rank(visitor):
    return visitor.states["c"].double_array_value.data[0]


async def hold_two_classes(address):
    """Teachers and students of two rooms act at the same time; the ranks that students see."""
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        teachers = [await enter(Visitor(address)) for _ in SECRETS]
        students = [await enter(Visitor(address)) for _ in range(4)]
        for teacher, secret in zip(teachers, SECRETS, strict=True):
            await teacher.open("learn", f"room_secret={secret}")
        await asyncio.gather(
            *(student.open("learn", f"room={CODES[i % 2]}") for i, student in enumerate(students))
        )
        seen = []
        for turn in (30, 40, 50):
            await asyncio.gather(*(t.change("c", turn + i) for i, t in enumerate(teachers)))
            await asyncio.gather(*(student.look() for student in students))
            seen.append([rank(student) for student in students])
        await asyncio.gather(*(teacher.look() for teacher in teachers))
        assert all("· 2 follow" in teacher.text for teacher in teachers)
        assert [visitor.complaints for visitor in (*teachers, *students)] == [[]] * 6
        return seen


def test_interleaved_classes_see_their_own_teacher():
    with serve(EPCA_WORKERS="0") as address:
        seen = in_a_thread(hold_two_classes(address))
    assert seen == [[30, 31, 30, 31], [40, 41, 40, 41], [50, 51, 50, 51]]


async def open_both(address):
    async with Visitor(address) as teacher, Visitor(address) as student:
        await teacher.open("learn", f"room_secret={SECRETS[0]}")
        await student.open("learn", f"room={CODES[0]}")
        assert "You follow room" in student.text
        os.kill(address.pid, signal.SIGKILL)


async def come_back(address):
    """The browsers come by the same addresses, the teacher by the secret link."""
    async with Visitor(address) as student, Visitor(address) as teacher:
        await student.open("learn", f"room={CODES[0]}")
        told = student.text
        await teacher.open("learn", f"room_secret={SECRETS[0]}&c=44")
        await student.look()
        return told, student.text, rank(student)


def test_after_kill_9_followers_are_told_and_the_teachers_link_opens_the_room():
    port = free_port()
    with serve(EPCA_WORKERS="0", port=port) as address:
        in_a_thread(open_both(address))
    with serve(EPCA_WORKERS="0", port=port) as address:
        told, after, c = in_a_thread(come_back(address))
    assert f"Room **{codes.show(CODES[0])}** is not open now. This page waits for it" in told
    assert f"You follow room **{codes.show(CODES[0])}**" in after
    assert c == 44
