// SPDX-License-Identifier: Apache-2.0
/* schedule: lanes side by side, issue slots downwards, coloured by block (as figure 7 of Wu, Diamos,
   Li and Yalamanchili, "Characterization and transformation of unstructured control flow in bulk
   synchronous GPU applications"), for two policies on one time scale.

   A picture has one pixel for each lane and is then widened. A pixel that covers several slots has the
   mean of their colours, weighted by the active lanes. Instructions that a policy adds are for no lane;
   they are drawn faintly across all lanes. */
"use strict";

const pictures = {left: null, right: null};

/* ---- pixels ------------------------------------------------------------------------------------ */

/* Adds a step's colour to the rows [from, to) of its lanes, which may be fractions. */
function addStep(sums, width, rows, lanes, from, to, rgb, weight) {
  const first = Math.floor(from), last = Math.min(rows, Math.ceil(to));
  for (let y = Math.max(0, first); y < last; y++) {
    const part = weight * (Math.min(to, y + 1) - Math.max(from, y));
    if (part <= 0) continue;
    for (const lane of lanes) {
      const at = 4 * (y * width + lane);
      sums[at] += part * rgb[0];
      sums[at + 1] += part * rgb[1];
      sums[at + 2] += part * rgb[2];
      sums[at + 3] += part;
    }
  }
}

function mean(sums, image) {
  for (let at = 0; at < sums.length; at += 4) {
    const weight = sums[at + 3];
    if (!weight) continue;
    image.data[at] = sums[at] / weight;
    image.data[at + 1] = sums[at + 1] / weight;
    image.data[at + 2] = sums[at + 2] / weight;
    image.data[at + 3] = 255 * Math.min(1, weight);
  }
}

/* The slots [first, first + slots) as an image with one pixel for each lane. */
function paint(context, steps, width, rows, first, slots) {
  const sums = new Float32Array(4 * width * rows), scale = rows / slots;
  const image = context.createImageData(width, rows), marked = markedBlocks();
  const end = first + slots;
  let i = Math.max(0, stepAt(steps, Math.min(first, steps.total - 1)));
  for (; i < steps.part.length && steps.start[i] < end; i++) {
    const part = steps.part[i];
    const faint = part === NO_PART || (marked && !marked.has(blockOfPart[part]));
    addStep(sums, width, rows, part === NO_PART ? steps.there : steps.lanes[i], (steps.start[i] - first) * scale,
      (steps.start[i + 1] - first) * scale, colourOf(part), faint ? 0.18 : 1);
  }
  mean(sums, image);
  return image;
}

/* ---- one picture ------------------------------------------------------------------------------- */

class Picture {
  constructor(side) {
    this.side = side;
    this.figure = document.getElementById(`${side}-picture`);
    this.caption = element("figcaption");
    this.canvas = element("canvas", {role: "img"});
    this.cursor = element("div", {class: "cursor"});
    this.end = element("div", {class: "end"});
    this.absent = element("div", {class: "absent"}); // lanes without an invocation
    this.ticks = element("div", {class: "ticks", "aria-hidden": "true"});
    this.frame = element("div", {class: "frame"}, this.absent, this.canvas, this.end, this.cursor);
    this.reading = element("p", {class: "reading"});
    this.lanesLine = element("div", {class: "lane-line", "aria-hidden": "true"});
    this.figure.replaceChildren(this.caption, this.lanesLine,
      element("div", {class: "plot"}, this.ticks, this.frame), this.reading);
    this.frame.addEventListener("pointermove", (event) => this.point(event));
    this.frame.addEventListener("pointerleave", () => {
      hover(null);
      hideTip();
    });
    this.frame.addEventListener("click", (event) => this.click(event));
  }

  get policy() {
    return state[this.side];
  }

  get steps() {
    return this.policy ? scheduleOf(this.policy, state.subgroup) : null;
  }

  get lanes() {
    return shown.policies[this.policy].schedule.lanes;
  }

  draw() {
    this.figure.hidden = !this.policy;
    if (!this.policy) return;
    const steps = this.steps;
    this.caption.replaceChildren(element("strong", {}, this.policy), steps ? this.summary(steps) : ": this subgroup is not on the page");
    this.lanesLine.replaceChildren(element("span", {}, "lane 0"), element("span", {}, `lane ${this.lanes - 1}`));
    this.drawTicks();
    this.drawAbsent(steps);
    this.drawPixels(steps);
    this.drawEnd(steps);
    this.drawTime();
  }

