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
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}. See {self.prog} --help.\n")


class Refusal(Exception):
    """Something that whoever calls the command can mend; the message says what and how."""


def main(arguments=None):
    """Run the command; returns the exit code: 0 well, 1 failed, 2 wrongly called, 130 interrupted."""
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
    """The options, by name; without a command it is `app`."""
    parser = Parser(
        prog="epca", description="EPCA Lab: robust PCA that learns which samples to trust."
    )
    parser.set_defaults(command=app, host="localhost", port=8501, data=None)
    commands = parser.add_subparsers(title="commands")
    one = commands.add_parser("app", help="open the dashboard (also without a command)")
    one.add_argument(
        "--host",
        default="localhost",
        help="address to listen at; 0.0.0.0 for others on the network",
    )
    one.add_argument("--port", type=int, default=8501)
    one.add_argument("--data", metavar="DIR", help="a folder of image sets, looked through first")
    two = commands.add_parser(
        "reproduce", help="run the paper's experiments again, beside its figures"
    )
    two.set_defaults(command=reproduce)
    what = two.add_argument_group("what to run (after the colon: unless given)").add_argument
    what(
        "--datasets",
        nargs="+",
        default=SUPPRESS,
        metavar="NAME",
        help="names in the catalogue, or paths: orl",
    )
    what("--methods", nargs="+", default=SUPPRESS, metavar="LABEL", help="methods: all nine")
    what("--ranks", nargs="+", type=int, default=SUPPRESS, metavar="C", help="ranks c: 10 30 50")
    what("--seeds", type=int, default=SUPPRESS, metavar="N", help="draws of the occlusion: 10")
    rules = ["paper", "oracle", "fixed", "residual"]
    what(
        "--sigma",
        nargs="+",
        choices=rules,
        default=SUPPRESS,
        metavar="RULE",
        help="oracle (or: paper), fixed, residual: all",
    )
    what(
        "--clustering-runs",
        type=int,
        default=SUPPRESS,
        metavar="N",
        help="of k-means for each fit; 0 leaves it out: 100",
    )
    how = two.add_argument_group("how to run it").add_argument
    how(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="fits at a time, in processes of this machine; -1: one per core",
    )
    how(
        "--backend",
        choices=["loky", "dask"],
        default="loky",
        help="processes of this machine, or a Dask cluster",
    )
    how("--scheduler", metavar="ADDRESS", help="of the Dask cluster, such as tcp://127.0.0.1:8786")
    how("--out", default="reproduction", metavar="DIR", help="where the results go")
    how("--resume", action="store_true", help="go on with the run in that folder")
    return parser.parse_args(arguments)


def reproduce(options):
    """Plan, run, write the tables and the report."""
    from epca import paper

    given = {
        name: value
        for name, value in vars(options).items()
        if name in paper.Options.__dataclass_fields__
    }
    given = {
        name: tuple(value) if isinstance(value, list) else value for name, value in given.items()
    }
    if "sigma" in given:
        given["sigma"] = tuple("oracle" if rule == "paper" else rule for rule in given["sigma"])
    if (options.backend == "dask") != bool(options.scheduler):
        raise Refusal(
            "--backend dask and --scheduler ADDRESS, of a running scheduler such as tcp://127.0.0.1:8786, go together."
        )
    progress = Progress(sys.stderr)
    try:
        tasks = paper.plan(paper.Options(**given))
        paper.run(
            tasks,
            options.out,
            progress,
            resume=options.resume,
            n_jobs=options.jobs,
            scheduler=options.scheduler,
        )
    except (
        ValueError
    ) as error:  # what plan and run refuse, DataError among it; one in a fit is a row of its table
        raise Refusal(str(error)) from error
    finally:
        progress.close()
    table = paper.finish(options.out)
    print(f"{len(tasks)} fits. {paper.agreement(table)}".rstrip())
    print(Path(options.out) / "report.html")
    return 0


def app(options):
    """Start the dashboard as a process of its own, and wait for it."""
    found = [path for path in (HERE / "_app" / "app.py", HERE.parent / "app.py") if path.is_file()]
    if not found:
        raise Refusal(
            "the dashboard's app.py is neither beside the package nor in it; install epca anew."
        )
    environment = dict(os.environ)
    if options.data:
        if not Path(options.data).is_dir():
            raise Refusal(f"--data {options.data} must be a folder.")
        environment["EPCA_DATASETS"] = os.pathsep.join(
            filter(None, [options.data, environment.get("EPCA_DATASETS")])
        )
    where = ["--server.address", options.host, "--server.port", str(options.port)]
    with subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", str(found[0]), *where], env=environment
    ) as server:
        signal.signal(
            signal.SIGTERM, lambda *_: server.terminate()
        )  # else it would live on without us
        return server.wait()


class Progress:
    """A bar with the time left on a terminal; elsewhere a line at every twentieth of the way."""

    def __init__(self, stream, clock=time.monotonic):
        self.stream, self.clock = stream, clock
        self.first = None  # done at the start
        self.said = -1

    def __call__(self, done, total, text):
        if self.first is None:
            self.first, self.start = done, self.clock()
        pace = (self.clock() - self.start) / max(done - self.first, 1)
        left = (
            f", {timedelta(seconds=round(pace * (total - done)))} left" if done > self.first else ""
        )
        if self.stream.isatty():
            line = f"{'█' * (20 * done // total):░<20} {done}/{total}{left}, {text}"
            self.stream.write(f"\r\x1b[K{line[: shutil.get_terminal_size().columns - 1]}")
            self.stream.flush()
        elif 20 * done // total > self.said:
            self.said = 20 * done // total
            print(f"{done}/{total}{left}, {text}", file=self.stream, flush=True)

    def close(self):
        if self.first is not None and self.stream.isatty():
            self.stream.write("\n")


def _hint(options):
    return (
        "; what is done is kept, go on with --resume."
        if getattr(options, "out", None) and Path(options.out, "fits").is_dir()
        else "."
    )


def _say(message, code):
    print(f"epca: {message}", file=sys.stderr)
    return code
