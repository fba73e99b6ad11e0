// SPDX-License-Identifier: Apache-2.0
/* show_structure: what is wrong with the control flow as it is, and the module after the transform, as text in which the
 * lines that it added or changed are marked. */
"use strict";

const ASSEMBLY = /(;.*)|("(?:[^"\\]|\\.)*")|(%[\w.]+)|\b(Op(?:Branch\w*|Switch|Return\w*|Kill|Unreachable|SelectionMerge|LoopMerge|Label|Function\w*))\b|\b(Op\w+)\b|[<>&]|[^;"%O<>&]+|./g;

function escapeText(text) {
  return text.replace(/[&<>]/g, (c) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;"})[c]);
}

function highlight(line) {
  return line.replace(ASSEMBLY, (all, comment, text, id, flow, instruction) => {
    const name = comment ? "em" : text ? "u" : id ? "i" : flow ? "mark" : instruction ? "b" : "";
    return name ? `<${name}>${escapeText(all)}</${name}>` : escapeText(all);
  });
}

/* How often each line is in the text, without the spaces that align it. */
function countLines(text) {
  const counts = new Map();
  for (const line of text.split("\n")) counts.set(line.trim(), (counts.get(line.trim()) || 0) + 1);
  return counts;
}

function listing(after, before) {
  const left = countLines(before), pre = element("pre", {class: "text", "aria-label": "the module after the transform"});
  pre.innerHTML = after.replace(/\n$/, "").split("\n").map((line) => {
    const key = line.trim(), count = left.get(key) || 0, fresh = key && !key.startsWith(";") && !count;
    left.set(key, count - 1);
    const label = /^\s*%(\w+) = OpLabel/.exec(line);
    return `<span${fresh ? ' class="new"' : ""}${label ? ` data-label="${label[1]}"` : ""}>${highlight(line) || " "}</span>`;
  }).join("");
  return pre;
}

function violations(explained) {
  const list = element("ul", {class: "violations"});
  for (const v of explained.violations) {
    const [message] = v.message.split(" ["), item = element("li", {}, message);
    item.append(element("small", {}, `${v.rule}: ${v.statement}`));
    list.append(item);
  }
  return list;
}

function verdict(good, ...parts) {
  return element("div", {class: good ? "verdict" : "verdict wrong"}, ...parts);
}

/* What the transform did, in a sentence. */
function changes(report) {
  const sum = (side, key) => report.functions.reduce((total, f) => total + f[side][key], 0);
  const [a, b] = [sum("before", "instructions"), sum("after", "instructions")];
  const structured = report.functions.every((f) => f.after.structured);
  return `${report.changed ? "Changed" : "Unchanged"}: ${plural(sum("before", "blocks"), "block")} → ${count(sum("after", "blocks"))}, ` +
    `${plural(a, "instruction")} → ${count(b)}${a === b ? "" : ` (${b > a ? "+" : "−"}${percent(Math.abs(b - a), a)})`}; ` +
    `the result is ${structured ? "structured" : "not structured"}.`;
}

function refusal(result) {
  return verdict(false, element("p", {class: "message"}, result.stderr.trim() || result.stdout.trim()));
}

function heading(report) {
  const found = report.violations.length, wrong = found || report.invalid;
  const made = verdict(!wrong, element("strong", {}, found ? `${plural(found, "violation")} of structured control flow in the source`
    : wrong ? `The source is not valid: ${report.invalid.message || report.message}` : "The source's control flow is structured"));
  if (found) made.append(violations(report));
  return made;
}

function saveButton(text) {
  const save = element("button", {type: "button", id: "save"}, "Save module (.spvasm)");
  save.addEventListener("click", () => saveFile("structured.spvasm", text));
  return element("p", {class: "controls"}, save, element("span", {class: "hint"}, "Marked lines were added or changed."));
}

async function showStructure(panel, input, run) {
  const module = await moduleOf(input, run);
  const explained = await run("looking for violations", "spvreconv", ["--explain", "--json", module.name], module.files);
  const report = explained.stdout.trim() ? JSON.parse(explained.stdout) : null;
  if (!report || !report.violations) {
    panel.replaceChildren(refusal(explained));
    return explained.stderr;
  }
  const done = await run(`transforming: ${input.transform}`, "spvreconv",
    [`--transform=${input.transform}`, "--json", module.name, "-o", "after.spvasm"], module.files);
  panel.replaceChildren(heading(report));
  if (!done.files["after.spvasm"]) {
    panel.append(refusal(done));
    return done.stderr;
  }
  const after = textOf(done, "after.spvasm"), before = await moduleText(input, run);
  panel.append(saveButton(after), verdict(true, changes(JSON.parse(done.stdout))), listing(after, before));
  return "";
}

function saveFile(name, text) {
  const link = element("a", {href: URL.createObjectURL(new Blob([text], {type: "text/plain"})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
