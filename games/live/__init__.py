"""Live updates: what a game has become, and who is online.  What a fragment shows is rendered by the pages.

`hub` keeps the listeners of one process, `bus` connects the processes, `stream` answers a phone, `fragment` compresses.
"""
