"""How close a model fitted to the release is to the one fitted to the source (model disclosure)."""
