"""The line in front of the cores: order, places, and leaving it."""

import threading
import time

import pytest

from epca.ui.work import Line


def test_no_more_than_the_slots_work_at_a_time_and_first_come_is_first_served():
    line, lock, served, at_work, most = Line(2), threading.Lock(), [], 0, 0

    def visit(number):
        nonlocal at_work, most
        with line.turn(lambda place: None):
            with lock:
                at_work += 1
                most = max(most, at_work)
                served.append(number)
            time.sleep(0.02)
            with lock:
                at_work -= 1

    threads = [threading.Thread(target=visit, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
        time.sleep(0.005)
    for thread in threads:
        thread.join()
    assert most == 2
    assert sorted(served) == list(range(8))
    assert all(abs(served.index(i) - i) <= 1 for i in range(8))  # two start at once: their order may differ


def test_those_who_wait_learn_their_place_and_may_leave():
    line, places = Line(1), []

    class Left(BaseException):
        pass

    def leave(place):
        places.append(place)
        if len(places) == 2:
            raise Left

    with line.turn(lambda place: None):
        with pytest.raises(Left), line.turn(leave):
            pass
        assert places == [1, 1]
    with line.turn(lambda place: pytest.fail("the line is empty")):
        pass
