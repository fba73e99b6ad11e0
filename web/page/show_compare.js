// SPDX-License-Identifier: Apache-2.0
/* show_compare: all transforms on the source, in a table; a click chooses one. */
"use strict";

const COLUMNS = [["blocks", "blocks"], ["instructions", "instructions"], ["expansion_percent", "expansion"], ["issues", "issues"],
  ["structured", "structured"], ["reconverging", "reconverging"], ["reducible", "reducible"]];

function compareCell(row, key) {
  const value = row[key];
  if (typeof value === "boolean") return element("td", {}, value ? "yes" : "no");
  return element("td", {class: "number"}, value === null || value === undefined ? "" : key === "expansion_percent" ? `${value.toFixed(1)} %` : count(value));
}

async function showCompare(panel, input, run, choose) {
  const module = await moduleOf(input, run);
  const result = await run("comparing all transforms", "spvreconv", ["--compare", "--json", module.name], module.files);
  const report = result.stdout.trim() ? JSON.parse(result.stdout) : {};
  if (!report.compare) {
    panel.replaceChildren(refusal(result));
    return result.stderr;
  }
  const body = element("tbody");
  for (const row of report.compare) {
    const pick = element("button", {type: "button", title: "use this transform"}, row.order ? `${row.transform} (${row.order})` : row.transform);
    pick.addEventListener("click", () => choose(row.transform));
    const tr = element("tr", row.transform === input.transform && !row.order ? {class: "chosen"} : {}, element("th", {scope: "row"}, pick));
    if (row.status === "ok") tr.append(...COLUMNS.map(([key]) => compareCell(row, key)));
    else tr.append(element("td", {class: "refused", colspan: String(COLUMNS.length)}, row.message || row.status));
    body.append(tr);
  }
  const head = element("tr", {}, element("th", {scope: "col"}, "transform"), ...COLUMNS.map(([key, name]) => element("th", {scope: "col", class: typeof report.compare[0][key] === "boolean" ? "" : "number"}, name)));
  panel.replaceChildren(element("div", {class: "scroll"}, element("table", {}, element("thead", {}, head), body)));
  return "";
}
