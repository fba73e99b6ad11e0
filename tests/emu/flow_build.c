/* SPDX-License-Identifier: Apache-2.0 */
/* flow_build: see flow_build.h. */
#include "tests/emu/flow_build.h"
#include "spv-emu/order/call_order.h"
#include "tests/unit/unit.h"

uint32_t flow_block(FlowBuild *b, uint32_t function) {
  if (function == b->entries.count)
    SR_PUSH(b->arena, &b->entries, b->blocks.count);
  SR_PUSH(
      b->arena, &b->blocks,
      (FlowBlock){
          .function = function, .merge = SR_NONE, .cont = SR_NONE, .callee = SR_NONE, .issues = 1});
  return b->blocks.count - 1;
}

void flow_edge(FlowBuild *b, uint32_t from, uint32_t to) {
  FlowBlock *block = &b->blocks.at[from];
  for (uint32_t i = 0; i < block->targets.count; i++)
    if (block->targets.at[i] == to)
      return;
  SR_PUSH(b->arena, &block->targets, to);
}

/* ---- the program ----------------------------------------------------------------------------- */

typedef SR_VEC(SrEdge) Edges;

static SrGraph *whole_graph(FlowBuild *b) {
  Edges edges = {0};
  for (uint32_t i = 0; i < b->blocks.count; i++) {
    const FlowBlock *block = &b->blocks.at[i];
    if (block->callee != SR_NONE)
      SR_PUSH(b->arena, &edges, (SrEdge){i, b->entries.at[block->callee]});
    for (uint32_t t = 0; t < block->targets.count && block->callee == SR_NONE; t++)
      SR_PUSH(b->arena, &edges, (SrEdge){i, block->targets.at[t]});
    for (uint32_t c = 0; c < b->blocks.count && block->returns && block->function; c++)
      if (b->blocks.at[c].callee == block->function)
        SR_PUSH(b->arena, &edges, (SrEdge){i, b->blocks.at[c].targets.at[0]});
  }
  return sr_graph_new(b->arena, b->blocks.count, edges.at, edges.count);
}

static SrGraph *function_graph(FlowBuild *b, uint32_t first, uint32_t count) {
  Edges edges = {0};
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t t = 0; t < b->blocks.at[first + i].targets.count; t++)
      SR_PUSH(b->arena, &edges, (SrEdge){i, b->blocks.at[first + i].targets.at[t] - first});
  return sr_graph_new(b->arena, count, edges.at, edges.count);
}

static void set_priorities(SrArena *arena, EmuBlockTable *table) {
  uint32_t *priority = sr_new_none(arena, table->count);
  uint32_t *order = SR_NEW_RAW(arena, uint32_t, table->count);
  uint32_t count = emu_call_order(arena, table, order);
  for (uint32_t i = 0; i < count; i++)
    priority[order[i]] = i;
  for (uint32_t b = 0; b < table->count; b++)
    if (priority[b] == SR_NONE) {
      priority[b] = count;
      order[count++] = b;
    }
  table->priority = priority;
  table->order = order;
}

void flow_set_barriers(SrArena *arena, EmuBlockTable *table, const bool *stops) {
  table->stops = stops;
  set_priorities(arena, table);
}

static void fill_blocks(FlowBuild *b, EmuBlockTable *table) {
  uint32_t *rows = SR_NEW_RAW(b->arena, uint32_t, (size_t)table->count * 7);
  uint32_t *row[7];
  bool *stops = SR_NEW(b->arena, bool, table->count);
  for (uint32_t i = 0; i < 7; i++)
    row[i] = rows + (size_t)table->count * i;
  for (uint32_t i = 0; i < table->count; i++) {
    const FlowBlock *block = &b->blocks.at[i];
    row[0][i] = block->function;
    row[1][i] = 1000 + i;
    row[2][i] = block->merge;
    row[3][i] = block->cont;
    row[4][i] = block->callee;
    row[5][i] = block->callee == SR_NONE ? SR_NONE : block->targets.at[0];
    row[6][i] = block->issues;
    stops[i] = block->stops;
  }
  table->function = row[0];
  table->id = row[1];
  table->merge = row[2];
  table->cont = row[3];
  table->callee = row[4];
  table->next = row[5];
  table->issues = row[6];
  table->stops = stops;
}

