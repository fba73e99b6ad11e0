// SPDX-License-Identifier: Apache-2.0
/* schedule: lanes side by side, issue slots downwards, coloured by key (as figure 7 of Wu, Diamos, Li and
   Yalamanchili, "Characterization and transformation of unstructured control flow in bulk synchronous GPU
   applications"), for two runs on one axis (axis.js).

   A picture has one pixel for each lane and is then widened. A pixel that covers several slots has the
   colour of the step that fills most of it; in a sum over bins of time, where each block fills a small part
   of every pixel, pixels get the blocks' colours at random, in proportion; costs are averaged. What stands
   out weighs more, and is at least a pixel high, so that it stays visible. Instructions that a policy adds
   are for no lane; they are drawn faintly across all lanes. */
"use strict";

const pictures = {left: null, right: null};

/* ---- pixels ------------------------------------------------------------------------------------ */

/* A number from 0 to 1, the same in each drawing. */
function scatter(x, y) {
  let h = Math.imul(x + 1, 0x9e3779b1) ^ Math.imul(y + 1, 0x85ebca6b);
  h = Math.imul(h ^ h >>> 15, 0x2c1b3c6d);
  h = Math.imul(h ^ h >>> 12, 0x297a2d39);
  return ((h ^ h >>> 15) >>> 0) / 4294967296;
}

/* How the colours in a pixel are combined; a pixel has red, green, blue, weight and density. Each function
   adds a colour with a weight. */
const COMBINE = {
  mean: (sums, at, rgb, weight) => {
    const all = sums[at + 3] + weight, part = all ? weight / all : 0;
    for (let c = 0; c < 3; c++) sums[at + c] += part * (rgb[c] - sums[at + c]);
    sums[at + 3] = all;
  },
  largest: (sums, at, rgb, weight) => {
    if (weight <= sums[at + 3]) return;
    for (let c = 0; c < 3; c++) sums[at + c] = rgb[c];
    sums[at + 3] = weight;
  },
  random: (sums, at, rgb, weight, i) => {
    sums[at + 3] += weight;
    if (scatter(at, i) * sums[at + 3] < weight) for (let c = 0; c < 3; c++) sums[at + c] = rgb[c];
  },
};

/* Adds a step to the rows [from, to) of its lanes, which may be fractions. `levels`: how much of the time
   each lane was active; null: all of it. */
function addStep(to, step) {
  const first = Math.floor(step.from), last = Math.min(to.rows, Math.ceil(step.to)), {weight, alpha} = step.strength;
  for (let y = Math.max(0, first); y < last; y++) {
    const part = Math.min(step.to, y + 1) - Math.max(step.from, y);
    if (part <= 0) continue;
    for (const lane of step.lanes) {
      const at = 5 * (y * to.width + lane), share = step.levels ? part * step.levels[lane] : part;
      to.combine(to.sums, at, step.rgb, share * weight, step.i);
      to.sums[at + 4] += share * alpha;
    }
  }
}

function fill(sums, image) {
  for (let from = 0, to = 0; from < sums.length; from += 5, to += 4) {
    if (!sums[from + 3]) continue;
    for (let c = 0; c < 3; c++) image.data[to + c] = sums[from + c];
    image.data[to + 3] = 255 * Math.min(1, sums[from + 4]);
  }
}

/* The slots [first, first + slots) as an image with one pixel for each lane. */
function paint(context, run, steps, width, rows, first, slots) {
  const image = context.createImageData(width, rows), scale = rows / slots, end = first + slots;
  const combine = COMBINE[COSTS[state.colour] ? "mean" : steps.bin ? "random" : "largest"];
  const to = {sums: new Float32Array(5 * width * rows), width, rows, combine};
  const emphasis = state.colour === "difference" || markedKeys() ? 1 : 0; // else everything is strong
  for (let i = steps.from(first); i < steps.key.length && steps.start[i] < end; i++) {
    const key = steps.key[i], own = key === OWN, strength = strengthOf(key), from = (steps.start[i] - first) * scale;
    addStep(to, {i, from, to: Math.max((steps.end[i] - first) * scale, from + (steps.bin ? 0 : strength.rows * emphasis)),
      lanes: own ? steps.there : steps.lanes[i], levels: steps.bin && !own ? steps.bin[i].levels : null,
      rgb: drawnColour(key, run), strength: own ? STRENGTH.faint : strength});
  }
  fill(to.sums, image);
  return image;
}

const compact = new Intl.NumberFormat("en-US", {notation: "compact", maximumFractionDigits: 3});

function tickText(slot) {
  return slot >= 1e6 ? compact.format(slot) : count(slot);
}

