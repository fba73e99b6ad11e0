// SPDX-License-Identifier: Apache-2.0
/* policies: the table of figures, with a bar for each policy's lane slots. */
"use strict";

const COLUMNS = [
  {name: "issues", key: (r) => r.issued, text: (r, v) => (r.policy === "opt" && !r.exact ? "≥ " : "") + count(v), figure: "issued"},
  {name: "ratio", key: (r) => leastIssues() ? r.issued / leastIssues() : 0, text: (r, v) => v.toFixed(3), figure: "ratio"},
  {name: "lane instructions", key: (r) => r.lane_instructions, text: (r, v) => count(v), figure: "lane_instructions"},
  {name: "activity", key: (r) => r.activity_factor, text: (r, v) => v.toFixed(3), figure: "activity_factor"},
  {name: "divergent branches", key: (r) => r.divergent_branches, text: (r, v) => count(v), figure: "divergent_branches"},
  {name: "reconvergences", key: (r) => r.reconvergences, text: (r, v) => count(v), figure: "reconvergences"},
  {name: "stack", key: (r) => r.stack.max_depth, text: (r, v) => count(v), figure: "max_depth"},
  {name: "memory efficiency", key: (r) => r.memory.efficiency, text: (r, v) => r.memory.transactions ? v.toFixed(3) : "", figure: "efficiency"},
  {name: "overhead", key: (r) => r.overhead, text: (r, v) => count(v), figure: "overhead"},
];
const CYCLES = {name: "cycles", key: (r) => r.cycles, text: (r, v) => count(v), figure: "cycles"};

/* The least number of issues of all completed runs, as in the table of the command line. */
function leastIssues() {
  return Math.min(...results.filter((r) => r.status === "ok" && r.issued).map((r) => r.issued));
}

/* The issues of the longest bar. A policy under which lanes run one by one, or never reconverge, may
   cost many times the least: its bar is cut, so that the others stay distinguishable. */
function longestBar() {
  const issues = results.filter((r) => r.status !== "skip" && r.issued).map((r) => r.issued);
  const least = Math.min(...issues);
  return Math.max(1, ...issues.filter((i) => i <= 4 * least));
}

function barOf(r) {
  const full = r.issued / longestBar(), cut = full > 1;
  const bar = element("div", {class: cut ? "bar cut" : "bar", role: "img",
    "aria-label": `${percent(r.activity_factor, 1)} of the lane slots in use`,
    style: `width: ${100 * Math.min(full, 1)}%`});
  bar.append(element("div", {style: `width: ${100 * r.activity_factor}%`}));
  return bar;
}

function rowOf(r, columns) {
  const row = element("tr", {"data-policy": r.policy});
  row.append(element("th", {scope: "row"}, r.policy));
  const ran = r.status !== "skip";
  if (!ran) {
    row.append(element("td", {colspan: columns.length + 1, class: "message"}, r.message), element("td", {}, r.status));
    return row;
  }
  row.append(element("td", {class: "bars"}, r.issued ? barOf(r) : ""));
  for (const column of columns)
    row.append(element("td", {class: "number", "data-figure": column.figure},
      column.figure !== "ratio" || r.status === "ok" ? column.text(r, column.key(r)) : ""));
  const failed = r.expect.failed ? `, ${plural(r.expect.failed, "EXPECT")} failed` : "";
  row.append(element("td", {class: r.status === "ok" && !failed ? "" : "bad", title: r.message},
    r.status + failed, r.message ? element("span", {class: "message"}, r.message) : ""));
  return row;
}

function drawPolicies() {
  const columns = data.report.cost_model ? [...COLUMNS, CYCLES] : COLUMNS;
  const head = element("tr");
  head.append(element("th", {scope: "col"}, "policy"), element("th", {scope: "col", class: "bars"}, "lane slots"));
  for (const column of columns) head.append(element("th", {scope: "col", class: "number"}, column.name));
  head.append(element("th", {scope: "col"}, "status"));
  const body = element("tbody");
  for (const r of results) body.append(rowOf(r, columns));
  document.getElementById("policy-table").replaceChildren(element("thead", {}, head), body);
}

/* Highlights the policies of the pictures in the table. */
function markPolicies() {
  for (const row of document.querySelectorAll("#policy-table tbody tr"))
    row.classList.toggle("chosen", [state.left, state.right].includes(row.dataset.policy));
}
