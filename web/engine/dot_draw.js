// SPDX-License-Identifier: Apache-2.0
/* dot_draw: a graph in Graphviz' language as SVG, with the elements and classes that Graphviz writes: the pages style and
 * read them. Each function of a module, a cluster at the top, is laid out by itself. */
"use strict";

/* Widths of Helvetica's characters from the space on, in thousandths of the size (Adobe's metrics). */
const DOT_WIDTHS = [278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
  667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222,
  222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584];
const DOT_SPARE = 1.15; /* other fonts are wider */
const DOT_LINE = 1.18, DOT_PAD_X = 9, DOT_PAD_Y = 5, DOT_BORDER = 8, DOT_WIDEST = 260;

function dotWidth({text, size, bold}) {
  let sum = 0;
  for (const c of text) sum += DOT_WIDTHS[c.codePointAt(0) - 32] || 600;
  return sum * size * DOT_SPARE * (bold ? 1.07 : 1) / 1000;
}

function dotEscape(text) {
  return text.replace(/[&<>"]/g, (c) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[c]);
}

const dotNumber = (n) => String(Math.round(n * 10) / 10);

/* ---- text -------------------------------------------------------------------------------------- */

function dotMeasureCell(cell) {
  cell.heights = cell.lines.map((line) => DOT_LINE * Math.max(9, ...line.map((run) => run.size)));
  cell.w = Math.max(0, ...cell.lines.map((line) => line.reduce((sum, run) => sum + dotWidth(run), 0)));
  cell.h = cell.heights.reduce((sum, h) => sum + h, 0);
  return cell;
}

/* A line of text around x; its parts follow each other whatever the font's widths are. */
function dotLine(line, x, y) {
  const look = (run) => `${run.bold ? ' font-weight="bold"' : ""} font-size="${run.size}" fill="${run.colour}"`;
  const [first, ...rest] = line.filter((run) => run.text);
  if (!first) return "";
  return `<text text-anchor="middle" xml:space="preserve" x="${dotNumber(x)}" y="${dotNumber(y)}"` +
    ` font-family="Helvetica,Arial,sans-serif"${look(first)}>${dotEscape(first.text)}` +
    rest.map((run) => `<tspan font-weight="${run.bold ? "bold" : "normal"}" font-size="${run.size}" fill="${run.colour}">${dotEscape(run.text)}</tspan>`).join("") +
    "</text>\n";
}

/* A cell's lines, centred around x, beginning at y. */
function dotCell(cell, x, y) {
  let out = "";
  cell.lines.forEach((line, i) => {
    out += dotLine(line, x, y + Math.max(9, ...line.map((run) => run.size)));
    y += cell.heights[i];
  });
  return out;
}

/* ---- nodes, clusters, edges -------------------------------------------------------------------- */

function dotBox(x, y, w, h, a) {
  const style = a.style || "", colour = a.color || "#22303c";
  const fill = a.fillcolor && style.includes("filled") ? a.fillcolor : a.fillcolor && a.dotNode ? a.fillcolor : "none";
  const r = Math.min(7, h / 2), n = dotNumber;
  const path = style.includes("rounded") ? `M${n(x + r)},${n(y)}h${n(w - 2 * r)}a${n(r)},${n(r)} 0 0 1 ${n(r)},${n(r)}v${n(h - 2 * r)}` +
    `a${n(r)},${n(r)} 0 0 1 ${n(-r)},${n(r)}h${n(2 * r - w)}a${n(r)},${n(r)} 0 0 1 ${n(-r)},${n(-r)}v${n(2 * r - h)}a${n(r)},${n(r)} 0 0 1 ${n(r)},${n(-r)}z`
    : `M${n(x)},${n(y)}h${n(w)}v${n(h)}h${n(-w)}z`;
  const dash = style.includes("dashed") ? ' stroke-dasharray="5,2"' : "";
  const width = a.penwidth ? ` stroke-width="${a.penwidth}"` : "";
  return `<path fill="${fill}" stroke="${colour}"${width}${dash} d="${path}"/>\n`;
}

function dotNodeSvg(v) {
  const a = v.node.attributes, x = v.x - v.w / 2, y = v.y - v.h / 2;
  let out = `<g class="node">\n<title>${dotEscape(v.node.name)}</title>\n` + dotBox(x, y, v.w, v.h, {...a, dotNode: true});
  let at = y + DOT_PAD_Y;
  for (const row of v.rows)
    for (const cell of row) {
      out += dotCell(cell, v.x, at);
      at += cell.h;
    }
  return out + "</g>\n";
}

/* The curve through an edge's points, vertical at each, and the arrow at its end. */
function dotEdgeSvg(e) {
  const a = e.attributes, n = dotNumber, p = e.points, colour = a.color || "#22303c";
  let path = `M${n(p[0][0])},${n(p[0][1])}`;
  const end = p[p.length - 1], before = p[p.length - 2];
  const flat = !e.chain, up = end[1] < before[1] || (end[1] === before[1] && !flat && e.from.rank > e.to.rank);
  const [dx, dy] = flat ? [Math.sign(end[0] - before[0]) || 1, 0] : [0, up ? -1 : 1];
  const size = 6 * Number(a.arrowsize || 0.7), tip = [end[0], end[1]], neck = [end[0] - dx * size * 1.6, end[1] - dy * size * 1.6];
  for (let i = 1; i < p.length; i++) {
    const to = i === p.length - 1 ? neck : p[i], from = p[i - 1], half = (from[1] + to[1]) / 2;
    if (flat) path += `L${n(to[0])},${n(to[1])}`;
    else if (Math.abs(from[0] - to[0]) < 0.05) path += `V${n(to[1])}`;
    else path += `C${n(from[0])},${n(half)} ${n(to[0])},${n(half)} ${n(to[0])},${n(to[1])}`;
  }
  const dash = (a.style || "").includes("dashed") ? ' stroke-dasharray="5,2"' : "";
  const width = a.penwidth ? ` stroke-width="${a.penwidth}"` : "";
  const [sx, sy] = [-dy * size * 0.6, dx * size * 0.6];
  const arrow = [tip, [neck[0] + sx, neck[1] + sy], [neck[0] - sx, neck[1] - sy]].map((q) => q.map(n).join(",")).join(" ");
  const open = a.arrowhead === "open" ? "none" : colour;
  let out = `<g class="edge">\n<title>${dotEscape(e.from.node.name)}-&gt;${dotEscape(e.to.node.name)}</title>\n` +
    `<path fill="none" stroke="${colour}"${width}${dash} d="${path}"/>\n<polygon fill="${open}" stroke="${colour}" points="${arrow}"/>\n`;
  if (e.label) {
    const level = (e.level || 0) * e.label.h * 0.8;
    out += dotCell(e.label, p[0][0] + e.label.w / 2 + 3, up ? p[0][1] - 4 - e.label.h - level : p[0][1] + 2 + level);
  }
  return out + "</g>\n";
}

/* The box around a cluster's nodes; if other nodes are in it, a box around each of its nodes. */
function dotClusterSvg(cluster, vertices, depth) {
  const within = (v) => {
    for (let c = v.cluster; c; c = c.parent) if (c === cluster) return true;
    return false;
  };
  const inside = vertices.filter(within), pad = DOT_CLUSTER_GAP / 2 + 3 * depth;
  if (!inside.length) return "";
  const box = {left: Math.min(...inside.map((v) => v.x - v.w / 2)) - pad, right: Math.max(...inside.map((v) => v.x + v.w / 2)) + pad,
    top: Math.min(...inside.map((v) => v.y - v.h / 2)) - pad - 10, bottom: Math.max(...inside.map((v) => v.y + v.h / 2)) + pad};
  const other = vertices.some((v) => !within(v) && v.x + v.w / 2 > box.left && v.x - v.w / 2 < box.right &&
    v.y + v.h / 2 > box.top && v.y - v.h / 2 < box.bottom);
  const a = cluster.attributes, size = Number(a.fontsize) || 10;
  let out = `<g class="cluster">\n<title>${dotEscape(cluster.name)}</title>\n`;
  if (other) for (const v of inside) out += dotBox(v.x - v.w / 2 - pad, v.y - v.h / 2 - pad, v.w + 2 * pad, v.h + 2 * pad, a);
  else out += dotBox(box.left, box.top, box.right - box.left, box.bottom - box.top, a);
  const [x, y] = other ? [inside[0].x - inside[0].w / 2, inside[0].y - inside[0].h / 2 - pad - size - 1] : [box.left + 6, box.top + 2];
  for (const row of dotLabel(a.label, size, a.fontcolor || "#22303c"))
    for (const cell of row) out += dotCell(dotMeasureCell(cell), x + cell.w / 2, y);
  return out + "</g>\n";
}

/* ---- the picture ------------------------------------------------------------------------------- */

function dotTop(cluster) {
  while (cluster && cluster.parent) cluster = cluster.parent;
  return cluster;
}

function dotDepths(clusters) {
  const height = new Map(clusters.map((c) => [c, 0]));
  for (const c of clusters.slice().reverse()) if (c.parent) height.set(c.parent, Math.max(height.get(c.parent), height.get(c) + 1));
  return height;
}

function dotVertex(node) {
  const a = node.attributes, size = Number(a.fontsize) || 11;
  const rows = dotLabel(a.label === undefined ? node.name : a.label, size, a.fontcolor || "#22303c");
  rows.forEach((row) => row.forEach(dotMeasureCell));
  const cells = rows.flat();
  return {node, rows, cluster: node.cluster, w: Math.max(24, ...cells.map((c) => c.w)) + 2 * DOT_PAD_X,
    h: Math.max(12, cells.reduce((sum, c) => sum + c.h, 0)) + 2 * DOT_PAD_Y};
}

function dotLegendBox(cell, x, y) {
  const [left, top, right, bottom] = [x, y, x + cell.w + 8, y + cell.h + 6].map(dotNumber);
  return `<polygon fill="${cell.fill || "none"}" stroke="${cell.border || "none"}" stroke-width="2"` +
    ` points="${left},${top} ${right},${top} ${right},${bottom} ${left},${bottom}"/>\n`;
}

/* The cells of the graph's label in rows, as wide as the picture. */
function dotLegend(graph, y, width) {
  const a = graph.attributes, from = y;
  let x = 0, out = "", most = 0;
  for (const cell of dotLabel(a.label, Number(a.fontsize) || 10, a.fontcolor || "#22303c").flat()) {
    dotMeasureCell(cell);
    if (x && x + cell.w + 8 > width) {
      x = 0;
      y += cell.h + 12;
    }
    if (cell.fill || cell.border) out += dotLegendBox(cell, x, y);
    out += dotCell(cell, x + cell.w / 2 + 4, y + 3);
    x += cell.w + 16;
    most = Math.max(most, x);
  }
  return {out, width: most, height: out ? y - from + 20 : 0};
}

function dotEdgeLabel(a) {
  const cell = dotLabel(a.label, Number(a.fontsize) || 9, a.fontcolor || a.color || "#22303c").flat()[0];
  if (!cell) return null;
  for (const run of cell.lines.flat()) run.text = run.text.trim();
  return dotMeasureCell(cell);
}

/* Makes nodes so wide that the labels of their edges fit side by side, as far as that is few. */
function dotWiden(edges) {
  const needed = new Map();
  for (const e of edges) if (e.label) needed.set(e.from, (needed.get(e.from) || 0) + dotPortWidth(e));
  for (const [v, width] of needed) v.w = Math.max(v.w, Math.min(width, DOT_WIDEST));
}

function dotFunction(graph, top, left, heights) {
  const vertices = [...graph.nodes.values()].filter((n) => dotTop(n.cluster) === top).map(dotVertex);
  if (!vertices.length) return {out: "", right: left, bottom: 0};
  const of = new Map(vertices.map((v) => [v.node, v]));
  const edges = graph.edges.filter((e) => of.has(e.from) && of.has(e.to))
    .map((e) => ({from: of.get(e.from), to: of.get(e.to), attributes: e.attributes, label: dotEdgeLabel(e.attributes),
      ranks: e.attributes.constraint !== "false"}));
  dotWiden(edges);
  dotLayout(vertices, edges);
  const xs = vertices.flatMap((v) => [v.x - v.w / 2, v.x + v.w / 2]).concat(edges.flatMap((e) => e.points.map((p) => p[0])));
  const pad = top ? DOT_CLUSTER_GAP + 3 * (heights.get(top) || 0) : 0, dx = left + pad - Math.min(...xs), dy = top ? pad + 22 : 0;
  for (const v of vertices) {
    v.x += dx;
    v.y += dy;
  }
  for (const e of edges) for (const p of e.points) {
    p[0] += dx;
    p[1] += dy;
  }
  const right = Math.max(...xs) + dx + pad, bottom = Math.max(...vertices.map((v) => v.y + v.h / 2)) + pad;
  let out = "";
  for (const c of graph.clusters) {
    if (dotTop(c) !== top) continue;
    if (c !== top) {
      out += dotClusterSvg(c, vertices, heights.get(c));
      continue;
    }
    out += `<g class="cluster">\n<title>${dotEscape(c.name)}</title>\n` + dotBox(left, 0, right - left, bottom, c.attributes);
    for (const row of dotLabel(c.attributes.label, Number(c.attributes.fontsize) || 13, c.attributes.fontcolor || "#22303c"))
      for (const cell of row) out += dotCell(dotMeasureCell(cell), left + cell.w / 2 + 8, 5);
    out += "</g>\n";
  }
  return {out: out + edges.map(dotEdgeSvg).join("") + vertices.map(dotNodeSvg).join(""), right, bottom};
}

/* The picture of a graph in Graphviz' language. */
function dotDraw(text) {
  const graph = dotParse(text), heights = dotDepths(graph.clusters);
  const tops = new Set([...graph.nodes.values()].map((n) => dotTop(n.cluster)));
  let out = "", left = 0, bottom = 0;
  for (const top of tops) {
    const part = dotFunction(graph, top, left, heights);
    out += part.out;
    left = part.right + DOT_CLUSTER_GAP;
    bottom = Math.max(bottom, part.bottom);
  }
  const legend = dotLegend(graph, bottom + 10, Math.max(280, left));
  const width = Math.ceil(Math.max(left - DOT_CLUSTER_GAP, legend.width) + 2 * DOT_BORDER);
  const height = Math.ceil(bottom + (legend.height ? legend.height + 10 : 0) + 2 * DOT_BORDER);
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<svg width="${width}pt" height="${height}pt" viewBox="0 0 ${width} ${height}"` +
    ` xmlns="http://www.w3.org/2000/svg">\n<g class="graph" transform="translate(${DOT_BORDER} ${DOT_BORDER})">\n` +
    `<polygon fill="white" stroke="none" points="${-DOT_BORDER},${-DOT_BORDER} ${width},${-DOT_BORDER} ${width},${height} ${-DOT_BORDER},${height}"/>\n` +
    `${out}${legend.out}</g>\n</svg>\n`;
}
