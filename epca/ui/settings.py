"""The experiment's settings, defined once: keys (which are also the names in the URL), labels, defaults, bounds, help."""

import re
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from epca.corruption import KINDS
from epca.data import DataError, ImageSet, catalogue
from epca.experiment import Scenario
from epca.palette import VERMILION
from epca.registry import METHODS
from epca.ui import store


class Setting(NamedTuple):
    label: str
    default: Any
    help: str
    low: int = 0
    high: int = 0


SETTINGS = {
    "dataset": Setting(
        "Data set",
        "orl",
        "What is here or known. The page Data shows it, tells how to get others and takes your own.",
    ),
    "kind": Setting(
        "Occlusion",
        "shared-pixels",
        "How images are occluded. The paper resets the same pixels in every occluded image.",
    ),
    "samples": Setting("Occluded images (%)", 20, "How many of the images are occluded.", 0, 60),
    "pixels": Setting(
        "Occluded pixels (%)",
        20,
        "How much of an occluded image is lost. Whole images ignore it.",
        0,
        80,
    ),
    "seed": Setting("Seed", 0, "Another seed occludes other images and pixels.", 0, 9999),
    "c": Setting(
        "Rank c", 30, "Dimensions of the learned subspace; far fewer than there are images.", 1, 100
    ),
    "sigma": Setting(
        "σ of the σ-loss",
        0,
        "Smaller: more robust. Larger: closer to PCA. Its unit is a residual length: see the mark below.",
        -20,
        20,
    ),
}
EXPONENTS = tuple(range(SETTINGS["sigma"].low, SETTINGS["sigma"].high + 1))  # of σ = 2^exponent
METHODS_SETTING = Setting(
    "Methods to compare", ["EPCA", "PCA", "PCA-OM", "PCA-AN", "R1PCA"], "Those of the page Compare."
)
KEPT = {
    "bind": "query-params",
    "persist_state": "session",
}  # of a control within a fragment: the link and the session keep it
PROJECTOR = Setting("Projector mode", False, "Larger type, for a room.")

PRESETS = {  # settings that differ from the defaults
    "the paper's setting": {},
    "heavy occlusion": {"samples": 50, "pixels": 60},
    "collapse": {"c": 100},
    "large σ: nearly PCA": {"sigma": 20},
}


class Setup(NamedTuple):
    """What a page works on: the sidebar's experiment, and the one kept beside it, if any."""

    scenario: Scenario
    images: ImageSet
    methods: tuple = ()
    kept: Any = None  # a Setup


def sigma_text(exponent):
    return f"2^{exponent:g}"


def sidebar():
    """Show the controls; return the Setup. A copied link restores it."""
    st.sidebar.header("Experiment")
    _shortcuts()
    images = _dataset()
    values = {}
    values["kind"] = _choice(
        st.sidebar.selectbox, "kind", kinds_for(images), format_func=lambda kind: KINDS[kind][0]
    )
    values |= {key: _slider(key) for key in ("samples", "pixels")}
    seed = SETTINGS["seed"]
    values["seed"] = _number(st.sidebar.number_input, "seed", seed.low, seed.high)
    values["c"] = _slider("c", high=highest_rank(images))
    values["sigma"] = _choice(
        st.sidebar.select_slider,
        "sigma",
        EXPONENTS,
        value=SETTINGS["sigma"].default,
        format_func=sigma_text,
    )
    scenario = scenario_of(values, images)
    _mark_residuals(scenario, images)
    methods = _choice(
        st.sidebar.multiselect,
        "methods",
        list(METHODS),
        setting=METHODS_SETTING,
        default=METHODS_SETTING.default,
    )
    st.sidebar.toggle(PROJECTOR.label, key="projector", bind="query-params", help=PROJECTOR.help)
    return Setup(scenario, images, tuple(methods))


def kinds_for(images):
    """The kinds of occlusion that these images allow."""
    return [kind for kind in KINDS if kind != "other-class" or len(images.class_names) > 1]


def highest_rank(images):
    return max(
        min(len(images.images) - 1, images.images[0].size, SETTINGS["c"].high),
        SETTINGS["c"].low + 1,
    )


