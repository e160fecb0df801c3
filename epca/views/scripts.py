"""The Python that makes a page's numbers and faces.

A comment after an empty line opens a section: `epca.views.notebook` makes cells of the sections.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from epca.data import ImageSet
from epca.data.imageset import NONE
from epca.experiment import Scenario
from epca.views.measures import MEASURES

SIZE = 32  # pixels of the longer side that `load_dataset` reads, unless told otherwise
STAGES = """
# What is to be seen of every image, from clean to reconstructed.
X = prepared.occluded.X
stages = {} if images.is_occluded else {"Clean": prepared.clean}
stages["Occluded"] = X
"""
PICTURE = """
# The faces as one picture.
from pathlib import Path

from epca.images import labelled, montage, png, row

rows = {label: montage(row(faces[shown], images.image_shape)) for label, faces in stages.items()}
Path("faces.png").write_bytes(png(labelled(rows, [str(i) for i in shown])))
print("faces.png has the faces", *shown)
"""
HOME = (
    """
# PCA and EPCA, fitted to the same occluded images.
table, models = run(scenario, ["PCA", "EPCA"], prepare=lambda _: prepared)
columns = ["method", "error", "n_activated", "clean_among_activated"]
print(table[columns].to_string(index=False))
"""
    + STAGES
    + """stages |= {"PCA": models[0].reconstruct(X), "EPCA": models[1].reconstruct(X)}
"""
    + PICTURE
)
ACTIVATED = (
    """
# EPCA: how many images it activates, and what it makes of the selected ones.
table, (epca,) = run(scenario, ["EPCA"], prepare=lambda _: prepared)
print(f"{epca.n_activated_} of {len(epca.alpha_)} activated")
print(table[["clean_among_activated", "weights_share"]].to_string(index=False))
residuals = epca.residuals(prepared.occluded.X)
for i in selected:
    print(f"image {i}: alpha {epca.alpha_[i]:.6g}, residual {residuals[i]:.6g}")
"""
    + STAGES
    + """stages["EPCA"] = epca.reconstruct(X, robust=robust)
"""
)
IGNORED = """
# The pixels that the robust reconstruction takes for occlusion.
weights = epca.pixel_weights(X)
stages["Ignored"] = 255 * (1 - weights)
for i in shown:
    print(f"image {i}: {(weights[i] < 0.5).sum()} of {X.shape[1]} pixels ignored")
"""
JUDGED = """
# The pixels that another method takes for occlusion, beside the mask of those that are occluded.
_, (other,) = run(scenario, [judge], prepare=lambda _: prepared)
stages[judge] = 255 * (1 - other.cell_weight_)
if not images.is_occluded:
    stages["Mask"] = 255.0 * prepared.occluded.mask
for i in shown:
    print(f"image {i}: {(other.cell_weight_[i] < 0.5).sum()} of {X.shape[1]} pixels, says {judge}")
"""
FITS = """
# Every method, fitted to the same occluded images.
fitted = list(dict.fromkeys(["PCA", *methods]))
table, models = sweep(scenario, fitted, prepare=lambda _: prepared, clustering_runs=runs)
table = table.set_index("method")
table["error"] = table.get("error", np.nan)  # where all failed
"""
ROBUST = """
# Errors of robust reconstructions in place of the projections'.
every = np.ones(len(prepared.clean), bool)
occluded = np.isin(np.arange(len(every)), prepared.occluded.samples)
parts = {"error": every, "error_clean": ~occluded, "error_occluded": occluded}
for label, model in zip(fitted, models):
    if model is not None and not images.is_occluded:
        left = prepared.clean - model.reconstruct(prepared.occluded.X, robust=True)
        for name, part in parts.items():
            table.loc[label, name] = np.nansum(np.square(left[part])) if part.any() else np.nan
"""
COMPARE = """
# The numbers of every method, and how far each shown image is off.
from epca.metrics import against

pca_error = table.loc["PCA", "error"]
table["against_pca"] = against(table["error"], pca_error, images.squared_length)
columns = [name for measure in measures for name in (measure, f"{measure}_sd") if name in table]
print(table.loc[methods, [*columns, "failure"]].to_string())
aim = prepared.occluded.X if images.is_occluded else prepared.clean
for label, model in zip(fitted, models):
    if label in methods and model is not None:
        stages[label] = model.reconstruct(X, robust=robust)
        errors = np.sqrt(np.nansum(np.square(aim - stages[label]), axis=1))
        print(label, *(f"image {i}: {errors[i]:.6g}" for i in shown))
"""
OVER_SEEDS = """
# The same over several seeds.
first = scenario.occlusion.seed
seeds = range(first, first + n_seeds)
table = sweep(scenario, fitted, prepare=lambda item: prepare(item, images), seed=seeds).table
table["error"] = table.get("error", np.nan)
of_seed = table[table["method"] == "PCA"].set_index("seed")["error"]
pca_errors = table["seed"].map(of_seed)
table["against_pca"] = against(table["error"], pca_errors, images.squared_length)
groups = table.groupby("method")[[name for name in measures if name in table]]
for title, part in {"mean": groups.mean(), "standard deviation": groups.std(ddof=0)}.items():
    print(f"{title} over {n_seeds} seeds")
    print(part.loc[methods].to_string())
