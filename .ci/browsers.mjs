// What style sheets and scripts use that a browser of "browserslist" (package.json) does not have, by MDN's data:
//
//   node browsers.mjs <file> …
//
// Of a style sheet: at-rules, media features, selectors, properties, and the keywords, functions and units of their
// values; an @supports around a rule holds for what it asks for. Of a script: its syntax, the names of events, and each
// property by the type of its object; where TypeScript knows no type, by its name: some interface of a browser of the
// list has it. What is called by “?.” may be missing. Not seen: differences of behaviour, and the options of a call.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import data from "@mdn/browser-compat-data" with { type: "json" };
import { parse } from "acorn";
import * as csstree from "css-tree";
import ts from "typescript";

// What some of them lack, and why it is used all the same. A name stands for all that begin with it.
const MAY_BE_MISSING = {
  "css at-rules media scripting": "Chrome 120: before it, without script, buttons of scripts are seen and do nothing",
  "css at-rules page": "Safari 18.2: the margins of paper are its own there",
  "css properties -webkit-tap-highlight-color": "only phones colour what is tapped",
  "css properties accent-color": "Safari before 26.2, Android: with less contrast inside the box",
  "css properties align-content safe": "Safari 17.6: what would be centred stands above",
  "css properties break-": "columns and paper: a heading may stand at an end",
  "css properties contain style": "Safari 27: what concerns quotes, which pages do not generate",
  "css properties cursor": "an iPhone has no pointer",
  "css properties font-family ui-monospace": "the next name follows",
  "css properties forced-color-adjust": "Safari has no forced colours",
  "css properties print-color-adjust exact": "Chrome 136: before it by the older name, which stands beside",
  "css properties scrollbar-width": "Chrome 121, Safari 18.2: a usual bar",
  "css properties text-wrap balance": "Safari 17.5: the last line is shorter",
  "css selectors -moz-progress-bar": "each engine has its own name",
  "css selectors -webkit-": "each engine has its own name",
  "css selectors nesting": "Chrome 120: before it nested selectors begin with “&”, as they do here",
  "api AbortSignal timeout_static": "Chrome 124: another name of the error, which nothing asks for",
  "api BarcodeDetector": "asked for before; without it the code is typed, or read by the camera of the phone",
  "api Element touch": "Safari has it on phones",
  "api HTMLVideoElement playsInline": "Firefox plays films in the page",
  "api HTMLMediaElement srcObject": "all of them take the picture of a camera, the only thing it is given here",
  "api InputEvent isComposing": "Safari: a name in Chinese or Japanese moves the focus early",
  "api Navigator share": "asked for before; there is a button that copies",
  "api Navigator wakeLock": "asked for before; without it a film keeps the screen on",
  "api Notification": "asked for before; without it the title of the page says whose turn it is",
  "api PeriodicSyncEvent": "of an event that comes where it is known",
  "api ServiceWorkerRegistration sync": "asked for before; without it a page that is open sends",
  "api Touch": "Safari has it on phones",
  "api WakeLock": "asked for before; without it a film keeps the screen on"
};
// The same of htmx, which asks for what it uses.
const MAY_BE_MISSING_IN_HTMX = {
  "api CookieChangeEvent": "an option of a trigger, in htmx",
  "api Document moveBefore": "htmx inserts instead",
  "api Document startViewTransition": "htmx swaps without, and transitions are off",
  "api HTMLInputElement capture": "an option of an event, in htmx",
  "api NavigateEvent": "htmx uses the address bar, and its history is off",
  "api ViewTransition": "htmx swaps without",
  "api Window navigation": "htmx uses the address bar, and its history is off"
};

const NAMES = {
  chrome: ["chrome", "chrome_android"],
  firefox: ["firefox", "firefox_android"],
  safari: ["safari"],
  ios_saf: ["safari_ios"],
  samsung: ["samsunginternet_android"]
};
const { browserslist } = JSON.parse(readFileSync(new URL("package.json", import.meta.url)));
const LOWEST = browserslist.flatMap((line) => {
  const [name, version] = line.split(" >= ");
  return NAMES[name].map((browser) => [browser, version]);
});
const faults = [];

