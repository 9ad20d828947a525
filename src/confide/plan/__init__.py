"""Plan files: everything that is declared, as one TOML file.

- `schema`, `schema_methods`, `schema_intruder`: the file as it is written
- `load`: from a path to a plan
- `build`, `build_data`, `build_methods`, `build_intruders`: from the file to the objects of confide
- `faults`: all faults of a plan, each with its place
- `plan`: what comes out
- `dump`: from a schema back to TOML
- `starter`: a commented plan to start from
"""
