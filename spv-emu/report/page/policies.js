// SPDX-License-Identifier: Apache-2.0
/* policies: the table of figures, with a bar for the lane slots of each result. */
"use strict";

/* `figure`: its name on the page and, unless there is `documented`, in FIGURES; `word`: its entry in GLOSSARY, if any. */
const COLUMNS = [
  {name: "issues", word: "issue", key: (r) => r.issued, text: (r, v) => (r.policy === "opt" && !r.exact ? "≥ " : "") + count(v), figure: "issued"},
  {name: "ratio", word: "ratio", key: (r) => leastIssues(r) ? r.issued / leastIssues(r) : 0, text: (r, v) => v.toFixed(3), figure: "ratio"},
  {name: "lane instructions", key: (r) => r.lane_instructions, text: (r, v) => count(v), figure: "lane_instructions"},
  {name: "activity", word: "activity", key: (r) => r.activity_factor, text: (r, v) => v.toFixed(3), figure: "activity_factor"},
  {name: "divergent branches", word: "diverge", key: (r) => r.divergent_branches, text: (r, v) => count(v), figure: "divergent_branches"},
  {name: "reconvergences", word: "diverge", key: (r) => r.reconvergences, text: (r, v) => count(v), figure: "reconvergences"},
  {name: "stack entries", key: (r) => r.stack.max_depth, text: (r, v) => count(v), figure: "max_depth", documented: "stack.max_depth"},
  {name: "memory efficiency", key: (r) => r.memory.efficiency, text: (r, v) => r.memory.transactions ? v.toFixed(3) : "", figure: "efficiency", documented: "memory.efficiency"},
  {name: "overhead", key: (r) => r.overhead, text: (r, v) => count(v), figure: "overhead"},
];
const CYCLES = {name: "cycles", key: (r) => r.cycles, text: (r, v) => count(v), figure: "cycles"};

/* Subgroups of `scalar` have one lane, but it belongs to the same variant. */
function comparable(r) {
  return results.filter((x) => x.variant === r.variant || new Set(results.filter((y) => y.policy === r.policy)
    .map((y) => y.subgroup_size)).size < 2);
}

/* The least number of issues of all completed runs, as in the table of the command line. */
function leastIssues(r) {
  return Math.min(...comparable(r).filter((x) => x.status === "ok" && x.issued).map((x) => x.issued));
}

function slotsOf(r) {
  return r.issued * r.subgroup_size;
}

/* The lane slots of the longest bar. A policy under which lanes run one by one, or never reconverge, may
   cost many times the least: its bar is cut, so that the others stay distinguishable. */
function longestBar() {
  const ran = results.filter((r) => r.status !== "skip" && r.issued);
  const least = Math.min(...ran.filter((r) => r.subgroup_size > 1).map(slotsOf));
  return Math.max(1, ...ran.map(slotsOf).filter((slots) => !(slots > 4 * least)));
}

function barOf(r) {
  const full = slotsOf(r) / longestBar(), cut = full > 1;
  const bar = element("div", {class: cut ? "bar cut" : "bar", role: "img",
    "aria-label": `${percent(r.activity_factor, 1)} of the lane slots in use`,
    style: `width: ${100 * Math.min(full, 1)}%`});
  bar.append(element("div", {style: `width: ${100 * r.activity_factor}%`}), element("div", {class: "selected"}));
  return bar;
}

/* Two buttons that choose the result's run for a side of the pictures. */
function sideButtons(r) {
  const run = wholeRuns().find((x) => resultOf(x) === r && programOf(x).pipeline === programs[0].pipeline);
  if (!run) return "";
  return element("span", {class: "sides"}, ...["left", "right"].filter((side) => state[side]).map((side) => {
    const button = element("button", {type: "button", "data-side": side,
      "aria-label": `Show ${fullName(run)} on the ${side}`, title: `show on the ${side}`}, side === "left" ? "L" : "R");
    button.addEventListener("click", () => chooseRun(side, run));
    return button;
  }));
}

function rowOf(r, columns) {
  const row = element("tr", {"data-policy": r.policy, "data-result": results.indexOf(r)});
  if (r.variant !== undefined) row.dataset.variant = r.variant;
  row.append(element("th", {scope: "row", title: data.purposes[r.policy] || ""}, resultName(r)), element("td", {class: "choose"}, sideButtons(r)));
  const ran = r.status !== "skip";
  if (!ran) {
    row.append(element("td", {colspan: columns.length + 3, class: "message"}, element("span", {class: "message"}, `${r.status}: ${r.message}`)));
    return row;
  }
  row.append(element("td", {class: "bars"}, r.issued ? barOf(r) : ""));
  for (const column of columns)
    row.append(element("td", {class: "number", "data-figure": column.figure},
      column.figure !== "ratio" || r.status === "ok" ? column.text(r, column.key(r)) : ""));
  const failed = r.expect.failed ? `, ${plural(r.expect.failed, "EXPECT")} failed` : "";
  row.append(element("td", {class: "number selection"}));
  row.append(element("td", {class: r.status === "ok" && !failed ? "" : "bad", title: r.message},
    r.status + failed, r.message ? element("span", {class: "message"}, r.message) : ""));
  return row;
}

/* The head of a column, with the meaning of the figure as a tooltip, and a link if it has an entry. */
function columnHead(c) {
  const meaning = FIGURES[c.documented || c.figure];
  return element("th", {scope: "col", class: "number", ...meaning ? {title: meaning} : {}}, c.word ? wordLink(c.word, c.name) : c.name);
}

function drawPolicies() {
  const columns = data.report.cost_model ? [...COLUMNS, CYCLES] : COLUMNS;
  const head = element("tr"), column = (name, type) => element("th", {scope: "col", class: type || "number"}, name);
  head.append(column(HAS_VARIANTS ? "run" : wordLink("policy", "policy"), "name"), column("show", "choose"), column("lane slots", "bars"));
  for (const c of columns) head.append(columnHead(c));
  head.append(column("selected: issues", "number selection"), column("status", "name"));
  const body = element("tbody");
  for (const r of results) body.append(rowOf(r, columns));
  document.getElementById("policy-table").replaceChildren(element("thead", {}, head), body);
  markSelection();
}

/* Highlights the results of the pictures in the table. */
function markPolicies() {
  for (const row of document.querySelectorAll("#policy-table tbody tr")) {
    const r = results[Number(row.dataset.result)];
    row.classList.toggle("chosen", sides().some((run) => resultOf(run) === r));
    for (const button of row.querySelectorAll("button"))
      button.setAttribute("aria-pressed", state[button.dataset.side] !== null && resultOf(state[button.dataset.side]) === r);
  }
}

/* The issues of the selected keys, in all pipelines that are shown, under every policy. */
function selectedIssues(r) {
  const of = wholeRuns().filter((run) => resultOf(run) === r);
  return of.length ? of.reduce((sum, run) =>
    [...state.pinned].reduce((s, key) => s + keyFigures(run)[key].issues, sum), 0) : null;
}

function markSelection() {
  const table = document.getElementById("policy-table");
  table.classList.toggle("selecting", state.pinned !== null);
  for (const row of table.querySelectorAll("tbody tr")) {
    const cell = row.querySelector(".selection"), r = results[Number(row.dataset.result)];
    const issues = state.pinned && cell ? selectedIssues(r) : null;
    if (cell) cell.textContent = issues === null ? "" : count(issues);
    const part = row.querySelector(".selected");
    if (!part) continue;
    part.hidden = !issues;
    part.style.width = `${issues ? 100 * issues / r.issued : 0}%`;
  }
}
