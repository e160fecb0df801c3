"""What a server gives to its visitors: a place, runs, bytes; and it calls nobody else."""

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from epca.ui.frame import fragments, visitors
from tests.visit import at, visit


def test_a_full_server_says_so_and_keeps_its_visitors(monkeypatch):
    here = visit("learn")
    monkeypatch.setenv(visitors.VISITORS, "3")
    others = {"one", "two", "three"}
    monkeypatch.setattr(visitors, "_inside", set(others))
    monkeypatch.setattr(visitors, "has_page", others.__contains__)
    assert here.run().title[0].value == "Learn"
    app = at("learn").run()
    assert not app.exception
    assert app.title[0].value == "One moment, please"
    assert "EPCA Lab is full: it takes 3 visitors at a time." in app.info[0].value
    others.remove("two")
    assert app.run().title[0].value == "Learn"


def test_a_visitor_who_asks_too_fast_waits(monkeypatch):
    slept = []
    monkeypatch.setattr(
        visitors, "time", SimpleNamespace(monotonic=lambda: 5.0, sleep=slept.append)
    )
    app = visit("learn")
    for _ in range(visitors.MOST_RUNS):
        app.run()
    assert slept
    assert set(slept) == {visitors.SPAN}


def test_a_part_of_a_page_that_runs_alone_too_fast_waits(monkeypatch):
    paced = []
    monkeypatch.setattr(visitors, "pace", lambda: paced.append(True))
    context = SimpleNamespace(fragment_ids_this_run=None)
    monkeypatch.setattr(fragments, "get_script_run_ctx", lambda: context)
    monkeypatch.setattr(fragments.st, "fragment", lambda function: function)
    part = fragments.fragment(lambda value: value)
    assert part(7) == 7  # with its page, which was paced
    assert not paced
    context.fragment_ids_this_run = ["a"]
    assert part(7) == 7
    assert paced


def test_ordinary_visitors_do_not_wait(monkeypatch):
    clock = SimpleNamespace(monotonic=iter(range(10**6)).__next__, sleep=None)
    monkeypatch.setattr(visitors, "time", clock)
    app = visit("learn")
    for _ in range(visitors.MOST_RUNS + 2):
        assert not app.run().exception


def test_of_a_sessions_files_the_newest_are_kept(monkeypatch):
    monkeypatch.setattr(visitors, "MOST_BYTES", 100)
    manager = MemoryUploadedFileManager("/upload")
    visitors.bound_uploads(manager)
    for name in "abcd":
        manager.add_file(session_id="one", file=SimpleNamespace(file_id=name, data=bytes(40)))
    manager.add_file(session_id="two", file=SimpleNamespace(file_id="x", data=bytes(900)))
    assert list(manager.file_storage["one"]) == ["c", "d"]
    assert list(manager.file_storage["two"]) == ["x"]


def test_of_many_small_files_the_newest_are_kept(monkeypatch):
    monkeypatch.setattr(visitors, "MOST_FILES", 3, raising=False)
    manager = MemoryUploadedFileManager("/upload")
    visitors.bound_uploads(manager)
    for name in "abcdb":
        manager.add_file(session_id="one", file=SimpleNamespace(file_id=name, data=b""))
    manager.add_file(session_id="two", file=SimpleNamespace(file_id="x", data=b""))
    assert list(manager.file_storage["one"]) == ["c", "d", "b"]
    assert list(manager.file_storage["two"]) == ["x"]


def test_of_all_sessions_files_whoever_sent_most_loses_the_oldest(monkeypatch):
    monkeypatch.setattr(visitors, "MOST_IN_ALL", 200)
    manager = MemoryUploadedFileManager("/upload")
    visitors.bound_uploads(manager)
    for name in "ab":
        manager.add_file(session_id="much", file=SimpleNamespace(file_id=name, data=bytes(70)))
    for name in "cde":
        manager.add_file(session_id=name, file=SimpleNamespace(file_id=name, data=bytes(30)))
    left = {session: list(files) for session, files in manager.file_storage.items()}
    assert left == {"much": ["b"], "c": ["c"], "d": ["d"], "e": ["e"]}


def test_what_visitors_bring_counts_while_it_is_there(monkeypatch):
    monkeypatch.setattr(visitors, "_brought", type(visitors._brought)())
    monkeypatch.setattr(visitors, "MOST_IN_ALL", 100)
    files = [Sized(60), Sized(40), Sized(1)]
    assert visitors.bring(*files[:2])
    assert not visitors.bring(files[2])
    assert visitors.bring()
    del files[0]
    assert visitors.bring(files[1])


def test_visitors_may_bring_at_the_same_time(monkeypatch):
    monkeypatch.setattr(visitors, "_brought", type(visitors._brought)())
    taken = []

    def bring_many():
        own = deque(maxlen=150)
        for _ in range(1500):
            own.append(Sized(1))
            taken.append(visitors.bring(own[-1]))

    with ThreadPoolExecutor(4) as pool:
        [future.result() for future in [pool.submit(bring_many) for _ in range(4)]]
    assert len(taken) == 6000


class Sized:
    """A file of so many bytes."""

    def __init__(self, size):
        self.size = size


def test_files_that_were_removed_do_not_count(monkeypatch):
    monkeypatch.setattr(visitors, "MOST_BYTES", 100)
    manager = MemoryUploadedFileManager("/upload")
    visitors.bound_uploads(manager)
    for name in "abc":
        manager.add_file(session_id="one", file=SimpleNamespace(file_id=name, data=bytes(40)))
        manager.remove_file(session_id="one", file_id=name)
    manager.add_file(session_id="gone", file=SimpleNamespace(file_id="d", data=bytes(90)))
    manager.remove_session_files("gone")
    for session in ("one", "gone"):
        for name in "ef":
            manager.add_file(session_id=session, file=SimpleNamespace(file_id=name, data=bytes(50)))
        assert list(manager.file_storage[session]) == ["e", "f"]


class Counted(bytes):
    """Counts how often its length is asked for."""

    asked = 0

    def __len__(self):
        Counted.asked += 1
        return super().__len__()


def test_a_file_costs_the_same_however_many_are_kept():
    manager = MemoryUploadedFileManager("/upload")
    visitors.bound_uploads(manager)
    for number in range(500):
        manager.add_file(
            session_id="one", file=SimpleNamespace(file_id=str(number), data=Counted())
        )
    assert Counted.asked <= 4 * 500
