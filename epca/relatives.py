"""The methods in other words, and those that are not here, with the reason.

Robust PCA has grown in several fields, which call the same thing by different names.
"""

from typing import NamedTuple

OTHER_WORDS = {  # a method's label → what it is elsewhere
    "EPCA": "A σ-loss between ℓ2,1 and squared Frobenius, with learned weights on top. Its kin are "
    "self-paced PCA and PCA with discriminant sample weights, which learn weights by other rules.",
    "PCA": "The yardstick. All images count the same, so it is built for no occlusion at all.",
    "R1PCA": "An M-estimator: PCA with Huber's loss of each image's distance.",
    "L1PCA": "Its fixed points are Grassmann averages: averages of the images as lines through the "
    "centre, each line with the sign that fits.",
    "L1PCA-NG": "The same ℓ1 dispersion as L1PCA, of all directions at once and not one by one.",
    "RSPCA": "L1PCA with sparse loadings: each direction uses some of the pixels only.",
    "LpPCA": "L1PCA with ℓp in place of ℓ1: p = 1 gives L1PCA, and p = 2 gives PCA.",
    "PCA-OM": "The affine form of Fast Median Subspace (FMS): the same sum of distances, with the "
    "mean learned as well and no scaling of the images to one length.",
    "PCA-AN": "Trimmed PCA: the images that fit worst get weight 0. HR-PCA and capped norms do "
    "alike.",
    "EPCA, left-out": "EPCA judged by leave-one-out residuals, a variant of ours. Statistics knows "
    "the idea as PRESS.",
    "Cauchy PCA": "Maximum likelihood for Cauchy noise in every pixel. It is near to cellPCA and "
    "to the robust PCA of De la Torre and Black.",
    "PCP": "Principal Component Pursuit: what most people call “robust PCA”, or low rank + sparse "
    "(L + S).",
    "ROBPCA": "What R users call robust PCA: PcaHubert in rrcov, robpca in rospca.",
    "Spherical PCA": "PCA of directions alone, also called spatial sign PCA: every image is moved "
    "to the same distance from the centre.",
}


class Relative(NamedTuple):
    """A method that is not here."""

    name: str
    judges: str  # "images" or "pixels"
    what: str
    why: str  # it is not here


NOT_HERE = (
    Relative(
        "FMS, Fast Median Subspace (2014)",
        "images",
        "Minimises the sum of distances by reweighting, on images scaled to one length.",
        "PCA-OM is its affine form.",
    ),
    Relative(
        "FMS with dynamic smoothing (2025)",
        "images",
        "FMS with a smoothing that shrinks along with a quantile of the residuals.",
        "It gives PCA-OM a proof of convergence; against collapse left-out residuals do better.",
    ),
    Relative(
        "REAPER (2015)",
        "images",
        "A convex relaxation of the sum of distances.",
        "Needs matrices of pixels × pixels.",
    ),
    Relative(
        "Tyler's estimator, GMS",
        "images",
        "M-estimators of the scatter matrix.",
        "Need more images than pixels, or a ridge.",
    ),
    Relative(
        "DPCP, Dual Principal Component Pursuit (2018)",
        "images",
        "Looks for the directions across the subspace.",
        "Meant for ranks near the number of pixels: here it would look for nearly 1,000.",
    ),
    Relative(
        "Coherence Pursuit (2017)",
        "images",
        "PCA of the images that resemble many others.",
        "Short and without iterations, but weak on occluded faces.",
    ),
    Relative(
        "Grassmann averages, trimmed (2014)",
        "images or pixels",
        "An average of directions; the trimmed one leaves extreme pixels out.",
        "The plain one has L1PCA's fixed points; the trimmed one is slow and not better on faces.",
    ),
    Relative(
        "Student-t probabilistic PCA (2006)",
        "images",
        "A likelihood with heavy tails.",
        "Degenerates where there are more pixels than images.",
    ),
    Relative(
        "HR-PCA, capped ℓ2,1",
        "images",
        "Leave out what fits worst.",
        "PCA-AN does the same.",
    ),
    Relative(
        "Self-paced PCA (2021), discriminant sample weights (2024)",
        "images",
        "Learn weights of the images by other rules.",
        "EPCA's nearest kin: named here, and left to comparisons of their own.",
    ),
    Relative(
        "MacroPCA (2019)",
        "images and pixels",
        "Flags pixels, fits by ROBPCA, fills the flagged ones in, and repeats.",
        "Several hundred lines. Cauchy PCA serves the same need, unknown pixels included.",
    ),
    Relative(
        "cellPCA (2024)",
        "images and pixels",
        "Bounded losses of pixels and of images; made for tables of a few dozen columns.",
        "On faces it cuts off real detail.",
    ),
    Relative(
        "DPD-PCA",
        "pixels",
        "Weights of pixels that fall exponentially.",
        "On faces worse than PCA.",
    ),
    Relative(
        "SCRAMBLE (2024)",
        "pixels",
        "A robust loss with sparse loadings, minimised by stochastic steps.",
        "Sparse loadings are not what occluded faces ask for.",
    ),
    Relative(
        "GoDec, stable PCP, outlier pursuit",
        "pixels or images",
        "Kin of PCP: a given rank, noise besides the sparse part, or whole images as its parts.",
        "PCP stands for them all.",
    ),
    Relative(
        "Online robust PCA",
        "pixels",
        "Takes one image at a time.",
        "There is no stream of images here.",
    ),
    Relative(
        "PCA with known weights (EMPCA, wpca)",
        "pixels",
        "Every pixel's weight is given.",
        "Cauchy PCA learns the weights, and takes pixels as unknown.",
    ),
)