// All of ES2024: what came last, the flag v of regular expressions, is in Chrome 112, Firefox 116 and Safari 17.
const SYNTAX = 2024;

// --- the data: a feature is its path, "css properties content alt_text" ---

const remembered = (answer) => {
  const answers = new Map();
  return (...asked) => {
    const key = asked.join(" ");
    if (!answers.has(key)) answers.set(key, answer(...asked));
    return answers.get(key);
  };
};

const at = (path) => path.reduce((node, key) => node?.[key], data)?.__compat;

/** The feature of a path in a list, which is empty where the data have none. */
const known = (...path) => (at(path) ? [path.join(" ")] : []);

const LESS = ["alternative_name", "flags", "partial_implementation", "prefix", "version_removed"];

/** The version that first had a whole feature, under this name (or with “-webkit-” too) and without a setting. */
const since = (feature, browser, isPrefixed) =>
  [at(feature.split(" ")).support[browser] ?? []]
    .flat()
    .filter((each) => LESS.every((key) => !each[key] || (isPrefixed && key === "prefix" && each[key] === "-webkit-")))
    .map((each) => each.version_added)
    .filter((version) => version && version !== "preview")
    .reduce((one, other) => (one && isLater(other, one) ? one : other), undefined);

const isLater = (one, other) => {
  const [[a, b = 0], [c, d = 0]] = [one, other].map((version) => version.replace("≤", "").split(".").map(Number));
  return a > c || (a === c && b > d);
};

/** The browsers of the list that lack a feature. */
const lacking = remembered((feature, isPrefixed = false) =>
  LOWEST.filter(([browser, version]) => {
    const first = since(feature, browser, isPrefixed);
    return !first || isLater(first, version);
  }).map(([browser]) => `${browser} ${since(feature, browser, isPrefixed) ?? "none"}`)
);

// --- style sheets ---

const { types, properties } = data.css;
const SHORTHANDS =
  "animation background border columns container flex font grid grid-template list-style mask overflow " +
  "overscroll-behavior text-decoration text-wrap transition white-space";

const partsOf = remembered((property) => [
  property.replace("place-", "align-"),
  ...Object.keys(properties).filter((each) =>
    SHORTHANDS.split(" ").some((one) => one === property && each.startsWith(`${one}-`))
  )
]);

/** A keyword or function of a property; a shorthand has those of its parts. */
const ofProperty = remembered((property, name) =>
  partsOf(property)
    .flatMap((each) => known("css", "properties", each, name))
    .slice(0, 1)
);

/** A function that several properties have: a type of its own, or of a group such as colours. */
const ofTypes = remembered((name) =>
  [[], ...Object.keys(types).map((group) => [group])]
    .flatMap((group) => [name, `${name}-function`].flatMap((each) => known("css", "types", ...group, each)))
    .slice(0, 1)
);

const UNITS = [
  [/^d(v.|vmin|vmax)$/, "viewport_percentage_units_dynamic"],
  [/^l(v.|vmin|vmax)$/, "viewport_percentage_units_large"],
  [/^s(v.|vmin|vmax)$/, "viewport_percentage_units_small"],
  [/^cq/, "container_query_length_units"]
];

function inValue(property, node) {
  if (node.type === "Identifier") return ofProperty(property, node.name);
  if (node.type === "Operator" && node.value === "/" && property === "content") return ofProperty(property, "alt_text");
  if (node.type === "Dimension") {
    const [, kind] = UNITS.find(([units]) => units.test(node.unit)) ?? [];
    return known("css", "types", "length", kind ?? node.unit);
  }
  if (node.type !== "Function") return [];
  const isRelative = node.children.first?.name === "from";
  const relative = isRelative ? known("css", "types", "color", node.name, "relative_syntax") : [];
  return [...ofProperty(property, node.name), ...ofTypes(node.name), ...relative];
}

