"""The README is short, what it names exists, and what it repeats is the same elsewhere."""

import re
import tomllib
from pathlib import Path

import pytest

from epca import METHODS
from epca.choosing import validation
from epca.data.limits import MAX_BYTES
from epca.experiment import Scenario
from epca.ui.frame import settings
from epca.ui.frame.presets import PRESETS
from epca.ui.frame.router import PAGES

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MEASURED = (ROOT / "tests" / "benchmarks" / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
COMMANDS = ("pip install -e . && streamlit run app.py", 'pip install -e ".[test]" && pytest')


def table(heading):
    """The cells of the table that starts with this heading, a list per row."""
    text = README[README.index(f"| {heading} |") :].split("\n\n")[0]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in text.splitlines()[2:]]


def section(title):
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def packages(requirements):
    """The names of packages, without extras and versions."""
    return {re.match(r"[\w-]+", requirement)[0] for requirement in requirements}


def test_it_is_short():
    assert len(README.splitlines()) <= 200


@pytest.mark.parametrize("command", COMMANDS)
def test_both_commands_stand_in_it_literally(command):
    assert f"\n    {command}\n" in README


def test_it_has_at_most_two_pictures_and_no_other_is_stored():
    names = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert 1 <= len(names) <= 2
    stored = {str(path.relative_to(ROOT)) for path in (ROOT / ".assets").glob("*.png")}
    assert set(names) == stored
    assert sum((ROOT / name).stat().st_size for name in names) < 500_000


def test_every_path_it_names_exists():
    paths = re.findall(r"`([\w.-]+/[\w./-]*)`", README)
    assert paths
    inside = (ROOT, ROOT / "tests", ROOT / "epca")
    missing = [path for path in paths if not any((folder / path).exists() for folder in inside)]
    assert missing == []


def test_every_page_is_in_the_table():
    named = [name for row in table("page") for name in row[0].split(", ")]
    assert named == [page.title for page in PAGES.values() if page.is_listed]


def test_rooms_and_table_agree():
    there = {
        path.stem
        for path in (ROOT / "epca").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    named = {name for row in table("rooms of `epca/`") for name in re.findall(r"`(\w+)`", row[0])}
    assert named == there - {"__init__", "__main__"}


def test_every_method_is_in_the_table():
    assert [row[0] for row in table("method")[: len(METHODS)]] == list(METHODS)


def test_every_dependency_has_its_line_and_its_reason():
    reasons = dict(table("package"))
    extras = PROJECT["optional-dependencies"]
    assert set(reasons) == packages([*PROJECT["dependencies"], *extras["cluster"]])
    assert all(reasons.values())
    of_tests = section("Dependencies").split("For the tests:")[1]
    named = set(re.findall(r"[\w-]+", of_tests))
    assert packages(extras["test"]) - set(reasons) <= named


def test_its_speeds_are_those_of_the_benchmarks():
    numbers = re.findall(r"\d+\.\d+", section("How fast"))
    assert len(numbers) >= 4
    assert [number for number in numbers if number not in MEASURED] == []


def test_it_has_the_licence_and_the_citation():
    assert PROJECT["license"] == "MIT"
    end = section("Citation and licence")
    assert all(part in end for part in ("MIT licence", "arXiv 2103.11931", "R. Zhang", "2021"))


def test_defaults_and_limits_with_two_homes_agree(faces):
    paper = PRESETS["paper"].values
    assert settings.setup_of(paper, faces).scenario == Scenario()
    assert settings.DATASET.default == Scenario.dataset
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["maxUploadSize"] * 2**20 == MAX_BYTES


def test_the_regrets_are_those_of_the_shipped_table():
    table = validation()
    rows = table[(table["question"] == "rank") & (table["method"] == "EPCA")]
    inside = rows[rows["kind"] == "inside"].set_index("rule")["mean"]
    rows = rows[rows["kind"] == "all"].set_index("rule")
    ours = rows.loc["estimate"]
    text = " ".join(section("How we know it is right").split())
    assert f"In {ours['places']} tests on data" in text
    assert f"cost {ours['mean']:.1f}% more error" in text
    assert f"on average, {ours['worst']:.1f}% at worst; c = 30 cost" in text
    assert f"c = 30 cost {rows.loc['c = 30', 'mean']:.0f}%" in text
    assert f"(16 tests): {inside['estimate']:.1f}% and {inside['c = 30']:.0f}%." in text
    assert f"In {ours['refused']} more tests it refused." in text
