// SPDX-License-Identifier: Apache-2.0
/* show_lines: the source with the issues of each line and the lanes that were active, as spv-emu --annotate prints them. If a
 * module has no source lines, it prints the disassembly with remarks: these go to the lines of the SPIR-V text. */
"use strict";

const ROW = /^ *(\d+)? +([\d.]+)? +(\d+)? \| ?(.*)$/;
const REMARK = /^(.*?) +; (?:(\d+) x ([\d.e+]+) of \d+ lanes.*|never run)$/;

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

/* The same of a disassembly, in which lines have no numbers. A label is no issue. */
function parseRemarks(text) {
  const rows = [], listed = text.split(/^; policy .*\n/m)[1] || "";
  for (const line of listed.replace(/\n+$/, "").split("\n")) {
    const [, plain, executions, lanes] = REMARK.exec(line) || [null, line], issued = executions && !/= OpLabel$/.test(plain);
    rows.push({issues: issued ? Number(executions) : 0, lanes: Number(lanes || 0), line: 0, text: plain});
  }
  return rows;
}

/* A disassembly's rows as lines of the SPIR-V text that was run; if a transform made another module of it, with its names. */
async function inAssembly(rows, input, run) {
  const source = input.files[input.name], text = rows.map((row) => row.text).join("\n"), pairs = pairInstructions(source, text);
  if (pairs.length) return withSource(pairs.map(([{line}, of]) => ({...rows[of.line - 1], line})), source);
  if (!input.name.endsWith(".spvasm")) return rows;
  const named = withNames(text, namesOf(source, await moduleText(input, run))).split("\n");
  return rows.map((row, i) => ({...row, text: named[i]}));
}

function lineRow(row, most, width) {
  const number = element("td", {class: "number"}), tr = element("tr", row.issues ? {style: `--heat: ${(row.issues / most) ** 0.5}`} : {});
  if (row.elsewhere) number.append(String(row.line));
  else if (row.line) {
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

/* The source's lines; of a module that has another source in it, that one's. */
async function rowsOf(result, input, run) {
  const listed = parseAnnotated(result.stdout), source = input.files[input.name];
  if (!listed.length) return inAssembly(parseRemarks(result.stdout), input, run);
  return /\.(spvasm|amber)$/.test(input.name) ? listed.map((row) => ({...row, elsewhere: row.line > 0})) : withSource(listed, source);
}

async function showLines(panel, input, run) {
  const policy = input.policies.includes("structured") || input.policies === "all" ? [] : [`--policy=${input.policies}`];
  const result = await run("counting the issues of lines", "spv-emu", [...emulatorArguments(input), ...policy, "--annotate"], input.files);
  const rows = await rowsOf(result, input, run);
  if (!rows.some((row) => row.issues)) {
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
