"""The command line: `confide init`, `assess`, `map`, `choose`, `table`, `audit`, `sign`, `demo`.

Nothing heavy is imported before a command needs it, so that `confide --help` answers at once.
"""