EmuBlockTable *flow_finish(FlowBuild *b) {
  EmuBlockTable *table = SR_NEW(b->arena, EmuBlockTable, 1);
  table->count = b->blocks.count;
  table->function_count = b->entries.count;
  EmuFunctionBlocks *functions = SR_NEW(b->arena, EmuFunctionBlocks, b->entries.count);
  for (uint32_t f = 0; f < b->entries.count; f++) {
    uint32_t first = b->entries.at[f];
    uint32_t end = f + 1 < b->entries.count ? b->entries.at[f + 1] : b->blocks.count;
    functions[f] = (EmuFunctionBlocks){.id = 100 + f,
                                       .first = first,
                                       .count = end - first,
                                       .graph = function_graph(b, first, end - first),
                                       .structured = b->structured};
  }
  table->functions = functions;
  table->graph = whole_graph(b);
  fill_blocks(b, table);
  set_priorities(b->arena, table);
  return table;
}

/* ---- text ------------------------------------------------------------------------------------ */

uint32_t flow_find(const FlowBuild *b, const char *name, size_t length) {
  for (uint32_t i = 0; i < b->blocks.count; i++)
    if (strlen(b->blocks.at[i].name) == length && memcmp(b->blocks.at[i].name, name, length) == 0)
      return i;
  fail_msg("no block %.*s", (int)length, name);
  return SR_NONE;
}

/* The next word of the line; *length 0: there is none. */
static const char *word(const char **at, size_t *length) {
  *at += strspn(*at, " ");
  const char *w = *at;
  *length = strcspn(w, " \n");
  *at += *length;
  return w;
}

static bool is(const char *w, size_t length, const char *text) {
  return strlen(text) == length && memcmp(w, text, length) == 0;
}

static void name_blocks(FlowBuild *b, const char *text) {
  uint32_t function = 0;
  for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    size_t name = strcspn(line, ":\n");
    if (is(line, name, "function"))
      function++;
    else if (line[name] == ':') {
      uint32_t i = flow_block(b, function);
      b->blocks.at[i].name = sr_strndup(b->arena, line, name);
    }
  }
}

static void read_line(FlowBuild *b, uint32_t i, const char *at) {
  FlowBlock *block = &b->blocks.at[i];
  size_t n;
  uint32_t bar = 0; /* words after the bar, the bar itself included */
  for (const char *w = word(&at, &n); n; w = word(&at, &n)) {
    if (is(w, n, "return"))
      block->returns = true;
    else if (is(w, n, "barrier"))
      block->stops = true;
    else if (is(w, n, "call")) {
      w = word(&at, &n);
      block->callee = b->blocks.at[flow_find(b, w, n)].function;
    } else if (is(w, n, "|"))
      bar = 1;
    else if (!bar)
      flow_edge(b, i, flow_find(b, w, n));
    else
      *(bar++ == 1 ? &block->merge : &block->cont) = flow_find(b, w, n);
  }
}

EmuBlockTable *flow_parse(SrArena *arena, const char *text, bool structured, FlowBuild *build) {
  FlowBuild own = {0}, *b = build ? build : &own;
  *b = (FlowBuild){.arena = arena, .structured = structured};
  name_blocks(b, text);
  uint32_t i = 0;
  for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    size_t name = strcspn(line, ":\n");
    if (line[name] == ':')
      read_line(b, i++, line + name + 1);
  }
  return flow_finish(b);
}

void flow_set_order(EmuBlockTable *table, const FlowBuild *b, const char *names) {
  uint32_t *order = SR_NEW_RAW(b->arena, uint32_t, table->count), count = 0;
  uint32_t *priority = SR_NEW_RAW(b->arena, uint32_t, table->count);
  size_t n;
  for (const char *w = word(&names, &n); n; w = word(&names, &n)) {
    order[count] = flow_find(b, w, n);
    priority[order[count]] = count;
    count++;
  }
  assert_int_equal(count, table->count);
  table->order = order;
  table->priority = priority;
}
