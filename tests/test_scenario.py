"""Scenario and Occlusion are values: every field counts, wherever data are shared or cached."""

from dataclasses import dataclass, fields, replace

import numpy as np
import pytest

from epca import experiment, scenario
from epca.corruption import occlude
from epca.experiment import Occlusion, Scenario, prepare, sweep
from epca.registry import METHODS


@dataclass(frozen=True)
class Strong(Occlusion):
    """An occlusion with a field more."""

    strength: int = 0


@dataclass(frozen=True)
class Patient(Scenario):
    """A scenario with a field more, named as a parameter that every method has."""

    max_iter: int = 100


@dataclass(frozen=True)
class Flipped(Scenario):
    """A scenario with a field more that nobody knows."""

    flipped: bool = False


def test_a_new_field_of_the_occlusion_is_refused_while_nobody_knows_it(faces):
    with pytest.raises(TypeError, match="strength"):
        sweep(
            Scenario(occlusion=Strong(), n_components=2),
            prepare=lambda item: prepare(item, faces),
            strength=[0, 1],
        )


def test_a_new_field_of_the_occlusion_is_respected_once_occlude_knows_it(faces, monkeypatch):
    def occlude_strongly(X, kind, *, strength, **options):
        return occlude(X, kind, **options | {"samples": 0.1 + 0.4 * strength})

    monkeypatch.setattr(scenario, "occlude", occlude_strongly)
    table = sweep(
        Scenario(occlusion=Strong(), n_components=2),
        ["PCA"],
        prepare=lambda item: prepare(item, faces),
        strength=[0, 1],
    ).table
    assert table["strength"].tolist() == [0, 1]
    assert table["error"][1] > 1.05 * table["error"][0]


def test_a_new_field_of_the_scenario_reaches_every_fit(faces):
    seen = []

    def prepare_seen(item):
        seen.append(item)
        return prepare(item, faces)

    given = Patient(n_components=2)
    table = sweep(given, ["EPCA"], prepare=prepare_seen, max_iter=[1, 100]).table
    assert table["max_iter"].tolist() == [1, 100]
    assert table["iterations"][0] == 1 < table["iterations"][1]
    assert [item.data for item in seen] == [Patient()]
    for_method = [given.at(max_iter=number).for_method("EPCA") for number in (1, 100)]
    assert for_method[0] != for_method[1]


def test_a_new_field_of_the_scenario_is_refused_while_nobody_knows_it():
    with pytest.raises(TypeError, match="flipped would be ignored"):
        Flipped()


def test_data_forget_what_concerns_fits_alone():
    own = (("EPCA", "gamma", 2.0),)
    fitted = Scenario(n_components=7, sigma=3.0, left_out=True, parameters=own)
    assert fitted.data == Scenario()
    assert fitted.at(seed=3).data != Scenario()


def test_a_methods_scenario_forgets_what_concerns_other_methods():
    parameters = (("EPCA", "gamma", 2.0), ("LpPCA", "p", 1.5))
    given = Scenario(sigma=3.0, left_out=True, parameters=parameters)
    assert given.for_method("PCA") == Scenario()
    assert given.for_method("LpPCA") == Scenario(parameters=parameters[1:])
    own = Scenario(sigma=3.0, left_out=True, parameters=parameters[:1])
    assert given.for_method("EPCA") == own
    assert given.for_method("EPCA, left-out") == Scenario(sigma=3.0)


def test_sigma_goes_to_every_method_that_has_it(monkeypatch):
    class Other(METHODS["EPCA"]):
        label = "Other"

    monkeypatch.setitem(METHODS, "Other", Other)
    given = Scenario(sigma=5.0)
    assert given.model("Other").sigma == given.for_method("Other").sigma == 5.0


def test_sigma_and_parameters_reach_the_left_out_variant():
    label = "EPCA, left-out"
    given = Scenario(sigma=5.0, parameters=((label, "gamma", 2.0), ("EPCA", "gamma", 3.0)))
    model = given.model(label)
    assert (model.sigma, model.gamma, model.left_out) == (5.0, 2.0, True)
    assert given.for_method(label).sigma == 5.0


def test_left_out_goes_to_epca_alone_and_rows_say_who_had_it(faces):
    given = Scenario(n_components=3, left_out=True)
    assert given.model("EPCA").left_out is True
    assert Scenario().model("EPCA").left_out is False
    prepared = prepare(given, faces)
    labels = ["EPCA", "EPCA, left-out", "PCA"]
    table, models = sweep(given, labels, prepare=lambda _: prepared)
    np.testing.assert_array_equal(models[0].alpha_, models[1].alpha_)
    assert table["left_out"].tolist() == [True, True, True]
    plain, _ = sweep(Scenario(n_components=3), labels, prepare=lambda _: prepared)
    assert plain["left_out"].tolist() == [False, True, False]


def test_at_changes_fields_of_both():
    changed = Scenario().at(seed=3, pixels=0.5, n_components=4)
    assert changed == Scenario(occlusion=Occlusion(seed=3, pixels=0.5), n_components=4)
    with pytest.raises(TypeError, match="strength"):
        Scenario().at(strength=1)


def test_the_tables_values_are_all_fields():
    known = {
        "dataset": "orl",
        "kind": "shared-pixels",
        "samples": 0.2,
        "pixels": 0.2,
        "seed": 0,
        "n_components": 30,
        "sigma": 1.0,
        "left_out": False,
    }
    values = Scenario().values
    assert known.items() <= values.items()
    every = {item.name for item in (*fields(Scenario), *fields(Occlusion))}
    assert set(values) == every - {"occlusion", "parameters"}


def test_one_fit_is_a_row_and_a_model(faces):
    small = Scenario(n_components=3)
    prepared = prepare(small, faces)
    row, model = experiment.fit(prepared, small, "EPCA")
    swept = sweep(small, ["EPCA"], prepare=lambda _: prepared)
    assert model.n_components_ == 3
    ignored = {"seconds"}
    assert {k: v for k, v in row.items() if k not in ignored} == {
        k: v for k, v in swept.table.to_dict("records")[0].items() if k not in ignored
    }
    np.testing.assert_array_equal(model.alpha_, swept.models[0].alpha_)


def test_what_a_fits_callback_raises_ends_it_and_its_own_errors_become_a_row(faces):
    small = Scenario(n_components=3)
    prepared = prepare(small, faces)

    def stop(*_):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        experiment.fit(prepared, small, "EPCA", callback=stop)
    row, model = experiment.fit(prepared, replace(small, n_components=500), "EPCA")
    assert model is None
    assert row["failure"].startswith("n_components=500 must be an integer between 1 and")


def test_clean_images_are_the_grey_levels_themselves(faces):
    """As floats they would take eight times the memory."""
    assert np.shares_memory(prepare(Scenario(), faces).clean, faces.images)
    hidden = np.zeros(faces.images.shape, bool)
    hidden[:, 0] = True
    unknown = prepare(Scenario(), replace(faces, unknown=hidden)).clean
    np.testing.assert_array_equal(np.isnan(unknown), hidden.reshape(unknown.shape))
