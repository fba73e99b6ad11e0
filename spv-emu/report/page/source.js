// SPDX-License-Identifier: Apache-2.0
/* source: the source, or the disassembly, with the cost of each line under the runs that are shown. */
"use strict";

const listingRows = []; // {row, keys}
let listingSide = "left";

/* Do two programs have the same text, line by line? */
function sameText(a, b) {
  const x = listingOf(a), y = listingOf(b);
  return x === y || (x.source && y.source && x.lines.length === y.lines.length &&
    String(x.sections) === String(y.sections) && x.lines.every((line, i) => line[0] === y.lines[i][0]));
}

/* The runs whose costs are shown next to one text. */
function listedRuns() {
  if (!state.right || sameText(programOf(state.left), programOf(state.right))) return sides();
  return [state[listingSide]];
}

/* Issues and lanes of one line, or of all, under one run; data-of is what the head of the column says. */
function costCells(run, figures, most) {
  if (!figures.issues) return [element("td", {class: "number"}), element("td", {class: "number"})];
  const cell = element("td", {class: "number cost", style: `--share: ${100 * figures.issues / most}%`,
    "data-of": `${runName(run)}: issues`}, count(figures.issues));
  return [cell, element("td", {class: "number", "data-of": "lanes"}, `${(figures.lanes / figures.issues).toFixed(1)}`,
    element("span", {class: "of"}, `/${run.lanes}`))];
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
    const cells = costCells(run, sum, Infinity);
    cells[0].dataset.sum = runs.indexOf(run);
    total.append(...cells);
  });
  if (of.length > 1) total.append(element("td"));
  total.append(element("td"), element("td", {class: "text"}, "all lines"));
  return total;
}

/* A heading of the lines of a file, if it has a name. */
function fileRow(of, file) {
  const program = programOf(of[0]), name = file === null ? "" : program.files[file];
  const known = listingOf(program).sections.some((section) => section[0] === file && section[3]);
  return name ? [element("tr", {class: "file"}, element("td", {colspan: 2 * of.length + (of.length > 1 ? 2 : 1)}),
    element("th", {class: "text", scope: "rowgroup"}, known ? name : `${name}: the text is not known`))] : [];
}

/* The row of a line; past the last line that of the instructions without one. */
function listingRow(of, figures, i, most, indent) {
  const listing = listingOf(programOf(of[0])), row = element("tr");
  const isLine = i < listing.lines.length, text = isLine ? listing.lines[i][0].slice(indent) : "instructions without a line";
  of.forEach((run, k) => row.append(...costCells(run, figures[k][i], most)));
  if (of.length > 1) {
    const extra = figures[0][i].issues - figures[1][i].issues;
    row.append(element("td", {class: extra ? "number extra" : "number", "data-of": "difference"}, extra ? signedExtra(extra) : ""));
  }
  row.append(element("td", {class: "number line"}, isLine ? String(placeOfLine(listing, i).number) : ""), element("td", {class: isLine ? "text" : "text rest"}, text));
  return row;
}

/* The keys of a line under all listed runs. */
function keysOfLine(of, i) {
  return [...new Set(of.flatMap((run) => lineKeys(run.program, listedLines(run)[i])))];
}

/* All lines of a run's listing, then the instructions without one. */
function listedLines(run) {
  const listing = listingOf(programOf(run));
  return [...listing.lines, listing.unplaced];
}

function drawListing() {
  const of = listedRuns(), lines = listedLines(of[0]), listing = listingOf(programOf(of[0]));
  const indents = lines.filter((line) => line[0].trim()).map((line) => line[0].search(/\S/));
  const figures = of.map((run) => listedLines(run).map((line) => lineFigures(run, line)));
  const most = Math.max(1, ...figures.flat().map((f) => f.issues)), body = element("tbody");
  listingRows.length = 0;
  lines.forEach((_, i) => {
    if (i >= listing.lines.length && !figures.some((f) => f[i].issues)) return;
    const {file} = placeOfLine(listing, i);
    if (i < listing.lines.length && (i === 0 || file !== placeOfLine(listing, i - 1).file)) body.append(...fileRow(of, file));
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
