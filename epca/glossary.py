"""Every symbol and word of the pages: as the paper writes it, as we call it, what it is, and where the paper has it."""

from typing import NamedTuple


class Term(NamedTuple):
    symbol: str  # LaTeX, empty for a word
    name: str
    meaning: str
    equation: str = ""  # of the paper


GLOSSARY = (
    Term(
        "X",
        "images",
        "The data: one image per row, its pixels' grey levels 0…255 one after the other.",
    ),
    Term("n,\\ d", "samples, features", "How many images there are, and how many pixels each has."),
    Term("c", "rank", "Dimensions of the learned subspace."),
    Term(
        "W",
        "components",
        "An orthonormal basis of the subspace; as pictures, eigenfaces.",
        "26, 39",
    ),
    Term(
        "m", "mean", "The point the subspace passes through; EPCA learns it together with W.", "34"
    ),
    Term("V", "coordinates", "Where in the subspace an image lies: Wᵀ(x − m).", "31"),
    Term("t_i", "residual", "How far image i is from the subspace: ‖(I − WWᵀ)(x − m)‖.", "27"),
    Term(
        "\\sigma",
        "σ",
        "The length from which on the σ-loss grows linearly instead of as a square.",
        "16",
    ),
    Term("h(t)", "σ-loss", "(1+σ)t²/(t+σ): between the length t and its square.", "16"),
    Term(
        "d(t)",
        "weight of the loss",
        "What a residual of length t counts in the reweighted step: small for large t.",
        "20, 28",
    ),
    Term("f_i,\\ g_i", "loss of a sample", "h of its residual.", "1, 40"),
    Term(
        "\\alpha_i",
        "α, weight",
        "Learned per image, not negative, sums to 1; the paper's w in the general framework.",
        "1, 11, 40",
    ),
    Term("k", "activated samples", "How many images have α > 0: the best-fitting ones.", "12"),
    Term("\\lambda", "level", "An image is activated where √f is below √λ.", "11"),
    Term(
        "1/(1-\\alpha_i)",
        "direct weight",
        "What an image's loss is multiplied by: 1 when inactive, more when activated.",
        "1",
    ),
    Term(
        "\\eta_i",
        "η, weight of the fit",
        "d divided by 1 − α: what an image counts in the weighted PCA.",
        "28, 34",
    ),
    Term(
        "\\gamma",
        "γ",
        "Exponent of the extended weights 1/(1 − α^γ): 1 activates few, more than 1 all, ever more evenly.",
        "13",
    ),
    Term(
        "J",
        "objective",
        "What is minimised: the losses, each times its direct weight. It never rises.",
        "27",
    ),
    Term(
        "",
        "share of the weights",
        "The part of the objective that α adds to the plain sum of losses.",
    ),
    Term(
        "",
        "occluded",
        "An image some of whose pixels were replaced, by us or before it came. All others are clean.",
    ),
    Term(
        "\\varepsilon",
        "reconstruction error",
        "Squared distance between clean images and what the method makes of occluded ones.",
        "57",
    ),
    Term(
        "",
        "oracle",
        "A choice or curve that uses the clean images, which one does not have in earnest.",
    ),
    Term(
        "",
        "collapse",
        "Some images are fitted exactly: α then marks what is interpolated, not what is clean.",
    ),
    Term("", "masking", "Outliers that agree with each other pull the fit and look regular."),
    Term(
        "",
        "score distance",
        "How far from the centre an image lies within the subspace, in units of its spread there.",
    ),
    Term("", "orthogonal distance", "The residual, as an axis of the outlier map."),
    Term(
        "", "good leverage", "Far out within the subspace but close to it: unusual and consistent."
    ),
    Term("", "orthogonal outlier", "Far from the subspace, but not far out within it."),
    Term("", "bad leverage", "Far out within the subspace and far from it: it can tilt the fit."),
    Term("", "AUC", "Chance that an occluded image has a larger residual than a clean one."),
    Term(
        "",
        "clean among the top-weighted",
        "Share of clean images among the m of largest weight, m their true number.",
    ),
    Term(
        "",
        "clustering accuracy",
        "k-means on the coordinates, clusters matched to classes as well as possible; share of matched images.",
    ),
    Term(
        "", "seed", "Starts the random numbers: the same seed occludes the same images and pixels."
    ),
    Term("", "sweep", "The same fit for many values of σ or c."),
    Term("", "kept beside", "A setting pinned as A, shown next to the present one, B."),
)
