// SPDX-License-Identifier: Apache-2.0
/* show_lines: the source with the issues of each line and the lanes that were active, as spv-emu --annotate prints them. */
"use strict";

const ROW = /^ *(\d+)? +([\d.]+)? +(\d+)? \| ?(.*)$/;

/* [{issues, lanes, line, text}] of the first listing. */
function parseAnnotated(text) {
  const rows = [];
  for (const line of text.slice(text.indexOf("\n    issues ")).split("\n").slice(2)) {
    const found = ROW.exec(line);
    if (!found) break;
    rows.push({issues: Number(found[1] || 0), lanes: Number(found[2] || 0), line: Number(found[3] || 0), text: found[4]});
  }
  return rows;
}

function lineRow(row, most, width) {
  const number = element("td", {class: "number"}), tr = element("tr", row.issues ? {style: `--heat: ${(row.issues / most) ** 0.5}`} : {});
  if (row.line) {
    const link = element("button", {type: "button", "aria-label": `line ${row.line} in the source`}, String(row.line));
    link.addEventListener("click", () => selectLine(row.line));
    number.append(link);
  }
  const bar = element("span", {class: "lane-bar", style: `--share: ${100 * row.lanes / width}%`, title: `${row.lanes} of ${width} lanes`});
  tr.append(element("td", {class: "number"}, row.issues ? count(row.issues) : ""), element("td", {class: "number"}, row.issues ? String(row.lanes) : ""),
    element("td", {}, row.issues ? bar : ""), number, element("td", {}, row.text));
  return tr;
}

/* The rows in the order of the source's lines, with all of these. */
function withSource(rows, source) {
  const of = new Map(rows.filter((row) => row.line).map((row) => [row.line, row]));
  const lines = source.replace(/\n$/, "").split("\n").map((text, i) => ({issues: 0, lanes: 0, line: i + 1, ...of.get(i + 1), text}));
  return lines.concat(rows.filter((row) => !row.line && row.issues));
}

async function showLines(panel, input, run) {
  const policy = input.policies.includes("structured") || input.policies === "all" ? [] : [`--policy=${input.policies}`];
  const result = await run("counting the issues of lines", "spv-emu", [...emulatorArguments(input), ...policy, "--annotate"], input.files);
  const listed = parseAnnotated(result.stdout), source = input.files[input.name];
  const rows = /\.(spvasm|amber)$/.test(input.name) || !listed.length ? listed : withSource(listed, source);
  if (!rows.length) {
    panel.replaceChildren(refusal(result));
    return result.stderr;
  }
  const most = Math.max(1, ...rows.map((row) => row.issues)), width = Math.max(input.lanes, ...rows.map((row) => row.lanes));
  const note = /^; most lanes are idle .*$/m.exec(result.stdout);
  const table = element("table", {class: "listing"}, element("thead", {}, element("tr", {}, ...["issues", "lanes", "", "line", ""].map((name) => element("th", {class: name ? "number" : ""}, name)))),
    element("tbody", {}, ...rows.map((row) => lineRow(row, most, width))));
  panel.replaceChildren(verdict(true, note ? sentence(note[0].slice(2)) : `${count(rows.reduce((sum, row) => sum + row.issues, 0))} issues.`), table);
  return "";
}
