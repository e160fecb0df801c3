"""The teacher's secret, and the code of the room that it opens.

The code follows from the secret, so that the teacher's link opens the room under the same code
again, even after the server was started anew.
"""

import hashlib
import re
import secrets

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # no two of which look alike
LENGTH = 8
LONGEST = 40  # characters that are read of what somebody typed
SECRET = re.compile(r"[A-Za-z0-9_-]{32}")
GAPS = re.compile(r"[\s\-–]")
SALT = b"the code of a room in EPCA Lab"


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def is_secret(text: str) -> bool:
    """Whether it may be one of ours; a short one could be guessed."""
    return SECRET.fullmatch(text) is not None


def code_of(secret: str) -> str:
    """The code that the secret opens.

    It takes a moment on purpose: nobody can try secrets until one of them has a known code.
    """
    digest = hashlib.scrypt(secret.encode(), salt=SALT, n=2**14, r=8, p=1, dklen=16)
    number = int.from_bytes(digest)
    letters = []
    for _ in range(LENGTH):
        number, place = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[place])
    return "".join(letters)


def read(text: str) -> str:
    """The code in what somebody typed, with or without dash; "" if it is none.

    >>> read(" abcd-efgh "), read("ABCD-EFG1")
    ('ABCDEFGH', '')
    """
    letters = GAPS.sub("", text[:LONGEST]).upper()
    is_code = len(letters) == LENGTH and set(letters) <= set(ALPHABET)
    return letters if is_code else ""


def show(code: str) -> str:
    """The code as people read it.

    >>> show("ABCDEFGH")
    'ABCD-EFGH'
    """
    return f"{code[:4]}-{code[4:]}"
