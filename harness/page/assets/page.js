// SPDX-License-Identifier: Apache-2.0
/* page: the page of spv-harness report: totals, and the list of what failed or changed (page_data.h). */
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

const PASSED = ["pass", "flake"]; // in the order of the table's columns
const ORDER = ["pass", "flake", "fail", "crash", "timeout", "invalid", "skip", "same"];
const PAGE = 100; // failures that are shown at once
const MOST_KINDS = 8;

/* How a result is counted, as hn_outcome_count; "": not at all. */
function countedAs(outcome, variant) {
  if (PASSED.includes(outcome)) return "passed";
  if (outcome === "skip" || (outcome === "invalid" && variant === "none")) return "skipped";
  return outcome === "same" || outcome === null ? "" : "failed";
}

/* ---- totals ------------------------------------------------------------------------------------ */

/* {passed, failed, skipped, outcomes} of some of the totals. */
function sum(totals) {
  const all = {passed: 0, failed: 0, skipped: 0, outcomes: {}};
  for (const total of totals)
    for (const [outcome, number] of Object.entries(total.outcomes)) {
      all.outcomes[outcome] = (all.outcomes[outcome] || 0) + number;
      const as = countedAs(outcome, total.variant);
      if (as) all[as] += number;
    }
  return all;
}

const all = sum(data.totals);
const devices = [...new Set(data.totals.map((t) => t.device))];
const outcomes = [...new Set([...ORDER, ...Object.keys(all.outcomes)])].filter((o) => all.outcomes[o]);

function drawShares(of) {
  const bar = element("div", {class: "shares", role: "img", "aria-label":
    `${count(of.passed)} passed, ${count(of.failed)} failed, ${count(of.skipped)} skipped`});
  for (const as of ["passed", "failed", "skipped"])
    if (of[as]) bar.append(element("div", {class: as, style: `flex:${of[as]}`}));
  return bar;
}

function drawTotal(name, of, attributes) {
  const cells = outcomes.map((o) => element("td",
    {class: of.outcomes[o] ? "number" : "number none", "data-outcome": o}, count(of.outcomes[o] || 0)));
  return element("tr", attributes, element("th", {scope: "row"}, name), ...cells,
    element("td", {}, drawShares(of)));
}

function drawTotals() {
  const head = element("tr", {}, element("th", {scope: "col"}, "Device, variant"),
    ...outcomes.map((o) => element("th", {scope: "col", class: "number"}, o)),
    element("th", {scope: "col"}, "Shares"));
  const body = element("tbody");
  for (const device of devices) {
    const own = data.totals.filter((t) => t.device === device);
    body.append(drawTotal(device, sum(own), {class: "all", "data-device": device, "data-variant": ""}));
    for (const total of own)
      body.append(drawTotal(total.variant, sum([total]), {"data-device": device, "data-variant": total.variant}));
  }
  byId("total-table").append(element("thead", {}, head), body);
}

/* ---- headline ---------------------------------------------------------------------------------- */

function drawHeadline() {
  const results = all.passed + all.failed + all.skipped;
  byId("headline").textContent = data.against
    ? `${plural(data.changes.regression, "regression")}, ${count(data.changes.fix)} fixed; ${count(all.failed)} of ${plural(results, "result")} failed`
    : all.failed ? `${count(all.failed)} of ${plural(results, "result")} failed`
      : results ? `No failures in ${plural(results, "result")}` : "There are no results";
  byId("about").textContent = `${count(all.passed)} passed, ${count(all.failed)} failed, ${count(all.skipped)} skipped` +
    (all.outcomes.flake ? `; ${plural(all.outcomes.flake, "flake")}, counted as passed` : "") + ".";
  byId("run").textContent = data.against ? `compared with ${data.against.replace(/.*\//, "")}` : "";
  byId("run").title = data.against || "";
  const out = [];
  if (data.rows_left_out) out.push(`${plural(data.rows_left_out, "row")} did not fit on this page: the database has all of them.`);
  if (data.pictures_left_out) out.push(`${plural(data.pictures_left_out, "picture")} did not fit on this page: the folders of the failures have them.`);
  byId("left-out").textContent = out.join(" ");
}

/* ---- filter ------------------------------------------------------------------------------------ */

const CHANGES = {regression: "regressions", fix: "fixes", other: "other changes", "": "unchanged failures"};
const filter = {kind: null};

/* What a message says, without its numbers. */
function kindOf(row) {
  const message = (row.message || "").replace(/0x[0-9a-f]+|-?\d+(\.\d+)?(e[-+]?\d+)?/gi, "#");
  return `${row.outcome || "not run"}${message ? `: ${message}` : ""}`;
}

for (const row of data.rows) {
  row.kind = kindOf(row);
  row.text = [row.case, row.device, row.variant, row.outcome || "not run", row.message || ""].join(" ").toLowerCase();
}

function matches(row, words) {
  const wanted = {device: row.device, variant: row.variant, outcome: row.outcome || "not run", change: row.change || "unchanged"};
  return Object.entries(wanted).every(([id, is]) => !byId(id).value || byId(id).value === is) &&
    (filter.kind === null || row.kind === filter.kind) && words.every((word) => row.text.includes(word));
}

function fill(id, values, names) {
  byId(id).append(...values.map((value, i) => element("option", {value}, names ? names[i] : value)));
}

function fillSelects() {
  const distinct = (of) => [...new Set(data.rows.map(of))];
  fill("device", distinct((r) => r.device).sort());
  fill("variant", distinct((r) => r.variant).sort());
  fill("outcome", distinct((r) => r.outcome || "not run").sort());
  const kinds = distinct((r) => r.change || "");
  fill("change", kinds.map((k) => k || "unchanged"), kinds.map((k) => CHANGES[k]));
  byId("change-label").hidden = !data.against;
}

