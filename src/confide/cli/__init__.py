"""The command line: `confide init`, `confide assess`, `confide demo`.

Nothing heavy is imported before a command needs it, so that `confide --help` answers at once.
"""
