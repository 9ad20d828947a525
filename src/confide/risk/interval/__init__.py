"""Interval disclosure: how often the true value lies near the masked one."""
