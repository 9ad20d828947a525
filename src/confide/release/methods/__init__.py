"""The masking methods, one file each."""
