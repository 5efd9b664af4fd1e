"""Harnesses that try to make a real server lose something, and that catch it when it does (`-m harness`).

Each harness is run twice: on the server as it is, and on one with a fault planted (`faults.py`).  A harness that does
not notice its fault proves nothing.
"""
