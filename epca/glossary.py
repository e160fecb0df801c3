"""Every symbol and word of the pages: the paper's symbol, our name, its meaning, its equation."""

from typing import NamedTuple


class Term(NamedTuple):
    """A symbol or word."""

    symbol: str  # LaTeX, empty for a word
    name: str
    meaning: str
    equation: str = ""  # of the paper


GLOSSARY = (
    Term("X", "images", "The data: one image per row, as the grey levels 0…255 of its pixels."),
    Term("n,\\ d", "samples, features", "The number of images, and the number of pixels of each."),
    Term("c", "rank", "The number of dimensions of the learned subspace."),
    Term(
        "W",
        "components",
        "An orthonormal basis of the subspace. Shown as pictures, they are eigenfaces.",
        "26, 39",
    ),
    Term(
        "m",
        "mean",
        "The point that the subspace passes through. EPCA learns it together with W.",
        "34",
    ),
    Term("V", "coordinates", "The place of an image in the subspace: Wᵀ(x − m).", "31"),
    Term("t_i", "residual", "The distance of image i from the subspace: ‖(I − WWᵀ)(x − m)‖.", "27"),
    Term(
        "\\sigma",
        "σ",
        "The length at which the σ-loss turns from a square into a straight line. Its unit is that "
        "of a residual.",
        "16",
    ),
    Term("h(t)", "σ-loss", "(1+σ)t²/(t+σ): between the length t and its square.", "16"),
    Term(
        "d(t)",
        "weight of the loss",
        "The weight of a residual of length t in the weighted PCA. It is small for large t.",
        "20, 28",
    ),
    Term("f_i,\\ g_i", "loss of a sample", "The σ-loss of its residual.", "1, 40"),
    Term(
        "\\alpha_i",
        "α, weight",
        "The learned weight of an image. No α is negative, and all of them sum to 1. A fit ends "
        "when the objective hardly changes; α may still be off by a few thousandths then, and by "
        "hundredths where c is large. In the general framework the paper calls it w.",
        "1, 11, 40",
    ),
    Term("", "activated", "An image with α > 0. EPCA trusts it: it is among the best-fitted ones."),
    Term(
        "",
        "not activated",
        "An image with α = 0. It still counts, with direct weight 1; only the σ-loss tames it.",
    ),
    Term("k", "activated images", "The number of images with α > 0.", "12"),
    Term("\\lambda", "level", "An image is activated if its √f is below √λ.", "11"),
    Term(
        "1/(1-\\alpha_i)",
        "direct weight",
        "The factor of an image's loss in the objective: 1 if the image is not activated, more if "
        "it is.",
        "1",
    ),
    Term(
        "\\eta_i",
        "η, weight of the fit",
        "The weight of an image in the weighted PCA: d divided by 1 − α.",
        "28, 34",
    ),
    Term(
        "\\gamma",
        "γ",
        "The exponent of the extended weights 1/(1 − α^γ). With γ = 1 few images are activated, "
        "with larger γ all of them, ever more evenly.",
        "13",
    ),
    Term(
        "J",
        "objective",
        "The number that EPCA minimises: the sum of the losses times their direct weights. It "
        "never rises.",
        "27",
    ),
    Term(
        "",
        "share of the weights",
        "The part of the objective that α adds to the plain sum of losses.",
    ),
    Term(
        "",
        "occlusion",
        "The replacement of pixels in some of the images. The sidebar sets its kind, how many "
        "images and pixels it hits, and its seed.",
    ),
    Term(
        "",
        "occluded",
        "An image with replaced pixels. EPCA is not told which images are occluded.",
    ),
    Term("", "clean", "An image that is not occluded, or an image as it was before the occlusion."),
    Term(
        "\\varepsilon",
        "reconstruction error",
        "The squared distance between the clean images and a method's reconstruction of the "
        "occluded ones.",
        "57",
    ),
    Term(
        "",
        "estimated error",
        "The same with an estimate of the clean images, made from the occluded ones alone. Its "
        "level differs, but it is smallest where the error nearly is.",
    ),
    Term(
        "",
        "oracle",
        "A choice or a curve that uses the clean images. With real data nobody has them.",
    ),
    Term(
        "",
        "collapse",
        "Some images are fitted exactly. Then α marks what is interpolated, not what is clean.",
    ),
    Term(
        "",
        "left-out residual",
        "The residual that an image would have in a fit without it. Used in place of the residual "
        "it guards EPCA against collapse: an image earns no trust by being fitted exactly. The "
        "image's loss, d and η then follow from it.",
    ),
    Term(
        "",
        "robust reconstruction",
        "The point of the subspace that fits most pixels of an image; bad ones are ignored. The "
        "paper takes the nearest point, over which bad pixels are smeared.",
    ),
    Term(
        "",
        "samplewise",
        "A method that judges whole images. It needs some that are clean. Also called rowwise.",
    ),
    Term(
        "",
        "cellwise",
        "A method that judges single pixels, the cells of X. No image needs to be clean. Turning "
        "the axes changes what a pixel is, so such a method depends on them.",
    ),
    Term(
        "",
        "ignored pixels",
        "The pixels that a cellwise method or a robust reconstruction takes for occlusion: it "
        "trusts them less than half.",
    ),
    Term(
        "",
        "robust PCA",
        "Many things: a robust loss of whole images, as EPCA or PCA-OM; low rank + sparse, which "
        "is PCP; a fit to the least outlying half or more, as ROBPCA; a robust loss of pixels, as "
        "Cauchy PCA.",
    ),
    Term("", "masking", "Outliers that agree with each other pull the fit and look regular."),
    Term(
        "",
        "score distance",
        "The distance of an image from the centre within the subspace, in units of the spread "
        "there.",
    ),
    Term("", "orthogonal distance", "The residual, as an axis of the outlier map."),
    Term("", "good leverage", "Far out within the subspace and close to it: unusual but regular."),
    Term("", "orthogonal outlier", "Far from the subspace, but not far out within it."),
    Term("", "bad leverage", "Far out within the subspace and far from it: it can tilt the fit."),
    Term("", "AUC", "The chance that an occluded image has a larger residual than a clean one."),
    Term(
        "",
        "clean among the top-weighted",
        "The share of clean images among the m with the largest weights, where m is the true "
        "number of clean images.",
    ),
    Term(
        "",
        "clustering accuracy",
        "The share of images that k-means on the coordinates puts into the right class, under the "
        "best matching of clusters to classes.",
    ),
    Term(
        "",
        "seed",
        "The start of the random numbers. The same seed occludes the same images and pixels.",
    ),
    Term("", "sweep", "The same fit for many values of σ or c."),
    Term("", "pinned", "Setting A, which stays beside the present one, B, for comparison."),
)
