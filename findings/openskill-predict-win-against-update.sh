#!/usr/bin/env bash
# openskill: the chance that `predict_win` states is not the one that `rate` reckons with.
#
# One would guess: `predict_win` is the expectation of the model, and an update moves ratings by how much the result
# differs from it. So two against three newcomers, said to win one game in ten, would gain nine times as much by a win
# as they lose by a defeat.
# What happens: `predict_win` gives the two 10.0 %, but a win moves them by 2.780 and a defeat by -0.774. The rate at
# which both cancel out is 0.774 / (2.780 + 0.774) = 21.8 %. A page that shows `predict_win` beside such ratings
# states a chance that the ratings do not reckon with.
# Version: openskill 6.2.0 (PyPI), model BradleyTerryFull; source: `predict_win` and `rate` of the model.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check openskill==6.2.0
"$folder/venv/bin/python" - <<'PYTHON'
from openskill.models import BradleyTerryFull

model = BradleyTerryFull()
two, three = ([model.rating() for _ in range(size)] for size in (2, 3))
said = model.predict_win([two, three])[0]


def step(ranks):
    return model.rate([two, three], ranks=ranks)[0][0].mu - two[0].mu


won, lost = step([1, 2]), step([2, 1])
used = -lost / (won - lost)
print(f"openskill 6.2.0: predict_win {said:.4f}; steps {won:+.3f} and {lost:+.3f}, which cancel out at {used:.4f}")
assert (round(said, 4), round(won, 3), round(lost, 3), round(used, 3)) == (0.1004, 2.780, -0.774, 0.218)
PYTHON
