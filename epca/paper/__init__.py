"""The paper's experiments: its published figures as data, its protocol, their reproduction, and where we leave it."""

from epca.paper.protocol import RULES, Options, plan
from epca.paper.published import deviations, published
from epca.paper.received import read_bytes
from epca.paper.report import PROTOCOL, activation, extent, figures, report
from epca.paper.reproduction import finish, read, run, shipped
from epca.paper.shown import source
from epca.paper.tables import TOLERANCE, agreement, exceptions, paper_table, summary

__all__ = [
    "PROTOCOL", "RULES", "TOLERANCE", "Options", "activation", "agreement", "deviations", "exceptions", "extent", "figures",
    "finish", "paper_table", "plan", "published", "read", "read_bytes", "report", "run", "shipped", "source", "summary",
]  # fmt: skip
