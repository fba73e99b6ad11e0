// SPDX-License-Identifier: Apache-2.0
/* state: what is chosen on the page, and which keys are hovered or pinned. */
"use strict";

const state = {
  left: null, // runs
  right: null, // null: there is only one
  subgroup: 0, // a slot: subgroupSlots
  follows: true, // the subgroup is the worst one until another is chosen
  pixel: null, // the one whose subgroup was asked for: pixels.js
  slot: 0, // the chosen place on the schedules' axis
  first: 0, // the part of the axis in view:
  slots: 0, // 0: all of it
  align: "time",
  colour: "difference",
  hovered: null, // a set of keys; null: none
  pinned: null,
};

const listeners = {choice: [], time: [], marks: [], view: [], colour: []};

function on(what, listener) {
  listeners[what].push(listener);
}

function tell(what) {
  for (const listener of listeners[what]) listener();
}

function sides() {
  return [state.left, state.right].filter((run) => run);
}

/* A run's name on this page: what tells it apart from the other side. */
function runName(run) {
  const other = run === state.left ? state.right : state.left;
  return other && other !== run ? nameBeside(run, other) : fullName(run);
}

/* What is said of two runs, and the sign of each difference, is of the subject compared with the base: of two policies of the
   left compared with the right one, of two modules or subgroup sizes of the later one. */
function subject() {
  return HAS_VARIANTS && state.right ? state.right : state.left;
}

function base() {
  return HAS_VARIANTS && state.right ? state.left : state.right;
}

/* A difference, left minus right, as subject minus base. */
function extraOf(extra) {
  return HAS_VARIANTS ? -extra : extra;
}

/* The keys that are highlighted; null: none. */
function markedKeys() {
  return state.hovered || state.pinned;
}

function isPinned(key) {
  return state.pinned !== null && state.pinned.has(key);
}

function sameKeys(a, b) {
  return a === b || (a !== null && b !== null && a.size === b.size && [...a].every((x) => b.has(x)));
}

function hover(marked) {
  if (sameKeys(marked, state.hovered)) return;
  state.hovered = marked;
  tell("marks");
}

/* Pins the keys, or unpins them if they are pinned. */
function pin(marked) {
  state.pinned = sameKeys(marked, state.pinned) ? null : marked;
  tell("marks");
  announce(state.pinned ? `Selected: ${[...state.pinned].map((k) => keyName(k)).join("; ")}` : "Nothing is selected.");
}

/* Tells screen readers. */
function announce(text) {
  document.getElementById("said").textContent = text;
}

/* ---- the tooltip at the pointer ---------------------------------------------------------------- */

const tip = document.getElementById("tip");

function showTip(lines, x, y) {
  tip.replaceChildren(...lines.map((line) => element("div", {}, line)));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.width - 8))}px`;
  tip.style.top = `${y + 18 + box.height > innerHeight ? Math.max(4, y - box.height - 10) : y + 18}px`;
}

function hideTip() {
  tip.hidden = true;
}

function average(f) {
  return f.executions ? f.lanes / f.executions : 0;
}

/* How often a key ran under the runs that are shown, and with how many lanes. */
function keyTip(key) {
  const lines = [keyName(key, 80)], inlined = key === OWN ? "" : inlinedName(...blockOf(key));
  if (inlined) lines.push(inlined);
  for (const run of sides()) {
    const f = keyFigures(run)[key];
    if (key === OWN) lines.push(`${runName(run)}: ${plural(f.issues, "issue")}`);
    else lines.push(f.executions
      ? `${runName(run)}: ${plural(f.executions, "execution")}, ${ratio(average(f))} of ${run.lanes} lanes on average, ${plural(f.issues, "issue")}`
      : `${runName(run)}: never run`);
  }
  return lines;
}

/* ---- many items with one Tab stop --------------------------------------------------------------- */

const roving = new Map(); // container: a function that removes its listeners

/* The items of a container represent keys: pointing at one highlights its keys, a click, Enter or space
   pins them; arrow keys go to the next item, Home and End to the ends. `tipOf` gives tooltips. */
function rove(container, items, keysOf, tipOf) {
  const place = new Map(items.map((item, i) => [item, i]));
  const placeOf = (node) => {
    while (node && node !== container && !place.has(node)) node = node.parentElement;
    return place.get(node);
  };
  const mark = (i, x, y) => {
    hover(i === undefined ? null : keysOf(i));
    if (i !== undefined && tipOf) showTip(tipOf(i), x, y);
    else hideTip();
  };
  const go = (from, to) => {
    const next = items[Math.min(items.length - 1, Math.max(0, to))];
    items[from].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  };
  const handlers = {
    keydown: (event) => {
      const i = placeOf(event.target);
      if (i === undefined) return;
      const to = {ArrowDown: i + 1, ArrowRight: i + 1, ArrowUp: i - 1, ArrowLeft: i - 1, Home: 0,
        End: items.length - 1}[event.key];
      if (to !== undefined) go(i, to);
      else if (event.key === "Enter" || event.key === " ") pin(keysOf(i));
      else return;
      event.preventDefault();
    },
    pointermove: (event) => mark(placeOf(event.target), event.clientX, event.clientY),
    pointerleave: () => mark(undefined),
    focusin: (event) => {
      if (!event.target.matches(":focus-visible")) return;
      const box = event.target.getBoundingClientRect();
      mark(placeOf(event.target), box.left, box.bottom - 14);
    },
    focusout: () => mark(undefined),
    click: (event) => {
      const i = placeOf(event.target);
      if (i !== undefined) pin(keysOf(i));
    },
  };
  roving.get(container)?.abort();
  roving.set(container, new AbortController());
  for (const [name, handler] of Object.entries(handlers))
    container.addEventListener(name, handler, {signal: roving.get(container).signal});
  items.forEach((item, i) => item.tabIndex = i ? -1 : 0);
}

function fillSelect(id, options, value) {
  const select = document.getElementById(id);
  select.replaceChildren(...options.map(([v, text]) => element("option", {value: v}, text)));
  select.value = value;
}
