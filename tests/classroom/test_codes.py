"""Codes: they follow from the secret, are easy to type, and lead nobody back to it."""

import pytest

from epca.classroom import codes

SECRETS = [f"{number:032d}" for number in range(6)]


def test_a_code_follows_from_its_secret_alone():
    found = [codes.code_of(secret) for secret in SECRETS]
    assert found == [codes.code_of(secret) for secret in SECRETS]
    assert len(set(found)) == len(SECRETS)
    assert codes.code_of(SECRETS[0]) == "RABCJFFG"  # a link of last year must open the same room


def test_a_code_has_eight_characters_that_nobody_mistakes():
    letters = set("".join(codes.code_of(secret) for secret in SECRETS))
    assert letters <= set(codes.ALPHABET)
    assert not letters & set("0O1IL")
    assert {len(codes.code_of(secret)) for secret in SECRETS} == {8}
    assert len(codes.ALPHABET) ** codes.LENGTH > 8e11


def test_secrets_are_new_and_long():
    made = {codes.new_secret() for _ in range(50)}
    assert len(made) == 50
    assert all(map(codes.is_secret, made))


@pytest.mark.parametrize("text", ["", "a", "0" * 31, "0" * 33, "0" * 31 + "\n", "é" * 32])
def test_what_could_be_guessed_is_no_secret(text):
    assert not codes.is_secret(text)


@pytest.mark.parametrize("text", ["abcd-efgh", " ABCD EFGH ", "abcdefgh", "ABCD–EFGH"])
def test_a_code_is_read_as_people_type_it(text):
    assert codes.read(text) == "ABCDEFGH"
    assert codes.show(codes.read(text)) == "ABCD-EFGH"


@pytest.mark.parametrize("text", ["", "ABCD-EFG", "ABCD-EFGHJ", "ABCD-EFG0", "*" * 8, "A" * 10**6])
def test_what_is_no_code_is_none(text):
    assert codes.read(text) == ""
