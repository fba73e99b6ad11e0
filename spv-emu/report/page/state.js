// SPDX-License-Identifier: Apache-2.0
/* state: what is chosen on the page, and which blocks are hovered or pinned. */
"use strict";

const state = {
  left: null,
  right: null, // null: there is only one policy
  subgroup: 0,
  slot: 0,
  zoom: 1,
  hovered: null, // a set of blocks; null: none
  pinned: null,
};

const listeners = {choice: [], time: [], blocks: [], theme: []};

function on(what, listener) {
  listeners[what].push(listener);
}

function tell(what) {
  for (const listener of listeners[what]) listener();
}

/* The blocks that are highlighted; null: none. */
function markedBlocks() {
  return state.hovered || state.pinned;
}

function sameBlocks(a, b) {
  return a === b || (a !== null && b !== null && a.size === b.size && [...a].every((x) => b.has(x)));
}

function hover(blocks) {
  if (sameBlocks(blocks, state.hovered)) return;
  state.hovered = blocks;
  tell("blocks");
}

/* Pins the blocks, or unpins them if they are pinned. */
function pin(blocks) {
  state.pinned = sameBlocks(blocks, state.pinned) ? null : blocks;
  tell("blocks");
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

/* "executions" and lanes of a block under the policies that are shown. */
function blockTip(block) {
  const lines = [`block ${blockName(block)}`];
  const line = shown.blocks[block][2];
  if (line) lines[0] += `, line ${line}`;
  for (const policy of [state.left, state.right]) {
    if (!policy) continue;
    const f = allBlockFigures(policy)[block], lanes = shown.policies[policy].schedule.lanes;
    lines.push(f.executions
      ? `${policy}: ${plural(f.executions, "execution")}, ${ratio(f.lanes / f.executions)} of ${lanes} lanes, ${plural(f.issues, "issue")}`
      : `${policy}: never run`);
  }
  return lines;
}

/* ---- many items with one Tab stop --------------------------------------------------------------- */

const roving = new Map(); // container: a function that removes its listeners

/* The items of a container represent blocks: pointing at one highlights its blocks, a click, Enter or
   space pins them; arrow keys go to the next item, Home and End to the ends. `tipOf` gives tooltips. */
function rove(container, items, blocksOf, tipOf) {
  const place = new Map(items.map((item, i) => [item, i]));
  const placeOf = (node) => {
    while (node && node !== container && !place.has(node)) node = node.parentElement;
    return place.get(node);
  };
  const mark = (i, x, y) => {
    hover(i === undefined ? null : blocksOf(i));
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
      else if (event.key === "Enter" || event.key === " ") pin(blocksOf(i));
      else return;
      event.preventDefault();
    },
    pointermove: (event) => mark(placeOf(event.target), event.clientX, event.clientY),
    pointerleave: () => mark(undefined),
    focusin: (event) => {
      const box = event.target.getBoundingClientRect();
      mark(placeOf(event.target), box.left, box.bottom - 14);
    },
    focusout: () => mark(undefined),
    click: (event) => {
      const i = placeOf(event.target);
      if (i !== undefined) pin(blocksOf(i));
    },
  };
  roving.get(container)?.abort();
  roving.set(container, new AbortController());
  for (const [name, handler] of Object.entries(handlers))
    container.addEventListener(name, handler, {signal: roving.get(container).signal});
  if (items.length) items[0].tabIndex = 0;
}
