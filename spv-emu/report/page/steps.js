// SPDX-License-Identifier: Apache-2.0
/* steps: schedules as columns of steps (report_recording.h).

   A step is a key, the active lanes, and the slots [start, end). A schedule that was too long is summed in
   bins of time: then a step stands for all executions of a block in a bin; within its bin it lies after the
   steps of the blocks that ran earlier, so that times inside a bin are not exact. */
"use strict";

const LEVELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* The numbers of the lanes of a hexadecimal mask. */
function lanesOf(mask) {
  const lanes = [];
  for (let i = 0; i < mask.length; i++) {
    const digit = parseInt(mask[mask.length - 1 - i], 16);
    for (let bit = 0; bit < 4; bit++) if (digit >> bit & 1) lanes.push(4 * i + bit);
  }
  return lanes;
}

class Steps {
  constructor() {
    this.key = [];
    this.part = []; // -1: instructions that the policy adds
    this.lanes = [];
    this.start = [];
    this.end = [];
    this.bin = null; // of a sum, by step: {issues, count: bins, levels: by lane, executions, lanes}
    this.total = 0;
    this.laneTotal = 0;
    this.bins = 0;
  }

  add(key, part, lanes, slots, laneSum) {
    this.key.push(key);
    this.part.push(part);
    this.lanes.push(lanes);
    this.start.push(this.total);
    this.total += slots;
    this.end.push(this.total);
    this.laneTotal += laneSum;
  }

  /* The step that contains a position; -1: none does. */
  at(position) {
    let low = 0, high = this.start.length - 1;
    if (high < 0) return -1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.start[middle] <= position) low = middle;
      else high = middle - 1;
    }
    return position >= this.start[low] && position < this.end[low] ? low : -1;
  }

  /* The first step that ends after a position. */
  from(position) {
    let low = 0, high = this.end.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.end[middle] <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function decodeSteps(run, subgroup, steps) {
  const masks = subgroup.masks.map(lanesOf), parts = programOf(run).parts, none = [];
  let mask = none;
  for (const text of subgroup.steps ? subgroup.steps.split(" ") : []) {
    if (text[0] === "+") {
      steps.add(OWN, -1, none, Number(text.slice(1)), 0);
      continue;
    }
    const [, at, changed, times] = /^(\d+)(?:\.(\d+))?(?:x(\d+))?$/.exec(text);
    const part = Number(at), [block, , issues] = parts[part];
    if (changed !== undefined) mask = masks[Number(changed)];
    for (let i = 0; i < Number(times || 1); i++)
      steps.add(keyOfBlock[run.program][block], part, mask, issues, issues * mask.length);
  }
}

function decodeBins(run, subgroup, steps) {
  const parts = programOf(run).parts, none = [];
  steps.bin = [];
  steps.bins = subgroup.bins.length;
  for (const [issues, entries, text] of subgroup.bins) {
    let taking = none;
    const levels = [...text].map((c) => LEVELS.indexOf(c) / (LEVELS.length - 1));
    for (const entry of entries.split(" ")) {
      const [part, executions, lanes, mask] = entry.split(".");
      const bin = {issues, levels, executions: Number(executions), lanes: Number(lanes || 0)};
      steps.bin.push(bin);
      if (part === "+") steps.add(OWN, -1, none, bin.executions, 0);
      else {
        const [block, , each] = parts[Number(part)];
        if (mask !== undefined) taking = lanesOf(mask);
        steps.add(keyOfBlock[run.program][block], Number(part), taking, bin.executions * each, bin.lanes * each);
      }
    }
  }
}

function decodeSubgroup(run, subgroup) {
  const steps = new Steps();
  if (subgroup.bins) decodeBins(run, subgroup, steps);
  else decodeSteps(run, subgroup, steps);
  /* All existing lanes run the first block; lanes without an invocation come after them. */
  steps.there = steps.lanes.find((lanes) => lanes.length) || [];
  return steps;
}

const schedules = new Map();

/* The schedule of a recorded subgroup of a run; null: it is not on the page. */
function scheduleOf(run, slot) {
  const key = `${runs.indexOf(run)} ${slot}`;
  if (!schedules.has(key)) {
    const subgroup = subgroupsOf(run).find((s) => s.slot === slot);
    schedules.set(key, subgroup ? decodeSubgroup(run, subgroup) : null);
  }
  return schedules.get(key);
}

/* The subgroups of these runs that are on the page. The same slot is the same place in the dispatch, also where subgroups
   have different sizes. */
function subgroupSlots(of) {
  const slots = new Set(of.flatMap((run) => subgroupsOf(run).map((s) => s.slot)));
  return [...slots].sort((x, y) => x - y);
}

/* What a subgroup of a run wastes. */
function wasteOfSlot(run, slot) {
  const steps = scheduleOf(run, slot);
  return steps ? steps.total * run.lanes - steps.laneTotal : -1;
}

/* The slot in which the first of these runs wastes most, if possible one that all of them have. */
function worstSlot(of) {
  const slots = subgroupSlots(of), has = (run, slot) => subgroupsOf(run).some((s) => s.slot === slot);
  const common = slots.filter((slot) => of.every((run) => has(run, slot))), from = common.length ? common : slots;
  if (from.includes(of[0].worst)) return of[0].worst;
  return from.reduce((worst, slot) => wasteOfSlot(of[0], slot) > wasteOfSlot(of[0], worst) ? slot : worst, from[0]);
}

/* The recorded subgroup of a run that is nearest to subgroup `number`. */
function nearestSubgroup(run, number) {
  return subgroupsOf(run).reduce((best, s) => Math.abs(s.subgroup - number) < Math.abs(best.subgroup - number) ? s : best);
}

/* "16", or "16 and 4" if the runs have different ones. */
function subgroupName(of, slot) {
  const numbers = of.map((run) => subgroupsOf(run).find((s) => s.slot === slot)?.subgroup);
  return [...new Set(numbers.filter((n) => n !== undefined))].map(count).join(" and ");
}
