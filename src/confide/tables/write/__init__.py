"""Protected tables as files."""
