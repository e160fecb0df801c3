"""Rooms: bounded, apart from each other, found by their codes alone, and gone when they end."""

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

from epca.classroom import codes, rooms
from epca.classroom.room import MOST_SEATS, PRESENT, View
from epca.classroom.rooms import IDLE, MOST_FAILED, MOST_FAILED_OF_ALL, SPAN, NoRoom, Refused
from epca.classroom.votes import Question

SECRETS = [f"{number:032d}" for number in range(60)]


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def server(clock):
    return rooms.Rooms(clock)


@pytest.fixture
def quick_codes(monkeypatch):
    """For tests that open many rooms."""
    letters = codes.ALPHABET
    quick = {s: f"ABCDEF{letters[i // 30]}{letters[i % 30]}" for i, s in enumerate(SECRETS)}
    monkeypatch.setattr(codes, "code_of", quick.__getitem__)


def view(**values):
    return View("home", values)


def test_whoever_joins_sees_what_the_teacher_shows(server):
    room = server.open(SECRETS[0])
    before = room.version
    room.show(view(c=30))
    joined = server.join(room.code, "a")
    assert joined.shown() == (room.version, view(c=30))
    assert room.version != before
    seen = room.version
    room.show(view(c=30))
    assert room.version == seen


def test_the_secret_opens_the_same_room_also_on_another_server(server):
    """As after a restart: the code is the same, and nothing is left in it."""
    room = server.open(SECRETS[0])
    room.show(view(c=30))
    assert server.open(SECRETS[0]) is room
    other = rooms.Rooms()
    with pytest.raises(NoRoom, match="There is no room"):
        other.join(room.code, "a")
    again = other.open(SECRETS[0])
    assert again.code == room.code
    assert again.view is None
    assert again.version != room.version
    assert other.join(room.code, "a") is again


def test_another_secret_of_the_same_code_does_not_lead(server, monkeypatch):
    monkeypatch.setattr(codes, "code_of", lambda _: "ABCDEFGH")
    server.open(SECRETS[0])
    with pytest.raises(Refused, match="Another room has this code"):
        server.open(SECRETS[1])


def test_what_is_no_secret_opens_nothing(server):
    with pytest.raises(Refused, match="no teacher's link"):
        server.open("guess")


def test_where_all_rooms_are_taken_the_longest_deserted_one_gives_way(server, clock, quick_codes):
    opened = []
    for secret in SECRETS[: rooms.MOST_ROOMS]:
        opened.append(server.open(secret))
        opened[0].attend("a")  # the one that is idle for longest, but not deserted
        clock.now += 1
    clock.now += rooms.DESERTED - rooms.MOST_ROOMS
    with pytest.raises(Refused, match="All 50 rooms are taken"):
        server.open(SECRETS[50])
    clock.now += 2
    opened[0].attend("a")
    new = server.open(SECRETS[50])
    assert server.get(opened[0].code) is opened[0]
    assert server.get(opened[1].code) is None
    assert server.get(opened[2].code) is opened[2]
    assert server.get(new.code) is new


def test_two_rooms_never_mix(server):
    """Both are shown, answered and joined at the same time from many threads."""
    both = [server.open(secret) for secret in SECRETS[:2]]
    for room in both:
        room.ask(Question(room.code, ("a", "b")))
    start = threading.Barrier(16)

    def use(number):
        place = number % 2
        room = both[place]
        start.wait()
        for turn in range(50):
            seat = f"{number} {turn}"
            found = server.join(room.code, seat)
            found.show(view(room=place, turn=turn))
            assert found.shown()[1].values["room"] == place
            found.answer(seat, 1, place)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(use, range(16)))
    assert [room.vote.counts for room in both] == [[400, 0], [0, 400]]
    assert [room.vote.question.text for room in both] == [room.code for room in both]
    assert [room.present() for room in both] == [(400, 0), (400, 0)]


def test_who_has_gone_is_not_counted(server, clock):
    room = server.open(SECRETS[0])
    for seat in "abc":
        room.attend(seat)
    room.attend("b", follows=False)
    assert room.present() == (2, 1)
    room.leave("a")
    clock.now += PRESENT
    room.attend("c")
    clock.now += 1
    assert room.present() == (1, 0)


def test_a_room_has_so_many_seats_and_those_who_left_free_them(server, clock):
    room = server.open(SECRETS[0])
    for number in range(MOST_SEATS):
        server.join(room.code, str(number))
    with pytest.raises(Refused, match="is full: it has 500 seats"):
        server.join(room.code, "late")
    server.join(room.code, "0")
    clock.now += PRESENT + 1
    server.join(room.code, "late")
    assert room.present() == (1, 0)


@pytest.mark.usefixtures("quick_codes")
def test_a_server_has_so_many_rooms_and_those_that_end_make_place():
    server = rooms.Rooms()
    for secret in SECRETS[: rooms.MOST_ROOMS]:
        server.open(secret)
    with pytest.raises(Refused, match="All 50 rooms are taken"):
        server.open(SECRETS[-1])
    server.open(SECRETS[0])
    server.end(SECRETS[0])
    server.open(SECRETS[-1])


def test_a_room_ends_after_two_idle_hours(server, clock):
    room = server.open(SECRETS[0])
    clock.now += IDLE - 1
    room.show(view(c=1))
    clock.now += IDLE
    room.attend("a")
    clock.now += IDLE
    assert server.get(room.code) is room
    room.attend("a")  # its page asks again and again: that is no use of the room
    clock.now += 1
    assert server.get(room.code) is None


def test_a_rooms_end_frees_its_memory(server):
    room = server.open(SECRETS[0])
    room.show(view(c=30))
    room.ask(Question("Who?", ("a", "b")))
    room.answer("seat", 1, 0)
    server.join(room.code, "seat")
    traces = [weakref.ref(room), weakref.ref(room.vote)]
    del room
    gc.collect()
    assert all(trace() is not None for trace in traces)
    server.end(SECRETS[0])
    gc.collect()
    assert [trace() for trace in traces] == [None, None]


def fail(server, seat):
    with pytest.raises(NoRoom):
        server.join("ABCDEFGH", seat)


def test_who_fails_too_often_must_wait_and_others_need_not(server, clock):
    room = server.open(SECRETS[0])
    for _ in range(MOST_FAILED):
        fail(server, "guesser")
    with pytest.raises(Refused, match=r"no code is tried now\. Please wait 10 minutes"):
        server.join(room.code, "guesser")
    assert server.join(room.code, "student") is room
    clock.now += SPAN - 30
    with pytest.raises(Refused, match=r"Please wait 1 minute\."):
        server.join(room.code, "guesser")
    clock.now += 31
    assert server.join(room.code, "guesser") is room


def test_right_codes_are_never_limited(server):
    room = server.open(SECRETS[0])
    for number in range(MOST_FAILED_OF_ALL + 1):
        server.join(room.code, "one address" if number % 2 else str(number))


def test_a_server_under_siege_lets_nobody_fail_twice_and_the_class_in(server):
    room = server.open(SECRETS[0])
    fail(server, "student with a slip")
    for number in range(MOST_FAILED_OF_ALL):
        fail(server, f"guesser {number}")
    with pytest.raises(Refused, match="Too many"):
        server.join(room.code, "guesser 7")
    assert server.join(room.code, "student") is room
