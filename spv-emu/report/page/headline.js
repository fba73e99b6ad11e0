// SPDX-License-Identifier: Apache-2.0
/* headline: the result in words: what is wasted (waste.js), which run costs more, and which lines cause that. */
"use strict";

function averageLanes(result) {
  return result.issued ? result.lane_instructions / result.issued : 0;
}

function byIssues(of) {
  return of.filter((run) => resultOf(run).status === "ok" && run.lanes > 1).sort((x, y) => y.issued - x.issued);
}

function withPolicy(of, policy) {
  return of.find((run) => resultOf(run).policy === policy);
}

/* Runs of the first and the last variant, under the same policy if possible. */
function pairOfVariants(of) {
  const variant = (run) => resultOf(run).variant;
  const first = of.filter((run) => variant(run) === variant(of[0]));
  const last = of.filter((run) => variant(run) === variant(of[of.length - 1]));
  const left = withPolicy(first, "pdom") || byIssues(first)[0] || first[0];
  return [left, withPolicy(last, resultOf(left).policy) || byIssues(last)[0] || last[0]];
}

/* The two runs that are compared first: those of the variants; else post-dominators and thread frontiers
   if they ran, else the most and the least expensive. All are of the pipeline that issues most. */
function firstPair() {
  const of = wholeRuns().filter((run) => programOf(run).pipeline === programs[0].pipeline), costs = byIssues(of);
  if (HAS_VARIANTS) return pairOfVariants(of);
  const left = withPolicy(of, "pdom") || costs[0] || of[0];
  const others = [withPolicy(of, "tf-stack"), costs[costs.length - 1], ...of].filter((run) => run && run !== left);
  return [left, others[0] || null];
}

function alone(r) {
  if (r.status !== "ok") return `${resultName(r)}: ${r.status}`;
  return `${resultName(r)} issues ${r.policy === "opt" && !r.exact ? "no less than " : ""}${plural(r.issued, "instruction")}`;
}

/* What both runs have in common, which their names leave out. */
function commonText(a, b) {
  const policy = resultOf(a).policy, parts = [];
  if (policy === resultOf(b).policy) parts.push(` under ${policy}`);
  if (SEVERAL_PIPELINES && programOf(a).pipeline === programOf(b).pipeline) parts.push(` in pipeline ${programOf(a).pipeline}`);
  return parts.join("");
}

/* How `x` costs compared with `y`: "1.38× what", "0.13 % more than" or "23 % less than". */
function comparedText(x, y) {
  if (x < y) return `${(100 * (1 - x / y)).toPrecision(2)} % less than`;
  return x / y < 1.1 ? `${(100 * (x / y - 1)).toPrecision(2)} % more than` : `${(x / y).toFixed(2)}× what`;
}

/* `b` null: there is only one run. A run that did not complete is not compared. */
function compareText(a, b) {
  const of = [a, b].filter((run) => run).map(resultOf);
  if (!b || of.some((r) => r.status !== "ok")) return of.map(alone).join("; ");
  const cost = (run) => costOf(run, {issues: run.issued}), under = commonText(a, b), x = subject(), y = base();
  if (cost(a) === cost(b)) return `${runName(a)} and ${runName(b)}: the same ${count(cost(a))} ${costUnit()}${under}`;
  const text = comparedText(cost(x), cost(y)), times = text.endsWith("what");
  return `${runName(x)} costs ${text} ${runName(y)}${times ? " costs" : ""}${under}`;
}

function lanesText(f) {
  return `${ratio(average(f))} lane${f.lanes === f.executions ? "" : "s"}`;
}

/* ": 55 runs for 3.25 lanes on average; tf-stack: 4 runs for 44.8 lanes. That is 1,234 more issues." */
function againText(x) {
  const [a, b] = subject() === state.left ? [x.left, x.right] : [x.right, x.left], extra = extraOf(x.extra);
  const runs = (f) => plural(f.executions, "run");
  const said = (f) => f.executions ? `${runs(f)} for ${lanesText(f)}` : "never";
  return `: ${said(a)}${a.executions ? " on average" : ""}; ${runName(base())}: ${said(b)}. ` +
    `That is ${count(Math.abs(extra))} ${extra > 0 ? "more" : "fewer"} ${costUnit()}.`;
}

/* The optimum of each variant that is shown: each has paths, and perhaps lanes, of its own. */
function leastLine() {
  const both = [state.left, state.right].filter((run) => run), variant = (run) => resultOf(run).variant;
  const of = both.filter((run) => run === both[0] || variant(run) !== variant(both[0]));
  const least = of.map((run) => [run, results.find((r) => r.policy === "opt" && r.status === "ok" && r.variant === variant(run))]);
  if (of.some((run) => run.dispatch !== null) || data.pipelines > 1 || data.earlier || least.some(([, opt]) => !opt)) return [];
  const texts = least.map(([run, opt], i) => (opt.exact ? "" : "no less than ") + count(costOf(run, {issues: opt.issued})) +
    (i ? "" : ` ${costUnit()}`) + (of.length > 1 ? ` (${variant(run)})` : ""));
  return [`The least possible for the paths of these lanes is ${texts.join(", ")}${of.length > 1 ? ", by opt." : " (opt)."}`];
}

