"""The command `epca`: `app` opens the dashboard, `reproduce` runs the paper's experiments again."""

import argparse
import io
import os
import re
import signal
import socket
import subprocess
import sys
from argparse import SUPPRESS
from concurrent.futures import BrokenExecutor
from importlib.util import find_spec
from pathlib import Path

from epca.progress import Progress

HERE = Path(__file__).resolve().parent
SCHEDULER = re.compile(r"(tcp|tls)://(\[[\da-fA-F:.]+\]|[^\s/:\[\]]+):(?P<port>\d{1,5})")
MAX_PORT = 65535
PROXY = (
    "For a public server put a proxy in front: it ends TLS, passes the Host header and websockets "
    "on, limits the rate of uploads and closes /_stcore/metrics; give the server a limit of memory "
    f"(systemd's MemoryMax). {HERE / 'deploy' / 'nginx.conf'} does so for two servers."
)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}. See {self.prog} --help.\n")


class Refusal(Exception):
    """A mistake that the user can mend; the message says what is wrong and what to do."""


def main(arguments=None):
    """Run the command and return its exit code.

    0 means success, 1 failure, 2 a wrong call, 130 an interruption.
    """
    _mend_streams()
    options = parse(sys.argv[1:] if arguments is None else arguments)
    try:
        return options.command(options)
    except KeyboardInterrupt:
        return _say(f"interrupted{_hint(options)}", 130)
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        return _say(f"{error.strerror or error}{where}{_hint(options)}", 1)
    except BrokenExecutor:
        return _say(f"a worker was lost, perhaps for want of memory{_hint(options)}", 1)
    except Refusal as refusal:
        return _say(str(refusal), 2)


def _mend_streams():
    """Closed streams lead nowhere, and a terminal without Unicode gets its characters as codes."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 (for good)
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def parse(arguments):
    """The options, by name. Without a command it is `app`."""
    parser = Parser(
        prog="epca", description="EPCA Lab: robust PCA that learns which samples to trust."
    )
    commands = parser.add_subparsers(title="commands")
    dashboard = commands.add_parser("app", help="open the dashboard (the default)", epilog=PROXY)
    _add_app(dashboard)
    parser.set_defaults(command=app, **vars(dashboard.parse_args([])))
    _add_reproduce(
        commands.add_parser(
            "reproduce", help="run the paper's experiments again and compare with its figures"
        )
    )
    return parser.parse_args(arguments)


def _add_app(parser):
    parser.add_argument(
        "--host",
        default="localhost",
        help="the address to listen on; 0.0.0.0 lets others on the network in",
    )
    parser.add_argument("--port", type=_whole(1, MAX_PORT), default=8501)
    parser.add_argument("--data", metavar="DIR", help="a folder of image sets to search first")
    parser.add_argument(
        "--visitors",
        type=_whole(1, 10_000),
        metavar="N",
        help="how many may be here at a time: 200; others see a page that asks them to come back",
    )
    parser.add_argument(
        "--downloads",
        action="store_true",
        help="let visitors have scikit-learn download Olivetti and LFW to this machine",
    )
    parser.add_argument(
        "--watch",
        action="store_true",
        help="for developers: run pages again when code changes; slow with many visitors",
    )
    parser.add_argument(
        "--workers",
        type=_whole(0, 256),
        metavar="N",
        help="processes that fit, by default one per core but one; 0 means threads of the server",
    )
    parser.add_argument(
        "--scheduler",
        type=_scheduler,
        metavar="ADDRESS",
        help="a Dask cluster that fits instead, such as tcp://127.0.0.1:8786",
    )


def _whole(low, high):
    """The type of an option that is a whole number from low to high."""

    def read(text):
        if not (text.isascii() and text.isdigit() and len(text) < 9 and low <= int(text) <= high):
            what = f"{text[:20]} must be a number between {low} and {high}"
            raise argparse.ArgumentTypeError(what)
        return int(text)

    return read


def _scheduler(text):
    """The type of an option that is a scheduler's address."""
    found = SCHEDULER.fullmatch(text)
    if not found or not 1 <= int(found["port"]) <= MAX_PORT:
        form = "tcp://HOST:PORT or tls://HOST:PORT"
        what = f"{text[:80]} must have the form {form} with a port from 1 to {MAX_PORT}"
        raise argparse.ArgumentTypeError(what)
    return text


