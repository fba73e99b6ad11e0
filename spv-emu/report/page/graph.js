// SPDX-License-Identifier: Apache-2.0
/* graph: Graphviz' picture of the control-flow graph, coloured like the schedule. */
"use strict";

const graphNodes = []; // of the graph that is shown: {key, node, shape, bar, width}
const graphs = new Map(); // by picture and program: graphNodes
let graphSide = "left";

function graphRun() {
  return state[graphSide] || state.left;
}

/* Nodes are named "b" and their label's id; those of other entry points have no figures. */
function findNodes(drawing) {
  for (const node of drawing.querySelectorAll("g.node")) {
    const title = node.querySelector("title");
    node.dataset.label = title.textContent.slice(1);
    node.setAttribute("role", "option");
  }
  for (const title of drawing.querySelectorAll("title")) title.remove(); // else the browser shows its own tooltips
  for (const group of drawing.querySelectorAll("svg, g.graph")) group.setAttribute("role", "presentation");
}

/* A bar at the bottom of a block: how many lanes are active when it runs. */
function addLanesBar(node, shape) {
  const box = shape.getBBox(), bars = [];
  for (const name of ["lanes-ground", "lanes-bar"]) {
    const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [key, value] of Object.entries({class: name, x: box.x + 5, y: box.y + box.height - 5,
      width: box.width - 10, height: 3})) rect.setAttribute(key, value);
    shape.after(rect);
    bars.push(rect);
  }
  node.insertBefore(bars[0], bars[1]);
}

/* The nodes of a program's graph, in the order of priority. */
function nodesOf(drawing, program) {
  const blocks = new Map(programs[program].blocks.map((b, i) => [String(b[1]), i])), list = [];
  for (const node of drawing.querySelectorAll("g.node")) {
    const block = blocks.get(node.dataset.label), shape = node.querySelector("path, polygon");
    node.classList.toggle("elsewhere", block === undefined);
    if (block === undefined) continue;
    if (!node.querySelector(".lanes-bar")) addLanesBar(node, shape);
    const key = keyOfBlock[program][block], bar = node.querySelector(".lanes-bar");
    list.push({key, node, shape, bar, width: Number(node.querySelector(".lanes-ground").getAttribute("width"))});
  }
  const place = (entry) => rankOf.has(entry.key) ? rankOf.get(entry.key) : rankedKeys.length + entry.key;
  return list.sort((x, y) => place(x) - place(y));
}

/* Shows the graph of the chosen run's program. */
function drawGraph() {
  const run = graphRun(), program = programOf(run);
  const drawing = document.querySelector(`.drawing[data-graph="${program.graph}"]`);
  for (const each of document.querySelectorAll(".drawing")) each.hidden = each !== drawing;
  document.getElementById("no-graph").textContent = drawing ? "" : program.no_graph || "";
  document.querySelector("#graph .controls").hidden = !drawing;
  document.getElementById("graph-of").parentElement.hidden = !state.right;
  fillSelect("graph-of", ["left", "right"].filter((side) => state[side]).map((side) => [side, `${fullName(state[side])} (${side})`]), graphSide);
  graphNodes.length = 0;
  if (!drawing) return;
  const name = `${program.graph} ${run.program}`;
  if (!graphs.has(name)) graphs.set(name, nodesOf(drawing, run.program));
  graphNodes.push(...graphs.get(name));
  rove(drawing, graphNodes.map((entry) => entry.node), (i) => new Set([graphNodes[i].key]), (i) => keyTip(graphNodes[i].key));
  drawHeat();
}

/* Text on a strong colour must be readable in either theme. */
function drawHeat() {
  const run = graphRun(), figures = keyFigures(run);
  for (const entry of graphNodes) {
    const f = figures[entry.key], rgb = colourOf(entry.key, run);
    entry.shape.style.fill = f.executions ? css(rgb) : "var(--ground)";
    entry.node.style.setProperty("--text", f.executions ? textOn(rgb) : "var(--ink)");
    entry.node.classList.toggle("never", !f.executions);
    entry.bar.setAttribute("width", f.executions ? entry.width * average(f) / run.lanes : 0);
    entry.node.setAttribute("aria-label", keyTip(entry.key).join("; "));
  }
}