/* ---- kinds of messages ------------------------------------------------------------------------- */

function drawKinds() {
  const numbers = new Map();
  for (const row of data.rows)
    if (countedAs(row.outcome, row.variant) === "failed") numbers.set(row.kind, (numbers.get(row.kind) || 0) + 1);
  const kinds = [...numbers].sort((a, b) => b[1] - a[1]).slice(0, MOST_KINDS);
  byId("kinds").hidden = kinds.length < 2;
  byId("kind-list").append(...kinds.map(([kind, number]) => {
    const button = element("button", {type: "button", "aria-pressed": "false", "data-kind": kind},
      element("span", {class: "number"}, count(number)), element("span", {}, kind));
    button.addEventListener("click", () => {
      filter.kind = filter.kind === kind ? null : kind;
      drawList();
    });
    return element("li", {}, button);
  }));
}

function markKinds() {
  for (const button of document.querySelectorAll("#kind-list button"))
    button.setAttribute("aria-pressed", String(button.dataset.kind === filter.kind));
}

/* ---- a failure --------------------------------------------------------------------------------- */

const TONE = {passed: "good", failed: "bad"};

function badge(text, tone) {
  return element("span", {class: `badge ${tone || ""}`}, text);
}

function outcomeBadge(row) {
  const tone = row.outcome === "flake" ? "flake" : TONE[countedAs(row.outcome, row.variant)];
  return badge(row.outcome || "not run", tone);
}

function drawHead(row) {
  const head = element("h3", {}, outcomeBadge(row), element("span", {class: "case"}, row.case),
    element("span", {class: "place"}, `${row.device}, ${row.variant}`));
  if (row.change === "regression") head.append(badge("regression", "bad"));
  if (row.change === "fix") head.append(badge("fixed", "good"));
  if (row.change) head.append(element("span", {class: "place"}, `was ${row.was || "not run"}`));
  return head;
}

/* A number as exact as the database has it, unless it is a fraction. */
function errorText(value) {
  return value === null ? "infinite" : Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(6)));
}

function bufferText(buffer) {
  let text = `${buffer.name}: ${count(buffer.differing)} of ${plural(buffer.elements, "element")} differ`;
  if (!buffer.numbers) return text;
  text += `; the largest error is ${errorText(buffer.largest_error)}, at element ${count(buffer.element)} (byte ${count(buffer.byte)}): ${buffer.actual}, expected ${buffer.expected}`;
  if (buffer.mip_level) text += `; shown: mip level ${buffer.mip_level}`;
  if (buffer.pictures && (buffer.low < 0 || buffer.high > 1))
    text += `; shown from ${buffer.low} (black) to ${buffer.high} (white)`;
  return text;
}

function drawPictures(buffer) {
  const kinds = ["expected", "actual", "difference"].filter((kind) => buffer.pictures && buffer.pictures[kind]);
  return element("div", {class: "pictures"}, ...kinds.map((kind) => element("figure", {},
    element("img", {src: buffer.pictures[kind], width: buffer.width, height: buffer.height, decoding: "async",
      alt: `${buffer.name}, ${kind}, ${buffer.width} by ${buffer.height} texels`}),
    element("figcaption", {}, kind))));
}

function drawArtifacts(artifacts) {
  const parts = [];
  for (const buffer of artifacts.buffers || []) {
    parts.push(element("p", {class: "figures"}, bufferText(buffer)));
    if (buffer.pictures) parts.push(drawPictures(buffer));
  }
  if (artifacts.command)
    parts.push(element("details", {}, element("summary", {}, "Command and files"),
      element("pre", {}, artifacts.command), element("p", {class: "figures"}, `Files: ${artifacts.folder}`)));
  return parts;
}

function drawRow(row) {
  const item = element("li", {"data-case": row.case, "data-device": row.device, "data-variant": row.variant}, drawHead(row));
  if (row.message) item.append(element("p", {class: "message"}, row.message));
  if (row.artifacts) item.append(...drawArtifacts(row.artifacts));
  return item;
}

/* ---- the list ---------------------------------------------------------------------------------- */

let found = [];

function drawMore() {
  const list = byId("list"), from = list.children.length;
  list.append(...found.slice(from, from + PAGE).map(drawRow));
  const left = found.length - list.children.length;
  byId("more").hidden = !left;
  byId("more").textContent = `Show ${count(Math.min(left, PAGE))} more of ${count(left)}`;
  byId("printed").textContent = left ? `The first ${count(list.children.length)} of ${count(found.length)}.` : "";
}

function drawList() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  found = data.rows.filter((row) => matches(row, words));
  byId("count").textContent = found.length === data.rows.length ? plural(found.length, "result")
    : `${count(found.length)} of ${plural(data.rows.length, "result")}`;
  byId("list").replaceChildren();
  markKinds();
  drawMore();
}

const SELECTS = ["device", "variant", "outcome", "change"];

function clearFilter() {
  for (const id of [...SELECTS, "filter"]) byId(id).value = "";
  filter.kind = null;
  drawList();
}

function listen() {
  byId("filter").addEventListener("input", drawList);
  for (const id of SELECTS) byId(id).addEventListener("change", drawList);
  byId("clear").addEventListener("click", clearFilter);
  byId("more").addEventListener("click", drawMore);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/INPUT|SELECT/.test(event.target.tagName)) {
      byId("filter").focus();
      event.preventDefault();
    } else if (event.key === "Escape" && event.target.id === "filter") {
      clearFilter();
    }
  });
}

function start() {
  startTheme(() => {});
  drawHeadline();
  drawTotals();
  fillSelects();
  drawKinds();
  byId("failures-title").textContent = data.against ? "Failures and changes" : "Failures";
  listen();
  drawList();
}

start();
