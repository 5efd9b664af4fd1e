"""From states to typed page contexts: what a page says and shows, and nothing about how it is marked up.

Knows: the reader's language, names, the order in which things are shown.  Must not know: requests, the database.
"""
