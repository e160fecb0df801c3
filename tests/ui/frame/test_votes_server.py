"""Fifty followers on a real server vote at the same time: each answer counts, and none twice."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from epca.classroom import codes
from tests.benchmarks.visitor import Visitor
from tests.browser.chromium import serve
from tests.ui.frame.test_classroom_server import in_a_thread

SECRET = "3" * 32
CODE = codes.code_of(SECRET)
COUNT = 50
BALLOT = f"vote_{CODE}_1"
SUBMIT = "FormSubmitter:own_question-Ask"


async def press(visitor, identifier, fragment):
    """Press a button once, which a part of the page has that runs alone."""
    visitor.states["pressed"] = WidgetState(id=identifier, trigger_value=True)
    await visitor._run(fragment_id=visitor.fragments[fragment], page_script_hash=visitor.page)
    visitor.states.pop("pressed", None)


async def ask(teacher, question, *choices):
    """Type a question of one's own and start the vote."""
    typed = {"own_question_text": question}
    typed |= {f"own_choice_{number}": choice for number, choice in enumerate(choices, 1)}
    for key, text in typed.items():
        teacher.states[key] = WidgetState(id=teacher.widget(key).id, string_value=text)
    await press(teacher, teacher.widget(SUBMIT).id, SUBMIT)


async def reveal(teacher):
    button = next(found.button for found in teacher.of("button") if found.button.label == "Reveal")
    await press(teacher, button.id, "pulse")


def bars(visitor):
    """The answers as they are shown."""
    return [element.progress.text for element in visitor.of("progress")]


async def hold_a_vote(address):
    """All answer, every other one thinks again; what the teacher sees before and after."""
    async with AsyncExitStack() as stack:
        teacher = await stack.enter_async_context(Visitor(address))
        await teacher.open("learn", f"room_secret={SECRET}")
        students = [await stack.enter_async_context(Visitor(address)) for _ in range(COUNT)]
        await asyncio.gather(*(student.open("learn", f"room={CODE}") for student in students))
        await ask(teacher, "Which has the lower error?", "EPCA", "PCA")
        await asyncio.gather(*(student.look() for student in students))
        await asyncio.gather(*(student.change(BALLOT, "EPCA") for student in students))
        await teacher.look()
        first = bars(teacher)
        await asyncio.gather(*(student.change(BALLOT, "PCA") for student in students[::2]))
        await asyncio.gather(*(student.change(BALLOT, "EPCA") for student in students[1::2]))
        await reveal(teacher)
        await asyncio.gather(*(student.look() for student in students))
        assert [visitor.complaints for visitor in (teacher, *students)] == [[]] * (COUNT + 1)
        return first, bars(teacher), bars(students[0])


@pytest.mark.slow  # a server of its own
def test_every_answer_of_a_class_counts_once():
    with serve(EPCA_WORKERS="0") as address:
        first, revealed, own = in_a_thread(hold_a_vote(address))
    assert first == ["EPCA · **50**", "PCA · **0**"]
    assert revealed == ["EPCA · **25**", "PCA · **25**"]
    assert own == ["EPCA · **25**", "PCA · **25, yours**"]
