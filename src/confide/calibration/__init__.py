"""Stated probabilities against the truth: does the intruder's model fit these data?"""
