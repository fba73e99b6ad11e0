// SPDX-License-Identifier: Apache-2.0
/* schedule: lanes side by side, issue slots downwards, coloured by key (as figure 7 of Wu, Diamos, Li and
   Yalamanchili, "Characterization and transformation of unstructured control flow in bulk synchronous GPU
   applications"), for two runs on one axis (axis.js).

   A picture has one pixel for each lane and is then widened. A pixel that covers several slots has the
   mean of their colours, weighted by the active lanes; what stands out weighs more, so that it stays
   visible. Instructions that a policy adds are for no lane; they are drawn faintly across all lanes. */
"use strict";

const pictures = {left: null, right: null};

/* ---- pixels ------------------------------------------------------------------------------------ */

const WEIGHT_FAINT = 0.25; // in the mean of a pixel's colours
const ALPHA_FAINT = 0.55;

/* Adds a step's colour to the rows [from, to) of its lanes, which may be fractions. `levels`: how much of
   the time each lane was active; null: all of it. */
function addStep(sums, width, rows, lanes, levels, from, to, rgb, weight, alpha) {
  const first = Math.floor(from), last = Math.min(rows, Math.ceil(to));
  for (let y = Math.max(0, first); y < last; y++) {
    const part = Math.min(to, y + 1) - Math.max(from, y);
    if (part <= 0) continue;
    for (const lane of lanes) {
      const at = 5 * (y * width + lane), share = levels ? part * levels[lane] : part;
      sums[at] += share * weight * rgb[0];
      sums[at + 1] += share * weight * rgb[1];
      sums[at + 2] += share * weight * rgb[2];
      sums[at + 3] += share * weight;
      sums[at + 4] += share * alpha;
    }
  }
}

function mean(sums, image) {
  for (let from = 0, to = 0; from < sums.length; from += 5, to += 4) {
    const weight = sums[from + 3];
    if (!weight) continue;
    image.data[to] = sums[from] / weight;
    image.data[to + 1] = sums[from + 1] / weight;
    image.data[to + 2] = sums[from + 2] / weight;
    image.data[to + 3] = 255 * Math.min(1, sums[from + 4]);
  }
}

/* The slots [first, first + slots) as an image with one pixel for each lane. */
function paint(context, run, steps, width, rows, first, slots) {
  const sums = new Float32Array(5 * width * rows), scale = rows / slots;
  const image = context.createImageData(width, rows), end = first + slots;
  for (let i = steps.from(first); i < steps.key.length && steps.start[i] < end; i++) {
    const key = steps.key[i], strong = stands(key), own = key === OWN;
    addStep(sums, width, rows, own ? steps.there : steps.lanes[i], steps.bin && !own ? steps.bin[i].levels : null,
      (steps.start[i] - first) * scale, (steps.end[i] - first) * scale, colourOf(key, run),
      strong ? 1 : WEIGHT_FAINT, (strong ? 1 : ALPHA_FAINT) * (own ? 0.5 : 1));
  }
  mean(sums, image);
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
    this.caption.replaceChildren(element("strong", {}, runName(this.run)), this.summary());
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
    this.ticks.replaceChildren(...marks, element("em", {}, "issue slots ↓"));
  }

  /* Names of the bands, where there is room for a line of text. */
  drawBands() {
    const {first, slots} = view(), height = this.frame.clientHeight, names = [];
    let free = -Infinity;
    for (const band of axis.bands || []) {
      const top = (band.start - first) / slots * height, bottom = (band.start + band.slots - first) / slots * height;
      if (bottom < 0 || top > height) continue;
      names.push(element("div", {class: "band-edge", style: `top: ${top}px; height: ${bottom - top}px`}));
      const at = Math.max(0, top);
      if (at < free || bottom - at < 5) continue;
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
    this.end.textContent = steps ? `${runName(this.run)} has ended here: ${count(steps.total)} issues` : "";
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
    : `${count(Math.round(first))} to ${count(Math.round(first + slots))} of ${count(axis.total)} in view`;
  for (const id of ["whole", "zoom-out", "pan-up", "pan-down"]) document.getElementById(id).disabled = whole;
}

/* How the schedules were made shorter, and which are on the page. */
function scheduleNotes() {
  const notes = [], wide = state.right && state.left.lanes !== state.right.lanes;
  for (const run of sides()) {
    const steps = scheduleOf(run, state.subgroup);
    if (steps && steps.bin)
      notes.push(`The schedule of ${runName(run)} is summed: its ${count(steps.total)} issues are in ${count(steps.bins)} bins of about ` +
        `${count(Math.round(steps.total / steps.bins))}. In a bin the executions of each block are added up and drawn one block after the other; ` +
        "a lane is as dense as the share of the bin in which it was active. All sums are exact.");
  }
  if (wide) notes.push(`A subgroup has ${state.left.lanes} lanes on the left and ${state.right.lanes} on the right, so the same subgroup number means other invocations.`);
  return notes.join(" ");
}

function drawSchedule() {
  const numbers = subgroupNumbers(sides());
  if (!numbers.includes(state.subgroup)) state.subgroup = numbers[0];
  fillSelect("subgroup", numbers.map((n) => [n, n]), state.subgroup);
  document.getElementById("subgroup").parentElement.hidden = numbers.length < 2;
  makeAxis();
  document.getElementById("time").max = axis.total - 1;
  state.slot = Math.min(state.slot, axis.total - 1);
  describeView();
  drawPictures();
  drawTime();
  const all = resultOf(state.left).subgroups;
  document.getElementById("subgroup-note").textContent = all > numbers.length
    ? `${numbers.length} of ${count(all)} subgroups have a schedule on the page; all other figures cover all of them.` : "";
  document.getElementById("summed").textContent = scheduleNotes();
}

/* ---- legend ------------------------------------------------------------------------------------ */

/* What the colours mean: the keys that stand out, or all; or the range of costs. */
function drawLegend() {
  const legend = document.getElementById("legend"), by = state.colour, of = COSTS[by];
  const list = of ? [] : by === "difference" ? telling : rankedKeys;
  const items = list.map((key) => element("span", {role: "option", class: "block", "data-key": key}, chip(key), keyName(key, 40)));
  legend.replaceChildren(...items);
  legend.hidden = !items.length;
  rove(legend, items, (i) => new Set([list[i]]), (i) => keyTip(list[i]));
  document.getElementById("legend-title").textContent = of ? `Colours: ${of.name} of the block`
    : by === "each" ? "Colours: each block its own, in priority order"
      : differ() ? "Colours: the blocks that make the difference; all others are grey" : "Colours: the blocks that cost most; all others are grey";
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
    const key = Number(item.dataset.key);
    item.classList.toggle("faint", marked !== null && !marked.has(key));
    item.setAttribute("aria-selected", isPinned(key));
  }
}
