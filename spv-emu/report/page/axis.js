// SPDX-License-Identifier: Apache-2.0
/* axis: the vertical axis of the schedules, common to both sides.

   By time, it is the slot. By line, each line has a band, as high as the larger of both sides needs, in
   which its steps lie one after the other: a line is at the same height on both sides, and the side that
   issues less leaves a part of the band empty. */
"use strict";

const ROOM = 0.012; // between bands, as a part of the axis

/* ---- bands ------------------------------------------------------------------------------------- */

function slotsByKey(steps) {
  const slots = new Map();
  if (steps) steps.key.forEach((key, i) => slots.set(key, (slots.get(key) || 0) + steps.end[i] - steps.start[i]));
  return slots;
}

/* By line, then by priority; the policy's own instructions last. */
function bandOrder(x, y) {
  if (x === OWN || y === OWN) return (x === OWN) - (y === OWN);
  const a = keys[x], b = keys[y];
  if (a.line && b.line && a.line !== b.line) return a.line - b.line;
  return rankOf.get(x) - rankOf.get(y);
}

/* {bands: [{key, start, slots}], total} */
function makeBands() {
  const of = sides().map((run) => slotsByKey(scheduleOf(run, state.subgroup)));
  const list = [...new Set(of.flatMap((slots) => [...slots.keys()]))].sort(bandOrder);
  const sum = list.reduce((s, key) => s + Math.max(...of.map((slots) => slots.get(key) || 0)), 0);
  const gap = Math.ceil(sum * Math.min(ROOM, 0.3 / Math.max(1, list.length)));
  let total = 0;
  const bands = list.map((key) => {
    const slots = Math.max(...of.map((s) => s.get(key) || 0)), start = total;
    total += slots + gap;
    return {key, start, slots};
  });
  return {bands, total: Math.max(1, total - gap)};
}

/* The steps, moved into their bands; `origin`: the index of each in the schedule. */
function moveSteps(steps, bands) {
  const moved = new Steps(), lists = new Map(bands.map((b) => [b.key, []]));
  steps.key.forEach((key, i) => lists.get(key).push(i));
  moved.origin = [];
  for (const band of bands) {
    moved.total = band.start;
    for (const i of lists.get(band.key)) {
      moved.origin.push(i);
      moved.add(band.key, steps.part[i], steps.lanes[i], steps.end[i] - steps.start[i], 0);
    }
  }
  moved.bin = steps.bin ? moved.origin.map((i) => steps.bin[i]) : null;
  moved.there = steps.there;
  return moved;
}

let axis = {total: 1, bands: null, of: new Map()};

/* To be called when runs, subgroup or alignment have changed. */
function makeAxis() {
  const steps = sides().map((run) => [run, scheduleOf(run, state.subgroup)]);
  if (state.align === "line") {
    const {bands, total} = makeBands();
    axis = {total, bands, of: new Map(steps.map(([run, s]) => [run, s ? moveSteps(s, bands) : null]))};
  } else {
    const totals = steps.map(([, s]) => s ? s.total : 0);
    axis = {total: Math.max(1, ...totals), bands: null, of: new Map(steps)};
  }
}

/* The steps of a run as they lie on the axis; null: they are not on the page. */
function placedSteps(run) {
  return axis.of.get(run) || null;
}

/* The index in the schedule of the placed step `i`. */
function originOf(placed, i) {
  return placed.origin ? placed.origin[i] : i;
}

/* ---- the part in view -------------------------------------------------------------------------- */

const LEAST_SLOTS = 16;

function view() {
  const slots = Math.min(axis.total, state.slots || axis.total);
  return {first: Math.max(0, Math.min(state.first, axis.total - slots)), slots};
}

function setView(first, slots) {
  const most = axis.total, wanted = Math.max(Math.min(LEAST_SLOTS, most), slots);
  state.slots = wanted >= most ? 0 : wanted;
  state.first = state.slots ? Math.max(0, Math.min(first, most - wanted)) : 0;
  tell("view");
}

/* Makes the view `factor` times smaller, with `at` at the same height. */
function zoomAt(at, factor) {
  const {first, slots} = view(), to = Math.max(Math.min(LEAST_SLOTS, axis.total), slots / factor);
  setView(at - (at - first) * to / slots, to);
}

function panBy(slots) {
  const now = view();
  setView(now.first + slots, now.slots);
}

/* Chooses a place, and moves the view if it is not in it. */
function setSlot(slot) {
  state.slot = Math.max(0, Math.min(Math.round(slot), axis.total - 1));
  const {first, slots} = view();
  if (state.slot < first || state.slot >= first + slots) setView(state.slot - slots / 2, slots);
  tell("time");
}

/* 1, 2 or 5 times a power of ten, and no less than 1. */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((x) => x * power).find((x) => x >= least) || 1;
}
