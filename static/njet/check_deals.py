"""Checks the deals of a NJET game: python3 check_deals.py < njet-GAME.json (the export; Python 3.8 or newer)."""

import hashlib, json, sys  # noqa: E401, I001  (short enough to be read before it is trusted)

game = json.load(sys.stdin.buffer)
setup, small = game["setup"], game["setup"]["preset"].startswith("goldsieber")
copies = [0, 2, 1, 1, 1, 1, 1, 1, 1, 1] if small else [3, 1, 1, 1, 1, 1, 1, 4, 1, 1]  # of each rank in a colour
if len(setup["seats"]) == 3 and setup["options"]["three_player_removal"]:  # "three_7s", "all_2s", "all_4s"
    copies[int(setup["options"]["three_player_removal"][-2])] -= 1 if small else 3
suits = ["red", "black", "blue", "green" if small else "yellow"]
deck = [f"{suit}-{rank}" for suit in suits for rank, count in enumerate(copies) for _ in range(count)]
for number, deal in enumerate((row["payload"] for row in game["log"] if row["kind"] == "deal"), start=1):
    seed, each, cards = deal.get("seed", ""), deal["counts"][0], list(deck)
    hashes = "".join(hashlib.sha256(f"{seed}:{counter}".encode()).hexdigest() for counter in range(100))
    draws = (int(hashes[start : start + 8], 16) for start in range(0, len(hashes), 8))
    for last in range(len(cards) - 1, 0, -1):
        place = next(draw for draw in draws if draw < 2**32 // (last + 1) * (last + 1)) % (last + 1)
        cards[last], cards[place] = cards[place], cards[last]
    hands = [sorted(cards[seat * each :][:each]) for seat in range(len(deal["hands"]))]
    seals = [hashlib.sha256(text.encode()).hexdigest() for text in (f"njet-deal-2:{game['id']}:{number}:{seed}", seed)]
    good = deal.get("commitment") in seals and [sorted(hand or []) for hand in deal["hands"]] == hands
    print(f"Round {number}:", "good" if good else "WRONG" if seed else "sealed, its seed is not in this export")
