"""What the README names exists, and what is said twice is the same."""

import re
import tomllib
from pathlib import Path

from epca import METHODS, paper
from epca.data.limits import MAX_BYTES
from epca.experiment import Scenario
from epca.ui import settings
from epca.ui.router import PAGES

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_pictures_and_files_exist():
    names = re.findall(r"\]\(([^)#:]+)\)", README)
    assert names
    assert [name for name in names if not (ROOT / name).is_file()] == []
    assert sum(path.stat().st_size for path in (ROOT / ".assets").glob("*.png")) < 2_000_000


def test_every_page_is_in_the_table():
    rows = re.findall(
        r"^\| ([^|]+) \|", README[README.index("| page |") : README.index("| | |")], flags=re.M
    )
    named = [name for row in rows[1:] for name in row.split(", ")]
    assert [title for title, _ in PAGES.values()] == named


def test_every_room_is_in_the_table():
    table = README[README.index("| rooms of") :].split("\n\n")[0]
    rooms = {
        path.stem
        for path in (ROOT / "epca").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    named = {
        name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])
    }
    assert named == rooms - {"__init__", "__main__"}


def test_every_method_and_deviation_is_listed():
    assert [label for label in METHODS if f"| {label} |" not in README] == []
    assert [item.place for item in paper.deviations() if item.place not in README] == []


def test_defaults_and_limits_with_two_homes_agree(faces):
    defaults = {key: setting.default for key, setting in settings.SETTINGS.items()}
    assert settings.scenario_of(defaults, faces) == Scenario()
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["maxUploadSize"] * 2**20 == MAX_BYTES