  summary(steps) {
    const used = percent(steps.laneTotal, steps.total * this.lanes);
    return element("span", {},
      ": ", element("span", {"data-total": "issues"}, count(steps.total)), " issues, ",
      element("span", {"data-total": "lane_instructions"}, count(steps.laneTotal)),
      ` lane instructions, ${used} of the slots in use`, steps.cut ? " (cut)" : "");
  }

  drawPixels(steps) {
    const canvas = this.canvas, ratioOfPixels = window.devicePixelRatio || 1;
    canvas.width = Math.max(1, Math.round(this.frame.clientWidth * ratioOfPixels));
    canvas.height = Math.max(1, Math.round(this.frame.clientHeight * ratioOfPixels));
    canvas.setAttribute("aria-label", `Schedule of ${this.policy}`);
    if (!steps || !steps.total) return;
    const {first, slots} = view();
    const small = element("canvas");
    small.width = this.lanes;
    small.height = canvas.height;
    const context = small.getContext("2d");
    if (first < steps.total)
      context.putImageData(paint(context, steps, this.lanes, small.height, first, slots), 0, 0);
    const to = canvas.getContext("2d");
    to.imageSmoothingEnabled = false;
    to.drawImage(small, 0, 0, canvas.width, canvas.height);
    this.drawGaps(to, canvas);
  }

  drawAbsent(steps) {
    const there = steps ? steps.there.length : this.lanes;
    this.absent.style.left = `${100 * there / this.lanes}%`;
    this.absent.hidden = there === this.lanes;
  }

  /* Thin gaps separate lanes if there is room. */
  drawGaps(context, canvas) {
    const lane = canvas.width / this.lanes;
    if (lane < 5) return;
    for (let i = 1; i < this.lanes; i++) context.clearRect(Math.round(i * lane) - 0.5, 0, 1, canvas.height);
  }

  drawTicks() {
    const {first, slots} = view(), step = niceStep(slots / 8);
    const marks = [];
    for (let slot = Math.ceil(first / step) * step; slot < first + slots; slot += step)
      marks.push(element("span", {style: `top: ${100 * (slot - first) / slots}%`}, count(slot)));
    this.ticks.replaceChildren(...marks);
  }

  drawEnd(steps) {
    const {first, slots} = view();
    const at = steps ? (steps.total - first) / slots : 1;
    this.end.hidden = !steps || at < 0 || at >= 0.999;
    this.end.style.top = `${100 * at}%`;
    this.end.textContent = steps ? `${this.policy} ${steps.cut ? "is cut" : "has ended"} here: ${count(steps.total)}` : "";
  }

  drawTime() {
    if (!this.policy) return;
    const {first, slots} = view(), at = (state.slot - first) / slots;
    this.cursor.hidden = at < 0 || at > 1;
    this.cursor.style.top = `${100 * at}%`;
    this.reading.textContent = this.read(state.slot);
  }

  read(slot) {
    const steps = this.steps;
    if (!steps) return "";
    const i = stepAt(steps, slot);
    if (i < 0) return steps.cut ? "this part is not on the page" : "has ended";
    const lanes = steps.lanes[i].length;
    const what = steps.part[i] === NO_PART ? `instructions that ${this.policy} adds`
      : `block ${blockName(blockOfPart[steps.part[i]])}: ${lanes} of ${this.lanes} lanes active`;
    return what;
  }

  /* The slot and the lane under the pointer. */
  placeOf(event) {
    const box = this.frame.getBoundingClientRect(), {first, slots} = view();
    const y = Math.min(0.9999, Math.max(0, (event.clientY - box.top) / box.height));
    const x = Math.min(0.9999, Math.max(0, (event.clientX - box.left) / box.width));
    return {slot: Math.floor(first + y * slots), lane: Math.floor(x * this.lanes)};
  }

  point(event) {
    const steps = this.steps, {slot, lane} = this.placeOf(event);
    const i = steps ? stepAt(steps, slot) : -1;
    if (i < 0) {
      hover(null);
      hideTip();
      return;
    }
    const isOn = steps.lanes[i].includes(lane);
    const block = steps.part[i] === NO_PART ? null : blockOfPart[steps.part[i]];
    hover(block === null ? null : new Set([block]));
    showTip([`slot ${count(slot)}, lane ${lane}: ${isOn ? "active" : "inactive"}`, this.read(slot)],
      event.clientX, event.clientY);
  }

  click(event) {
    const {slot} = this.placeOf(event), steps = this.steps, i = steps ? stepAt(steps, slot) : -1;
    setSlot(slot);
    if (i >= 0 && steps.part[i] !== NO_PART) pin(new Set([blockOfPart[steps.part[i]]]));
  }
}

