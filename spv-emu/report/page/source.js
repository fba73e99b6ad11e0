// SPDX-License-Identifier: Apache-2.0
/* source: the source, or the disassembly, with the cost of each line under the two policies. */
"use strict";

const listingRows = []; // {row, blocks}

/* Issues and lanes of one line, or of all, under one policy. */
function costCells(figures, most, lanes) {
  if (!figures.issues) return [element("td", {class: "number"}), element("td", {class: "number"})];
  const cell = element("td", {class: "number cost", style: `--share: ${100 * figures.issues / most}%`}, count(figures.issues));
  return [cell, element("td", {class: "number"}, `${(figures.lanes / figures.issues).toFixed(1)}`,
    element("span", {class: "of"}, `/${lanes}`))];
}

function drawListing() {
  const policies = [state.left, state.right].filter((p) => p);
  const lines = shown.listing.lines, table = document.getElementById("listing");
  const indent = Math.min(...lines.filter((line) => line[0].trim()).map((line) => line[0].search(/\S/)));
  const figures = policies.map((p) => lines.map((line) => lineFigures(p, line)));
  const most = Math.max(1, ...figures.flat().map((f) => f.issues));
  const lanesOf = (p) => shown.policies[p].schedule.lanes;
  const head = element("tr"), total = element("tr", {class: "total"}), body = element("tbody");
  for (const p of policies) head.append(element("th", {scope: "col", class: "number"}, `${p}: issues`),
    element("th", {scope: "col", class: "number"}, "lanes"));
  head.append(element("th", {scope: "col", class: "number"}, ""), element("th", {scope: "col"}, "line"));
  listingRows.length = 0;
  lines.forEach((line, i) => {
    const row = element("tr");
    policies.forEach((p, k) => row.append(...costCells(figures[k][i], most, lanesOf(p))));
    row.append(element("td", {class: "number line"}, String(i + 1)), element("td", {class: "text"}, line[0].slice(indent)));
    body.append(row);
    listingRows.push({row, blocks: lineBlocks(line)});
  });
  policies.forEach((p, k) => {
    const sum = figures[k].reduce((s, f) => ({issues: s.issues + f.issues, lanes: s.lanes + f.lanes}),
      {issues: 0, lanes: 0});
    const cells = costCells(sum, Infinity, lanesOf(p));
    cells[0].dataset.sum = p;
    total.append(...cells);
  });
  total.append(element("td"), element("td", {class: "text"}, shown.listing.source
    ? "all lines; instructions without a line are not included" : "all lines"));
  table.replaceChildren(element("thead", {}, head), body, element("tfoot", {}, total));
  const live = listingRows.filter((entry) => entry.blocks.size);
  live.forEach(({row}) => row.classList.add("live"));
  rove(table, live.map(({row}) => row), (i) => live[i].blocks);
}

/* When blocks are pinned, scrolls the first marked line into view, inside its box. */
function markListing() {
  const marked = markedBlocks();
  for (const {row, blocks} of listingRows)
    row.classList.toggle("marked", marked !== null && [...blocks].some((b) => marked.has(b)));
}

function revealListing() {
  const first = document.querySelector("#listing tr.marked"), box = document.querySelector(".listing");
  if (!state.pinned || !first || box.contains(document.activeElement)) return;
  box.scrollTop = Math.max(0, first.offsetTop - box.clientHeight / 3);
}

function startListing() {
  document.getElementById("source-title").textContent = shown.listing.source ? "Source" : "Disassembly";
  document.getElementById("listing-cut").textContent = shown.listing.cut
    ? `There are too many lines for the page: it shows the first ${count(shown.listing.lines.length)}.` : "";
}
