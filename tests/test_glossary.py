"""The glossary: every symbol and word once, in the words of the pages."""

import re

from epca.glossary import GLOSSARY
from tests.visit import visit

SYMBOLS = {"\\alpha_i", "\\sigma", "\\gamma", "\\eta_i", "k", "c", "m", "W"}
WORDS = ("occlusion", "occluded", "clean", "activated", "not activated", "pinned")


def test_the_page_shows_every_term_once():
    app = visit("glossary")
    assert not app.exception
    names = [term.name for term in GLOSSARY]
    assert app.table[0].value.index.tolist() == names
    assert len(set(names)) == len(names)
    symbols = [term.symbol for term in GLOSSARY if term.symbol]
    assert len(set(symbols)) == len(symbols)


def test_the_symbols_of_the_paper_and_the_words_of_the_pages_are_there():
    assert {term.symbol for term in GLOSSARY} >= SYMBOLS
    names = [term.name for term in GLOSSARY]
    assert {word: names.count(word) for word in WORDS} == dict.fromkeys(WORDS, 1)


def test_equations_are_the_papers():
    numbers = [int(n) for term in GLOSSARY for n in re.findall(r"\d+", term.equation)]
    assert numbers
    assert all(1 <= number <= 57 for number in numbers)


def test_every_meaning_is_a_sentence():
    assert [term.name for term in GLOSSARY if not term.meaning.endswith(".")] == []
