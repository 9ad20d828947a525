"""Tables: cells tied by equations, audit of what a published table gives away, protection."""
