"""The paper's experiments: its published figures as data, its protocol, their reproduction, and where we leave it."""

from epca.paper.protocol import RULES, Options, Task, plan
from epca.paper.published import deviations, published
from epca.paper.report import figures, report
from epca.paper.reproduction import finish, read, run, shipped
from epca.paper.tables import exceptions, paper_table, summary

__all__ = [
    "RULES",
    "Options",
    "Task",
    "deviations",
    "exceptions",
    "figures",
    "finish",
    "paper_table",
    "plan",
    "published",
    "read",
    "report",
    "run",
    "shipped",
    "summary",
]
