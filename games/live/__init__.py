"""Live updates: that a game reached a version, and who is there.  Never what a game holds.

`hub` is the memory of one process, `bus` connects the processes, `stream` answers a phone.
"""
