// SPDX-License-Identifier: Apache-2.0
/* dot_layout: places the nodes of a directed graph in layers and routes its edges, after Sugiyama, Tagawa and Toda,
 * "Methods for visual understanding of hierarchical system structures" (1981): break cycles, layer by longest path, put a
 * point of each edge in every layer that it crosses, order the layers by barycentres, then choose coordinates. Nodes of a
 * cluster stay together in a layer. The x coordinates of a layer are the weighted least squares for where its neighbours
 * are, with the distances kept: pool adjacent violators.
 *
 * A vertex is a node or a point of an edge: {node, w, h, rank, x, y, cluster, up, down}; up and down: its links
 * {vertex, weight}. */
"use strict";

const DOT_NODE_GAP = 18, DOT_POINT_GAP = 9, DOT_LAYER_GAP = 34, DOT_CLUSTER_GAP = 14, DOT_PORT = 14, DOT_SWEEPS = 16, DOT_MOVES = 12;

/* ---- layers ------------------------------------------------------------------------------------ */

/* Marks the back edges of a depth-first search, which is done without recursion. */
function dotBreakCycles(vertices, edges) {
  const out = new Map(vertices.map((v) => [v, []]));
  for (const e of edges) if (e.ranks) out.get(e.from).push(e);
  const colour = new Map();
  for (const root of vertices) {
    if (colour.has(root)) continue;
    const stack = [[root, 0]];
    colour.set(root, "open");
    while (stack.length) {
      const top = stack[stack.length - 1], e = out.get(top[0])[top[1]++];
      if (!e) {
        colour.set(top[0], "done");
        stack.pop();
      } else if (colour.get(e.to) === "open") {
        e.back = true;
      } else if (!colour.has(e.to)) {
        colour.set(e.to, "open");
        stack.push([e.to, 0]);
      }
    }
  }
}

/* The longest path to each vertex; one without predecessors goes above its successors. */
function dotRank(vertices, edges) {
  const out = new Map(vertices.map((v) => [v, []])), waits = new Map(vertices.map((v) => [v, 0]));
  for (const e of edges) {
    if (!e.ranks || e.from === e.to) continue;
    const [from, to] = e.back ? [e.to, e.from] : [e.from, e.to];
    out.get(from).push(to);
    waits.set(to, waits.get(to) + 1);
  }
  const ready = vertices.filter((v) => !waits.get(v)), sources = ready.slice(1);
  for (const v of vertices) v.rank = 0;
  for (let i = 0; i < ready.length; i++)
    for (const to of out.get(ready[i])) {
      to.rank = Math.max(to.rank, ready[i].rank + 1);
      waits.set(to, waits.get(to) - 1);
      if (!waits.get(to)) ready.push(to);
    }
  for (const v of sources) if (out.get(v).length) v.rank = Math.max(0, Math.min(...out.get(v).map((to) => to.rank)) - 1);
}

function dotClusterOf(a, b) {
  const chain = new Set();
  for (let c = a; c; c = c.parent) chain.add(c);
  while (b && !chain.has(b)) b = b.parent;
  return b || null;
}

function dotLink(upper, lower, weight) {
  upper.down.push({vertex: lower, weight});
  lower.up.push({vertex: upper, weight});
}

/* Gives each edge its chain of vertices, from the upper end to the lower one; adds points to the layers. */
function dotChains(edges, layers) {
  for (const e of edges) {
    const [upper, lower] = e.from.rank <= e.to.rank ? [e.from, e.to] : [e.to, e.from];
    e.chain = [upper];
    if (upper.rank === lower.rank) {
      e.chain = null;
      continue;
    }
    const cluster = dotClusterOf(upper.cluster, lower.cluster);
    for (let rank = upper.rank + 1; rank < lower.rank; rank++) {
      const point = {w: 0, h: 0, rank, x: 0, y: 0, cluster, up: [], down: []};
      layers[rank].push(point);
      e.chain.push(point);
    }
    e.chain.push(lower);
    for (let i = 1; i < e.chain.length; i++) {
      const points = (e.chain[i - 1].node ? 0 : 1) + (e.chain[i].node ? 0 : 1);
      dotLink(e.chain[i - 1], e.chain[i], (e.ranks ? 1 : 0.25) * [1, 2, 8][points]);
    }
  }
}

