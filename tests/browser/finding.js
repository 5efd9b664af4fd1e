// How the WebKit of these tests finds what Playwright finds in the other engines: by style sheet selectors, by what a
// person reads, by position.  The body of a function: `arguments` are the steps of a search and what is asked of it.
const [steps, ask, ...given] = arguments;

const spaced = (text) => text.replace(/\s+/g, " ").trim();
const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
// What a screen reader hears: a role is given to nothing else.
const isHeard = (element) => isShown(element) && !element.closest("[aria-hidden=true]");
const labelOf = (element) =>
  [element.getAttribute("aria-label") ?? "", ...[...(element.labels ?? [])].map((label) => label.textContent)].join(" ");
const nameOf = (element) => spaced(element.getAttribute("aria-label") ?? element.innerText ?? element.textContent);
const says = (text, { source, flags, exact }) =>
  flags !== undefined
    ? new RegExp(source, flags).test(text)
    : exact
      ? spaced(text) === source
      : spaced(text).toLowerCase().includes(source.toLowerCase());
const ROLES = {
  button: "button, summary, [role=button], input[type=submit]",
  link: "a[href]",
  heading: "h1, h2, h3"
};

const within = (roots, selector) => [...new Set(roots.flatMap((root) => [...root.querySelectorAll(selector)]))];
const ways = {
  css: (roots, selector) => within(roots, selector),
  parent: (roots) => [...new Set(roots.map((root) => root.parentElement))],
  role: (roots, role, name) =>
    within(roots, ROLES[role]).filter((each) => isHeard(each) && (!name || says(nameOf(each), name))),
  label: (roots, text) => within(roots, "input, select, textarea").filter((each) => says(labelOf(each), text)),
  text: (roots, text) => {
    const found = within(roots, "body *").filter((each) => !each.matches("script, style") && says(each.textContent, text));
    return found.filter((each) => !found.some((other) => other !== each && each.contains(other)));
  },
  nth: (found, place) => [found.at(place)].filter(Boolean),
  has: (found, inner) => found.filter((each) => search(inner, [each]).length),
  has_text: (found, text) => found.filter((each) => says(each.textContent, text)),
  or: (found, other) => [...new Set([...found, ...search(other, [document])])].sort((one, two) =>
    one.compareDocumentPosition(two) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
  )
};
const search = (path, roots) => path.reduce((found, [way, ...what]) => ways[way](found, ...what), roots);

// Where a tap on it lands, once it is on the screen and nothing lies over it.
const placeOf = (element, force) => {
  if (!force && (!isShown(element) || element.matches(":disabled"))) return null;
  const label = element.matches("input") && !element.clientWidth ? element.labels?.[0] : null;
  const target = label ?? element;
  const isHit = () => {
    const { left, top, width, height } = target.getClientRects()[0] ?? target.getBoundingClientRect();
    const place = [Math.round(left + width / 2), Math.round(top + height / 2)];
    const hit = document.elementFromPoint(...place);
    return hit && (target.contains(hit) || hit.contains(target) || hit.closest("label")?.control === element) && place;
  };
  const place = isHit();
  if (place) return place;
  target.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = target.getBoundingClientRect();
  return isHit() || (force ? [Math.round(left + width / 2), Math.round(top + height / 2)] : null);
};

const found = search(steps, [document]);
const answers = {
  count: () => found.length,
  shown: () => found.filter(isShown).length,
  place: (force) => (found.length ? placeOf(found[0], force) : null),
  attribute: (name) => found[0]?.getAttribute(name),
  texts: (kind) => found.map((each) => each[kind]),
  value: () => found[0]?.value,
  box: () => {
    if (!found.length) return null;
    const { x, y, width, height } = found[0].getBoundingClientRect();
    return { x, y, width, height };
  },
  focus: () => found[0]?.focus(),
  fill: (text) => {
    const field = found[0];
    if (!field || field.matches(":disabled")) return false;
    field.focus();
    field.value = text;
    for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, { bubbles: true }));
    return true;
  },
  state: (name) =>
    found.length > 0 &&
    { enabled: () => !found[0].matches(":disabled"), focused: () => found[0] === document.activeElement }[name](),
  elements: () => found
};
return answers[ask](...given);
