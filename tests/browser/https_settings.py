"""The https profile on plain http to localhost, which browsers trust like https: no proxy is needed for a test."""

from njetassist.settings import *  # noqa: F403 (settings are names)

SECURE_SSL_REDIRECT = False
SECURE_HSTS_SECONDS = 0
