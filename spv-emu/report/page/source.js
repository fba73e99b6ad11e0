// SPDX-License-Identifier: Apache-2.0
/* source: the source, or the disassembly, with the cost of each line under the runs that are shown. */
"use strict";

const listingRows = []; // {row, keys}
let listingSide = "left";

/* Do two programs have the same text, line by line? */
function sameText(a, b) {
  const x = listingOf(a), y = listingOf(b);
  return x === y || (x.source && y.source && x.lines.length === y.lines.length && x.lines.every((line, i) => line[0] === y.lines[i][0]));
}

/* The runs whose costs are shown next to one text. */
function listedRuns() {
  if (!state.right || sameText(programOf(state.left), programOf(state.right))) return sides();
  return [state[listingSide]];
}

/* Issues and lanes of one line, or of all, under one run. */
function costCells(figures, most, lanes) {
  if (!figures.issues) return [element("td", {class: "number"}), element("td", {class: "number"})];
  const cell = element("td", {class: "number cost", style: `--share: ${100 * figures.issues / most}%`}, count(figures.issues));
  return [cell, element("td", {class: "number"}, `${(figures.lanes / figures.issues).toFixed(1)}`,
    element("span", {class: "of"}, `/${lanes}`))];
}

function listingHead(of) {
  const head = element("tr"), column = (text) => element("th", {scope: "col", class: "number"}, text);
  for (const run of of) head.append(column(`${runName(run)}: issues`), column("lanes"));
  if (of.length > 1) head.append(column("difference"));
  head.append(column(""), element("th", {scope: "col"}, "line"));
  return head;
}

function listingFoot(of, figures) {
  const total = element("tr", {class: "total"});
  of.forEach((run, k) => {
    const sum = figures[k].reduce((s, f) => ({issues: s.issues + f.issues, lanes: s.lanes + f.lanes}), {issues: 0, lanes: 0});
    const cells = costCells(sum, Infinity, run.lanes);
    cells[0].dataset.sum = runs.indexOf(run);
    total.append(...cells);
  });
  if (of.length > 1) total.append(element("td"));
  total.append(element("td"), element("td", {class: "text"}, listingOf(programOf(of[0])).source
    ? "all lines; instructions without a line are not included" : "all lines"));
  return total;
}

function listingRow(of, figures, i, most, indent) {
  const row = element("tr"), line = listingOf(programOf(of[0])).lines[i];
  of.forEach((run, k) => row.append(...costCells(figures[k][i], most, run.lanes)));
  if (of.length > 1) {
    const extra = figures[0][i].issues - figures[1][i].issues;
    row.append(element("td", {class: extra ? "number extra" : "number"}, extra ? signed(extra) : ""));
  }
  row.append(element("td", {class: "number line"}, String(i + 1)), element("td", {class: "text"}, line[0].slice(indent)));
  return row;
}

/* The keys of a line under all listed runs. */
function keysOfLine(of, i) {
  return [...new Set(of.flatMap((run) => lineKeys(run.program, listingOf(programOf(run)).lines[i])))];
}

function drawListing() {
  const of = listedRuns(), lines = listingOf(programOf(of[0])).lines;
  const indents = lines.filter((line) => line[0].trim()).map((line) => line[0].search(/\S/));
  const figures = of.map((run) => listingOf(programOf(run)).lines.map((line) => lineFigures(run, line)));
  const most = Math.max(1, ...figures.flat().map((f) => f.issues)), body = element("tbody");
  listingRows.length = 0;
  lines.forEach((_, i) => {
    const row = listingRow(of, figures, i, most, indents.length ? Math.min(...indents) : 0);
    body.append(row);
    listingRows.push({row, keys: keysOfLine(of, i)});
  });
  document.getElementById("listing").replaceChildren(element("thead", {}, listingHead(of)), body,
    element("tfoot", {}, listingFoot(of, figures)));
  const live = listingRows.filter((entry) => entry.keys.length);
  live.forEach(({row}) => row.classList.add("live"));
  rove(document.getElementById("listing"), live.map(({row}) => row), (i) => new Set(live[i].keys));
  describeListing(of[0]);
  colourListing();
}

function describeListing(run) {
  const listing = listingOf(programOf(run));
  document.getElementById("source-title").textContent = listing.source ? "Source" : "Disassembly";
  document.getElementById("listing-cut").textContent = listing.cut
    ? `There are too many lines for the page: it shows the first ${count(listing.lines.length)}.` : "";
  document.getElementById("listing-of").parentElement.hidden = listedRuns().length > 1 || !state.right;
  fillSelect("listing-of", ["left", "right"].filter((side) => state[side]).map((side) => [side, fullName(state[side])]), listingSide);
}

/* The edge of a line has the colour of its first key that stands out. */
function colourListing() {
  for (const {row, keys: of} of listingRows) {
    const key = of.find((k) => telling.keys.includes(k)) ?? of.find((k) => telling.more.has(k)), text = row.querySelector(".text");
    const shown = state.colour === "difference" ? key : of[0];
    text.style.setProperty("--edge", shown === undefined ? "transparent" : css(colourOf(shown, listedRuns()[0])));
  }
}

function markListing() {
  const marked = markedKeys();
  for (const {row, keys: of} of listingRows) {
    row.classList.toggle("marked", marked !== null && of.some((key) => marked.has(key)));
    if (of.length) row.setAttribute("aria-current", of.some(isPinned));
  }
}

/* When keys are pinned, scrolls the first marked line into view, inside its box. */
function revealListing() {
  const first = document.querySelector("#listing tr.marked"), box = document.querySelector(".listing");
  if (!state.pinned || !first || box.contains(document.activeElement) || box.matches(":hover")) return;
  box.scrollTop = Math.max(0, first.offsetTop - box.clientHeight / 3);
}

function startListing() {
  document.getElementById("listing-of").addEventListener("change", (event) => {
    listingSide = event.target.value;
    drawListing();
    markListing();
  });
}
