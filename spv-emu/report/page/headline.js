// SPDX-License-Identifier: Apache-2.0
/* headline: the result in words: which policy costs more, and which blocks cause that. */
"use strict";

function averageLanes(result) {
  return result.issued ? result.lane_instructions / result.issued : 0;
}

function byIssues(names) {
  return names.map(resultOf).filter((r) => r.status === "ok" && r.subgroup_size > 1)
    .sort((x, y) => y.issued - x.issued).map((r) => r.policy);
}

/* The two policies that are compared first: post-dominators and thread frontiers if they ran, else the
   most and the least expensive. */
function firstPair() {
  const names = scheduledPolicies(), costs = byIssues(names);
  const first = (wanted) => wanted.find((p) => names.includes(p));
  const left = first(["pdom", costs[0], names[0]]);
  const others = ["tf-stack", costs[costs.length - 1], ...names].filter((p) => p !== left);
  return [left, first(others) || null];
}

/* Blocks by how much more of them one policy issues than the other. */
function extraBlocks(more, less) {
  const a = allBlockFigures(more), b = allBlockFigures(less);
  return shown.blocks.map((_, block) => ({block, a: a[block], b: b[block],
    extra: a[block].issues - b[block].issues}))
    .filter((x) => x.extra > 0).sort((x, y) => y.extra - x.extra);
}

function alone(r) {
  if (r.status !== "ok") return `${r.policy}: ${r.status}`;
  return `${r.policy} issues ${r.policy === "opt" && !r.exact ? "no less than " : ""}${plural(r.issued, "instruction")}`;
}

/* `b` null: there is only one policy. A run that did not complete is not compared. */
function headlineText(a, b) {
  if (!b || a.status !== "ok" || b.status !== "ok") return [a, b].filter((r) => r).map(alone).join("; ");
  if (a.issued === b.issued) return `${a.policy} and ${b.policy} issue the same: ${count(a.issued)}`;
  const [more, less] = a.issued > b.issued ? [a, b] : [b, a];
  return `${more.policy} issues ${(more.issued / less.issued).toFixed(2)}× what ${less.policy} issues`;
}

function againText(x, more, less) {
  const lanes = (f) => `${ratio(f.lanes / f.executions)} lane${f.lanes === f.executions ? "" : "s"}`;
  const other = x.b.executions ? `${plural(x.b.executions, "time")} for ${lanes(x.b)}` : "never";
  return `Block ${blockName(x.block)} runs ${plural(x.a.executions, "time")} for ${lanes(x.a)} on average; ` +
    `under ${less} ${other}. That is ${count(x.extra)} more issues.`;
}

function reasonLines(a, b) {
  const lines = [];
  const [more, less] = a.issued >= b.issued ? [a, b] : [b, a];
  const same = more.lane_instructions === less.lane_instructions;
  if (more.issued === less.issued && same)
    lines.push(`On average ${ratio(averageLanes(more))} of ${more.subgroup_size} lanes are active.`);
  else lines.push(`${count(more.issued)} issues instead of ${count(less.issued)}` +
    (same ? `, for the same ${count(more.lane_instructions)} lane instructions` : "") +
    `: on average ${ratio(averageLanes(more))} of ${more.subgroup_size} lanes are active under ${more.policy}, ` +
    `${ratio(averageLanes(less))} under ${less.policy}.`);
  const opt = resultOf("opt");
  if (opt && opt.status === "ok")
    lines.push(`The least possible for the paths of these lanes is ${opt.exact ? "" : "no less than "}` +
      `${count(opt.issued)} issues (opt).`);
  return lines;
}

function drawHeadline() {
  const a = state.left ? resultOf(state.left) : results[0], b = state.right ? resultOf(state.right) : null;
  document.getElementById("headline").textContent = headlineText(a, b);
  const reasons = document.getElementById("reasons");
  reasons.replaceChildren(...[a, b].filter((r) => r && r.status !== "ok" && r.message)
    .map((r) => element("p", {}, r.message)));
  if (!b || a.status !== "ok" || b.status !== "ok") return;
  for (const line of reasonLines(a, b)) reasons.append(element("p", {}, line));
  const [more, less] = a.issued >= b.issued ? [a.policy, b.policy] : [b.policy, a.policy];
  const again = extraBlocks(more, less).slice(0, 3);
  if (!again.length) return;
  const list = element("ul");
  for (const x of again) {
    const item = element("li", {}, element("span", {class: "chip", style: `--colour: ${css(blockColours.get(x.block))}`}),
      againText(x, more, less));
    item.addEventListener("pointerenter", () => hover(new Set([x.block])));
    item.addEventListener("pointerleave", () => hover(null));
    list.append(item);
  }
  reasons.append(list);
}

/* What the page covers. */
function drawAbout() {
  const first = results.find((r) => r.subgroup_size > 1) || results[0];
  const size = first && first.subgroups ? `, ${plural(first.subgroups, "subgroup")} of ${plural(first.subgroup_size, "lane")}` : "";
  const model = data.report.cost_model ? `, cycles of ${data.report.cost_model}` : "";
  document.getElementById("run").textContent =
    `${data.dispatch}${size}${model}; ${data.report.tool} ${data.report.version}`;
  const notes = [];
  if (data.pipelines > 1)
    notes.push(`${data.pipelines} pipelines ran. The table covers all of them; the sections after it cover pipeline ${data.pipeline}, which issues most. The schedule is that of its first dispatch.`);
  if (data.too_large !== null)
    notes.push(`The program has ${plural(data.too_large, "block")}, too many to show: the page has only figures.`);
  document.getElementById("about").textContent = notes.join(" ");
}