/** What a node of a style sheet uses, without the nodes in it; of a declaration all. */
function inSheet(node) {
  if (node.type === "Declaration") {
    let used = known("css", "properties", node.property);
    csstree.walk(node.value, (part) => void (used = [...used, ...inValue(node.property, part)]));
    return used;
  }
  if (node.type === "Atrule") return known("css", "at-rules", node.name);
  if (node.type === "Feature") return known("css", "at-rules", "media", node.name);
  if (node.type === "FeatureRange") return known("css", "at-rules", "media", "range_syntax");
  if (node.type === "NestingSelector") return known("css", "selectors", "nesting");
  if (node.type === "Nth" && node.selector) return known("css", "selectors", "nth-child", "of_syntax");
  if (node.type.startsWith("Pseudo")) return known("css", "selectors", node.name);
  return [];
}

/** What an @supports asks for, if all of it has to be there. */
function askedFor(rule) {
  const asked = [];
  if (rule.name === "supports" && !/\bor\b|\bnot\b/.test(csstree.generate(rule.prelude)))
    csstree.walk(rule.prelude, (node) => void asked.push(...inSheet(node)));
  return asked;
}

function usesInSheet(file) {
  const sheet = csstree.parse(readFileSync(file, "utf8"), { parseCustomProperty: true });
  const prefixed = new Set();
  csstree.walk(sheet, (node) => void prefixed.add(node.property));
  const uses = [];
  const asked = [];
  csstree.walk(sheet, {
    enter(node) {
      if (node.type === "Atrule") asked.push(askedFor(node));
      if (node.type === "Raw") faults.push(`${basename(file)}: cannot be read: ${node.value}`);
      if (node.type === "Condition" && node.kind === "supports") return this.skip;
      for (const feature of inSheet(node))
        if (!asked.flat().includes(feature))
          uses.push([feature, file, csstree.generate(node), prefixed.has(`-webkit-${node.property}`)]);
    },
    leave(node) {
      if (node.type === "Atrule") asked.pop();
    }
  });
  return uses;
}

/** Whether all of a style sheet is within an @supports that is true from the versions of the list on. */
function isForThem(file) {
  const { first, size } = csstree.parse(readFileSync(file, "utf8")).children;
  const asked = size === 1 && first.type === "Atrule" ? askedFor(first) : [];
  return LOWEST.every(([browser, version]) => {
    const versions = asked.map((feature) => since(feature, browser) ?? "0");
    return versions.every((one) => !isLater(one, version)) && versions.some((one) => !isLater(version, one));
  });
}

// --- scripts ---

// A name of another interface says little about an object of which no type is known.
const COMMON = /^(Document|Element|HTML\w*Element|Navigator|Node|Window|\w*Event)$/;

/** A property of an interface, or of the object that makes its instances. */
const ofInterface = remembered((owner, name) => {
  const plain = owner.replace(/Constructor$/, "");
  const ofPages = [name, `${name}_static`].flatMap((each) => known("api", plain, each));
  const ofLanguage = [[plain], ["Intl", plain]].flatMap((path) => known("javascript", "builtins", ...path, name));
  return [...ofPages, ...ofLanguage].slice(0, 1);
});

const byName = new Map();
for (const path of [["api"], ["javascript", "builtins"]])
  for (const [owner, members] of Object.entries(path.reduce((node, key) => node[key], data)))
    for (const name of Object.keys(members))
      byName.set(name, [...(byName.get(name) ?? []), ...known(...path, owner, name)]);

/** Where no interface is known: nothing if some interface that has the name is old enough. */
const ofAny = remembered((name) => {
  // What no browser has any more is a name of ours.
  const all = (byName.get(name) ?? []).filter((feature) => LOWEST.some(([browser]) => since(feature, browser)));
  if (all.some((feature) => !lacking(feature).length)) return [];
  return all.filter((feature) => !feature.startsWith("api") || COMMON.test(feature.split(" ")[1])).slice(0, 1);
});

/** The names of the interfaces of a type, and of those that they extend. */
function interfacesOf(type) {
  if (type.isUnionOrIntersection()) return type.types.flatMap(interfacesOf);
  const bases = type.isClassOrInterface() ? (type.getBaseTypes() ?? []) : [];
  return [...(type.symbol ? [type.symbol.name] : []), ...bases.flatMap(interfacesOf)];
}

/** The interfaces that declare a property; an object without a type has that of its variable. */
const declaring = (symbol) =>
  (symbol?.declarations ?? []).flatMap(({ parent }) => parent?.name?.text ?? parent?.parent?.name?.text ?? []);

