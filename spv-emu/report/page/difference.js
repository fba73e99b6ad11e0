// SPDX-License-Identifier: Apache-2.0
/* difference: bars for the lines that cost more under one run than under the other; what is not shown
   one by one is in the last row, so that the rows add up to the totals. */
"use strict";

const FEW_BARS = 8;
let allBars = false;

function sumOf(rest) {
  const sum = {key: null, left: {...NO_FIGURES}, right: {...NO_FIGURES}, costs: [0, 0], extra: 0};
  for (const x of rest) {
    for (const name of Object.keys(NO_FIGURES)) {
      sum.left[name] += x.left[name];
      sum.right[name] += x.right[name];
    }
    sum.costs = [sum.costs[0] + x.costs[0], sum.costs[1] + x.costs[1]];
    sum.extra += x.extra;
  }
  return sum;
}

/* One bar: its length is the cost, its dark part that of the active lanes. */
function costBar(run, x, side, longest) {
  const f = side ? x.right : x.left, cost = x.costs[side];
  const used = f.issues ? f.laneIssues / (f.issues * run.lanes) : 0;
  const bar = cost ? element("div", {class: "bar", style: `width: ${100 * cost / longest}%`},
    element("div", {style: `width: ${100 * used}%`})) : "";
  const lanes = x.key === OWN || !f.issues ? "" : `, ${ratio(f.laneIssues / f.issues)} of ${run.lanes} lanes`;
  return element("div", {class: "cost-bar"}, element("span", {class: "bar-of"}, runName(run)),
    element("div", {class: "bar-room"}, bar), element("span", {class: "bar-text"}, `${byLaneSlots() ? plural(cost, "lane slot") : plural(cost, "issue")}${lanes}`));
}

function signed(value) {
  return value > 0 ? `+${count(value)}` : value < 0 ? `−${count(-value)}` : "0";
}

function signedExtra(extra) {
  return signed(extraOf(extra));
}

function extraText() {
  return `The number on the right is ${runName(subject())} minus ${runName(base())}.`;
}

function differenceRow(x, longest, name) {
  const bars = element("div", {class: "bars-of"}, ...sides().map((run, side) => costBar(run, x, side, longest)));
  const title = element("div", {class: "bar-name"}, ...x.key === null ? [] : [chip(x.key)], name);
  const row = element("div", {class: x.key === null ? "difference rest" : "difference"}, title, bars);
  if (state.right) row.append(element("div", {class: "extra"}, signedExtra(x.extra)));
  return row;
}

/* All keys, the largest difference first; where there is none, the largest waste. */
function barKeys() {
  return differ() ? compareKeys() : byWaste();
}

function drawDifference() {
  const all = barKeys(), largest = differ() ? all.filter((x) => x.extra) : all;
  const shown = allBars ? all : largest.slice(0, FEW_BARS), rest = all.filter((x) => !shown.includes(x));
  const longest = Math.max(1, ...all.flatMap((x) => x.costs));
  const list = element("div", {role: "listbox", "aria-labelledby": "difference-title", class: "differences"});
  const items = shown.map((x) => {
    const row = differenceRow(x, longest, keyName(x.key));
    row.setAttribute("role", "option");
    row.setAttribute("aria-label", `${keyTip(x.key).join("; ")}; difference ${signedExtra(x.extra)} ${costUnit()}`);
    row.dataset.key = x.key;
    return row;
  });
  list.append(...items);
  const room = document.getElementById("differences"), sum = sumOf(rest);
  room.replaceChildren(list);
  if (rest.length)
    room.append(differenceRow(sum, Math.max(longest, ...sum.costs), `${plural(rest.length, "other block")}, together`));
  rove(list, items, (i) => new Set([shown[i].key]), (i) => keyTip(shown[i].key));
  document.getElementById("all-bars").hidden = all.length <= FEW_BARS && !rest.length;
  document.getElementById("all-bars").textContent = allBars ? "Show the largest differences" : `Show all ${count(all.length)} blocks`;
  document.getElementById("difference-title").textContent = differ() ? "Where the difference comes from" : "Where work is wasted";
  document.getElementById("difference-note").textContent =
    `A bar is as long as the ${costUnit()} of a block; its dark part is the share of active lanes. ` +
    (keys.some((key) => key.line) ? "A block is named by its first line. " : "") + (state.right ? extraText() : "");
}

function markDifference() {
  const marked = markedKeys();
  for (const row of document.querySelectorAll("#differences [data-key]")) {
    const key = Number(row.dataset.key);
    row.classList.toggle("faint", marked !== null && !marked.has(key));
    row.setAttribute("aria-selected", isPinned(key));
  }
}

function startDifference() {
  document.getElementById("all-bars").addEventListener("click", () => {
    allBars = !allBars;
    drawDifference();
    markDifference();
  });
}
