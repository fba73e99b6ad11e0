// SPDX-License-Identifier: Apache-2.0
/* show_structure: what is wrong with the control flow as it is, and the module after the transform, as text in which the
 * lines that it added or changed are marked. */
"use strict";

const ASSEMBLY = /(;.*)|("(?:[^"\\]|\\.)*")|(%[\w.]+)|\b(Op(?:Branch\w*|Switch|Return\w*|Kill|Unreachable|SelectionMerge|LoopMerge|Label|Function\w*))\b|\b(Op\w+)\b|[<>&]|[^;"%O<>&]+|./g;

const PART = 100; // lines

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

/* A part of the listing; `draw` makes the HTML of a line. The browser counts the lines of each part for itself. */
function drawPart(part, draw) {
  part.innerHTML = part.lines.map(({text, fresh}) => `<span${fresh ? ' class="new"' : ""}>${draw(text) || " "}</span>`).join("");
  part.firstChild.style.counterReset = `line ${part.first}`;
}

/* Parts that are out of sight are plain text, which the browser need not lay out: a long module is there at once. */
const partsInSight = new IntersectionObserver((entries) => {
  for (const {isIntersecting, target} of entries) {
    if (!isIntersecting) continue;
    drawPart(target, highlight);
    partsInSight.unobserve(target);
  }
}, {rootMargin: "600px"});

function listing(after, before) {
  const left = countLines(before), pre = element("pre", {class: "text", "aria-label": "the module after the transform"});
  const lines = after.replace(/\n$/, "").split("\n").map((text) => {
    const key = text.trim(), count = left.get(key) || 0;
    left.set(key, count - 1);
    return {text, fresh: key && !key.startsWith(";") && !count};
  });
  for (let first = 0; first < lines.length; first += PART) {
    const part = element("div", {style: `--lines: ${Math.min(PART, lines.length - first)}`});
    Object.assign(part, {first, lines: lines.slice(first, first + PART)});
    drawPart(part, escapeText);
    partsInSight.observe(part);
    pre.append(part);
  }
  return pre;
}

/* The message; its blocks are buttons that select their lines. */
function messageParts(message, blocks) {
  return message.split(/(%[\w.]+)/).map((part) => {
    const block = part.startsWith("%") && blocks.get(part.slice(1));
    if (!block) return part;
    const link = element("button", {type: "button", class: "link", title: `line ${block.line} of the source`}, `%${block.name}`);
    link.addEventListener("click", () => selectLine(block.line));
    return link;
  });
}

function violations(explained, blocks) {
  const list = element("ul", {class: "violations"});
  for (const v of explained.violations) {
    const [message] = v.message.split(" ["), item = element("li", {}, ...messageParts(message, blocks));
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
  return verdict(false, element("p", {class: "message"}, result.stderr.trim() || result.stdout.trim()), ...otherLanguage());
}

function heading(report, blocks) {
  const found = report.violations.length, wrong = found || report.invalid;
  const made = verdict(!wrong, element("strong", {}, found ? `${plural(found, "violation")} of structured control flow in the source`
    : wrong ? `The source is not valid: ${report.invalid.message || report.message}` : "The source's control flow is structured"));
  if (found) made.append(violations(report, blocks));
  else if (wrong) made.append(...otherLanguage());
  return made;
}

/* Goes from change to change: lines in sequence are one. */
function showNextChange() {
  const panel = at("structure"), changes = [...panel.querySelectorAll(".new")].filter((line) => !line.previousElementSibling?.classList.contains("new"));
  const below = changes.find((line) => line.getBoundingClientRect().top > panel.getBoundingClientRect().top + panel.clientHeight / 3 + 1);
  const next = below || changes[0];
  if (next) panel.scrollTop += next.getBoundingClientRect().top - panel.getBoundingClientRect().top - panel.clientHeight / 3;
}

function listingControls(text, changed) {
  const save = element("button", {type: "button", id: "save"}, "Save module (.spvasm)");
  const copy = element("button", {type: "button", id: "copy"}, "Copy");
  const next = element("button", {type: "button", id: "next-change"}, "Next change");
  save.addEventListener("click", () => saveFile("structured.spvasm", text));
  copy.addEventListener("click", () => copyModule(text));
  next.addEventListener("click", showNextChange);
  const controls = element("p", {class: "controls sticky"}, element("span", {class: "buttons"}, save, copy));
  if (changed) controls.append(next, element("span", {class: "hint"}, "Marked lines were added or changed."));
  return controls;
}

/* The violations are shown while the transform runs. */
async function showStructure(panel, input, run) {
  const module = await moduleOf(input, run), text = moduleText(input, run);
  const explain = async () => {
    const result = await run("looking for violations", "spvreconv", ["--explain", "--json", module.name], module.files);
    const report = result.stdout.trim() ? JSON.parse(result.stdout) : {};
    const blocks = report.violations?.length ? blocksOf(input.files[input.name], await text) : new Map();
    panel.replaceChildren(report.violations ? heading(report, blocks) : refusal(result));
    return report.violations ? "" : result.stderr || result.stdout;
  };
  const [refused, done, before] = await Promise.all([explain(),
    run(`transforming: ${input.transform}`, "spvreconv",
      [`--transform=${input.transform}`, "--json", module.name, "-o", "after.spvasm"], module.files),
    text]);
  if (refused) return refused;
  if (!done.files["after.spvasm"]) {
    panel.append(refusal(done));
    return done.stderr;
  }
  const names = namesOf(input.files[input.name], before), report = JSON.parse(done.stdout);
  const after = withNames(textOf(done, "after.spvasm"), names);
  panel.append(verdict(true, changes(report)), listingControls(after, report.changed), listing(after, withNames(before, names)));
  return "";
}

function copyModule(text) {
  navigator.clipboard.writeText(text).then(() => tell("The module is copied.", false), () => tell("The browser does not let the page copy: save the module.", false));
}

function saveFile(name, text) {
  const link = element("a", {href: URL.createObjectURL(new Blob([text], {type: "text/plain"})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
