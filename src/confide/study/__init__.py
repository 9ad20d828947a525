"""A study's folder: what is written is held, and goes out only when somebody signs it.

- `manifest`, `signature`: what lies beside the files
- `folder`: what is held, what was signed
- `hold`, `hold_releases`, `hold_tables`: write what is held
- `check`: whether a held folder is as it was written
- `again`, `again_tables`: make it again and judge it
- `sign`: the verdict, and the move
- `log`: who signed what
- `link`: whose released rows are
"""