/* ---- one picture ------------------------------------------------------------------------------- */

class Picture {
  constructor(side) {
    this.side = side;
    this.figure = document.getElementById(`${side}-picture`);
    this.caption = element("figcaption");
    this.canvas = element("canvas", {role: "presentation"});
    this.cursor = element("div", {class: "cursor"});
    this.end = element("div", {class: "end"});
    this.absent = element("div", {class: "absent"}); // lanes without an invocation
    this.bands = element("div", {class: "bands", "aria-hidden": "true"});
    this.ticks = element("div", {class: "ticks", "aria-hidden": "true"});
    this.frame = element("div", {class: "frame", role: "slider", tabindex: "0", "aria-orientation": "vertical", "aria-valuemin": "0"},
      this.absent, this.canvas, this.bands, this.end, this.cursor);
    this.reading = element("div", {class: "reading"});
    this.lanesLine = element("div", {class: "lane-line", "aria-hidden": "true"});
    this.figure.replaceChildren(this.caption, this.lanesLine,
      element("div", {class: "plot"}, this.ticks, this.frame), this.reading);
    listenToPicture(this);
  }

  get run() {
    return state[this.side];
  }

  get steps() {
    return this.run ? placedSteps(this.run) : null;
  }

  /* The whole schedule, by time. */
  get schedule() {
    return this.run ? scheduleOf(this.run, state.subgroup) : null;
  }

  draw() {
    this.figure.hidden = !this.run;
    if (!this.run) return;
    const steps = this.steps;
    this.caption.replaceChildren(element("strong", {}, runName(this.run)), this.summary(),
      element("span", {class: "purpose"}, this.purpose()));
    this.lanesLine.replaceChildren(element("span", {}, "lane 0"), element("span", {}, "lanes of the subgroup →"),
      element("span", {}, `lane ${this.run.lanes - 1}`));
    this.frame.setAttribute("aria-label", `Schedule of ${runName(this.run)}`);
    this.frame.setAttribute("aria-valuemax", axis.total - 1);
    this.drawTicks();
    this.drawBands();
    this.drawAbsent(steps);
    this.drawPixels(steps);
    this.drawEnd(steps);
    this.drawTime();
  }

  /* How the policy chooses who runs, and so why others wait. */
  purpose() {
    const policy = resultOf(this.run).policy;
    return `${policy}: ${data.purposes[policy] || ""}`;
  }

  summary() {
    const s = this.schedule;
    if (!s) return ": this subgroup is not on the page";
    const of = dispatchesOf(this.run).length ? ` in dispatch ${this.run.scheduled}` : "";
    return element("span", {},
      ": ", element("span", {"data-total": "issues"}, count(s.total)), ` issues${of}, `,
      element("span", {"data-total": "lane_instructions"}, count(s.laneTotal)),
      ` lane instructions, ${percent(s.laneTotal, s.total * this.run.lanes)} of the slots in use`);
  }

  drawPixels(steps) {
    const canvas = this.canvas, ratioOfPixels = window.devicePixelRatio || 1;
    canvas.width = Math.max(1, Math.round(this.frame.clientWidth * ratioOfPixels));
    canvas.height = Math.max(1, Math.round(this.frame.clientHeight * ratioOfPixels));
    if (!steps || !steps.total) return;
    const {first, slots} = view(), small = element("canvas");
    small.width = this.run.lanes;
    small.height = canvas.height;
    const context = small.getContext("2d");
    context.putImageData(paint(context, this.run, steps, this.run.lanes, small.height, first, slots), 0, 0);
    const to = canvas.getContext("2d");
    to.imageSmoothingEnabled = false;
    to.drawImage(small, 0, 0, canvas.width, canvas.height);
    this.drawGaps(to, canvas);
  }

  /* Thin gaps separate lanes if there is room. */
  drawGaps(context, canvas) {
    const lane = canvas.width / this.run.lanes;
    if (lane < 5) return;
    for (let i = 1; i < this.run.lanes; i++) context.clearRect(Math.round(i * lane) - 0.5, 0, 1, canvas.height);
  }

  drawAbsent(steps) {
    const there = steps ? steps.there.length : this.run.lanes;
    this.absent.style.left = `${100 * there / this.run.lanes}%`;
    this.absent.hidden = there === this.run.lanes;
  }

  drawTicks() {
    const {first, slots} = view(), step = niceStep(slots / 8), marks = [];
    if (axis.bands) {
      this.ticks.replaceChildren();
      return;
    }
    for (let slot = Math.ceil(first / step) * step; slot < first + slots; slot += step)
      marks.push(element("span", {style: `top: ${100 * (slot - first) / slots}%`}, tickText(slot)));
    this.ticks.replaceChildren(...marks, element("em", {}, "slots ↓"));
  }

