"""The command `epca`: `app` opens the dashboard, `reproduce` runs the paper's experiments again."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from argparse import SUPPRESS
from concurrent.futures import BrokenExecutor
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent


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


def parse(arguments):
    """The options, by name. Without a command it is `app`."""
    parser = Parser(
        prog="epca", description="EPCA Lab: robust PCA that learns which samples to trust."
    )
    parser.set_defaults(command=app, host="localhost", port=8501)
    parser.set_defaults(data=None, workers=None, scheduler=None)
    commands = parser.add_subparsers(title="commands")
    _add_app(commands.add_parser("app", help="open the dashboard (the default)"))
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
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument("--data", metavar="DIR", help="a folder of image sets to search first")
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="processes that fit, by default one per core but one; 0 means threads of the server",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="a Dask cluster that fits instead, such as tcp://127.0.0.1:8786",
    )


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
        metavar="ADDRESS",
        help="the Dask cluster's address, such as tcp://127.0.0.1:8786",
    )
    how("--out", default="reproduction", metavar="DIR", help="the folder for the results")
    how("--resume", action="store_true", help="go on with the run in that folder")


def reproduce(options):
    """Plan, run, write the tables and the report."""
    from epca import paper

    if (options.backend == "dask") != bool(options.scheduler):
        raise Refusal(
            "--backend dask and --scheduler ADDRESS go together; "
            "the address is that of a running scheduler, such as tcp://127.0.0.1:8786."
        )
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
        progress.close()
    table = paper.finish(options.out)
    print(f"{len(tasks)} fits. {paper.agreement(table)}".rstrip())
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
    """Start the dashboard in a process of its own, and wait for it to end."""
    found = [path for path in (HERE / "_app" / "app.py", HERE.parent / "app.py") if path.is_file()]
    if not found:
        raise Refusal("the dashboard's app.py is missing; install epca again.")
    where = ["--server.address", options.host, "--server.port", str(options.port)]
    command = [sys.executable, "-m", "streamlit", "run", str(found[0]), *where]
    with subprocess.Popen(command, env=_environment(options)) as server:
        # Without this the server would outlive a terminated command.
        signal.signal(signal.SIGTERM, lambda *_: server.terminate())
        return server.wait()


def _environment(options):
    """The environment of the dashboard, which holds its options."""
    environment = dict(os.environ)
    if options.data:
        if not Path(options.data).is_dir():
            raise Refusal(f"--data {options.data} must be a folder.")
        folders = [options.data, environment.get("EPCA_DATASETS")]
        environment["EPCA_DATASETS"] = os.pathsep.join(filter(None, folders))
    if options.workers is not None:
        if options.workers < 0:
            raise Refusal(f"--workers {options.workers} must be 0 or more.")
        environment["EPCA_WORKERS"] = str(options.workers)
    if options.scheduler:
        if find_spec("distributed") is None:
            raise Refusal('--scheduler needs Dask; install it by pip install "epca[cluster]".')
        environment["EPCA_SCHEDULER"] = options.scheduler
    return environment


class Progress:
    """On a terminal a bar with the time left; elsewhere a line at every twentieth of the way."""

    def __init__(self, stream, clock=time.monotonic):
        self.stream = stream
        self.clock = clock
        self.first = None  # how many were done at the start
        self.start = None  # when that was
        self.said = -1  # the last twentieth that had its line

    def __call__(self, done, total, text):
        if self.first is None:
            self.first = done
            self.start = self.clock()
        left = self._left(done, total)
        twentieth = 20 * done // total
        if self.stream.isatty():
            line = f"{'█' * twentieth:░<20} {done}/{total}{left}, {text}"
            self.stream.write(f"\r\x1b[K{line[: shutil.get_terminal_size().columns - 1]}")
            self.stream.flush()
        elif twentieth > self.said:
            self.said = twentieth
            print(f"{done}/{total}{left}, {text}", file=self.stream, flush=True)

    def _left(self, done, total):
        """The time left at the pace so far, in words; empty before the first fit is done."""
        if done == self.first:
            return ""
        pace = (self.clock() - self.start) / (done - self.first)
        return f", {timedelta(seconds=round(pace * (total - done)))} left"

    def close(self):
        """End the bar's line."""
        if self.first is not None and self.stream.isatty():
            self.stream.write("\n")


def _hint(options):
    """How to go on after an interrupted run; a full stop if there is nothing to go on with."""
    if getattr(options, "out", None) and Path(options.out, "fits").is_dir():
        return "; finished fits are saved, go on with --resume."
    return "."


def _say(message, code):
    print(f"epca: {message}", file=sys.stderr)
    return code
