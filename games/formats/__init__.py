"""A finished game in the formats of other programs: documents and texts, built from a `Play` alone.

Knows: what those programs read.  Must not know: the database, requests, settings; which games somebody may export.
"""