const isOwn = (symbol) => symbol?.declarations?.some((each) => !each.getSourceFile().isDeclarationFile);

function ofObject(checker, type, name, symbol, variable = []) {
  if (isOwn(symbol)) return [];
  const object = checker.getApparentType(checker.getNonNullableType(type));
  const owners = [...declaring(symbol), ...interfacesOf(object), ...variable];
  const [feature] = owners.flatMap((owner) => ofInterface(owner, name));
  if (feature) return [feature];
  return object.getStringIndexType() ? [] : ofAny(name); // a dataset has names of its own
}

/** What a node of a script uses, without the nodes in it. */
function inScript(checker, node) {
  if (ts.isPropertyAccessExpression(node)) {
    if (node.parent.questionDotToken) return [];
    const { expression: object, name } = node;
    const type = checker.getTypeAtLocation(object);
    return ofObject(checker, type, name.text, checker.getSymbolAtLocation(name), [object.getText()]);
  }
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
    const name = (node.propertyName ?? node.name).text;
    const type = checker.getTypeAtLocation(node.parent);
    return name ? ofObject(checker, type, name, checker.getPropertyOfType(type, name)) : [];
  }
  if (ts.isCallExpression(node) && (node.expression.name ?? node.expression).text === "addEventListener")
    return node.arguments[0].text ? ofAny(`${node.arguments[0].text}_event`) : [];
  if (ts.isIdentifier(node) && node.parent.name !== node && node.parent.propertyName !== node) {
    const symbol = checker.getSymbolAtLocation(node);
    if (isOwn(symbol)) return [];
    return [["api"], ["api", "Window"], ["javascript", "builtins"]]
      .flatMap((path) => known(...path, node.text))
      .slice(0, 1);
  }
  return [];
}

/** What scripts use, each read by itself: what another one declares has no type. */
function usesInScripts(files) {
  const program = ts.createProgram(files, {
    allowJs: true,
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    moduleDetection: ts.ModuleDetectionKind.Force,
    noEmit: true,
    target: ts.ScriptTarget.ESNext,
    types: []
  });
  const checker = program.getTypeChecker();
  const uses = [];
  for (const file of files) {
    const visit = (node) => {
      for (const feature of inScript(checker, node)) uses.push([feature, file, node.getText(), false]);
      ts.forEachChild(node, visit);
    };
    visit(program.getSourceFile(file));
  }
  return uses;
}

// --- all files ---

const files = process.argv.slice(2);
const sheets = files.filter((file) => file.endsWith(".css"));
const scripts = files.filter((file) => file.endsWith(".js"));
for (const file of sheets)
  if (!isForThem(file))
    faults.push(`${basename(file)} is not within an @supports that begins with ${browserslist.join(", ")}`);
for (const file of scripts) {
  try {
    parse(readFileSync(file, "utf8"), { ecmaVersion: SYNTAX });
  } catch (error) {
    faults.push(`${basename(file)} has a syntax after ES${SYNTAX}: ${error.message}`);
  }
}
const unused = new Set(Object.keys({ ...MAY_BE_MISSING, ...MAY_BE_MISSING_IN_HTMX }));
const uses = [...sheets.flatMap(usesInSheet), ...usesInScripts(scripts)];
for (const [feature, file, where, isPrefixed] of uses) {
  const without = lacking(feature, isPrefixed);
  if (!without.length) continue;
  const allowed = { ...MAY_BE_MISSING, ...(basename(file).startsWith("htmx") ? MAY_BE_MISSING_IN_HTMX : {}) };
  const reason = Object.keys(allowed).find((name) => feature.startsWith(name));
  if (reason) unused.delete(reason);
  else faults.push(`${basename(file)}: ${feature} (${without.join(", ")}): ${where.slice(-90)}`);
}
for (const name of unused) faults.push(`nothing uses “${name}” any more: it needs no reason`);

console.log([...new Set(faults)].join("\n") || `${uses.length} uses in ${files.length} files: all browsers have them`);
process.exitCode = faults.length || !sheets.length || !scripts.length ? 1 : 0;