function markGraph() {
  const marked = markedKeys();
  for (const entry of graphNodes) {
    entry.node.classList.toggle("faint", marked !== null && !marked.has(entry.key));
    entry.node.classList.toggle("marked", marked !== null && marked.has(entry.key));
    entry.node.setAttribute("aria-selected", isPinned(entry.key));
  }
}

/* Scrolls the first pinned block into view, inside its box. */
function revealGraph() {
  const entry = graphNodes.find((e) => isPinned(e.key)), box = document.querySelector(".drawing:not([hidden])");
  if (!entry || !box || box.contains(document.activeElement) || box.matches(":hover")) return;
  const node = entry.node.getBoundingClientRect(), room = box.getBoundingClientRect();
  box.scrollTop += node.top - room.top - room.height / 3;
  box.scrollLeft += node.left - room.left - room.width / 3;
}

/* ---- size -------------------------------------------------------------------------------------- */

const FIT = 0, READABLE = -1;
let graphScale = READABLE; // FIT: fits the width, but is not enlarged; READABLE: the same, but text stays readable

function sizeGraph() {
  for (const svg of document.querySelectorAll(".drawing svg")) {
    const box = svg.viewBox.baseVal, natural = box.width * 4 / 3; // points to pixels
    const fit = `min(100%, ${natural}px)`, readable = `min(${0.6 * natural}px, 250%)`;
    svg.style.width = graphScale > 0 ? `${natural * graphScale}px` : graphScale === FIT ? fit : `max(${fit}, ${readable})`;
    svg.style.height = "auto";
  }
}

function zoomGraph(factor) {
  const svg = document.querySelector(".drawing:not([hidden]) svg");
  if (!svg) return;
  const now = svg.getBoundingClientRect().width / (svg.viewBox.baseVal.width * 4 / 3);
  graphScale = Math.min(8, Math.max(0.1, now * factor));
  sizeGraph();
}

/* Drags scroll the box; the wheel zooms with Ctrl. */
function listenToDrawing(box) {
  let from = null;
  box.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && event.pointerType !== "touch" && !event.target.closest(".node"))
      from = {x: event.clientX + box.scrollLeft, y: event.clientY + box.scrollTop};
  });
  box.addEventListener("pointermove", (event) => {
    if (!from) return;
    box.scrollLeft = from.x - event.clientX;
    box.scrollTop = from.y - event.clientY;
  });
  for (const name of ["pointerup", "pointerleave"]) box.addEventListener(name, () => from = null);
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoomGraph(event.deltaY < 0 ? 1.15 : 1 / 1.15);
  }, {passive: false});
  box.addEventListener("keydown", (event) => {
    if (event.key === "+" || event.key === "=") zoomGraph(1.25);
    else if (event.key === "-") zoomGraph(0.8);
  });
}

function startGraph() {
  for (const box of document.querySelectorAll(".drawing")) {
    box.classList.add("scroll");
    box.setAttribute("role", "listbox");
    box.setAttribute("aria-label", "Blocks of the graph");
    findNodes(box);
    listenToDrawing(box);
  }
  sizeGraph();
  document.getElementById("graph-of").addEventListener("change", (event) => {
    graphSide = event.target.value;
    drawGraph();
    markGraph();
  });
  document.getElementById("graph-in").addEventListener("click", () => zoomGraph(1.25));
  document.getElementById("graph-out").addEventListener("click", () => zoomGraph(0.8));
  document.getElementById("graph-fit").addEventListener("click", () => {
    graphScale = FIT;
    sizeGraph();
  });
}
