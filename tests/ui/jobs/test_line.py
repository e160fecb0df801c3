"""The line in front of the cores: order, places, leaving."""

from hypothesis import given
from hypothesis import strategies as st

from epca.ui.jobs.line import Line


def test_as_many_as_there_are_slots_work_and_first_come_is_first_served():
    line = Line(2)
    served = []
    for name in "abcde":
        line.enter(name, lambda _, name=name: served.append(name))
    assert served == ["a", "b"]
    assert [line.place(name) for name in "abcde"] == [0, 0, 1, 2, 3]
    line.leave("b")
    assert served == ["a", "b", "c"]
    line.leave("a")
    line.leave("c")
    assert served == list("abcde")


def test_who_enters_again_goes_to_the_end():
    """So a sweep's next fit waits behind everybody who came meanwhile."""
    line = Line(1)
    served = []

    def enter(name):
        line.enter(name, lambda _: served.append(name))

    enter("sweep")
    enter("single fit")
    enter("sweep")
    assert served == ["sweep", "single fit"]
    assert line.place("sweep") == 1
    line.leave("single fit")
    assert served == ["sweep", "single fit", "sweep"]


def test_those_who_leave_while_they_wait_are_not_called():
    line = Line(1)
    served = []
    for name in "abc":
        line.enter(name, lambda _, name=name: served.append(name))
    line.leave("b")
    assert line.place("c") == 1
    line.leave("a")
    assert served == ["a", "c"]


def test_who_withdraws_gives_up_a_place_but_no_turn():
    line = Line(1)
    served = []
    for name in "abc":
        line.enter(name, lambda _, name=name: served.append(name))
    assert not line.withdraw("a")
    line.enter("d", lambda _: served.append("d"))
    assert line.withdraw("b")
    assert not line.withdraw("b")
    assert served == ["a"]
    line.leave("a")
    line.leave("c")
    assert served == ["a", "c", "d"]


def test_thousands_who_leave_as_they_are_called_hold_nothing():
    """As work that nobody wants any more does: none is called within the call of another."""
    line = Line(1)
    depth = []
    served = []

    def leave(name):
        depth.append(name)
        served.append(len(depth))
        line.leave(name)
        depth.pop()

    line.enter("busy", lambda _: None)
    for i in range(1500):
        line.enter(i, lambda _, i=i: leave(i))
    line.enter("last", lambda _: served.append("last"))
    line.leave("busy")
    assert served == [1] * 1500 + ["last"]


def test_one_that_cannot_be_called_does_not_block_the_others():
    line = Line(1)
    served = []

    def broken(slot):
        raise OSError("gone")

    line.enter("a", lambda _: served.append("a"))
    line.enter("b", broken)
    line.enter("c", lambda _: served.append("c"))
    line.leave("a")
    assert served == ["a", "c"]


def test_short_work_goes_before_other_work_but_not_before_short_work():
    line = Line(1)
    served = []

    def enter(name, is_short):
        line.enter(name, lambda _: served.append(name), is_short=is_short)

    for name in ("long 1", "long 2", "long 3"):
        enter(name, False)
    for name in ("short 1", "short 2"):
        enter(name, True)
    enter("long 4", False)
    assert [line.place(name) for name in ("short 1", "short 2", "long 2")] == [1, 2, 3]
    for _ in range(6):
        line.leave(served[-1])
    assert served == ["long 1", "short 1", "short 2", "long 2", "long 3", "long 4"]


def test_nobodys_second_place_comes_before_anybodys_first():
    """So who asks for nine methods at once does not keep others waiting for all nine."""
    line = Line(1)
    served = []

    def enter(name, visitor, is_short=False):
        line.enter(name, lambda _: served.append(name), is_short=is_short, visitor=visitor)

    for name in ("a1", "a2", "a3", "a4"):
        enter(name, "a")
    for name in ("b1", "b2", "b3"):
        enter(name, "b")
    enter("c1", "c")
    enter("short a", "a", is_short=True)
    assert line.place("short a") == 1
    for _ in range(3):
        line.leave(served[-1])
    enter("d1", "d")  # a's third place is its first by now, and b's second its first
    for _ in range(6):
        line.leave(served[-1])
    assert served == ["a1", "short a", "a2", "b1", "c1", "a3", "b2", "d1", "a4", "b3"]


def test_who_waits_for_one_slot_keeps_nobody_from_the_others():
    line = Line(3)
    served = []

    def enter(name, *slots):
        line.enter(name, lambda slot: served.append((name, slot)), slots or None)

    enter("a", 1)
    enter("b", 1)
    enter("c", 1, 2)
    enter("d", 2)
    enter("e")
    assert served == [("a", 1), ("c", 2), ("e", 0)]
    assert (line.place("b"), line.place("d")) == (1, 1)
    line.leave("a")
    line.leave("c")
    assert served[3:] == [("b", 1), ("d", 2)]


def test_who_enters_while_waiting_has_one_place():
    line = Line(1)
    served = []
    line.enter("a", served.append)
    line.enter("b", lambda _: served.append("former"))
    line.enter("b", lambda _: served.append("latter"))
    line.leave("a")
    line.leave("b")
    assert served == [0, "latter"]


ENTER, LEAVE_AT_ONCE, LEAVE = range(3)
ACTIONS = st.lists(
    st.tuples(st.integers(ENTER, LEAVE), st.integers(0, 5), st.booleans(), st.integers(0, 2)),
    max_size=40,
)


@given(st.integers(1, 4), ACTIONS)
def test_nobody_is_forgotten_and_never_too_many_work(slots, actions):
    line = Line(slots)
    inside = set()  # in the line or at work
    at_work = set()
    leaving = set()  # as soon as they are called

    def granted(name):
        if name in leaving:
            leaving.discard(name)
            inside.discard(name)
            line.leave(name)
        else:
            at_work.add(name)

    for action, name, is_short, visitor in actions:
        if action != LEAVE and name not in inside:
            inside.add(name)
            if action == LEAVE_AT_ONCE:
                leaving.add(name)
            line.enter(name, lambda _, name=name: granted(name), is_short=is_short, visitor=visitor)
        elif action == LEAVE and name in inside:
            leaving.discard(name)
            inside.discard(name)
            at_work.discard(name)
            line.leave(name)
        assert len(at_work) == min(slots, len(inside))
        waiting = sorted(line.place(name) for name in inside - at_work)
        assert waiting == list(range(1, len(waiting) + 1))