/* ---- order ------------------------------------------------------------------------------------- */

function dotCrossings(layers) {
  let count = 0;
  for (let i = 1; i < layers.length; i++) {
    const width = layers[i].length, tree = new Array(width + 1).fill(0);
    layers[i].forEach((v, k) => { v.place = k; });
    let seen = 0;
    for (const v of layers[i - 1]) {
      const ends = v.down.map((l) => l.vertex.place).sort((a, b) => a - b);
      for (const end of ends) {
        let before = 0;
        for (let k = end + 1; k > 0; k -= k & -k) before += tree[k];
        count += seen - before;
      }
      for (const end of ends) {
        for (let k = end + 1; k <= width; k += k & -k) tree[k]++;
        seen++;
      }
    }
  }
  return count;
}

/* Sorts a layer by the barycentres of its neighbours; those of a cluster by the cluster's mean. */
function dotSortLayer(layer, side) {
  const means = new Map();
  layer.forEach((v, k) => {
    const links = v[side];
    v.key = links.length ? links.reduce((sum, l) => sum + l.vertex.place, 0) / links.length : k;
    for (let c = v.cluster; c; c = c.parent) {
      const mean = means.get(c) || {sum: 0, count: 0};
      mean.sum += v.key;
      mean.count++;
      means.set(c, mean);
    }
  });
  for (const v of layer) {
    v.path = [v.key];
    for (let c = v.cluster; c; c = c.parent) v.path.unshift(c, means.get(c).sum / means.get(c).count);
  }
  const compare = (a, b) => {
    let i = 0;
    while (typeof a.path[i] === "object" && a.path[i] === b.path[i]) i += 2;
    const key = (v) => typeof v.path[i] === "object" ? v.path[i + 1] : v.path[i];
    return key(a) - key(b) || a.place - b.place;
  };
  layer.sort(compare);
  layer.forEach((v, k) => { v.place = k; });
}

function dotOrder(layers) {
  let best = layers.map((layer) => layer.slice()), least = dotCrossings(layers);
  for (let sweep = 0; sweep < DOT_SWEEPS && least; sweep++) {
    layers.forEach((layer) => layer.forEach((v, k) => { v.place = k; }));
    if (sweep % 2) for (let i = layers.length - 2; i >= 0; i--) dotSortLayer(layers[i], "down");
    else for (let i = 1; i < layers.length; i++) dotSortLayer(layers[i], "up");
    const count = dotCrossings(layers);
    if (count < least) {
      least = count;
      best = layers.map((layer) => layer.slice());
    }
  }
  best.forEach((layer, i) => { layers[i] = layer; });
}

/* ---- coordinates ------------------------------------------------------------------------------- */

function dotGap(a, b) {
  const gap = a.node && b.node ? DOT_NODE_GAP : DOT_POINT_GAP;
  return (a.w + b.w) / 2 + gap + (a.cluster === b.cluster ? 0 : DOT_CLUSTER_GAP);
}

/* Moves a layer as near as its distances allow to where the neighbours on some sides are. */
function dotMove(layer, sides) {
  const blocks = [];
  let offset = 0;
  layer.forEach((v, k) => {
    if (k) offset += dotGap(layer[k - 1], v);
    const links = sides.flatMap((side) => v[side]);
    const weight = links.reduce((sum, l) => sum + l.weight, 0);
    const wish = weight ? links.reduce((sum, l) => sum + l.weight * l.vertex.x, 0) / weight : v.x;
    let block = {sum: (wish - offset) * (weight || 0.01), weight: weight || 0.01, count: 1};
    while (blocks.length && blocks[blocks.length - 1].sum / blocks[blocks.length - 1].weight >= block.sum / block.weight) {
      const left = blocks.pop();
      block = {sum: left.sum + block.sum, weight: left.weight + block.weight, count: left.count + block.count};
    }
    blocks.push(block);
  });
  let k = 0;
  offset = 0;
  for (const block of blocks)
    for (let i = 0; i < block.count; i++, k++) {
      if (k) offset += dotGap(layer[k - 1], layer[k]);
      layer[k].x = block.sum / block.weight + offset;
    }
}

