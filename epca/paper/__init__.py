"""The paper: its published figures, its protocol run again, and where we deviate from it."""

from epca.paper.findings import Finding, findings
from epca.paper.protocol import RULES, Options, plan
from epca.paper.published import deviations, published
from epca.paper.received import read_bytes, read_confined
from epca.paper.report import PROTOCOL, activation, extent, figures, report
from epca.paper.reproduction import finish, read, run, steps
from epca.paper.shipping import shipped
from epca.paper.shown import source
from epca.paper.tables import TOLERANCE, agreement, exceptions, paper_table, summary

__all__ = [
    "PROTOCOL", "RULES", "TOLERANCE", "Finding", "Options", "activation", "agreement", "deviations",
    "exceptions", "extent", "figures", "findings", "finish", "paper_table", "plan", "published",
    "read", "read_bytes", "read_confined", "report", "run", "shipped", "source", "steps",
    "summary",
]  # fmt: skip
