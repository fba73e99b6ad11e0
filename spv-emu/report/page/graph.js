// SPDX-License-Identifier: Apache-2.0
/* graph: Graphviz' picture of the control-flow graph, its blocks coloured by their cost. */
"use strict";

const HEATS = {
  issues: {name: "issues", of: (f) => f.issues},
  executions: {name: "executions", of: (f) => f.executions},
  off: {name: "inactive lane slots", of: (f, lanes) => f.issues * lanes - f.laneIssues},
};

const graphNodes = []; // {block, node, shape, fill, bar}

/* Nodes are named "b" and their label's id; those of other entry points have no figures. */
function findNodes() {
  for (const node of document.querySelectorAll("#drawing g.node")) {
    const title = node.querySelector("title");
    const block = blockOfLabel.get(Number(title.textContent.slice(1)));
    title.remove();
    if (block === undefined) node.classList.add("elsewhere");
    else graphNodes.push({block, node, shape: node.querySelector("path, polygon")});
  }
  for (const title of document.querySelectorAll("#drawing title")) title.remove(); // else the browser shows its own tooltips
  const rank = new Map(rankedBlocks.map((block, i) => [block, i]));
  const place = (n) => rank.has(n.block) ? rank.get(n.block) : rankedBlocks.length + n.block;
  graphNodes.sort((x, y) => place(x) - place(y));
}

/* A bar at the bottom of a block: how many lanes are active when it runs. */
function addLanesBar(entry) {
  const box = entry.shape.getBBox(), bars = [];
  for (const name of ["lanes-ground", "lanes-bar"]) {
    const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [key, value] of Object.entries({class: name, x: box.x + 5, y: box.y + box.height - 5,
      width: box.width - 10, height: 3})) rect.setAttribute(key, value);
    entry.shape.after(rect);
    bars.push(rect);
  }
  entry.node.insertBefore(bars[0], bars[1]);
  entry.bar = bars[1];
  entry.width = box.width - 10;
}

function drawHeat() {
  const policy = document.getElementById("heat-policy").value;
  const heat = HEATS[document.getElementById("heat").value];
  if (!policy || !graphNodes.length) return;
  const figures = allBlockFigures(policy), lanes = shown.policies[policy].schedule.lanes;
  const most = Math.max(1, ...figures.map((f) => heat.of(f, lanes)));
  for (const entry of graphNodes) {
    const f = figures[entry.block];
    entry.shape.style.fill = f.executions ? css(heatColour(heat.of(f, lanes) / most)) : "var(--ground)";
    entry.node.classList.toggle("never", !f.executions);
    entry.bar.setAttribute("width", f.executions ? entry.width * f.lanes / f.executions / lanes : 0);
    entry.node.setAttribute("aria-label", blockTip(entry.block).join("; "));
  }
  document.getElementById("heat-low").textContent = "0";
  document.getElementById("heat-high").textContent = `${count(most)} ${heat.name}`;
  document.querySelector(".ramp").style.background = `linear-gradient(to right, ${
    [0, 0.1, 0.25, 0.5, 0.75, 1].map((v) => `${css(heatColour(v))} ${100 * v}%`).join(", ")})`;
}

function markGraph() {
  const marked = markedBlocks();
  for (const entry of graphNodes) {
    entry.node.classList.toggle("faint", marked !== null && !marked.has(entry.block));
    entry.node.classList.toggle("marked", marked !== null && marked.has(entry.block));
    entry.node.setAttribute("aria-selected", state.pinned !== null && state.pinned.has(entry.block));
  }
}

/* The policies of the pictures come first; any other can be chosen. */
function fillHeatPolicies() {
  const select = document.getElementById("heat-policy"), chosen = select.value;
  const names = [...new Set([state.left, state.right, ...scheduledPolicies()])].filter((p) => p);
  select.replaceChildren(...names.map((p) => element("option", {value: p}, p)));
  select.value = names.includes(chosen) ? chosen : state.left;
}

function startGraph() {
  const svg = document.querySelector("#drawing svg");
  document.getElementById("no-graph").textContent = data.no_graph || "";
  document.querySelector("#graph .controls").hidden = !svg;
  document.getElementById("drawing").hidden = !svg;
  if (!svg) return;
  for (const group of [svg, svg.querySelector("g.graph")]) group.setAttribute("role", "presentation");
  findNodes();
  graphNodes.forEach((entry) => {
    addLanesBar(entry);
    entry.node.setAttribute("role", "option");
  });
  rove(document.getElementById("drawing"), graphNodes.map((entry) => entry.node),
    (i) => new Set([graphNodes[i].block]), (i) => blockTip(graphNodes[i].block));
  document.getElementById("heat").append(...Object.entries(HEATS).map(([value, heat]) =>
    element("option", {value}, heat.name)));
  fillHeatPolicies();
  for (const id of ["heat", "heat-policy"]) document.getElementById(id).addEventListener("change", drawHeat);
  document.getElementById("graph-size").addEventListener("change", (event) =>
    svg.classList.toggle("fit", event.target.value === "fit"));
}
