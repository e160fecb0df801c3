"""What the library gives at a lesson's step, computed when asked for."""

import numpy as np

from epca import METHODS, tasks
from epca.choosing import estimate_clean, suggest
from epca.choosing.suggestion import RANKS
from epca.experiment import prepare, run, sweep
from epca.history import record
from epca.lessons import LESSONS
from epca.losses import SigmaLoss
from epca.ui.frame import settings
from epca.ui.frame.settings import EXPONENTS
from epca.views.grids import rank_axis
from epca.views.suggestion import METHODS_TRIED
from tests.driven import finish

STEPS = {
    (i, j): step for i, lesson in enumerate(LESSONS, 1) for j, step in enumerate(lesson.steps, 1)
}
SWEPT = [(2, 5), (5, 1), (5, 4), (5, 5), (6, 1), (6, 2), (6, 3), (6, 5), (6, 6)]  # by many fits
SWEPT += [(7, 1), (7, 3), (7, 4)]  # by long ones


def name(where):
    return f"{where[0]}.{where[1]}"


COMPUTED = {}  # what was computed, for which settings → what came of it


def once(*settings):
    """A property that is computed once for all steps of a scenario and of these settings."""

    def remember(compute):
        def value(self):
            key = (compute.__name__, self.scenario, *(getattr(self, name) for name in settings))
            if key not in COMPUTED:
                COMPUTED[key] = compute(self)
            return COMPUTED[key]

        return property(value, doc=compute.__doc__)

    return remember


class Measured:
    """The library's results at a step's settings."""

    def __init__(self, step, faces):
        self.faces = faces
        self.asked = step.settings.get("suggest")
        self.scenario = settings.setup_of(settings.defaults() | step.settings, faces).scenario
        self.labels = tuple(dict.fromkeys(["PCA", "EPCA", *step.settings.get("methods", [])]))

    @once()
    def prepared(self):
        return prepare(self.scenario, self.faces)

    @property
    def occluded(self):
        return self.prepared.occluded

    @property
    def is_occluded(self):
        """Which images are (n,)."""
        return np.isin(np.arange(len(self.occluded.X)), self.occluded.samples)

    @property
    def pixels(self):
        """Which pixels are occluded in any image (d,)."""
        return self.occluded.mask.any(axis=0)

    @once("labels")
    def results(self):
        return run(self.scenario, self.labels, prepare=lambda _: self.prepared)

    @property
    def rows(self):
        return self.results.table.set_index("method")

    @property
    def models(self):
        return dict(zip(self.labels, self.results.models, strict=True))

    @property
    def model(self):
        return self.models["EPCA"]

    def change(self, label="EPCA"):
        return self.rows.loc[label, "error"] / self.rows.loc["PCA", "error"] - 1

    @property
    def k(self):
        return self.model.n_activated_

    @property
    def activated(self):
        return np.flatnonzero(self.model.alpha_)

    @property
    def n_clean(self):
        return len(np.setdiff1d(self.activated, self.occluded.samples))

    @property
    def clean(self):
        return f"{self.n_clean} of {self.k}"

    @once("labels")
    def residuals(self):
        return self.model.residuals(self.occluded.X)

    @property
    def loss(self):
        return SigmaLoss(self.scenario.sigma)

    @property
    def smallest(self):
        return self.residuals.min() / np.median(self.residuals)

    def distances(self, label="EPCA"):
        """Squared distance of each pixel of the reconstructions from the clean ones (n, d)."""
        made = self.models[label].reconstruct(self.occluded.X)
        return np.square(made - self.prepared.clean)

    def on_occluded_pixels(self, label):
        """The share of squared length there of the first ten components."""
        return np.square(self.models[label].components_[:10, self.pixels]).sum(axis=1)

    def sweep(self, exponents, ranks, estimate=None):
        """The page's own sweep; test_tasks.py compares it with single fits."""
        return finish(tasks.sweep(self.prepared, self.scenario, exponents, ranks, estimate)).table

    @once()
    def estimate(self):
        return estimate_clean(self.occluded.X)

    @property
    def n_found(self):
        """How many images look occluded."""
        return int(self.estimate.is_occluded.sum())

    @once("asked")
    def suggestion(self):
        """What the page suggests at this step."""
        scenario = self.scenario
        methods, ranks = ("EPCA",), [c for c in RANKS if c <= 100]
        if self.asked == "method":
            methods, ranks = METHODS_TRIED, [scenario.n_components]
        return suggest(self.occluded.X, methods, ranks, [scenario.sigma], estimate=self.estimate)

    def change_with(self, label, **parameters):
        """A method's error against PCA's, with parameters of its own."""
        model = METHODS[label](self.scenario.n_components, **parameters).fit(self.occluded.X)
        error = np.square(model.reconstruct(self.occluded.X) - self.prepared.clean).sum()
        return error / self.rows.loc["PCA", "error"] - 1

    @once()
    def by_sigma(self):
        table = self.sweep(EXPONENTS, [self.scenario.n_components])
        return table.set_axis(list(EXPONENTS))

    @once()
    def by_rank(self):
        exponent = int(np.log2(self.scenario.sigma))
        table = self.sweep([exponent], rank_axis(100), self.estimate)
        return table.set_index("n_components")

    @once()
    def by_seed(self):
        """Mean and standard deviation of the errors over five seeds."""
        table = sweep(
            self.scenario,
            ("EPCA", "PCA-OM"),
            prepare=lambda item: prepare(item, self.faces),
            seed=range(5),
        ).table
        errors = table.groupby("method")["error"]
        return {"mean": errors.mean(), "std": errors.std(ddof=0)}

    @once()
    def history(self):
        return record(self.scenario.model("EPCA"), self.prepared.reduction)
