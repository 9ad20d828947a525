"""Models of the number of people F who share the keys of f records; intruders take them for N_t."""
