/* SPDX-License-Identifier: Apache-2.0 */
/* graph_builder: see graph_builder.h. */
#include "spv-graph/graph_builder.h"
#include "passes/tool/tool_file.h"

#include <inttypes.h>
#include <stdlib.h>

GraphBuilder graph_builder(SrArena *arena, const char *path) {
  return (GraphBuilder){.arena = arena, .path = path, .graph = SR_NEW(arena, Graph, 1)};
}

bool graph_builder_block(GraphBuilder *b, GraphBlock block) {
  if (b->graph->block.count == GRAPH_MOST_BLOCKS) {
    tool_say(b->path, "there are more than %d blocks", (int)GRAPH_MOST_BLOCKS);
    return false;
  }
  block.succ = b->succ.count;
  block.succ_count = 0;
  SR_PUSH(b->arena, &b->graph->block, block);
  return true;
}

void graph_builder_succ(GraphBuilder *b, uint64_t id) {
  SR_PUSH(b->arena, &b->succ, id);
  SR_LAST(&b->graph->block).succ_count++;
}

typedef struct Place {
  uint64_t id;
  uint32_t block;
} Place;

static int compare_places(const void *a, const void *b) {
  uint64_t x = ((const Place *)a)->id, y = ((const Place *)b)->id;
  return (x > y) - (x < y);
}

/* The blocks sorted by id; NULL: an id occurs twice. */
static Place *sort_places(const GraphBuilder *b) {
  uint32_t count = b->graph->block.count;
  Place *places = SR_NEW(b->arena, Place, count);
  for (uint32_t i = 0; i < count; i++)
    places[i] = (Place){b->graph->block.at[i].id, i};
  qsort(places, count, sizeof *places, compare_places);
  for (uint32_t i = 1; i < count; i++)
    if (places[i].id == places[i - 1].id) {
      tool_say(b->path, "two blocks have the id %" PRIu64, places[i].id);
      return NULL;
    }
  return places;
}

/* The block's index, or SR_NONE. */
static uint32_t find(const Place *places, uint32_t count, uint64_t id) {
  const Place wanted = {.id = id};
  const Place *found = bsearch(&wanted, places, count, sizeof *places, compare_places);
  return found ? found->block : SR_NONE;
}

static bool connect(GraphBuilder *b, const Place *places, GraphBlock *block) {
  for (uint32_t k = 0; k < block->succ_count; k++) {
    uint64_t id = b->succ.at[block->succ + k];
    uint32_t to = find(places, b->graph->block.count, id);
    if (to == SR_NONE) {
      tool_say(b->path, "block %" PRIu64 " leads to block %" PRIu64 ", which does not exist",
               block->id, id);
      return false;
    }
    SR_PUSH(b->arena, &b->graph->succ, to);
  }
  if (graph_term_fits(block->term, block->succ_count))
    return true;
  tool_say(b->path, "block %" PRIu64 " ends with '%s' and has %" PRIu32 " successors", block->id,
           graph_term_name(block->term), block->succ_count);
  return false;
}

/* Moves block `entry` to the front; the blocks before it move up by one. */
static void enter_first(Graph *g, uint32_t entry) {
  GraphBlock first = g->block.at[entry];
  memmove(&g->block.at[1], &g->block.at[0], entry * sizeof first);
  g->block.at[0] = first;
  for (uint32_t i = 0; i < g->succ.count; i++)
    if (g->succ.at[i] <= entry)
      g->succ.at[i] = g->succ.at[i] == entry ? 0 : g->succ.at[i] + 1;
}

Graph *graph_builder_end(GraphBuilder *b, uint64_t entry) {
  Graph *g = b->graph;
  if (!g->block.count) {
    tool_say(b->path, "the graph has no blocks");
    return NULL;
  }
  const Place *places = sort_places(b);
  if (!places)
    return NULL;
  for (uint32_t i = 0; i < g->block.count; i++)
    if (!connect(b, places, &g->block.at[i]))
      return NULL;
  uint32_t first = find(places, g->block.count, entry);
  if (first == SR_NONE) {
    tool_say(b->path, "the entry is block %" PRIu64 ", which does not exist", entry);
    return NULL;
  }
  enter_first(g, first);
  return g;
}