function reasonLines() {
  const a = subject(), b = base(), same = a.lane_instructions === b.lane_instructions;
  const lanes = (run) => `${ratio(averageLanes(run))} of ${run.lanes}`, cost = (run) => count(costOf(run, {issues: run.issued}));
  if (a.issued === b.issued && same) return [`On average ${lanes(a)} lanes are active.`, ...leastLine()];
  return [`${cost(a)} ${costUnit()} instead of ${cost(b)}` +
    (same ? `, for the same ${count(a.lane_instructions)} lane instructions` : "") +
    `: on average ${lanes(a)} lanes are active (${runName(a)}), ${lanes(b)} (${runName(b)}).`, ...leastLine()];
}

/* One sentence for each of the lines that make most of the difference. */
function againList() {
  const cost = (run) => costOf(run, {issues: run.issued}), sign = cost(subject()) < cost(base()) ? -1 : 1;
  const again = compareKeys().filter((x) => sign * extraOf(x.extra) > 0 && x.key !== OWN).slice(0, 3);
  if (!again.length) return [];
  const list = element("ul");
  for (const x of again) {
    const item = element("li", {}, chip(x.key, subject()), element("strong", {}, keyName(x.key)), againText(x));
    item.addEventListener("pointerenter", () => hover(new Set([x.key])));
    item.addEventListener("pointerleave", () => hover(null));
    list.append(item);
  }
  return [list];
}

/* Whether the modules that are compared left the same results: a part of the headline, then the reasons; of two
   subgroup sizes, say, nothing is known. */
const VERDICTS = {
  equal: {text: ", and computes the same", why: "All buffers, images and pictures that both leave are equal, bit for bit."},
  differ: {text: ", but computes something else", why: "What they leave differs:"},
  "not compared": {text: "; whether it computes the same is not known", why: "Not all that they leave could be compared:"},
};
const MOST_DIFFERENCES = 5;

function verdict() {
  return VERDICTS[data.report.comparison?.verdict];
}

function verdictLines() {
  const {differences, not_compared: left} = data.report.comparison, lines = [...differences, ...left];
  const shown = lines.slice(0, MOST_DIFFERENCES).map((line) => element("li", {}, line));
  if (lines.length > shown.length) shown.push(element("li", {}, `${lines.length - shown.length} more`));
  return [element("p", {class: data.report.comparison.verdict === "equal" ? "" : "bad"}, verdict().why), ...shown.length ? [element("ul", {}, ...shown)] : []];
}

/* The waste of one run or, of two modules, what the change did, with the waste of the new one. */
function drawHeadline() {
  const [a, b] = [state.left, state.right], of = a ? [a, b].filter((run) => run).map(resultOf) : results.slice(0, 1);
  const head = document.getElementById("headline"), reasons = document.getElementById("reasons");
  const good = a && of.every((r) => r.status === "ok"), compared = good && b ? compareText(a, b) : "", changed = HAS_VARIANTS && compared;
  const run = changed ? subject() : a, waste = good ? wasteText(run) : "";
  head.textContent = changed ? sentence(compared + (verdict()?.text || "")) : waste || (a ? compareText(a, b) : alone(results[0]));
  reasons.replaceChildren(...of.filter((r) => r.status !== "ok" && r.message).map((r) => element("p", {}, r.message)));
  if (changed && verdict()) reasons.append(...verdictLines());
  if (changed && waste) reasons.append(element("p", {}, sentence(`${runName(run)}: ${waste}.`)));
  if (good) reasons.append(...wasteReasons(run));
  if (good && data.advise && isWasteful(run))
    reasons.append(element("p", {class: "hint"}, `${data.advise} measures which transforms help.`));
  if (!compared) return;
  if (!changed && waste) reasons.append(element("p", {}, element("strong", {}, `${compared}.`)));
  for (const line of reasonLines()) reasons.append(element("p", {}, line));
  if (changed || differ()) reasons.append(...againList());
}

/* What the page covers. */
function drawAbout() {
  const first = results.find((r) => r.subgroup_size > 1) || results[0];
  const one = new Set(results.filter((r) => r.subgroup_size > 1).map((r) => r.subgroup_size)).size < 2;
  const size = one && first && first.subgroups ? `, ${plural(first.subgroups, "subgroup")} of ${plural(first.subgroup_size, "lane")}` : "";
  const model = data.report.cost_model ? `, cycles of ${data.report.cost_model}` : "";
  document.getElementById("run").textContent =
    `${data.dispatch}${size}${model}; ${data.report.tool} ${data.report.version}`;
  const notes = [], on = new Set(programs.map((p) => p.pipeline));
  if (data.pipelines > on.size && on.size)
    notes.push(`${data.pipelines} pipelines ran. The table covers all of them; the other sections can show the ${on.size} that issue most.`);
  if (data.earlier && runs.length)
    notes.push("The table includes the shaders that run before the fragment shader. The other sections show the fragment shader alone.");
  if (data.dispatches > 1 && runs.length)
    notes.push(`${count(data.dispatches)} dispatches ran. Figures cover all of them until one is chosen; the schedule is always that of one.`);
  if (data.too_large !== null)
    notes.push(`The program has ${plural(data.too_large, "block")}, too many to show: the page has only figures.`);
  if (!runs.length && data.too_large === null)
    notes.push("No policy that ran has a schedule, so the page has only figures.");
  if (results.some((r) => r.quad_breaks))
    notes.push("Some derivatives were computed where only some pixels of a quad (2 x 2 pixels) ran, so their values are undefined: --check=vuid, with policy structured or maximal, names the lines.");
  const withLines = programs.filter((p) => p.blocks.some(([, , line]) => line));
  if (withLines.length && withLines.length < programs.length)
    notes.push("One of the modules has no source lines, so blocks are paired by their labels. That is right only if one module was made from the other; else compile both with -g.");
  document.getElementById("about").textContent = notes.join(" ");
}
