// Motion at the digital table: cards glide to their places and to the winner, markers drop, a refused card shakes.
// Only transform and opacity are animated, and nothing where less motion is asked for.
"use strict";

const Motion = (() => {
  const EASE = "cubic-bezier(.2,.8,.2,1)",
    STATE = 200,
    MOVE = 250,
    REST = 900;
  const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  const root = () => document.getElementById("table");
  let before = { lies: new Map(), covered: null, isChoosing: false },
    tiles = [], // the open tiles of a board that is about to go
    rest = 0, // how long they lie where they were
    taken = null, // where the card was that was tapped
    tapped = "";

  function move(element, frames, duration, rest = {}) {
    if (!element || isStill()) return null;
    return element.animate(frames, { duration, easing: EASE, fill: "backwards", ...rest });
  }

  // What moves an element to where a rectangle is.
  function towards(element, to, scale) {
    const from = element.getBoundingClientRect();
    const x = to.left + to.width / 2 - from.left - from.width / 2,
      y = to.top + to.height / 2 - from.top - from.height / 2;
    return `translate(${Math.round(x)}px, ${Math.round(y)}px) scale(${scale ?? to.width / (from.width || 1)})`;
  }

  const glide = (element, from, scale, duration = STATE, rest = {}) =>
    element && move(element, [{ transform: towards(element, from, scale) }, { transform: "none" }], duration, rest);

  // A player's plate; I have none, my cards come from the hand.
  const plateOf = (seat) => seat.querySelector(".plate") ?? document.getElementById("hand") ?? seat;

  // --- after each swap: what is new ---

  // Whether a card was played.
  function look() {
    const table = root(),
      lies = new Map(),
      isTrick = table.matches(".is-tricks, .is-result");
    for (const seat of isTrick ? table.querySelectorAll(".sitter") : []) {
      const open = seat.querySelector(".slot:not(.was) .face") ?? null;
      lies.set(seat.dataset.seat, { seat, open: open && open.className + open.textContent });
    }
    const { last = "" } = document.getElementById("trick")?.dataset ?? {};
    let came = false;
    if (before.lies.size && lies.size)
      for (const [number, { seat, open }] of lies) {
        const was = before.lies.get(number)?.open;
        // The card that completes a trick lies in the last one already.
        const face = seat.querySelector(last === before.last ? ".slot:not(.was) .face" : ".was .face");
        if (was || !face || (last === before.last && !open)) continue;
        came = true;
        const isMine = seat.matches(".at-me") && taken;
        glide(face, isMine ? taken : plateOf(seat).getBoundingClientRect(), isMine ? undefined : 0.9);
        // its number waits until it lies
        move(face.nextElementSibling, [{ opacity: 0 }, { opacity: 0 }], STATE);
      }
    dropMarkers();
    if (before.isChoosing && table.matches(".is-tricks")) receive();
    if (tiles.length && table.querySelector(".conditions")) settle();
    before = { lies, last, covered: covered(), isChoosing: table.matches(".is-choose"), round: table.dataset.turns };
    taken = null;
    return came;
  }

  const covered = () =>
    root().matches(".is-board")
      ? new Set(Array.from(root().querySelectorAll(".space.is-covered"), ({ id }) => id))
      : null;

  function dropMarkers() {
    const now = covered();
    if (!now || !before.covered || before.round !== root().dataset.turns) return;
    [...now]
      .filter((id) => !before.covered.has(id))
      .forEach((id, i) =>
        move(
          document.getElementById(id).querySelector(".marker"),
          [{ transform: "translateY(-24px) scale(1.4)", opacity: 0 }, { transform: "none" }],
          MOVE,
          { delay: i * MOVE }
        )
      );
  }

  // The cards that were passed come from a neighbour, with two players from the other one.
  function receive() {
    const isToLeft = root().querySelector('[data-space="pass_2_left"]');
    const giver = root().querySelector(isToLeft ? ".at-e .plate, .at-n .plate" : ".at-w .plate, .at-n .plate");
    if (!giver) return;
    for (const face of root().querySelectorAll(".in-hand.is-new .face"))
      glide(face, giver.getBoundingClientRect(), 0.9, MOVE);
  }

  // The open spaces fly to the strip.  Without teams to name the settled board was not seen: they rest first.  Where
  // bots are as quick as can be, cards lie there already.
  function settle() {
    const isLate = document.querySelector("#trick .face");
    for (const condition of root().querySelectorAll(".strip li")) {
      const row = condition.className.slice("on-".length),
        open = tiles.filter((tile) => tile.row === row),
        tile = open.find(({ id }) => id === `${row}-${condition.dataset.space}`) ?? open[0];
      if (tile && !isLate) glide(condition, tile.at, undefined, MOVE, { delay: rest });
    }
    tiles = [];
  }

  document.addEventListener("htmx:before:swap", () => {
    if (!root()?.matches(".is-board, .is-teams")) return;
    rest = root().matches(".is-board") ? REST : 0;
    tiles = [...root().querySelectorAll(".board .space:not(.is-covered)")].map((tile) => ({
      id: tile.id,
      row: /row-(\w+)/.exec(tile.closest("[class*=row-]").className)[1],
      at: tile.getBoundingClientRect()
    }));
  });

  // --- what was tapped ---

  document.addEventListener(
    "click",
    ({ target }) => {
      tapped = target.closest(".in-hand, .space")?.id ?? "";
    },
    true
  );
  document.addEventListener("submit", ({ submitter }) => {
    if (submitter?.matches(".in-hand")) taken = submitter.getBoundingClientRect();
  });

  // After a refusal what was tapped is still there.
  function refuse() {
    const thing = tapped && root().querySelector(".is-error") && document.getElementById(tapped);
    if (thing) shake(thing.querySelector(".face") ?? thing);
    tapped = "";
  }

  function shake(element) {
    const frames = ["none", "translateX(-4px)", "translateX(4px)", "none"].map((transform) => ({ transform }));
    move(element, frames, 120, { iterations: 2 });
  }

  // --- the last trick goes to its winner, then what it covered shows ---

  function collect(done) {
    const trick = document.getElementById("trick"),
      winner = trick?.querySelector(`.sitter[data-seat="${trick.dataset.winner}"]`);
    const to = winner && (winner.querySelector(".plate") ?? winner.querySelector(".slot")).getBoundingClientRect();
    const moves = [...(to ? trick.querySelectorAll(".was") : [])].map((card) =>
      move(card, [{ opacity: 1 }, { transform: towards(card, to, 0.4), opacity: 0 }], MOVE, { fill: "forwards" })
    );
    if (!moves[0]) return done();
    Promise.allSettled(moves.map(({ finished }) => finished)).then(() => {
      done();
      for (const each of moves) each.cancel();
    });
  }

  function rise(element) {
    move(element, [{ transform: "translateY(24px)", opacity: 0 }, { transform: "none" }], MOVE);
  }

  return { look, collect, refuse, shake, rise };
})();
