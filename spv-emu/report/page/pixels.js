// SPDX-License-Identifier: Apache-2.0
/* pixels: the picture that a draw has made, beside what its pixels cost under the left and the right run, on one scale
   (report_page_pixels.h). The colours are the same in both themes, and those of --heat-map (report/heat.c). */
"use strict";

const pixels = data.pixels;

const INFERNO = [[0, 0, 4], [31, 12, 72], [85, 15, 109], [136, 34, 106], [186, 54, 85], [227, 89, 51], [249, 140, 10],
  [249, 201, 50], [252, 255, 164]];

function infernoColour(share) {
  const at = share * (INFERNO.length - 1), step = Math.min(Math.floor(at), INFERNO.length - 2);
  return INFERNO[step].map((c, i) => Math.round(c + (INFERNO[step + 1][i] - c) * (at - step)));
}

const PIXEL_KINDS = {
  issues: {unit: "issues", noun: `issues per ${THINGS.slice(0, -1)}`},
  lost: {unit: "lost issues", noun: `lost issues per ${THINGS.slice(0, -1)}`},
};

/* ---- numbers ----------------------------------------------------------------------------------- */

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* The numbers of a text as emu_cells_text writes it. */
function unpackCells(text) {
  const numbers = new Float64Array(pixels.columns * pixels.rows);
  let at = 0, last = 0, i = 0;
  const read = () => {
    let value = 0, scale = 1;
    for (;; scale *= 32) {
      const digit = BASE64.indexOf(text[i++]);
      value += (digit % 32) * scale;
      if (digit < 32) return value;
    }
  };
  while (i < text.length) {
    if (text[i] === "~") {
      i++;
      const end = at + read();
      numbers.fill(last, at, end);
      at = end;
    } else {
      const value = read();
      last += value % 2 ? -(value - 1) / 2 : value / 2;
      numbers[at++] = last;
    }
  }
  return numbers;
}

const unpackedCells = new Map();
function cellsOf(map, kind) {
  const key = `${pixels.maps.indexOf(map)} ${kind}`;
  if (!unpackedCells.has(key)) {
    const text = typeof map[kind] === "number" ? pixels.maps[map[kind]][kind] : map[kind];
    unpackedCells.set(key, unpackCells(text));
  }
  return unpackedCells.get(key);
}

/* The map of a run's result; undefined: it has none. */
function mapOf(run) {
  return run ? pixels.maps.find((map) => map.result === run.result) : undefined;
}

function pixelKind() {
  return document.getElementById("pixels-kind").value;
}

/* The largest mean of a cell's pixels, of both sides. */
function mostOfPixels(kind) {
  return Math.max(1, ...sides().map((run) => mapOf(run)?.most[kind] || 0)) / pixels.side ** 2;
}

/* ---- drawing ----------------------------------------------------------------------------------- */

function drawMap(side, kind, most) {
  const figure = document.getElementById(`pixels-${side}`), run = state[side], map = mapOf(run);
  figure.hidden = !run;
  if (!run) return;
  const canvas = figure.querySelector("canvas"), caption = figure.querySelector("figcaption");
  canvas.hidden = !map;
  if (!map) {
    const opt = resultOf(run).policy === "opt";
    caption.textContent = `${runName(run)}: no map${opt ? ", since it has no schedule" : ""}`;
    return;
  }
  const count = pixels.width * pixels.height, mean = map.sums[kind] / count;
  caption.textContent = `${runName(run)}: ${ratio(mean)} ${PIXEL_KINDS[kind].noun} on average` +
    (kind === "lost" ? ", " + percent(map.sums.lost, map.sums.issues) + " of the issues" : "");
  canvas.width = pixels.columns;
  canvas.height = pixels.rows;
  canvas.setAttribute("aria-label", `${caption.textContent}; arrow keys go from pixel to pixel, Enter to the schedule of its subgroup`);
  const context = canvas.getContext("2d"), image = context.createImageData(pixels.columns, pixels.rows);
  cellsOf(map, kind).forEach((number, i) => {
    image.data.set(infernoColour(Math.min(1, number / pixels.side ** 2 / most)), 4 * i);
    image.data[4 * i + 3] = 255;
  });
  context.putImageData(image, 0, 0);
}

