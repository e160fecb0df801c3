"""What a browser may ask of Streamlit besides running a page.

Such messages need neither a page nor a place in the line, so that one visitor who writes them by
hand could hold everybody up.
"""

import time
from typing import Any
from weakref import WeakKeyDictionary

from streamlit import net_util
from streamlit.runtime.app_session import AppSession

from epca.data.limits import MAX_MEMBERS

SPAN = 10.0  # seconds in which a session gets addresses for MAX_MEMBERS files
IGNORED = (  # no page of ours sends them
    "_handle_git_information_request",  # starts processes; tells the names of files on the server
    "_handle_clear_cache_request",  # of all visitors
    "_handle_set_run_on_save_request",
)
_give_addresses = AppSession._handle_file_urls_request
_given: WeakKeyDictionary[AppSession, tuple[float, int]] = WeakKeyDictionary()


def restrict() -> None:
    """Have Streamlit answer what pages need, and ask no other host for our address.

    It would ask when a page of another site calls us.
    """
    net_util.get_external_ip = lambda: None
    for name in IGNORED:
        setattr(AppSession, name, _ignore)
    AppSession._handle_file_urls_request = _give_some_addresses


def _ignore(session: AppSession, *_: Any) -> None:
    """Does nothing."""


def _give_some_addresses(session: AppSession, asked: Any) -> None:
    """Give addresses for uploads, though not for more files than a session may have."""
    now = time.monotonic()
    since, count = _given.get(session, (now, 0))
    if now - since > SPAN:
        since = now
        count = 0
    del asked.file_names[MAX_MEMBERS - count :]
    _given[session] = (since, count + len(asked.file_names))
    _give_addresses(session, asked)
