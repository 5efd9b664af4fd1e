"""Loads templates without comments and without the indentation of their source, which browsers do not show."""

import re

import rjsmin
from django.template import Origin
from django.template.loaders.filesystem import Loader as FilesystemLoader

# Messages, as translators find them in the source, and elements that show all their white space.
KEPT = re.compile(
    r"(?s)({%\s*blocktranslate\b.*?{%\s*endblocktranslate\s*%}|<textarea\b.*?</textarea>|<pre\b.*?</pre>)"
)


def without_layout(source: str) -> str:
    """The source of a template without comments, with one line break in the place of white space that has any."""
    parts = KEPT.split(re.sub(r"\n\s*{#.*?#}(?=\n)|{#.*?#}", "", source))
    parts[::2] = [re.sub(r"\s*\n\s*", "\n", part) for part in parts[::2]]
    return "".join(parts).strip()


class Loader(FilesystemLoader):
    """The templates of this project, as they are served."""

    def get_contents(self, origin: Origin) -> str:
        source: str = super().get_contents(origin)
        return rjsmin.jsmin(source) if origin.name.endswith(".js") else without_layout(source)
