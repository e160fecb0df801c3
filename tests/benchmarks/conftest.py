"""Print the measured ratios as the table of the README."""


def pytest_terminal_summary(terminalreporter, config):
    rows = [
        bench.extra_info
        for bench in config._benchmarksession.benchmarks
        if "ratio" in bench.extra_info
    ]
    if not rows:
        return
    terminalreporter.section("How fast")
    terminalreporter.write_line("| what | in units of | ratio | at most | note |")
    terminalreporter.write_line("|---|---|---|---|---|")
    for row in rows:
        terminalreporter.write_line(
            f"| {row['what']} | {row['unit']} | {row['ratio']:.2f} | {row['limit']:g} "
            f"| {row.get('note', '')} |"
        )
