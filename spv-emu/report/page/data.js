// SPDX-License-Identifier: Apache-2.0
/* data: the data that spv-emu wrote into the page, with the schedules parsed (report_recording.h). */
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const shown = data.shown;
const results = data.report.results;

const NO_PART = -1; // instructions that the policy adds

function resultOf(policy) {
  return results.find((r) => r.policy === policy);
}

/* Policies with a schedule, in table order. */
function scheduledPolicies() {
  if (!shown) return [];
  return results.map((r) => r.policy).filter((p) => shown.policies[p]);
}

/* ---- blocks ------------------------------------------------------------------------------------ */

const blockOfPart = shown ? shown.parts.map((p) => p[0]) : [];
const blockOfLabel = new Map(shown ? shown.blocks.map((b, i) => [b[1], i]) : []);

/* "%12", with the function's name, without glslang's suffix, if there are several functions. */
function blockName(block) {
  const [fn, label] = shown.blocks[block];
  return shown.functions.length > 1 ? `${shown.functions[fn].split("(")[0]} %${label}` : `%${label}`;
}

/* A policy's figures by block. Issues are the sum over the parts into which calls split the block;
   executions and lanes are those of the first part, which all lanes that enter the block run. */
function sumBlocks(policy) {
  const of = shown.policies[policy];
  const figures = shown.blocks.map(() => ({executions: 0, lanes: 0, issues: 0, laneIssues: 0}));
  shown.parts.forEach(([block, part, issues], i) => {
    const f = figures[block];
    if (part === 0) {
      f.executions = of.executions[i];
      f.lanes = of.lanes[i];
    }
    f.issues += of.executions[i] * issues;
    f.laneIssues += of.lanes[i] * issues;
  });
  return figures;
}

const figuresOf = new Map();
function allBlockFigures(policy) {
  if (!figuresOf.has(policy)) figuresOf.set(policy, sumBlocks(policy));
  return figuresOf.get(policy);
}

/* A line of the listing is [text, part, instructions, part, instructions, …]. */
function lineFigures(policy, line) {
  const figures = {issues: 0, lanes: 0};
  const of = shown.policies[policy];
  for (let i = 1; i < line.length; i += 2) {
    figures.issues += line[i + 1] * of.executions[line[i]];
    figures.lanes += line[i + 1] * of.lanes[line[i]];
  }
  return figures;
}

function lineBlocks(line) {
  const blocks = new Set();
  for (let i = 1; i < line.length; i += 2) blocks.add(blockOfPart[line[i]]);
  return blocks;
}

/* ---- schedules --------------------------------------------------------------------------------- */

/* The numbers of the lanes of a hexadecimal mask. */
function lanesOf(mask) {
  const lanes = [];
  for (let i = 0; i < mask.length; i++) {
    const digit = parseInt(mask[mask.length - 1 - i], 16);
    for (let bit = 0; bit < 4; bit++) if (digit >> bit & 1) lanes.push(4 * i + bit);
  }
  return lanes;
}

/* Steps as columns: part and lanes of each, and the slot at which it starts. All existing
   lanes run the first block; lanes without an invocation come after them. */
function decodeSteps(subgroup) {
  const masks = subgroup.masks.map(lanesOf);
  const steps = {part: [], lanes: [], start: [], total: 0, laneTotal: 0, cut: subgroup.cut};
  const none = [];
  let mask = none;
  const add = (part, lanes, slots) => {
    steps.part.push(part);
    steps.lanes.push(lanes);
    steps.start.push(steps.total);
    steps.total += slots;
    steps.laneTotal += slots * lanes.length;
  };
  for (const text of subgroup.steps ? subgroup.steps.split(" ") : []) {
    if (text[0] === "+") {
      add(NO_PART, none, Number(text.slice(1)));
      continue;
    }
    const [, part, changed, times] = /^(\d+)(?:\.(\d+))?(?:x(\d+))?$/.exec(text);
    if (changed !== undefined) mask = masks[Number(changed)];
    for (let i = 0; i < Number(times || 1); i++)
      add(Number(part), mask, shown.parts[Number(part)][2]);
  }
  steps.start.push(steps.total);
  steps.there = steps.lanes.find((lanes) => lanes.length) || none;
  return steps;
}

const schedules = new Map();
/* The schedule of a subgroup; null: it is not on the page. */
function scheduleOf(policy, number) {
  const key = `${policy} ${number}`;
  if (!schedules.has(key)) {
    const subgroup = shown.policies[policy].schedule.subgroups.find((s) => s.subgroup === number);
    schedules.set(key, subgroup ? decodeSteps(subgroup) : null);
  }
  return schedules.get(key);
}

/* The step that contains a slot; -1: the slot is past the end. */
function stepAt(steps, slot) {
  if (slot >= steps.total) return -1;
  let low = 0, high = steps.part.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (steps.start[middle] <= slot) low = middle;
    else high = middle - 1;
  }
  return low;
}
