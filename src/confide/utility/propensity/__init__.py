"""Can records of the two files be told apart? A logistic regression tries."""