"""
TUNE = """
# PCA at this rank, to compare with.
median = np.median(prepared.reduction.classical(scenario.n_components)[1])
shares = prepared.reduction.variances / prepared.reduction.variances.sum()
share = shares[: scenario.n_components].sum()
print(f"PCA: median residual {median:.6g}, share of variance {share:.6g}")
estimate = None  # of the clean images
"""
ESTIMATE = """
# An estimate of the clean images from the occluded ones alone.
from epca.choosing import estimate_clean

estimate = estimate_clean(prepared.occluded.X)
print(f"{estimate.is_occluded.sum()} of {len(prepared.clean)} images look occluded")
"""
SUGGEST = """
# What is suggested without a clean image.
from epca.choosing import suggest

suggestion = suggest(prepared.occluded.X, *asked, estimate=estimate)
print(suggestion.why, *suggestion.warnings)
print(suggestion.curves.to_string(index=False))
"""
SWEEPS = """
# EPCA at every σ and c that is shown.
for title, (exponents, ranks) in parts.items():
    axes = {"sigma": [2.0**exponent for exponent in exponents], "n_components": ranks}
    table = sweep(scenario, prepare=lambda _: prepared, estimate=estimate, **axes).table
    print(title)
    print(table.reindex(columns=columns).to_string(index=False))
"""
TUNED = """stages["EPCA"] = sweep(scenario, prepare=lambda _: prepared).models[0].reconstruct(X)
"""
WATCH = """
# Both runs, iteration by iteration: objective, activated images, smallest residual.
from epca.history import record

for name, sigma, tol, left_out in runs:
    model = scenario.model("EPCA").set_params(sigma=sigma, tol=tol, left_out=left_out)
    history = record(model, prepared.reduction)
    collapse = f"collapse at iteration {history.collapse}"
    print(f"{name}: {model.n_iter_} iterations, k = {model.n_activated_}, {collapse}")
    for i, item in enumerate(history.iterations):
        objective = model.objective_history_[i]
        print(i, f"{objective:.8g}", item.n_activated, f"{item.smallest_residual:.4g}")
"""


def activated(
    selected: Sequence[int], shown: Sequence[int], is_robust: bool, judge: str | None = None
) -> tuple[str, dict[str, Any]]:
    """Body and values of Activated's script.

    It has the ignored pixels, too, where the reconstruction is robust, and those that the judge
    ignores, another method.
    """
    values = {"selected": list(selected), "shown": list(shown), "robust": is_robust}
    body = ACTIVATED + (IGNORED if is_robust else "")
    if judge is not None:
        body += JUDGED
        values["judge"] = judge
    return body + PICTURE, values


def compare(
    labels: Sequence[str], ids: Sequence[int], runs: int, n_seeds: int, is_robust: bool = False
) -> tuple[str, dict[str, Any]]:
    """Body and values of Compare's script: with means over seeds if there are any."""
    values = {"methods": list(labels), "shown": list(ids), "runs": runs}
    values["robust"] = is_robust or None
    values["measures"] = [name for name in MEASURES if name != "seconds"]  # which no run repeats
    body = FITS + (ROBUST if is_robust else "") + STAGES + COMPARE + PICTURE
    if n_seeds:
        return body + OVER_SEEDS, values | {"n_seeds": n_seeds}
    return body, values


def tune(
    columns: Sequence[str],
    parts: Mapping[str, tuple],
    *,
    has_estimate: bool = False,
    asked: tuple | None = None,
    shown: Sequence[int] = (),
) -> tuple[str, dict[str, Any]]:
    """Body and values of Tune's script.

    parts : title → (exponents of σ, ranks) of the fits that are shown
    asked : methods, ranks and σ of the suggestion that is shown
    shown : the images that are shown, if any
    """
    values: dict[str, Any] = {"columns": list(columns), "parts": dict(parts)}
    body = TUNE
    if has_estimate:
        body += ESTIMATE
    if asked is not None:
        body += SUGGEST
        values["asked"] = asked
    body += SWEEPS
    if len(shown):
        body += STAGES + TUNED + PICTURE
        values["shown"] = list(shown)
    return body, values


def script(
    title: str,
    body: str,
    scenario: Scenario,
    images: ImageSet,
    upload_name: str = "",
    size: int = SIZE,
    unknown: str = NONE,
    **values: Any,
) -> str:
    """A script that computes what a page shows: the experiment, the values by name, the body.

    upload_name : the file or folder that the images came in, where a visitor uploaded them
    size : the most pixels of a side that they were resized to
    unknown : what means an unknown pixel in them, as `load_dataset` takes it
    """
    call = "sweep" if "sweep(" in body else "run"
    names = ", ".join(["Occlusion", "Scenario", "prepare", call])
    options = f", size={size}" if size != SIZE else ""
    options += ", is_occluded=True" if images.is_occluded else ""
    options += f", unknown={unknown!r}" if unknown != NONE else ""
    lines = [f'"""{title}, as EPCA Lab showed it. Needs the package epca."""', ""]
    lines += ["import numpy as np", ""] if "np." in body else []
    lines += ["from epca.data import load_dataset", f"from epca.experiment import {names}", ""]
    lines += ["# The images and the experiment."]
    lines += ["# What you uploaded: give its path."] if upload_name else []
    lines += [
        f"images = load_dataset({(upload_name or scenario.dataset)!r}{options})",
        f"scenario = {scenario!r}",
        "prepared = prepare(scenario, images)",
        *(f"{name} = {value!r}" for name, value in values.items()),
    ]
    return "\n".join([*lines, body])
