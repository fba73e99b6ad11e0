// SPDX-License-Identifier: Apache-2.0
/* colour: colours of keys: by their part of the difference, by cost, or each its own. */
"use strict";

/* OKLCH to sRGB, 0 to 255: lightness 0 to 1, chroma, hue in degrees. */
function oklch(lightness, chroma, hue) {
  const a = chroma * Math.cos(hue * Math.PI / 180), b = chroma * Math.sin(hue * Math.PI / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3;
  return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s].map((c) => {
    const linear = Math.min(1, Math.max(0, c));
    return Math.round(255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055));
  });
}

function css(rgb) {
  return `rgb(${rgb[0]} ${rgb[1]} ${rgb[2]})`;
}

/* How light a colour is, 0 to 1, as in the definition of contrast of WCAG 2. */
function luminance(rgb) {
  const [r, g, b] = rgb.map((c) => c / 255 <= 0.04045 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/* Black or white, whichever has more contrast. */
function textOn(rgb) {
  return luminance(rgb) > 0.179 ? "#000" : "#fff";
}

/* In print the light theme's colours. */
function isDark() {
  if (matchMedia("print").matches) return false;
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/* ---- differences ------------------------------------------------------------------------------- */

/* Runs with subgroups of different sizes are compared by lane slots, others by issues. */
function byLaneSlots() {
  return state.right !== null && state.left.lanes !== state.right.lanes;
}

function costOf(run, f) {
  return byLaneSlots() ? f.issues * run.lanes : f.issues;
}

function costUnit() {
  return byLaneSlots() ? "lane slots" : "issues";
}

/* Every key that ran, with its cost under both runs; the largest difference first. With one run: the
   largest cost first. */
function compareKeys() {
  const [a, b] = [state.left, state.right];
  const left = keyFigures(a), right = b ? keyFigures(b) : null;
  return keys.map((_, key) => {
    const l = costOf(a, left[key]), r = b ? costOf(b, right[key]) : 0;
    return {key, left: left[key], right: right ? right[key] : NO_FIGURES, costs: [l, r], extra: l - r};
  }).filter((x) => x.costs[0] || x.costs[1])
    .sort((x, y) => Math.abs(y.extra) - Math.abs(x.extra) || Math.max(...y.costs) - Math.max(...x.costs));
}

const LEAST_DIFFERENCE = 0.01; // of the cost: two runs that differ less are shown as alike

/* Do the runs that are shown differ enough to be compared key by key? */
function differ() {
  const all = state.right === null ? [] : compareKeys(), sum = (of) => all.reduce((s, x) => s + of(x), 0);
  const extra = sum((x) => Math.abs(x.extra));
  return extra > 0 && extra >= LEAST_DIFFERENCE * Math.max(sum((x) => x.costs[0]), sum((x) => x.costs[1]));
}

/* The lane slots in which the left run wastes a key's lanes; of what the policy adds, all. */
function wasteOfKeyLeft(x) {
  return x.left.issues * state.left.lanes - x.left.laneIssues;
}

/* All keys, those that waste most first. */
function byWaste() {
  return compareKeys().sort((x, y) => wasteOfKeyLeft(y) - wasteOfKeyLeft(x) || y.costs[0] - x.costs[0]);
}

const MOST_COLOURS = 7;
const COVERED = 0.9;
const SLIGHT = 0.002; // of all differences: less does not count as one

/* What stands out: `keys`, those that make COVERED of all differences, at most MOST_COLOURS, and `more`, the
   others that differ; `share`: how much of all differences `keys` make. Without a difference `keys` are those that
   waste, or, if nothing is wasted, cost most. */
function findTelling() {
  const extra = differ(), wastes = compareKeys().some(wasteOfKeyLeft), from = extra ? compareKeys().filter((x) => x.extra) : byWaste();
  const size = (x) => extra ? Math.abs(x.extra) : wastes ? wasteOfKeyLeft(x) : x.costs[0], sum = from.reduce((s, x) => s + size(x), 0);
  const found = {keys: [], more: new Set(), share: 0};
  for (const x of from)
    if (found.keys.length < MOST_COLOURS && found.share < COVERED) {
      found.keys.push(x.key);
      found.share += size(x) / sum;
    } else if (extra && size(x) > SLIGHT * sum) found.more.add(x.key);
  return found;
}

/* ---- keys' colours ----------------------------------------------------------------------------- */

/* Of a theme: `strong` colours, the first for the largest difference, are distinct also to colour-blind eyes; with
   `more`, for the others that differ, they have a contrast of 3 or more to the ground. `faded`: two greys; `ink`: for what
   is grey until it is chosen. */
const LIGHT = {
  strong: [[200, 80, 0], [0, 114, 178], [41, 147, 126], [98, 12, 1], [63, 3, 194], [114, 74, 91], [32, 41, 111]],
  more: [146, 126, 84],
  faded: [[160, 170, 180], [173, 182, 191]],
  ink: [29, 40, 51],
};
const DARK = {
  strong: [[230, 110, 30], [64, 152, 220], [11, 166, 140], [241, 180, 100], [104, 213, 218], [214, 252, 7], [208, 245, 192]],
  more: [190, 164, 104],
  faded: [[98, 110, 123], [84, 95, 107]],
  ink: [228, 233, 238],
};

function palette() {
  return isDark() ? DARK : LIGHT;
}

/* Keys that ran under any policy, in the order of priority. */
function rankKeys() {
  const rank = keys.map(() => Infinity);
  programs.forEach((program, p) => {
    const at = new Map(program.priority.map((label, i) => [label, i]));
    program.blocks.forEach(([, label], block) => {
      const key = keyOfBlock[p][block];
      rank[key] = Math.min(rank[key], at.has(label) ? at.get(label) : Infinity);
    });
  });
  const ran = keys.map((_, key) => key).filter((key) => wholeRuns().some((run) => keyFigures(run)[key].issues));
  return ran.sort((x, y) => rank[x] - rank[y] || x - y);
}

const rankedKeys = rankKeys();
const rankOf = new Map(rankedKeys.map((key, i) => [key, i]));

/* Hues follow the order of priority, so that code which runs again shows as recurring colours;
   neighbours also differ in lightness. */
function rankColour(key) {
  const i = rankOf.get(key) || 0;
  return oklch([0.72, 0.6, 0.82][i % 3], [0.15, 0.17, 0.13][i % 3], 25 + 320 * i / Math.max(rankedKeys.length, 6));
}

/* A grey, of two that alternate in the order of priority. */
function fadedColour(key) {
  return palette().faded[(rankOf.get(key) || 0) % 2];
}

/* The colour of a cost from 0 (cold) to 1 (hot), on the page's background. */
function heatColour(value) {
  const v = Math.sqrt(Math.min(1, Math.max(0, value)));
  return isDark() ? oklch(0.45 + 0.3 * v, 0.02 + 0.15 * v, 80 - 50 * v)
    : oklch(0.8 - 0.25 * v, 0.03 + 0.17 * v, 90 - 60 * v);
}

const COSTS = {
  issues: {name: "issues", of: (f) => f.issues},
  executions: {name: "executions", of: (f) => f.executions},
  idle: {name: "inactive lane slots", of: (f, lanes) => f.issues * lanes - f.laneIssues},
};

let telling = {keys: [], more: new Set(), share: 0}; // findTelling's
const most = {}; // by cost: the largest of both runs

function chooseColours() {
  telling = findTelling();
  for (const [name, cost] of Object.entries(COSTS))
    most[name] = Math.max(1, ...sides().flatMap((run) => keyFigures(run).map((f) => cost.of(f, run.lanes))));
}

function heatOf(key, run) {
  const cost = COSTS[state.colour];
  return cost.of(keyFigures(run)[key], run.lanes) / most[state.colour];
}

/* The colour of a key under a run (which matters only to costs). */
function colourOf(key, run) {
  if (state.colour === "each") return key === OWN ? [128, 128, 128] : rankColour(key);
  if (state.colour !== "difference") return heatColour(heatOf(key, run));
  const place = telling.keys.indexOf(key);
  return place >= 0 ? palette().strong[place] : telling.more.has(key) ? palette().more : fadedColour(key);
}

/* The colour of a key in a schedule: what is chosen does not stay grey. */
function drawnColour(key, run) {
  const grey = state.colour === "difference" && !telling.keys.includes(key) && !telling.more.has(key);
  return grey && markedKeys()?.has(key) ? palette().ink : colourOf(key, run);
}

const STRENGTH = {
  strong: {weight: 1, alpha: 1, rows: 1},
  middle: {weight: 0.35, alpha: 0.85, rows: 0},
  faint: {weight: 0.15, alpha: 0.6, rows: 0},
};

/* How a key is drawn in a schedule: its weight in the mean of a pixel's colours, its density, and how many
   rows of pixels it is high at least. */
function strengthOf(key) {
  const marked = markedKeys();
  if (marked) return marked.has(key) ? STRENGTH.strong : STRENGTH.faint;
  if (state.colour !== "difference" || telling.keys.includes(key)) return STRENGTH.strong;
  return telling.more.has(key) ? STRENGTH.middle : STRENGTH.faint;
}

function chip(key, run = state.left) {
  return element("span", {class: "chip", style: `--colour: ${css(colourOf(key, run))}`, "aria-hidden": "true"});
}
