// SPDX-License-Identifier: Apache-2.0
/* waits: what the lanes do while others run: which wait, since when, where they left the others, and for
   what they wait. Only for schedules of steps, not for sums in bins of time. */
"use strict";

/* The last step of each lane, as a map. */
function lastSteps(steps) {
  if (!steps.last) {
    steps.last = new Map();
    steps.lanes.forEach((lanes, i) => lanes.forEach((lane) => steps.last.set(lane, i)));
  }
  return steps.last;
}

/* Calls `found(lane, step)` for the nearest step of each of the lanes in a direction. */
function nearest(steps, lanes, from, by, found) {
  const missing = new Set(lanes);
  for (let i = from + by; missing.size && i >= 0 && i < steps.key.length; i += by)
    for (const lane of steps.lanes[i])
      if (missing.delete(lane)) found(lane, i);
}

/* The lanes that wait while a step runs, in groups with the same last and next key, the largest first:
   [{lanes, before: step, next: step}]; and the number of lanes that have ended. */
function waitingAt(steps, i) {
  const active = new Set(steps.lanes[i]), last = lastSteps(steps);
  const waiting = steps.there.filter((lane) => !active.has(lane) && last.get(lane) > i);
  const ended = steps.there.filter((lane) => !active.has(lane) && last.get(lane) < i).length;
  const before = new Map(), next = new Map(), groups = new Map();
  nearest(steps, waiting, i, -1, (lane, step) => before.set(lane, step));
  nearest(steps, waiting, i, 1, (lane, step) => next.set(lane, step));
  for (const lane of waiting) {
    const name = `${steps.key[before.get(lane)]} ${steps.key[next.get(lane)]}`;
    if (!groups.has(name)) groups.set(name, {lanes: [], before: before.get(lane), next: next.get(lane)});
    const group = groups.get(name);
    group.lanes.push(lane);
    group.before = Math.max(group.before, before.get(lane));
    group.next = Math.min(group.next, next.get(lane));
  }
  return {ended, groups: [...groups.values()].sort((x, y) => y.lanes.length - x.lanes.length)};
}

/* "3 to 7, 9" */
function laneList(lanes) {
  const parts = [];
  for (let i = 0; i < lanes.length; i++) {
    const from = i;
    while (lanes[i + 1] === lanes[i] + 1) i++;
    parts.push(i > from ? `${lanes[from]} to ${lanes[i]}` : `${lanes[from]}`);
  }
  return parts.length > 6 ? `${parts.slice(0, 5).join(", ")}, …` : parts.join(", ");
}

function groupText(steps, group) {
  const n = group.lanes.length, them = n === 1 ? "lane waits" : "lanes wait";
  return `${n} ${them} for ${keyShort(steps.key[group.next])}, from slot ${count(steps.start[group.next])} on: ` +
    `${n === 1 ? "it" : "they"} last ran ${keyShort(steps.key[group.before])}, until slot ${count(steps.end[group.before] - 1)} ` +
    `(lane${n === 1 ? "" : "s"} ${laneList(group.lanes)})`;
}

const FEW_GROUPS = 3;

/* Who waits while a step runs, in lines. */
function waitLines(steps, i) {
  const {ended, groups} = waitingAt(steps, i), lines = groups.slice(0, FEW_GROUPS).map((g) => groupText(steps, g));
  const rest = groups.slice(FEW_GROUPS);
  if (rest.length)
    lines.push(`${rest.reduce((sum, g) => sum + g.lanes.length, 0)} more lanes wait for ${rest.length === 1 ? "another line" : "other lines"}`);
  if (ended) lines.push(`${plural(ended, "lane")} ${ended === 1 ? "has" : "have"} ended`);
  if (!lines.length && steps.key[i] !== OWN) lines.push("no lane waits");
  return lines;
}

/* What one lane does while a step runs. */
function laneLine(steps, i, lane) {
  if (!steps.there.includes(lane)) return `lane ${lane} has no invocation`;
  if (steps.bin) return `lane ${lane} is active in about ${percent(steps.bin[i].levels[lane], 1)} of this time`;
  if (steps.lanes[i].includes(lane)) return `lane ${lane} is active`;
  const last = lastSteps(steps).get(lane);
  if (last === undefined || last < i) return `lane ${lane} has ended`;
  let next = i + 1;
  while (!steps.lanes[next].includes(lane)) next++;
  return `lane ${lane} waits for ${keyShort(steps.key[next])}`;
}

/* A step in words. */
function stepLine(run, steps, i) {
  const key = steps.key[i];
  if (key === OWN) return `instructions that ${resultOf(run).policy} adds, for no lane`;
  if (!steps.bin) return `${keyName(key)}: ${steps.lanes[i].length} of ${run.lanes} lanes active`;
  const {executions, lanes} = steps.bin[i];
  return `${keyName(key)}: in this bin of ${count(steps.bin[i].issues)} issues ${plural(executions, "execution")}, ` +
    `${ratio(lanes / executions)} of ${run.lanes} lanes active on average`;
}