/* ---- both -------------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, and no less than 1. */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((x) => x * power).find((x) => x >= least) || 1;
}

function longest() {
  const totals = ["left", "right"].map((side) => pictures[side].steps).filter((s) => s).map((s) => s.total);
  return Math.max(1, ...totals);
}

/* The slots in view: all, or a part around the chosen time. */
function view() {
  const all = longest(), slots = Math.max(1, Math.ceil(all / state.zoom));
  return {first: Math.max(0, Math.min(state.slot - Math.floor(slots / 2), all - slots)), slots};
}

function setSlot(slot) {
  state.slot = Math.min(slot, longest() - 1);
  document.getElementById("time").value = state.slot;
  tell("time");
}

function drawTime() {
  const time = document.getElementById("time");
  document.getElementById("slot").textContent = `slot ${count(state.slot)} of ${count(longest())}`;
  if (state.zoom > 1) drawPictures();
  for (const side of ["left", "right"]) pictures[side].drawTime();
  time.setAttribute("aria-valuetext", ["left", "right"].filter((side) => state[side])
    .map((side) => `${state[side]}: ${pictures[side].read(state.slot)}`).join("; "));
}

function drawPictures() {
  pictures.left.draw();
  pictures.right.draw();
}

function drawSchedule() {
  const time = document.getElementById("time");
  time.max = longest() - 1;
  setSlot(Math.min(state.slot, longest() - 1));
  drawPictures();
  const all = resultOf(state.left).subgroups, here = subgroupNumbers().length;
  document.getElementById("subgroup-note").textContent = all > 1
    ? `${here} of ${count(all)} subgroups are on the page.` : "";
  const cut = [state.left, state.right].filter((p) => p && scheduleOf(p, state.subgroup)?.cut);
  document.getElementById("cut").textContent = cut.length
    ? `The schedule of ${cut.join(" and ")} is too long for the page, which shows its beginning. All other figures cover the whole run.`
    : "";
}

/* ---- controls ---------------------------------------------------------------------------------- */

function fillSelect(id, options, value, change) {
  const select = document.getElementById(id);
  select.replaceChildren(...options.map(([v, text]) => element("option", {value: v}, text)));
  select.value = value;
  select.addEventListener("change", () => change(select.value));
}

function choosePolicy(side) {
  return (policy) => {
    state[side] = policy;
    tell("choice");
  };
}

/* The numbers of subgroups that are on the page under any policy. */
function subgroupNumbers() {
  const numbers = new Set();
  for (const policy of scheduledPolicies())
    for (const s of shown.policies[policy].schedule.subgroups) numbers.add(s.subgroup);
  return [...numbers].sort((x, y) => x - y);
}

function drawLegend() {
  const legend = document.getElementById("legend");
  const items = rankedBlocks.map((block) => {
    return element("span", {role: "option", class: "block", "data-block": block},
      element("span", {class: "chip", style: `--colour: ${css(blockColours.get(block))}`}), blockName(block));
  });
  legend.replaceChildren(...items);
  const own = scheduledPolicies().some((p) => scheduleOf(p, 0)?.part.includes(NO_PART));
  document.getElementById("own").hidden = !own;
  rove(legend, items, (i) => new Set([rankedBlocks[i]]), (i) => blockTip(rankedBlocks[i]));
}

function markLegend() {
  const marked = markedBlocks();
  for (const item of document.querySelectorAll("#legend .block")) {
    const block = Number(item.dataset.block);
    item.classList.toggle("faint", marked !== null && !marked.has(block));
    item.setAttribute("aria-selected", state.pinned !== null && state.pinned.has(block));
  }
}

function startSchedule() {
  const names = scheduledPolicies().map((p) => [p, p]);
  fillSelect("left", names, state.left, choosePolicy("left"));
  fillSelect("right", names, state.right, choosePolicy("right"));
  document.getElementById("right").parentElement.hidden = !state.right;
  fillSelect("subgroup", subgroupNumbers().map((n) => [n, n]), state.subgroup, (n) => {
    state.subgroup = Number(n);
    tell("choice");
  });
  document.getElementById("zoom").addEventListener("change", (event) => {
    state.zoom = Number(event.target.value);
    drawSchedule();
  });
  document.getElementById("time").addEventListener("input", (event) => setSlot(Number(event.target.value)));
  pictures.left = new Picture("left");
  pictures.right = new Picture("right");
  drawLegend();
}