def scenario_of(values, images):
    """The library's Scenario for values in the sidebar's units."""
    return Scenario(
        dataset=images.name,
        kind=values["kind"],
        samples=values["samples"] / 100,
        pixels=values["pixels"] / 100,
        seed=values["seed"],
        n_components=values["c"],
        sigma=2.0 ** values["sigma"],
    )


def apply(changes):
    """Set the sidebar to the defaults with these changes; for callbacks. The data set stays unless it is among them."""
    defaults = {key: setting.default for key, setting in SETTINGS.items() if key != "dataset"}
    st.session_state.update(defaults | changes)


def reset():
    """All settings to their defaults, nothing chosen, nothing kept beside."""
    apply(
        {
            "dataset": SETTINGS["dataset"].default,
            "methods": METHODS_SETTING.default,
            "projector": False,
            "sel": [],
            "_kept": "",
        }
    )


def keep():
    """Keep the present settings as A."""
    st.session_state["_kept"] = "|".join(str(st.session_state[key]) for key in SETTINGS)


def _preset():
    apply(PRESETS[st.session_state["_preset"]])
    st.session_state["_preset"] = None


def _shortcuts():
    st.sidebar.selectbox(
        "Preset", PRESETS, index=None, key="_preset", on_change=_preset, placeholder="several settings at once",
        help="Sets occlusion, c and σ; the data set stays.",
    )  # fmt: skip
    row = st.sidebar.container(horizontal=True)
    row.button("Reset", on_click=reset, help="All settings to their defaults.")
    row.button(
        "Keep beside",
        on_click=keep,
        help="Keeps the present setting as A; what you set next is shown beside it as B.",
    )


def _dataset():
    """The chosen images; where they cannot be read, why, and the default ones."""
    entries, notices = catalogue()
    names = [*entries, *([store.UPLOAD] if store.uploaded() else [])]
    if "_switch_to" in st.session_state:
        st.session_state["dataset"] = st.session_state.pop("_switch_to")
    if (gone := st.session_state.get("dataset", names[0])) not in names:
        say(f"{gone} is no longer here. Showing {SETTINGS['dataset'].default} instead.")
        st.session_state["dataset"] = SETTINGS["dataset"].default
    name = _choice(st.sidebar.selectbox, "dataset", names)
    for notice in notices:
        st.sidebar.warning(notice)
    try:
        return store.load(name)
    except DataError as error:
        can_download = (
            name in entries and entries[name].load is not None and not entries[name].is_here
        )
        why = (
            f"{name} is not here; the page Data has a button that downloads it."
            if can_download
            else error
        )
        st.sidebar.error(f"{why} Showing {SETTINGS['dataset'].default} instead.")
        return store.load(SETTINGS["dataset"].default)


def decode(text):
    """The Setup that `keep` wrote down; ValueError says what is wrong with it."""
    try:
        values = dict(zip(SETTINGS, text.split("|"), strict=True))
        values |= {key: int(values[key]) for key in SETTINGS if key not in ("dataset", "kind")}
    except ValueError:
        raise ValueError(
            f"{text[:80]!r} is not “{'|'.join(SETTINGS)}” with numbers from the third on."
        ) from None
    images = store.load(values["dataset"])
    if values["kind"] not in kinds_for(images):
        raise ValueError(
            f"kind={values['kind'][:40]} must be one of {', '.join(kinds_for(images))}."
        )
    for key in ("samples", "pixels", "seed", "c", "sigma"):
        high = highest_rank(images) if key == "c" else SETTINGS[key].high
        if not SETTINGS[key].low <= values[key] <= high:
            raise ValueError(f"{key}={values[key]} must be between {SETTINGS[key].low} and {high}.")
    return Setup(scenario_of(values, images), images)


