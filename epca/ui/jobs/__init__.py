"""The one runner of long work: a fair line, one computation for all who ask, a bounded cache.

It knows neither epca nor pages. Work is a module-level generator function with picklable
arguments. It yields (share, text) before each of its steps and returns its result:

    def count(to):
        for i in range(to):
            tell = yield i / to, f"number {i}"
            slow(i, callback=lambda text: tell(i / to, text))
        return to

`tell` reports from within a long step, and ends it when nobody waits for the result any more.
"""
