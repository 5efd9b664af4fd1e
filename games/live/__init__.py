"""Live updates: the version that a game has reached, and who is online.  Never the content of a game.

`hub` keeps the listeners of one process, `bus` connects the processes, `stream` answers a phone.
"""