def _mark_residuals(scenario, images):
    """Under σ: where the residuals of PCA at this rank lie on σ's scale."""
    low, high = (
        float(np.log2(max(t, 2.0 ** EXPONENTS[0]))) for t in store.residual_range(scenario, images)
    )
    setting = SETTINGS["sigma"]
    left, right = (
        100 * np.clip((e - setting.low) / (setting.high - setting.low), 0, 1) for e in (low, high)
    )
    st.sidebar.html(
        f'<div role="img" aria-label="Most residuals of PCA lie from 2^{low:.1f} to 2^{high:.1f}" '
        'style="height: 6px; border-radius: 3px; background: rgba(128, 128, 128, 0.3); position: relative;">'
        f'<div style="position: absolute; left: {left:.1f}%; width: {max(right - left, 1):.1f}%; height: 6px; border-radius: 3px; '
        f'background: {VERMILION};"></div></div>'
    )
    st.sidebar.caption(f"Orange: most of PCA's residuals here, 2^{low:.1f} to 2^{high:.1f}")


def _slider(key, high=None):
    setting = SETTINGS[key]
    high = high or setting.high
    bound = f"_highest_{key}"
    if key in st.session_state:
        value = st.session_state[key]
        if value > high:
            say(f"{setting.label} was {value}; these images allow {high} at most.")
        if (
            value > high or st.session_state.get(bound, high) != high
        ):  # other bounds make another slider: hand the value over
            st.session_state[key] = min(value, high)
    st.session_state[bound] = high
    return _number(st.sidebar.slider, key, setting.low, high)


def _number(widget, key, low, high):
    """The control, not bound to the address where the link has a number that overflows, on which Streamlit fails."""
    setting, default = SETTINGS[key], min(SETTINGS[key].default, high)
    bad = _heed_link(
        key, lambda text: is_whole(text, low, high), f"a whole number from {low} to {high}", default
    )
    overflows = any(len(text) > 15 or "e" in text.lower() for text in bad)
    if overflows:
        del st.query_params[key]
    return widget(
        setting.label,
        low,
        high,
        default,
        key=key,
        bind=None if overflows else "query-params",
        help=setting.help,
    )


def is_whole(text, low, high):
    """Whether a text from a link is a whole number from low to high."""
    return re.fullmatch(r"-?\d{1,9}", text) is not None and low <= int(text) <= high


def _choice(widget, key, options, *, setting=None, format_func=str, **start):
    setting = setting or SETTINGS[key]
    shown = [format_func(option) for option in options]
    start_text = ", ".join(
        map(
            format_func, setting.default if isinstance(setting.default, list) else [setting.default]
        )
    )
    chosen = st.session_state.get(key)
    if chosen is not None and not isinstance(chosen, list) and chosen not in options:
        say(
            f"{setting.label} was “{format_func(chosen)}”, which these images do not allow; it is “{start_text}” now."
        )
        st.session_state[key] = setting.default
    rule = ", ".join(shown if len(shown) <= 12 else [shown[0], "…", shown[-1]])
    _heed_link(key, lambda text: text in shown, f"one of {rule}", start_text)
    return widget(
        setting.label,
        options,
        key=key,
        bind="query-params",
        help=setting.help,
        format_func=format_func,
        **start,
    )


def _heed_link(key, is_allowed, rule, default):
    """Say which value of a new visitor's link is not allowed, for Streamlit falls back to the default; return such values."""
    bad = (
        []
        if key in st.session_state
        else [text for text in st.query_params.get_all(key) if not is_allowed(text)]
    )
    if bad:
        say(f"The link has {quoted(key, bad[0])}, which must be {rule}. Showing {default} instead.")
    return bad


def ignored(link):
    """Sentences about what a link asked of the page's own controls and they do not offer: Streamlit took it out of the address."""
    for key, text in link.items():
        if key in st.session_state and key not in {*st.query_params, *SETTINGS, "methods", "sel"}:
            values = (
                st.session_state[key]
                if isinstance(st.session_state[key], list)
                else [st.session_state[key]]
            )
            if text.lower() not in {
                form for value in values for form in (str(value).lower(), f"2^{value}")
            }:
                yield f"The link has {quoted(key, text)}, which is not offered here. The default is shown instead."


def quoted(key, text):
    """A part of a link as code, so that nothing in it is taken for Markdown."""
    return f"`{key}={' '.join(text.replace('`', ' ').split())[:40]}`"


def say(text):
    """Have the router show this once, above the page."""
    st.session_state.setdefault("_said", []).append(text)
