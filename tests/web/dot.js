// SPDX-License-Identifier: Apache-2.0
/* The layout of graphs: every block and edge is drawn, nodes do not overlap, edges go from border to border, and a loop's box
 * has its blocks in it.
 *
 *   node tests/web/dot.js FILE.dot... */
"use strict";

const fs = require("fs");
const path = require("path");
const vm = require("vm");

const folder = path.join(__dirname, "../../web/engine");
const source = ["dot_parse.js", "dot_layout.js", "dot_draw.js"].map((name) => fs.readFileSync(path.join(folder, name), "utf8")).join("\n");
const {dotDraw, dotParse, dotVertex, dotLayout} = vm.runInThisContext(`(() => {${source}\nreturn {dotDraw, dotParse, dotVertex, dotLayout};})()`);

function fail(file, what) {
  console.log(`FAIL dot: ${file}: ${what}`);
  process.exitCode = 1;
}

const overlap = (a, b) => Math.abs(a.x - b.x) < (a.w + b.w) / 2 && Math.abs(a.y - b.y) < (a.h + b.h) / 2;

function onBorder([x, y], v) {
  const dx = Math.abs(x - v.x) - v.w / 2, dy = Math.abs(y - v.y) - v.h / 2;
  return dx < 0.1 && dy < 0.1 && (Math.abs(dx) < 0.1 || Math.abs(dy) < 0.1);
}

function checkFile(file) {
  const text = fs.readFileSync(file, "utf8"), graph = dotParse(text), svg = dotDraw(text);
  const lines = text.split("\n"), nodes = lines.filter((line) => /^ *b\d+ \[/.test(line)), arrows = lines.filter((line) => line.includes(" -> "));
  const counted = (pattern) => (svg.match(pattern) || []).length;
  if (counted(/class="node"/g) !== nodes.length) fail(file, `${nodes.length} nodes, ${counted(/class="node"/g)} drawn`);
  if (counted(/class="edge"/g) !== arrows.length) fail(file, `${arrows.length} edges, ${counted(/class="edge"/g)} drawn`);
  if (/NaN|undefined|Infinity/.test(svg)) fail(file, "a number is none");
  const vertices = [...graph.nodes.values()].map(dotVertex), of = new Map(vertices.map((v) => [v.node, v]));
  const edges = graph.edges.map((e) => ({from: of.get(e.from), to: of.get(e.to), attributes: e.attributes, ranks: e.attributes.constraint !== "false"}));
  dotLayout(vertices, edges);
  vertices.forEach((a, i) => vertices.slice(i + 1).forEach((b) => {
    if (overlap(a, b)) fail(file, `${a.node.name} and ${b.node.name} overlap`);
  }));
  for (const e of edges)
    if (!onBorder(e.points[0], e.from) || !onBorder(e.points[e.points.length - 1], e.to)) fail(file, `${e.from.node.name} -> ${e.to.node.name} does not end at the blocks`);
  for (const e of edges)
    if (e.ranks && !e.back && e.from !== e.to && e.from.y >= e.to.y) fail(file, `${e.from.node.name} -> ${e.to.node.name} goes up`);
}

const files = process.argv.slice(2);
files.forEach(checkFile);
if (!files.length) fail("none", "no graphs");
console.log(`${files.length} graphs`);
