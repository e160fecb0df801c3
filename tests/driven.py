"""Long work (`epca.tasks`) driven to its end within a test."""


def finish(work, tell=lambda share, text: None, at_step=lambda share, text: None):
    """What the work returns; at_step(share, text) is called before every step of it."""
    try:
        report = next(work)
        while True:
            at_step(*report)
            report = work.send(tell)
    except StopIteration as end:
        return end.value
    finally:
        work.close()