/* The picture is that of the left run. */
function drawDrawn() {
  const figure = document.getElementById("pixels-drawn"), map = mapOf(state.left) || pixels.maps[0];
  figure.hidden = map.picture === null;
  if (figure.hidden) return;
  const image = figure.querySelector("img");
  image.src = `data:image/png;base64,${pixels.pictures[map.picture]}`;
  const others = pixels.maps.filter((other) => other.picture !== null && other.picture !== map.picture);
  figure.querySelector("figcaption").textContent = `What is drawn, ${count(pixels.width)} × ${count(pixels.height)} pixels` +
    (others.length ? `, under ${resultName(results[map.result])}; under ` +
      `${others.map((other) => resultName(results[other.result])).join(", ")} it differs` : "");
}

function drawRamp(kind, most) {
  const canvas = document.getElementById("pixels-ramp"), context = canvas.getContext("2d");
  for (let x = 0; x < canvas.width; x++) {
    context.fillStyle = css(infernoColour(x / (canvas.width - 1)));
    context.fillRect(x, 0, 1, canvas.height);
  }
  document.getElementById("pixels-most").textContent = `${count(Math.round(most))} ${PIXEL_KINDS[kind].noun}`;
}

function drawPixels() {
  if (!pixels) return;
  const kind = pixelKind(), most = mostOfPixels(kind);
  drawRamp(kind, most);
  drawDrawn();
  drawMap("left", kind, most);
  drawMap("right", kind, most);
  tellCell(null);
}

/* ---- what a pixel costs ------------------------------------------------------------------------ */

/* "pixel (3, 4)" or "pixels (4 to 5, 8 to 9), sums" */
function cellName(column, row) {
  const {side, width, height} = pixels;
  if (!DRAWS && side === 1) return `thread (${column}, ${row})`;
  if (side === 1) return `pixel (${column}, ${row})`;
  const span = (at, size) => `${at * side} to ${Math.min(size, (at + 1) * side) - 1}`;
  return `${THINGS} (${span(column, width)}, ${span(row, height)}), together`;
}

function cellLines(column, row) {
  const at = row * pixels.columns + column, lines = [cellName(column, row)];
  for (const run of sides()) {
    const map = mapOf(run);
    if (!map) continue;
    const issues = cellsOf(map, "issues")[at], lost = cellsOf(map, "lost")[at];
    lines.push(`${runName(run)}: ${plural(issues, "issue")}, ${count(lost)} lost (${percent(lost, issues)})`);
  }
  return lines;
}

let chosenCell = null; // [column, row]
function tellCell(cell, x = 0, y = 0) {
  chosenCell = cell;
  for (const mark of document.querySelectorAll(".pixel-mark")) {
    mark.hidden = !cell;
    if (!cell) continue;
    mark.style.left = `${100 * (cell[0] + 0.5) / pixels.columns}%`;
    mark.style.top = `${100 * (cell[1] + 0.5) / pixels.rows}%`;
  }
  if (!cell) return hideTip();
  showTip(cellLines(...cell), x, y);
}

function cellAt(node, event) {
  const box = node.getBoundingClientRect();
  const place = (at, start, size, cells) => Math.min(cells - 1, Math.max(0, Math.floor((at - start) / size * cells)));
  return [place(event.clientX, box.left, box.width, pixels.columns), place(event.clientY, box.top, box.height, pixels.rows)];
}

/* ---- the subgroup of a pixel ------------------------------------------------------------------- */

/* The number of the subgroup that ran a cell under a run; null: none did, or it is not known which of several draws ran it. */
function subgroupAt(run, [column, row]) {
  const map = mapOf(run), number = map && data.dispatches === 1 ? cellsOf(map, "subgroups")[row * pixels.columns + column] : 0;
  return number && subgroupsOf(run).length ? number - 1 : null;
}