  /* Names of the bands, where there is room for a line of text. */
  drawBands() {
    const {first, slots} = view(), height = this.frame.clientHeight, names = [];
    let free = -Infinity;
    for (const band of axis.bands || []) {
      const top = (band.start - first) / slots * height, bottom = (band.start + band.slots - first) / slots * height;
      if (bottom < 0 || top > height) continue;
      if (bottom - top >= 5) names.push(element("div", {class: "band-edge", style: `top: ${top}px; height: ${bottom - top}px`}));
      const at = Math.max(0, top);
      if (at < free || bottom - at < 5 || at + 15 > height) continue;
      names.push(element("span", {style: `top: ${at}px`}, keyName(band.key, 40)));
      free = at + 15;
    }
    this.bands.replaceChildren(...names);
    this.bands.hidden = !axis.bands;
  }

  drawEnd(steps) {
    const {first, slots} = view(), at = steps ? (steps.total - first) / slots : 1;
    this.end.hidden = Boolean(axis.bands) || !steps || at < 0 || at >= 0.999;
    this.end.style.top = `${100 * at}%`;
    this.end.textContent = steps ? `${runName(this.run)}: ended here, after ${count(steps.total)} issues` : "";
  }

  drawTime() {
    if (!this.run) return;
    const {first, slots} = view(), at = (state.slot + 0.5 - first) / slots;
    this.cursor.hidden = at < 0 || at > 1;
    this.cursor.style.top = `${100 * at}%`;
    const lines = this.read(state.slot);
    this.reading.replaceChildren(...lines.map((line, i) => element(i ? "p" : "strong", {}, line)));
    this.frame.setAttribute("aria-valuenow", state.slot);
    this.frame.setAttribute("aria-valuetext", lines.join(". "));
  }

  /* What happens at a place of the axis; `lane` undefined: all lanes. */
  read(slot, lane) {
    const placed = this.steps;
    if (!placed) return ["this subgroup is not on the page"];
    const i = placed.at(slot);
    if (i < 0) return [axis.bands ? `${runName(this.run)} does not need these slots` : `${runName(this.run)} has ended`];
    const at = originOf(placed, i), steps = this.schedule;
    const time = `slot ${count(steps.start[at] + slot - placed.start[i])}`;
    return [`${steps.bin ? "about " : ""}${time}: ${stepLine(this.run, steps, at)}`,
      ...lane === undefined ? [] : [laneLine(steps, at, lane)],
      ...steps.bin ? [] : waitLines(steps, at)];
  }

  /* The slot and the lane under the pointer. */
  placeOf(event) {
    const box = this.frame.getBoundingClientRect(), {first, slots} = view();
    const y = Math.min(0.9999, Math.max(0, (event.clientY - box.top) / box.height));
    const x = Math.min(0.9999, Math.max(0, (event.clientX - box.left) / box.width));
    return {at: first + y * slots, slot: Math.floor(first + y * slots), lane: Math.floor(x * this.run.lanes)};
  }

  /* The key at a place; null: none. */
  keyAt(slot) {
    const steps = this.steps, i = steps ? steps.at(slot) : -1;
    return i < 0 ? null : steps.key[i];
  }
}

/* ---- both -------------------------------------------------------------------------------------- */

function drawTime() {
  const time = document.getElementById("time");
  time.value = state.slot;
  document.getElementById("slot").textContent = axis.bands ? `row ${count(state.slot)} of ${count(axis.total)}`
    : `slot ${count(state.slot)} of ${count(axis.total)}`;
  for (const side of ["left", "right"]) pictures[side].drawTime();
  time.setAttribute("aria-valuetext", ["left", "right"].filter((side) => state[side])
    .map((side) => `${runName(state[side])}: ${pictures[side].read(state.slot)[0]}`).join("; "));
}

function drawPictures() {
  pictures.left.draw();
  pictures.right.draw();
}

/* Says which part is in view. */
function describeView() {
  const {first, slots} = view(), whole = slots >= axis.total;
  document.getElementById("in-view").textContent = whole ? `all ${count(axis.total)} slots in view`
    : `slots ${count(Math.round(first))} to ${count(Math.round(first + slots))} of ${count(axis.total)} in view`;
  for (const id of ["whole", "zoom-out", "pan-up", "pan-down"]) document.getElementById(id).disabled = whole;
}

