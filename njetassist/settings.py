"""The settings, read from environment variables.

The functions at the top read the variables and refuse a wrong value with an error message. Loading the settings writes
nothing: `manage.py serve` creates the data directory and the key. `.github/OPERATIONS.md` documents each variable; a
test compares the two.
"""

import ipaddress
import math
import os
import re
import secrets
import socket
import sqlite3
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

# Databases, journals, locks and backups are for the user of the server, whichever process creates them.
os.umask(0o077)

BASE_DIR = Path(__file__).resolve().parent.parent

KILOBYTE = 1024
DAY = 24 * 60 * 60


# --- Readers of the environment -------------------------------------------------------------------------


def text(name: str, default: str = "") -> str:
    """The variable without surrounding blanks; an empty one counts as not set."""
    return os.environ.get(name, "").strip() or default


def matching(name: str, default: str, pattern: str, meaning: str) -> str:
    """The variable, all of which must match the pattern.  `meaning`: the pattern in words."""
    value = text(name, default)
    if not re.fullmatch(pattern, value):
        raise ImproperlyConfigured(f"{name} must be {meaning}, not {value!r}.")
    return value


def flag(name: str) -> bool:
    return matching(name, "0", "[01]", "1 or 0") == "1"


def number(name: str) -> int | None:
    """A whole number from 1 on, None if the variable is not set."""
    # The digits are counted: Python refuses to read a number of thousands of digits.
    return int(matching(name, "", "[1-9][0-9]{0,8}", "a whole number from 1 on")) if text(name) else None


def amount(name: str, default: int) -> int:
    return int(matching(name, str(default), "[0-9]{1,6}", "a whole number from 0 on"))


def seconds(name: str, default: float) -> float:
    """A time of up to a minute, with or without a fraction."""
    pattern = r"60|(?=.*[1-9])[0-5]?[0-9](\.[0-9]{1,6})?"
    return float(matching(name, str(default), pattern, "seconds, more than 0 and up to 60"))


def choice(name: str, *options: str) -> str:
    """One of the options; the first is the default."""
    return matching(name, options[0], "|".join(options), f"one of {', '.join(options)}")


def names(name: str) -> list[str]:
    """A list separated by commas or blanks."""
    return text(name).replace(",", " ").split()


def hosts(name: str) -> list[str]:
    """Host names; a leading dot stands for all subdomains.  A star would let every website in."""
    matching(name, "", r"([^*/:\[]|\[[0-9a-fA-F:.]+\])*", "host names without scheme, port and star")
    return [host.lower() for host in names(name)]


def networks(name: str, default: str = "") -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    """Addresses or networks in CIDR notation."""
    try:
        return [ipaddress.ip_network(item) for item in names(name) or default.split()]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be addresses or networks like 10.0.0.0/8: {error}.") from error


