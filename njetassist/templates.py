"""Loads templates with one space where their source has a line break or several, and none beside blocks.

The work is done once, when a template is loaded, so that no request pays for it.
"""

import re

import rjsmin
from django.template import Origin
from django.template.loaders.filesystem import Loader as FilesystemLoader

# Browsers show no white space beside these elements, neither inside nor outside.
BLOCKS = (
    "!doctype|html|head|title|meta|link|script|body|header|main|footer|nav|section|article|noscript|template|"
    "h[1-6]|p|div|ul|ol|li|dl|dt|dd|form|fieldset|legend|details|summary|option|optgroup|"
    "table|caption|thead|tbody|tfoot|tr|th|td|rect|g|path|line|circle|polygon|polyline|text"
)
# Messages stay as translators find them in the source; some elements show all their white space.
KEPT = re.compile(
    r"({%\s*blocktranslate\b.*?{%\s*endblocktranslate\s*%}|<textarea\b.*?</textarea>|<pre\b.*?</pre>|"
    r"{%.*?%}|{{.*?}})",
    re.DOTALL,
)


def without_layout(source: str) -> str:
    """The source of a template without comments and white space that browsers do not show."""
    parts = KEPT.split(re.sub(r"\n\s*{#.*?#}(?=\n)|{#.*?#}", "", source))
    for place, part in enumerate(parts):
        if place % 2 == 0:
            part = re.sub(r'(?<==")\s*\n\s*|\s*\n\s*(?=")', "", part)
            part = re.sub(rf" ?(</?(?:{BLOCKS})\b)", r"\1", re.sub(r"\s+", " ", part))
            parts[place] = re.sub(rf"(</?(?:{BLOCKS})\b[^<>]*>) ", r"\1", part)
    return "".join(parts).strip()


class Loader(FilesystemLoader):
    """The templates of this project, as they are served."""

    def get_contents(self, origin: Origin) -> str:
        source: str = super().get_contents(origin)
        return rjsmin.jsmin(source) if origin.name.endswith(".js") else without_layout(source)
