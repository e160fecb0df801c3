"""What a page lets one take away: tables, pictures, and the Python that makes its numbers."""

import streamlit as st

from epca.ui import store

HOME = """
table, models = run(scenario, ["PCA", "EPCA"], prepare=lambda _: prepared)
print(table[["method", "error", "n_activated", "clean_among_activated"]].to_string(index=False))
"""
ACTIVATED = """
table, (epca,) = run(scenario, ["EPCA"], prepare=lambda _: prepared)
print(f"{epca.n_activated_} of {len(epca.alpha_)} activated")
print(table[["clean_among_activated", "weights_share"]].to_string(index=False))
residuals = epca.residuals(prepared.occluded.X)
for i in selected:
    print(f"image {i}: alpha {epca.alpha_[i]:.6g}, residual {residuals[i]:.6g}")
"""
COMPARE = """
table, models = run(scenario, methods, prepare=lambda _: prepared)
measures = ["method", "error", "error_clean", "error_occluded", "clean_among_top", "auc", "iterations", "failure"]
print(table[measures].to_string(index=False))
"""
TUNE = """
median = np.median(prepared.reduction.classical(scenario.n_components)[1])
shares = prepared.reduction.variances / prepared.reduction.variances.sum()
print(f"PCA: median residual {median:.6g}, share of variance {shares[: scenario.n_components].sum():.6g}")
for title, (exponents, ranks) in parts.items():
    axes = {"sigma": [2.0**exponent for exponent in exponents], "n_components": ranks}
    table = sweep(scenario, prepare=lambda _: prepared, **axes).table
    print(title)
    print(table.reindex(columns=columns).to_string(index=False))
"""


def script(title, body, setup, **values):
    """A Python script that computes what a page shows: the experiment, the values by name, then the body."""
    is_upload = setup.images is store.uploaded()
    source = store.upload_name() if is_upload else setup.scenario.dataset
    lines = [
        f'"""{title}, as EPCA Lab showed it. Needs the package epca."""',
        "",
        *(["import numpy as np", ""] if "np." in body else []),
        "from epca.data import load_dataset",
        f"from epca.experiment import Scenario, prepare, {'sweep' if 'sweep(' in body else 'run'}",
        "",
        *(["# The file you uploaded: give its path."] if is_upload else []),
        f"images = load_dataset({source!r}{', is_occluded=True' if setup.images.is_occluded else ''})",
        f"scenario = {setup.scenario!r}",
        "prepared = prepare(scenario, images)",
        *(f"{name} = {value!r}" for name, value in values.items()),
    ]
    return "\n".join(lines) + body


def offer(name, code, *, table=None, raw=None, pictures=()):
    """Buttons for the script, the table, the rows it sums up, the pictures {label: PNG bytes}, as far as a page has them."""
    files = {
        "Python script": (
            code,
            f"{name}.py",
            "text/x-python",
            "Computes the main numbers of this page.",
        )
    }
    if table is not None:
        files["Table (CSV)"] = (
            table.to_csv(index=False),
            f"{name}.csv",
            "text/csv",
            "The numbers of this page, unrounded.",
        )
    if raw is not None:
        files["All fits (raw.csv)"] = (
            raw.to_csv(index=False),
            "raw.csv",
            "text/csv",
            "A row per fit; this page reads it again.",
        )
    for label, content in dict(pictures).items():
        files[f"{label} (PNG)"] = (
            content,
            f"{name}-{label.lower()}.png",
            "image/png",
            "The rows of pictures above as one.",
        )
    row = st.container(horizontal=True)
    for label, (content, file, kind, text) in files.items():
        row.download_button(label, content, file, kind, on_click="ignore", help=text)
