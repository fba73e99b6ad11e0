// SPDX-License-Identifier: Apache-2.0
/* dot_parse: Graphviz' language, as far as the commands write it: digraphs with attributes, nodes, edges and nested
 * subgraphs, whose labels may be HTML-like. */
"use strict";

/* Words, quoted strings, HTML-like strings and punctuation: [kind, text]. */
function dotTokens(text) {
  const tokens = [], pattern = /\s+|\/\/[^\n]*|->|[{}[\];,=]|"((?:[^"\\]|\\[^])*)"|[\w.%-]+|</gy;
  for (let at = 0; at < text.length;) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) throw new Error(`no Graphviz language at: ${text.slice(at, at + 20)}`);
    at = pattern.lastIndex;
    if (found[0] === "<") {
      const end = dotHtmlEnd(text, at);
      tokens.push(["html", text.slice(at, end)]);
      at = end + 1;
    } else if (found[1] !== undefined) {
      tokens.push(["text", found[1].replace(/\\"/g, '"')]);
    } else if (!/^(\s|\/\/)/.test(found[0])) {
      tokens.push([/^[\w.%]/.test(found[0]) ? "text" : found[0], found[0]]);
    }
  }
  return tokens;
}

/* Where the HTML-like string ends that begins at `at`: tags nest. */
function dotHtmlEnd(text, at) {
  for (let depth = 1; at < text.length; at++) {
    depth += text[at] === "<" ? 1 : text[at] === ">" ? -1 : 0;
    if (!depth) return at;
  }
  throw new Error("an HTML-like label does not end");
}

/* The graph: {attributes, nodes: Map of name to {name, attributes, cluster}, edges: [{from, to, attributes}], clusters:
 * [{name, attributes, parent}]}; `cluster` and `parent` are elements of clusters, or null. Clusters come before those in
 * them. */
function dotParse(text) {
  const tokens = dotTokens(text);
  const graph = {attributes: {}, nodes: new Map(), edges: [], clusters: []};
  let at = tokens.findIndex(([kind]) => kind === "{") + 1;
  let scope = {cluster: null, node: {}, edge: {}, up: null};
  const take = (kind) => tokens[at] && tokens[at][0] === kind ? tokens[at++][1] : null;
  const value = () => tokens[at++];

  function attributes(into) {
    while (take("[") !== null)
      while (take("]") === null) {
        const key = value()[1];
        take("=");
        const [kind, text_] = value();
        into[key] = kind === "html" ? {html: text_} : text_;
        if (take(",") === null) take(";");
      }
    return into;
  }
  function node(name) {
    if (!graph.nodes.has(name)) graph.nodes.set(name, {name, attributes: {...scope.node}, cluster: scope.cluster});
    return graph.nodes.get(name);
  }
  function statement() {
    const name = value()[1];
    if (take("=") !== null) {
      const [kind, text_] = value(), owner = scope.cluster || graph;
      owner.attributes[name] = kind === "html" ? {html: text_} : text_;
    } else if (tokens[at][0] === "->") {
      const names = [name];
      while (take("->") !== null) names.push(value()[1]);
      const given = attributes({...scope.edge});
      for (let i = 1; i < names.length; i++) graph.edges.push({from: node(names[i - 1]), to: node(names[i]), attributes: given});
    } else if (name === "node" || name === "edge") {
      attributes(scope[name]);
    } else if (name === "graph") {
      attributes((scope.cluster || graph).attributes);
    } else {
      attributes(node(name).attributes);
    }
  }
  while (at < tokens.length && scope) {
    if (take("}") !== null) {
      scope = scope.up;
    } else if (take(";") === null) {
      if (tokens[at][1] === "subgraph") {
        at++;
        const cluster = {name: value()[1], attributes: {}, parent: scope.cluster};
        take("{");
        graph.clusters.push(cluster);
        scope = {cluster, node: {...scope.node}, edge: {...scope.edge}, up: scope};
      } else {
        statement();
      }
    }
  }
  return graph;
}

/* ---- labels ------------------------------------------------------------------------------------ */

const DOT_ENTITIES = {lt: "<", gt: ">", amp: "&", quot: '"', nbsp: " "};

function dotUnescape(text) {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (all, code, name) => code ? String.fromCodePoint(code) : DOT_ENTITIES[name] || all);
}

/* A label's rows of cells: {lines: [[{text, bold, size, colour}]], fill, border}. A label without a table is one cell. */
function dotLabel(label, size, colour) {
  if (label === undefined) return [];
  if (label.html === undefined)
    return [[{lines: label.split(/\\[nlr]/).filter((line, i) => line || !i).map((text) => [{text, size, colour}])}]];
  const rows = [], fonts = [{size, colour, bold: false}];
  let cell = null;
  const put = (text) => {
    if (!cell && text.trim()) rows.push([cell = {lines: [[]]}]);
    if (cell && text) cell.lines[cell.lines.length - 1].push({text: dotUnescape(text), ...fonts[fonts.length - 1]});
  };
  for (const [, tag, text] of label.html.matchAll(/<([^>]*)>|([^<]+)/g)) {
    const name = tag && /^\/?\w+/.exec(tag)[0].toLowerCase(), font = fonts[fonts.length - 1];
    const given = (key) => (new RegExp(`${key}="([^"]*)"`).exec(tag) || [])[1];
    if (!tag) put(text.replace(/\s*\n\s*/g, ""));
    else if (name === "br" && cell) cell.lines.push([]);
    else if (name === "b") fonts.push({...font, bold: true});
    else if (name === "i") fonts.push({...font});
    else if (name === "font")
      fonts.push({...font, size: Number(given("point-size")) || font.size, colour: given("color") || font.colour});
    else if (name === "/b" || name === "/i" || name === "/font") fonts.pop();
    else if (name === "tr") rows.push([]);
    else if (name === "td") rows[rows.length - 1].push(cell = {lines: [[]], fill: given("bgcolor"), border: given("border") && given("color")});
    else if (name === "/td") cell = null;
  }
  return rows;
}
