"""Arguments that are sent once and cached: by name on their way, made again where they arrive."""

import pytest

from epca.ui.jobs.keyed import Keyed, Named, Store, names, recipe, values

BASE = Keyed("base", 10)
SUM = Keyed("sum", 17, int.__add__, (7, BASE))


def test_work_in_this_process_takes_the_values():
    assert values((1, SUM, "x")) == (1, 17, "x")


def test_what_travels_are_names_and_recipes():
    assert names((1, SUM, "x")) == (1, Named("sum"), "x")
    make, arguments = recipe((1, SUM), "sum")
    assert (make, names(arguments)) == (int.__add__, (7, Named("base")))
    make, (value,) = recipe((1, SUM), "base")
    assert make(value) == 10
    with pytest.raises(KeyError, match="other"):
        recipe((1, SUM), "other")


def asking(asked):
    def ask(key):
        asked.append(key)
        make, arguments = recipe((SUM,), key)
        return make, names(arguments)

    return ask


def test_a_store_asks_once_for_what_it_lacks():
    store = Store(2**20)
    asked = []
    for _ in range(2):
        assert store.values((Named("sum"), 3), asking(asked)) == (17, 3)
    assert asked == ["sum", "base"]
    assert store.values((Named("base"),), asking(asked)) == (10,)
    assert asked == ["sum", "base"]


def test_a_store_over_its_budget_asks_again():
    store = Store(0)
    asked = []
    for _ in range(2):
        assert store.values((Named("sum"), Named("base")), asking(asked)) == (17, 10)
    assert asked == ["sum", "base", "base", "sum", "base"]
