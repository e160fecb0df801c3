"""Clock, locale and time zone of the machine do not change what pages say."""

import os
import subprocess
import sys

import pytest

from tests.visit import ROOT

PROBE = """
import sys, time
if sys.argv[1:]:
    shift = float(sys.argv[1])
    clock = time.time
    time.time = lambda: clock() + shift
import locale
locale.setlocale(locale.LC_ALL, "")
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("app.py", default_timeout=120)
app.query_params.update({"c": "10", "samples": "30"})
app.run()
said = []
for page in ("home", "data", "activated", "tune", "watch", "framework", "glossary"):
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception, page
    kinds = (app.title, app.header, app.markdown, app.caption)
    said += [element.value for kind in kinds for element in kind]
    said += [f"{metric.label} {metric.value}" for metric in app.metric]
    said += [table.value.to_string() for table in app.table]
sys.stdout.buffer.write("\\n".join(said).encode())
"""
PLACES = {
    "Nepal, plain C": (
        {"TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        "0",
    ),
    "a zone that is none, in 1990": (
        {"TZ": "No/Where", "LC_ALL": "C.UTF-8", "LANGUAGE": "de"},
        str(-36 * 365.25 * 86400),
    ),
}


def says(environment, shift="0"):
    probe = [sys.executable, "-c", PROBE, shift]
    return subprocess.run(
        probe, cwd=ROOT, env=os.environ | environment, check=True, stdout=subprocess.PIPE
    ).stdout.decode()


@pytest.fixture(scope="module")
def at_home():
    text = says({"TZ": "UTC", "LC_ALL": "C.UTF-8"})
    assert "of 400 activated" in text
    return text


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_clock_locale_and_time_zone_do_not_matter(place, at_home):
    assert says(*PLACES[place]) == at_home