/* How the schedules were made shorter. */
function summedNote() {
  const summed = sides().map((run) => [run, scheduleOf(run, state.subgroup)]).filter(([, steps]) => steps && steps.bin);
  if (!summed.length) return [];
  const bins = summed.map(([run, steps]) => `${runName(run)}: ${count(steps.total)} issues in ${count(steps.bins)} bins of about ` +
    count(Math.round(steps.total / steps.bins)));
  return [`Too long to show step by step, so summed in bins of time (${bins.join("; ")}). In a bin the executions of each ` +
    "block are added up and lie one block after the other; a lane is as dense as the share of the bin in which it was active, and its " +
    "pixels have the colours of the blocks in proportion. No issue is left out; only the order inside a bin is lost."];
}

/* What else to know about the pictures. */
function scheduleNotes() {
  const wide = state.right && state.left.lanes !== state.right.lanes;
  return [...summedNote(), ...wide ? [`A subgroup has ${state.left.lanes} lanes on the left and ${state.right.lanes} on the right, ` +
    "so these are not the same invocations."] : []].join(" ");
}

/* Which subgroups have a schedule, and which one is shown. */
function subgroupNotes(slots) {
  const [all, right] = [state.left, state.right || state.left].map((run) => resultOf(run).subgroups), notes = [];
  const among = all === right ? `of ${count(all)} subgroups` : `of ${count(all)} subgroups on the left and ${count(right)} on the right`;
  if (Math.max(all, right) > slots.length)
    notes.push(`${slots.length} ${among} have a schedule on the page: those that waste most under a policy, and others at equal ` +
      "distances; all other figures cover all of them.");
  if (state.pixel) notes.push(pixelNote());
  else if (state.subgroup === state.left.worst && all > 1)
    notes.push(`The subgroup shown, ${subgroupName([state.left], state.subgroup)}, wastes most under ${runName(state.left)}.`);
  return notes.join(" ");
}

function drawSchedule() {
  const slots = subgroupSlots(sides()), worst = (slot) => slot === state.left.worst ? " (wastes most)" : "";
  if (state.follows || !slots.includes(state.subgroup)) state.subgroup = worstSlot(sides());
  fillSelect("subgroup", slots.map((slot) => [slot, subgroupName(sides(), slot) + worst(slot)]), state.subgroup);
  document.getElementById("subgroup").parentElement.hidden = slots.length < 2;
  makeAxis();
  document.getElementById("time").max = axis.total - 1;
  state.slot = Math.min(state.slot, axis.total - 1);
  describeView();
  drawPictures();
  drawTime();
  document.getElementById("subgroup-note").textContent = subgroupNotes(slots);
  markSubgroup();
  document.getElementById("summed").textContent = scheduleNotes();
}

/* ---- legend ------------------------------------------------------------------------------------ */

function legendItem(of) {
  const key = [...of][0], more = of === telling.more;
  return element("span", {role: "option", class: "block", "data-keys": [...of].join(" ")}, chip(key),
    more ? `${plural(of.size, "more block")} that differ` : keyName(key, 40));
}

/* What the colours mean: the keys that stand out, or all; or the range of costs. */
function drawLegend() {
  const legend = document.getElementById("legend"), by = state.colour, of = COSTS[by];
  const list = of ? [] : (by === "difference" ? telling.keys : rankedKeys).map((key) => new Set([key]));
  if (by === "difference" && telling.more.size) list.push(telling.more);
  const items = list.map(legendItem);
  legend.replaceChildren(...items);
  legend.hidden = !items.length;
  rove(legend, items, (i) => list[i], (i) => list[i] === telling.more ? [`${plural(list[i].size, "block")} that differ less`]
    : keyTip([...list[i]][0]));
  document.getElementById("legend-title").textContent = of ? `Colours: ${of.name} of the block`
    : by === "each" ? "Colours: each block its own, in priority order"
      : differ() ? `Colours: the blocks with the largest differences (${percent(telling.share, 1)} of all); blocks without one are grey` : "Colours: the blocks that waste most; others are grey";
  document.getElementById("ramp").hidden = !of;
  if (of) {
    document.getElementById("heat-high").textContent = `${count(most[by])} ${of.name}`;
    document.querySelector(".ramp").style.background = `linear-gradient(to right, ${
      [0, 0.1, 0.25, 0.5, 0.75, 1].map((v) => `${css(heatColour(v))} ${100 * v}%`).join(", ")})`;
  }
  document.getElementById("own").hidden = !sides().some((run) => keyFigures(run)[OWN].issues);
}

function markLegend() {
  const marked = markedKeys();
  for (const item of document.querySelectorAll("#legend .block")) {
    const of = item.dataset.keys.split(" ").map(Number);
    item.classList.toggle("faint", marked !== null && !of.some((key) => marked.has(key)));
    item.setAttribute("aria-selected", of.every(isPinned));
  }
}
