#!/usr/bin/env bash
# rcssmin: within newer at-rules a descendant that begins with a pseudo-class becomes the element before it.
#
# One would guess: white space that is a combinator stays, wherever the rule stands: `.a :is(.b)` is a `.b` inside of an
# `.a`, and `.a:is(.b)` is an `.a` that is a `.b`, too.
# What happens: at the top and within @media and @supports the space stays. Within @layer, @container, @scope and
# @starting-style it is taken away, so that the rule means other elements. A style sheet that moves its rules into
# layers, as it is, loses some of them without a word. A type or a star before the pseudo-class keeps the space.
# Version: rcssmin 1.3.0 (PyPI); source: `cssmin`, called with one rule within each at-rule.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check rcssmin==1.3.0
"$folder/venv/bin/python" - <<'PYTHON'
from rcssmin import cssmin

RULE, JOINED = ".a :is(.b){color:red}", ".a:is(.b){color:red}"
found = {}
for at in ("@media print", "@supports (gap:0)", "@layer l", "@container (width>1px)", "@scope (.c)", "@starting-style"):
    found[at] = {f"{at}{{{RULE}}}": "kept", f"{at}{{{JOINED}}}": "joined"}[cssmin(f"{at}{{{RULE}}}")]
    print(f"rcssmin 1.3.0, {at}: {found[at]}")
assert cssmin(RULE) == RULE
assert [at for at, what in found.items() if what == "kept"] == ["@media print", "@supports (gap:0)"], found
assert cssmin("@layer l{.a *:is(.b){color:red}}") == "@layer l{.a *:is(.b){color:red}}"
PYTHON
