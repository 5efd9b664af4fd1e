"""Collects the static files, and only if they have changed: hashing and compressing them takes seconds."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import brotli
import rcssmin
import rjsmin
from django.conf import settings
from django.contrib.staticfiles.finders import AppDirectoriesFinder, FileSystemFinder
from django.core.files.storage import FileSystemStorage
from django.core.management import call_command
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

from games.pages.parts.icons import TABLE, icons

SWAGGER_UI = "drf_spectacular_sidecar/swagger-ui-dist"
# The files of installed apps that pages use. The others would be 30 MB collected.
USED = {
    "django_htmx/htmx-4.min.js",
    f"{SWAGGER_UI}/favicon-32x32.png",
    f"{SWAGGER_UI}/swagger-ui-bundle.js",
    # drf-spectacular looks up its address, although our page does not load it.
    f"{SWAGGER_UI}/swagger-ui-standalone-preset.js",
    f"{SWAGGER_UI}/swagger-ui.css",
}

NEEDED = '(content:""/"") and (grid-template-rows:subgrid)'
"""What a browser has to support: the first since Safari 17.4 and Firefox 128, the second since Chrome 117."""


def sprite(file: str) -> str:
    """An SVG file with a symbol for each icon that it has, out of the package lucide (ISC licence).

    The file that all pages load shows the logo: it is the icon of their tab, too.
    """
    symbols = []
    # One by one, the package would open its archive for each icon: two tenths of a second at every start.
    with resources.as_file(resources.files("lucide") / "lucide.zip") as archive, ZipFile(archive) as drawings:
        for name in icons()[file]:
            shapes = drawings.read(f"{name}.svg").decode().partition(">")[2].rpartition("<")[0]
            drawn = "".join(line.strip() for line in shapes.splitlines())
            symbols.append(f'<symbol id="{name}" viewBox="0 0 24 24">{drawn}</symbol>')
    if file != TABLE:
        return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}</svg>\n'
    logo, end, _ = (settings.BASE_DIR / "static/njet/icon.svg").read_text().rpartition("</svg>")
    return f"{logo}{''.join(symbols)}{end}\n"


LAYERS = ("base", "parts", "pages", "modes")
"""The cascade layers of our style sheets, weakest first: the folder of a sheet below `static/njet` is its layer."""

SIZES = "njet/base/sizes.css"
NAMED_SIZE = re.compile(r"@custom-media (--[\w-]+) ([^;]+);")


def styles(part: str) -> str:
    """A style sheet in its layer; in the place of a named size is its condition, as no browser knows the names yet."""
    source = (settings.BASE_DIR / "static" / part).read_text()
    for name, condition in NAMED_SIZE.findall((settings.BASE_DIR / "static" / SIZES).read_text()):
        source = source.replace(f"({name})", condition)
    layer = Path(part).parent.name
    return f"@layer {layer if layer in LAYERS else 'pages'} {{\n{NAMED_SIZE.sub('', source)}}}\n"


def bundle(name: str) -> str:
    """The parts of a style sheet or script that pages load as one file, in their order."""
    if name.endswith(".css"):
        return f"@layer {', '.join(LAYERS)};\n" + "".join(map(styles, settings.BUNDLES[name]))
    first, *others = [(settings.BASE_DIR / "static" / part).read_text() for part in settings.BUNDLES[name]]
    # A script is strict by its first statement: further ones would be texts without an effect.
    others = [part.replace('"use strict";\n', "", 1) for part in others]
    return ";\n".join([first, *others])


class OwnFiles(FileSystemFinder):
    """Our files; icons, style sheets and scripts as they are served.

    These are written into the data directory whenever they are asked for.
    """

    def find(self, path: str, find_all: Any = False, **_: Any) -> Any:
        if path in made_files():
            return [make(path)] if find_all else make(path)
        return super().find(path, find_all)

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Any]]:
        made = FileSystemStorage(settings.DATA_DIR / "made")
        for file in made_files():
            make(file)
            yield file, made
        # The parts of style sheets are in folders.
        yield from super().list([*(ignore_patterns or ()), "njet/*/*", *(f"*{suffix}" for suffix in MINIFIERS)])


def made_files() -> Sequence[str]:
    own = sorted((settings.BASE_DIR / "static" / "njet").iterdir())
    return [*icons(), *settings.BUNDLES, *(f"njet/{each.name}" for each in own if each.suffix in MINIFIERS)]


def make(file: str) -> str:
    """Write a file as it is served.  Returns its path."""
    target = settings.DATA_DIR / "made" / file
    target.parent.mkdir(parents=True, exist_ok=True)
    # Another thread or process may read it now, or write it too.
    (whole := target.with_name(f"{target.name}.{threading.get_native_id()}")).write_text(
        sprite(file) if file in icons() else served(file)
    )
    return str(whole.replace(target))


class UsedAppFiles(AppDirectoriesFinder):
    """The static files of the installed apps without those that no page uses."""

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Any]]:
        return ((path, storage) for path, storage in super().list(ignore_patterns) if path in USED)


def minified_script(source: str) -> str:
    """A script without comments and layout, and with short local names where the package for this is installed."""
    try:
        import minify  # (starts the threads of Go: only for collecting)
    except ImportError:
        return str(rjsmin.jsmin(source))
    return str(minify.string("application/javascript", source))


DESCENDANT = re.compile(r"(?<=[\w)\]&]) (?=::?[\w-]+[^;{}]*\{)")
"""The space before a descendant of any type that begins with a pseudo-class."""


def minified_style(source: str) -> str:
    """A style sheet without comments and layout.

    Within at-rules, as every layer is, rcssmin takes the space of `.a :is(…)`: the descendant gets its type.
    """
    return str(rcssmin.cssmin(DESCENDANT.sub(" *", source)))


MINIFIERS = {".css": minified_style, ".js": minified_script}


def only_where_supported(name: str, content: str) -> str:
    """A minified style sheet or script that has no effect in a browser without what is `NEEDED`.

    There pages are plain HTML: scripts end at their first line, and htmx, which follows one, leaves all forms alone.
    """
    if name.endswith(".css"):
        return f"@supports {NEEDED}{{{content}}}"
    strict, ends = '"use strict";', 'throw document.body.setAttribute("hx-ignore","")'
    return f"{strict}if(!CSS.supports('{NEEDED}')){ends};{content.removeprefix(strict)}"


def served(file: str) -> str:
    """A style sheet or script of ours, without comments and layout unless a developer reads it."""
    source = bundle(file) if file in settings.BUNDLES else (settings.BASE_DIR / "static" / file).read_text()
    return source if settings.DEBUG else only_where_supported(file, MINIFIERS[Path(file).suffix](source))


class QuickCompressor(Compressor):
    """The same brotli as for every file, with less effort for large ones: Swagger UI would take seconds."""

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        return bytes(brotli.compress(data, quality=11 if len(data) < 100_000 else 9))


class Storage(CompressedManifestStaticFilesStorage):
    """Names with a hash, compressed once."""

    # No file refers to another one but to its source map, which is not collected.
    patterns = ()

    def create_compressor(self, **kwargs: Any) -> Compressor:
        return QuickCompressor(**kwargs)


def fingerprint() -> str:
    """A hash of our files, of the packages that others come from, and of how they are collected."""
    digest = hashlib.sha256(f"{icons()} {settings.BUNDLES}".encode())
    own = sorted((settings.BASE_DIR / "static").rglob("*"))
    for file in [Path(__file__), settings.BASE_DIR / "requirements.txt", *filter(Path.is_file, own)]:
        digest.update(b"\0" + file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def collect() -> bool:
    """Collect the files if something has changed since the last time. Answers whether it did."""
    present = fingerprint()
    remembered = settings.DATA_DIR / "static.sha256"
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    if manifest.exists() and remembered.exists() and remembered.read_text() == present:
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    remembered.write_text(present)
    return True