function dotPlace(layers) {
  let y = 0;
  for (const layer of layers) {
    const height = Math.max(...layer.map((v) => v.h));
    let x = 0;
    layer.forEach((v, k) => {
      if (k) x += dotGap(layer[k - 1], v);
      v.x = x;
    });
    for (const v of layer) {
      v.y = y + height / 2;
      v.top = y;
      v.bottom = y + height;
    }
    y += height + DOT_LAYER_GAP;
  }
  for (let i = 0; i < DOT_MOVES; i++) {
    for (const layer of layers) dotMove(layer, ["up"]);
    for (const layer of layers.slice().reverse()) dotMove(layer, ["down"]);
    for (const layer of layers) dotMove(layer, ["up", "down"]);
  }
}

/* ---- edges ------------------------------------------------------------------------------------- */

/* An edge's share of the border that it leaves: its label is to the right of it. */
function dotPortWidth(e) {
  return e.label ? e.label.w + 8 : DOT_PORT;
}

/* Spreads the ends of edges along the borders of the nodes, in the order of where the edges come from. */
function dotPorts(vertices, edges) {
  const ends = new Map(vertices.map((v) => [v, {up: [], down: []}]));
  for (const e of edges) {
    if (!e.chain) continue;
    const last = e.chain.length - 1;
    ends.get(e.chain[0]).down.push({e, end: "upperX", toward: e.chain[1].x});
    ends.get(e.chain[last]).up.push({e, end: "lowerX", toward: e.chain[last - 1].x});
  }
  for (const [v, sides] of ends)
    for (const list of [sides.up, sides.down]) {
      list.sort((a, b) => a.toward - b.toward);
      const widths = list.map((port) => port.e.from === v ? dotPortWidth(port.e) : DOT_PORT), all = widths.reduce((a, b) => a + b, 0);
      const scale = Math.min(1, (v.w - 8) / Math.max(all, 1));
      let x = v.x - scale * all / 2;
      list.forEach((port, k) => {
        port.e[port.end] = x + scale * Math.min(widths[k], DOT_PORT) / 2;
        if (port.e.from === v) port.e.level = scale < 1 ? k % 3 : 0;
        x += scale * widths[k];
      });
    }
}

/* The corners of an edge from its source to its target; it is vertical where it passes a layer. */
function dotRoute(e) {
  if (!e.chain) {
    const side = e.to.x >= e.from.x ? 1 : -1, self = e.from === e.to;
    e.points = self ? [[e.from.x + e.from.w / 2, e.from.y - 6], [e.from.x + e.from.w / 2 + 22, e.from.y], [e.from.x + e.from.w / 2, e.from.y + 6]]
      : [[e.from.x + side * e.from.w / 2, e.from.y], [e.to.x - side * e.to.w / 2, e.to.y]];
    return;
  }
  const points = [], last = e.chain.length - 1;
  e.chain.forEach((v, k) => {
    if (k === 0) points.push([e.upperX, v.y + v.h / 2], [e.upperX, v.bottom]);
    else if (k === last) points.push([e.lowerX, v.top], [e.lowerX, v.y - v.h / 2]);
    else points.push([v.x, v.top], [v.x, v.bottom]);
  });
  e.points = e.chain[0] === e.from ? points : points.reverse();
}

/* Lays out vertices {node, w, h, cluster} and edges {from, to, ranks}: sets x and y of the vertices, which are centres, and
 * points of the edges. `ranks`: the edge's target is below its source. */
function dotLayout(vertices, edges) {
  for (const v of vertices) Object.assign(v, {up: [], down: [], x: 0, y: 0});
  const entered = new Set(edges.filter((e) => e.ranks && e.from !== e.to).map((e) => e.to));
  for (const e of edges) if (!entered.has(e.to)) e.ranks = true;
  dotBreakCycles(vertices, edges);
  dotRank(vertices, edges);
  const layers = [];
  for (const v of vertices) (layers[v.rank] = layers[v.rank] || []).push(v);
  for (let i = 0; i < layers.length; i++) layers[i] = layers[i] || [];
  dotChains(edges, layers);
  const filled = layers.filter((layer) => layer.length);
  dotOrder(filled);
  dotPlace(filled);
  dotPorts(vertices, edges);
  edges.forEach(dotRoute);
}
