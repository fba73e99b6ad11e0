/* SPDX-License-Identifier: Apache-2.0 */
/* graph_dot: reads Graphviz' language through libcgraph, see graph_dot.h. */
#include "spv-graph/graph_dot.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_usage.h"
#include "spv-graph/graph_builder.h"

#include <graphviz/cgraph.h>
#include <stdlib.h>

/* The first message of libcgraph about a file. */
static char complaint[200];

static int note_complaint(char *text) {
  if (!*complaint)
    snprintf(complaint, sizeof complaint, "%.*s", (int)strcspn(text, "\n"), text);
  return 0;
}

/* The attribute's text; "" if it is not there. */
static const char *attribute(void *object, char *name) {
  const char *text = agget(object, name);
  return text ? text : "";
}

static bool wrong(const char *path, Agnode_t *node, const char *name) {
  tool_say(path, "node '%.60s': attribute '%s' is wrong", agnameof(node), name);
  return false;
}

static bool read_number(const char *path, Agnode_t *node, char *name, uint64_t most,
                        uint32_t *value) {
  const char *text = attribute(node, name);
  uint64_t number;
  if (!*text)
    return true;
  if (!tool_number(text, 0, most, &number))
    return wrong(path, node, name);
  *value = (uint32_t)number;
  return true;
}

static bool read_share(const char *path, Agnode_t *node, double *share) {
  char *end;
  const char *text = attribute(node, "taken");
  *share = *text ? strtod(text, &end) : -1;
  return !*text || (!*end && *share >= 0 && *share <= 1) || wrong(path, node, "taken");
}

/* If all nodes have numbers as names, these are their ids; otherwise nodes are numbered from 0. */
static bool are_numbers(Agraph_t *g) {
  uint64_t id;
  for (Agnode_t *n = agfstnode(g); n; n = agnxtnode(g, n))
    if (!tool_number(agnameof(n), 0, INT64_MAX, &id))
      return false;
  return true;
}

/* Ids by node: AGSEQ counts nodes from 1 in the order of the file. */
static uint64_t id_of(Agnode_t *n, bool numbers) {
  uint64_t id = AGSEQ(n) - 1;
  if (numbers)
    tool_number(agnameof(n), 0, INT64_MAX, &id);
  return id;
}

typedef SR_VEC(Agedge_t *) Edges;

static int compare_edges(const void *a, const void *b) {
  uint64_t x = AGSEQ(*(Agedge_t *const *)a), y = AGSEQ(*(Agedge_t *const *)b);
  return (x > y) - (x < y);
}

/* The edges out of a node, in the order of the file. (libcgraph lists them in the order of their
 * heads.) */
static Edges find_edges(SrArena *arena, Agraph_t *g, Agnode_t *n) {
  Edges edges = {0};
  for (Agedge_t *e = agfstout(g, n); e; e = agnxtout(g, e))
    SR_PUSH(arena, &edges, e);
  if (edges.count)
    qsort(edges.at, edges.count, sizeof *edges.at, compare_edges);
  return edges;
}

static bool read_node(GraphBuilder *b, Agraph_t *g, Agnode_t *n, bool numbers) {
  GraphBlock block = {.id = id_of(n, numbers), .weight = GRAPH_DEFAULT_WEIGHT};
  const char *term = attribute(n, "term"), *barrier = attribute(n, "barrier");
  Edges edges = find_edges(b->arena, g, n);
  block.barrier = strcmp(barrier, "true") == 0;
  block.term = graph_term_default(edges.count);
  if (!read_number(b->path, n, "w", GRAPH_MOST_WEIGHT, &block.weight) ||
      !read_number(b->path, n, "calls", GRAPH_MOST_WEIGHT, &block.calls) ||
      !read_share(b->path, n, &block.taken))
    return false;
  if (*term && !graph_term_find(term, &block.term))
    return wrong(b->path, n, "term");
  if (!graph_builder_block(b, block))
    return false;
  for (uint32_t i = 0; i < edges.count; i++)
    graph_builder_succ(b, id_of(aghead(edges.at[i]), numbers));
  return true;
}

static Graph *read_graph(SrArena *arena, const char *path, Agraph_t *g) {
  GraphBuilder b = graph_builder(arena, path);
  bool numbers = are_numbers(g);
  if (!agisdirected(g)) {
    tool_say(path, "the graph is not directed: control flow needs a digraph");
    return NULL;
  }
  for (Agnode_t *n = agfstnode(g); n; n = agnxtnode(g, n))
    if (!read_node(&b, g, n, numbers))
      return NULL;
  const char *entry = attribute(g, "entry"), *kernel = attribute(g, "kernel");
  Agnode_t *first = *entry ? agnode(g, (char *)entry, 0) : agfstnode(g);
  if (*entry && !first) {
    tool_say(path, "attribute 'entry' names a node that does not exist, '%.60s'", entry);
    return NULL;
  }
  b.graph->name = sr_strndup(arena, agnameof(g), strlen(agnameof(g)));
  b.graph->kernel = sr_strndup(arena, kernel, strlen(kernel));
  return graph_builder_end(&b, first ? id_of(first, numbers) : 0);
}

Graph *graph_dot_read(SrArena *arena, const char *path, const char *text) {
  *complaint = 0;
  agseterrf(note_complaint);
  agseterr(AGERR);
  Agraph_t *g = agmemread(text);
  if (!g) {
    tool_say(path, "Graphviz cannot read this: %s", *complaint ? complaint : "it is empty");
    return NULL;
  }
  Graph *graph = read_graph(arena, path, g);
  agclose(g);
  return graph;
}