def _add_reproduce(parser):
    parser.set_defaults(command=reproduce)
    what = parser.add_argument_group("what to run (the default follows the colon)")

    def option(name, text, **more):
        what.add_argument(name, default=SUPPRESS, help=text, **more)

    option("--datasets", "names in the catalogue, or paths: orl", nargs="+", metavar="NAME")
    option("--methods", "methods: the paper's", nargs="+", metavar="LABEL")
    option("--ranks", "ranks c: 10 30 50", nargs="+", type=int, metavar="C")
    option("--seeds", "draws of the occlusion: 10", type=int, metavar="N")
    option(
        "--sigma",
        "rules for σ, oracle (also called paper), fixed, residual: all",
        nargs="+",
        choices=["paper", "oracle", "fixed", "residual"],
        metavar="RULE",
    )
    option("--clustering-runs", "runs of k-means per fit, 0 for none: 100", type=int, metavar="N")
    how = parser.add_argument_group("how to run it").add_argument
    how(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="fits at a time, in processes of this machine; -1 means one per core",
    )
    how(
        "--backend",
        choices=["loky", "dask"],
        default="loky",
        help="processes of this machine (loky), or a Dask cluster",
    )
    how(
        "--scheduler",
        type=_scheduler,
        metavar="ADDRESS",
        help="the Dask cluster's address, such as tcp://127.0.0.1:8786",
    )
    how("--out", default="reproduction", metavar="DIR", help="the folder for the results")
    how("--resume", action="store_true", help="go on with the run in that folder")


def reproduce(options):
    """Plan, run, write the tables and the report."""
    from epca import paper

    if not options.out:  # it would stand for the folder one is in
        raise Refusal("--out must name a folder, such as results.")
    if (options.backend == "dask") != bool(options.scheduler):
        raise Refusal(
            "--backend dask and --scheduler ADDRESS go together; "
            "the address is that of a running scheduler, such as tcp://127.0.0.1:8786."
        )
    former = signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends the workers, too
    progress = Progress(sys.stderr)
    try:
        tasks = paper.plan(paper.Options(**_given(options, paper.Options.__dataclass_fields__)))
        paper.run(
            tasks,
            options.out,
            progress,
            resume=options.resume,
            n_jobs=options.jobs,
            scheduler=options.scheduler,
        )
    except ValueError as error:  # from plan or run, not from a fit: that gives a row with `failure`
        raise Refusal(str(error)) from error
    finally:
        signal.signal(signal.SIGTERM, former)
        progress.close()
    table = paper.finish(options.out)
    print(f"Fits: {len(tasks)}. {paper.agreement(table)}".rstrip())
    print(Path(options.out) / "report.html")
    return 0


def _given(options, names):
    """The options of the protocol that the user gave, in the library's terms."""
    given = {name: value for name, value in vars(options).items() if name in names}
    if "sigma" in given:
        given["sigma"] = ["oracle" if rule == "paper" else rule for rule in given["sigma"]]
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in given.items()
    }


def app(options):
    """Become the dashboard's server; where a process cannot, start one and wait for its end."""
    environment = _environment(options)
    command = server_command(options)
    _check_listening(options.host, options.port)
    if os.name == "posix":  # one process: no server outlives a command that was killed
        os.execve(command[0], command, environment)
    return subprocess.run(command, env=environment).returncode


def _check_listening(host, port):
    """Refuse a host and a port that the server could not have: it would show a traceback."""
    if not host:  # it would stand for all; a variable that is not set does not mean that
        raise Refusal("--host must be an address or a name, such as localhost or 0.0.0.0.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Refusal(f"no server can listen at --host {host} --port {port}: {reason}.") from None


def _environment(options):
    """The environment of the dashboard, which holds its options."""
    environment = dict(os.environ)
    if options.data is not None:
        if not (options.data and Path(options.data).is_dir()):
            raise Refusal(f"--data {options.data} must be a folder.")
        folders = [options.data, environment.get("EPCA_DATASETS")]
        environment["EPCA_DATASETS"] = os.pathsep.join(filter(None, folders))
    if options.visitors:
        environment["EPCA_VISITORS"] = str(options.visitors)
    if options.downloads:
        environment["EPCA_DOWNLOADS"] = "1"
    if options.workers is not None:
        environment["EPCA_WORKERS"] = str(options.workers)
    if options.scheduler:
        if find_spec("distributed") is None:
            raise Refusal('--scheduler needs Dask; install it by pip install "epca[cluster]".')
        environment["EPCA_SCHEDULER"] = options.scheduler
    return environment


def server_command(options):
    """The command that serves the dashboard; `.streamlit/config.toml` has what is not set here."""
    found = [path for path in (HERE / "_app" / "app.py", HERE.parent / "app.py") if path.is_file()]
    if not found:
        raise Refusal("the dashboard's app.py is missing; install epca again.")
    settings = {"server.address": options.host, "server.port": options.port}
    if options.host in ("0.0.0.0", "::"):  # no address that a visitor could open
        settings["browser.serverAddress"] = socket.gethostname()
    if options.watch:
        settings["server.fileWatcherType"] = "auto"
    flags = [f"--{name}={value}" for name, value in settings.items()]
    return [sys.executable, "-m", "epca.ui.frame.launch", "run", str(found[0]), *flags]


def _hint(options):
    """How to go on after an interrupted run; a full stop if there is nothing to go on with."""
    out = getattr(options, "out", None)
    if out and os.path.isdir(Path(out, "fits")):  # Path.is_dir fails where a name is too long
        return "; finished fits are saved, go on with --resume."
    return "."


def _say(message, code):
    print(f"epca: {message}", file=sys.stderr)
    return code
