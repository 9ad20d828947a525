"""Files of respondents: columns, codebook, reading, writing, inference of kinds and roles."""
