"""The pages: small functions that read, call a service, and render.  No rule, no query, no sentence is written here."""