def secret_key(name: str, own_file: Path) -> str:
    """The key from the variable, from the file a second variable names, or from the server's own file.

    An empty string means that there is none yet.
    """
    key, file = text(name), text(f"{name}_FILE")
    if key and file:
        raise ImproperlyConfigured(f"{name} and {name}_FILE are both set: set one of them.")
    try:
        if file or (not key and own_file.exists()):
            key = Path(file or own_file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ImproperlyConfigured(f"The secret key cannot be read from {file or own_file}: {reason}.") from error
    if len(key) < 50 and (key or file):
        raise ImproperlyConfigured(f"The secret key ({name}) must have at least 50 characters, not {len(key)}.")
    return key


LOST_AFTER_SECONDS = {
    # A database server that is gone without a word.
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""The timeouts of both ends of a connection to PostgreSQL.  The URL may say otherwise."""


def database(name: str, default_file: Path, *, longest_search: float) -> dict[str, Any]:
    """SQLite in the data directory, or the database of the URL. The URL may contain a password: never print it.

    `longest_search`: the seconds for which a bot's worker locks its task.
    """
    refusal = f"{name} must look like postgres://user:password@host:5432/name or sqlite:////path/to/file."
    try:
        found: dict[str, Any] = {**dj_database_url.parse(text(name, f"sqlite:///{default_file}"))}
    except ValueError as error:
        raise ImproperlyConfigured(refusal) from error
    if not found["NAME"] or found["NAME"] == ":memory:":
        raise ImproperlyConfigured(refusal)
    # Connections stay open as long as their thread: opening one takes longer than a request.
    found["CONN_MAX_AGE"] = None
    match found["ENGINE"]:
        case "django.db.backends.sqlite3":
            found["NAME"] = str(Path(found["NAME"]).resolve())
            found["OPTIONS"] = {
                # Take the write lock at once: a transaction that asks for it late can fail without waiting.
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                # An acknowledged action survives a power cut. `serve` chooses the journal mode.
                "init_command": "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON",
            }
        case "django.db.backends.postgresql":
            found["CONN_HEALTH_CHECKS"] = True
            # A host that is gone without a word in mid-transaction: the table that it has locked is free again.
            free_again = f"-c idle_in_transaction_session_timeout={10 + math.ceil(longest_search)}s"
            found["OPTIONS"] = {**LOST_AFTER_SECONDS, "options": free_again, **found.get("OPTIONS", {})}
        case _:
            raise ImproperlyConfigured(refusal)
    return found


def processes(name: str, *, is_sqlite: bool) -> int:
    """The number of processes that answer requests: with SQLite one, with PostgreSQL usually one for each core."""
    wanted = number(name)
    if is_sqlite and wanted not in (None, 1):
        raise ImproperlyConfigured(f"{name} must be 1 with SQLite: several processes need PostgreSQL (DATABASE_URL).")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return 1 if is_sqlite else wanted or cores


def machine_names() -> list[str]:
    """The names of this machine in a local network. The suffixes do not exist on the public internet."""
    name = socket.gethostname().lower().split(".")[0]
    return ["localhost", name, *(f"{name}.{suffix}" for suffix in ("local", "lan", "home.arpa", "internal"))]


# --- The operator's choices (each is described in .github/OPERATIONS.md) --------------------------------

DATA_DIR = Path(text("NJET_DATA", str(BASE_DIR / "data"))).expanduser().resolve()
PROFILE = choice("NJET_PROFILE", "lan", "https")
HTTPS = PROFILE == "https"
DEBUG = flag("NJET_DEBUG")
NJET_BGG_ID = number("NJET_BGG_ID")
NJET_WRITES = amount("NJET_WRITES", 20)
NJET_BOTS = choice("NJET_BOTS", "auto", "off")
NJET_BOT_PAUSE = amount("NJET_BOT_PAUSE", 900)
NJET_BOT_BUDGET = seconds("NJET_BOT_BUDGET", 0.25)
NJET_ANALYSIS_GUESSES = amount("NJET_ANALYSIS_GUESSES", 480)
# The https profile expects a proxy, by default on the same machine.
TRUSTED_PROXIES = networks("NJET_TRUSTED_PROXIES", "127.0.0.1 ::1" if HTTPS else "")

SECRET_KEY_FILE = DATA_DIR / "secret_key"
SECRET_KEY = secret_key("NJET_SECRET_KEY", SECRET_KEY_FILE)
# Commands that need no permanent key also run before the first start; njetassist.wsgi refuses a temporary key.
SECRET_KEY_IS_TEMPORARY = not SECRET_KEY
SECRET_KEY = SECRET_KEY or secrets.token_urlsafe(64)

PUBLIC_HOSTS = hosts("NJET_HOSTS")
if HTTPS and not PUBLIC_HOSTS:
    raise ImproperlyConfigured("NJET_HOSTS must name the hosts that this server answers to over https.")
# Django cannot express "any private address", so in the lan profile it lets every host through and
# njetassist.middleware.KnownHosts lets only private addresses and the names after the star.
ALLOWED_HOSTS = PUBLIC_HOSTS if HTTPS else ["*", *machine_names(), *PUBLIC_HOSTS]


# --- The application ------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_tasks",
    # Before the app whose `db_worker` it replaces.
    "games",
    "django_tasks_db",
    # The command `serve`.
    "njetassist",
]

MIDDLEWARE = [
    # These are first so that they process every answer: errors, redirects and static files too.
    "njetassist.middleware.ForwardedByTrustedProxies",
    "njetassist.middleware.SecurityHeaders",
    # After the headers, before everything that writes a body. Static files are compressed in advance.
    "django.middleware.gzip.GZipMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    # Before the redirect to https, which names the host.
    "njetassist.middleware.KnownHosts",
    "django.middleware.security.SecurityMiddleware",
    "njetassist.middleware.ApiOverHttps",
    "njetassist.middleware.Limits",
    "njetassist.middleware.HeadAsGet",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "njetassist.middleware.TimeZoneOfReader",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "njetassist.urls"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "games.pages.appearance.theme.context",
            ],
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["njetassist.templates.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
        },
    },
]


# --- The database ---------------------------------------------------------------------------------------

DATABASES = {"default": database("DATABASE_URL", DATA_DIR / "njet.sqlite3", longest_search=NJET_BOT_BUDGET)}
PROCESSES = processes("WEB_CONCURRENCY", is_sqlite=DATABASES["default"]["ENGINE"].endswith("sqlite3"))
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# SQLite 3.51.3 fixed a rare race that corrupts a database in WAL mode.
SQLITE_JOURNAL_MODE = "WAL" if sqlite3.sqlite_version_info >= (3, 51, 3) else "DELETE"


# --- Tasks ----------------------------------------------------------------------------------------------

# games.bot_runner.tasks names the queues.
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": []}}


# --- Languages and time ---------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
# Each by its own name, which its speakers can read.
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("nl", "Nederlands"), ("it", "Italiano")]
# The catalogues, for `makemessages`, and what njetassist.catalogues has compiled of them.
LOCALE_PATHS = [BASE_DIR / "games" / "locale", DATA_DIR / "locale"]
FORMAT_MODULE_PATH = "njetassist.formats"
# Where the zone of the reader is not known (games/pages/time_zone.py), and over REST.
TIME_ZONE = "UTC"


# --- Cookies and sessions -------------------------------------------------------------------------------

# The prefix makes browsers refuse such a cookie from a subdomain, another path or plain http.
COOKIE_PREFIX = "__Host-" if HTTPS else ""

SESSION_ENGINE = "games.keys.session_store"
# A phone keeps its tables as long as browsers keep cookies.
SESSION_COOKIE_AGE = 400 * DAY
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}njet_session"
SESSION_COOKIE_SECURE = HTTPS

CSRF_FAILURE_VIEW = "games.pages.errors.csrf_failure"
CSRF_COOKIE_AGE = 400 * DAY
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}njet_csrf"
# Pages contain the token; no script reads the cookie.
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SECURE = HTTPS

# How a phone counts (trick by trick, or a round at once), and its theme.
COUNT_COOKIE_NAME = f"{COOKIE_PREFIX}njet_count"
THEME_COOKIE_NAME = f"{COOKIE_PREFIX}njet_theme"
INVITATION_COOKIE_NAME = f"{COOKIE_PREFIX}njet_invitation"
PREFERENCE_COOKIE: dict[str, Any] = {"max_age": 400 * DAY, "secure": HTTPS, "httponly": True, "samesite": "Lax"}

# Written by static/njet/times.js, under this name.
TIME_ZONE_COOKIE_NAME = f"{COOKIE_PREFIX}njet_zone"

LANGUAGE_COOKIE_AGE = 400 * DAY
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}njet_language"
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS


# --- Security of requests and answers (see also njetassist.middleware) ----------------------------------

# The policies of frames, openers, referrers and types of content are Django's defaults (tests/ops/test_headers.py).

SECURE_SSL_REDIRECT = HTTPS
# ApiOverHttps refuses these.
SECURE_REDIRECT_EXEMPT = ["^api/(?!v1/docs/)"]
SECURE_HSTS_SECONDS = 63_072_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = flag("NJET_HSTS_SUBDOMAINS")
# ForwardedByTrustedProxies drops the header unless a configured proxy sent it.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# HSTS for subdomains and preload lists affects other sites: the operator decides.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

BODY_LIMIT = 64 * KILOBYTE
# Imports of whole games: a long one, recorded marker by marker and trick by trick, has about 500 KB.
# The page sends it in a form, with other fields and headers.
LONGER_BODIES = {
    "/api/v1/games/import/": 1024 * KILOBYTE,
    "/import/": (1024 + 16) * KILOBYTE,
    "/groups/restore/": (1024 + 512) * KILOBYTE,
}
# Django has one limit for all paths; Limits enforces the limit of each path before.
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = max(LONGER_BODIES.values())


# --- Static files ---------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage" if DEBUG else "njetassist.staticfiles.Storage"
        )
    },
}


def _styles(folder: str, names: str) -> list[str]:
    return [f"njet/{folder}/{name}.css" for name in names.split()]


# What a page loads together is one file, in this order: fewer requests, and it is smaller than its parts.
BUNDLES = {
    "njet/njet.css": [
        *_styles("base", "theme elements"),
        *_styles("parts", "bar button notice field thumb token turn board standings help connection"),
        *_styles("pages", "table"),
        *_styles("modes", "media"),
    ],
    "njet/dark.css": _styles("modes", "dark"),
    "njet/pages.css": [
        *_styles("parts", "rows form log invitation"),
        *_styles("pages", "layout home new quick seats rules errors"),
    ],
    # From the first marker on.
    "njet/rounds.css": [
        *_styles("parts", "chart choice-tile conditions count result lineups dealers"),
        *_styles("pages", "table-rounds"),
        *_styles("parts", "hand-marks seats choice lay"),
        *_styles("pages", "digital-rounds digital-asking digital-cover digital-settings"),
    ],
    "njet/cards.css": [*_styles("parts", "card hand banner tools round-log"), *_styles("pages", "digital")],
    # The big board shows cards, and nothing else of a digital table.
    "njet/card.css": _styles("parts", "card"),
    "njet/sheet.css": [*_styles("parts", "sheet"), *_styles("pages", "sheet")],
    "njet/statistics.css": [*_styles("parts", "figure"), *_styles("pages", "statistics")],
    # A sheet of one page or of a few.
    **{
        f"njet/{name}.css": _styles("pages", name)
        for name in ("cards-end", "correct", "lesson", "replay", "screen", "victory")
    },
    "njet/table-page.js": ["njet/turned.js", "njet/live.js", "njet/table.js", "njet/taps.js"],
    "njet/digital-page.js": [
        *("njet/turned.js", "njet/live.js", "njet/table.js", "njet/hand.js", "njet/motion.js"),
        *("njet/cards.js", "njet/hurry.js", "njet/board-help.js"),
    ],
}
STATICFILES_FINDERS = ["njetassist.staticfiles.OwnFiles", "njetassist.staticfiles.UsedAppFiles"]
# Pages reference only hashed files, so the others are neither compressed nor kept.
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
# No other site uses them; Cross-Origin-Resource-Policy forbids it too.
WHITENOISE_ALLOW_ALL_ORIGINS = False


# --- The REST interface ---------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_PARSER_CLASSES": ["games.api.parsers.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "games.api.parsers.OneFormat",
    # Each endpoint names the keys that it takes.
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "games.api.openapi.ContractSchema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "games.api.errors.exception_handler",
    # There are no accounts: a key is not a user.
    "UNAUTHENTICATED_USER": None,
    # `format` is a parameter of our own.
    "URL_FORMAT_OVERRIDE": None,
}

SPECTACULAR_SETTINGS = {
    "TITLE": "NJET Assist",
    "DESCRIPTION": "Games of NJET: recorded, enforced, scored.\n\n"
    "Whole numbers are written without a fraction: 5, not 5.0.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "CONTACT": {"name": "NJET Assist"},
    "SERVERS": [{"url": "/", "description": "This server."}],
    "TAGS": [
        {"name": "Everybody", "description": "Endpoints that need no key."},
        {"name": "Games", "description": "Endpoints of a game, with one of its keys."},
        {"name": "Groups", "description": "Endpoints of a group, with one of its keys."},
        {"name": "Results", "description": "Finished games and figures of the group of the key."},
    ],
    "APPEND_COMPONENTS": {
        "securitySchemes": {
            "key": {"type": "http", "scheme": "bearer", "description": "A key of a game or a group."},
        }
    },
    # Values of an enumeration stay with their field, which says what they mean, unless a name would be ambiguous.
    "POSTPROCESSING_HOOKS": ["games.api.openapi.for_generators"],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},
    # Nothing is loaded from elsewhere.
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}


# --- Logs -----------------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "redacted": {
            "()": "njetassist.logs.RedactingFormatter",
            # The path of a refused request has any length.
            "format": "%(asctime)s %(levelname)s %(name)s: %(message).4000s",
        },
    },
    "filters": {"bounded": {"()": "njetassist.logs.Bounded"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "redacted", "filters": ["bounded"]},
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        # Listed because Django and gunicorn give these handlers of their own, which do not redact.
        "django": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "gunicorn.error": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "games": {"level": "INFO"},
        "njetassist": {"level": "INFO"},
    },
}