/* Shows the schedule of the cell's subgroup, or of the nearest one that has a schedule. */
function followCell(run, cell) {
  const number = subgroupAt(run, cell);
  if (number === null) return;
  const shown = nearestSubgroup(run, number);
  chooseSubgroup(shown.slot, {cell, number, shown: shown.subgroup});
  announce(pixelNote());
  document.getElementById("schedule").scrollIntoView({block: "start"});
}

function pixelNote() {
  const {cell, number, shown} = state.pixel, name = cellName(...cell).replace(", together", "");
  return `${sentence(name)}: subgroup ${count(number)}${shown === number ? ", shown here."
    : `, which has no schedule on the page; shown here is ${count(shown)}, the nearest one that has.`}`;
}

/* The cells of the subgroup whose schedule is shown, as a frame around them. */
function markSubgroup() {
  for (const side of pixels ? ["left", "right"] : []) {
    const run = state[side], frame = document.querySelector(`#pixels-${side} .subgroup-mark`);
    const shown = run && subgroupsOf(run).find((s) => s.slot === state.subgroup)?.subgroup, map = mapOf(run);
    const box = map && shown !== undefined && data.dispatches === 1 ? boxOf(cellsOf(map, "subgroups"), shown + 1) : null;
    frame.hidden = !box;
    if (box) Object.assign(frame.style, {left: `${100 * box.left / pixels.columns}%`, top: `${100 * box.top / pixels.rows}%`,
      width: `${100 * (box.right - box.left) / pixels.columns}%`, height: `${100 * (box.bottom - box.top) / pixels.rows}%`});
  }
}

function boxOf(cells, number) {
  const box = {left: Infinity, top: Infinity, right: 0, bottom: 0};
  cells.forEach((cell, i) => {
    if (cell !== number) return;
    const x = i % pixels.columns, y = Math.floor(i / pixels.columns);
    Object.assign(box, {left: Math.min(box.left, x), top: Math.min(box.top, y), right: Math.max(box.right, x + 1), bottom: Math.max(box.bottom, y + 1)});
  });
  return box.right ? box : null;
}

const CELL_KEYS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

/* The run of the figure that a node is in; what is drawn is the left one's. */
function runOfNode(node) {
  return node.closest("#pixels-right") ? state.right : state.left;
}

function stepCell(node, event) {
  const step = CELL_KEYS[event.key];
  if (event.key === "Enter" && chosenCell) followCell(runOfNode(node), chosenCell);
  if (!step) return;
  event.preventDefault();
  const from = chosenCell || [Math.floor(pixels.columns / 2), Math.floor(pixels.rows / 2)];
  const to = [Math.min(pixels.columns - 1, Math.max(0, from[0] + step[0])), Math.min(pixels.rows - 1, Math.max(0, from[1] + step[1]))];
  const box = node.getBoundingClientRect();
  tellCell(to, box.left + box.width * to[0] / pixels.columns, box.top + box.height * to[1] / pixels.rows);
  announce(cellLines(...to).join("; "));
}

/* Of a dispatch: its threads are what a draw's pixels are, at their x and y. */
function sayThreads() {
  document.getElementById("pixels-title").textContent = "Heat maps, by x and y of the threads";
  document.getElementById("helper").hidden = true;
  for (const node of document.querySelectorAll("[data-thing]")) node.textContent = node.textContent.replace("pixel", "thread");
}

function startPixels() {
  document.getElementById("pixels").hidden = !pixels;
  if (!pixels) return;
  document.querySelector("#pixels .maps").style.setProperty("--aspect", pixels.width / pixels.height);
  if (!DRAWS) sayThreads();
  document.getElementById("pixels-kind").addEventListener("change", drawPixels);
  for (const node of document.querySelectorAll("#pixels figure img, #pixels figure canvas")) {
    node.addEventListener("pointermove", (event) => tellCell(cellAt(node, event), event.clientX, event.clientY));
    node.addEventListener("pointerleave", () => tellCell(null));
    node.addEventListener("click", (event) => followCell(runOfNode(node), cellAt(node, event)));
    node.addEventListener("blur", () => tellCell(null));
    node.addEventListener("keydown", (event) => stepCell(node, event));
  }
}
