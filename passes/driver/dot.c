/* SPDX-License-Identifier: Apache-2.0 */
/* dot: see dot.h.
 *
 * Blocks are written in LRPO, where the blocks of a cycle are contiguous and its header first; so a
 * cycle's cluster opens at its first block and closes after its last, and
 * the nesting needs only a stack of open cycles. Edges follow, outside of the clusters; a branch's
 * edges to one target are drawn as one. Linear. */
#include "passes/driver/dot.h"

#include "passes/analysis/graph/cycle.h"
#include "passes/base/text.h"
#include "passes/ir/label.h"
#include "passes/source/source_walk.h"

#include <inttypes.h>
#include <stdio.h>

#define INK "#22303c"
#define QUIET "#8a97a3"
#define DIVERGENT "#d9480f"
#define UNIFORM "#2b8a3e"
#define ADDED "#dfe9f5"
#define LOOP "#3b6fb5"
#define LOOP_FILL "#f3f7fc"
#define IRREDUCIBLE "#c2255c"
#define IRREDUCIBLE_FILL "#fdf3f6"

typedef struct Dot {
  SrText out;
  const SrModule *m;
  const SrUniform *u;
  SrSource *source;
  const char **names; /* by id: OpName, or NULL */
  uint32_t *slot;     /* by block id: the edge to it from the branch being drawn, or SR_NONE */
  const SrFunction *f;
  const SrNest *nest;
  const spvreconv_frontier **frontier; /* by block id, or NULL */
} Dot;

/* ---- labels ---- */

static void put_plural(SrText *out, uint32_t n, const char *noun) {
  sr_text_add(out, "%" PRIu32 " %s%s", n, noun, n == 1 ? "" : "s");
}

/* Says how a block ends if it does not end with a branch. */
static const char *ending(uint16_t op) {
  switch (op) {
  case SpvOpReturn:
  case SpvOpReturnValue:
    return "return";
  case SpvOpKill:
    return "kill";
  case SpvOpTerminateInvocation:
    return "terminate invocation";
  case SpvOpUnreachable:
    return "unreachable";
  case SpvOpBranchConditional:
    return "branch";
  case SpvOpSwitch:
    return "switch";
  default:
    return sr_is_leaf((SpvOp)op) ? "end" : NULL;
  }
}

/* ---- blocks ---- */

typedef enum Flow { JUMP, FLOW_UNIFORM, FLOW_DIVERGENT } Flow;

static Flow flow_of(const Dot *d, uint32_t b) {
  uint16_t op = sr_inst(d->m, sr_terminator(&d->f->blocks[b]))->op;
  if (op != SpvOpBranchConditional && op != SpvOpSwitch)
    return JUMP;
  return sr_uniform_branch(d->u, d->m, d->f, b) ? FLOW_UNIFORM : FLOW_DIVERGENT;
}

/* Writes "lines 7 to 9: ", the block's lines in its first file, if they are known. */
static void put_lines(Dot *d, const SrBlock *block) {
  uint32_t file = SR_NONE, first = 0, last = 0;
  SrSourceWalk walk = sr_source_walk(d->source);
  for (SR_EACH(d->m, r, block->list)) {
    SrSourcePlace place = sr_source_step(&walk, r);
    if (!place.line || sr_is_debug_line(sr_inst(d->m, r)) || (first && place.file != file))
      continue;
    file = place.file;
    first = !first || place.line < first ? place.line : first;
    last = place.line > last ? place.line : last;
  }
  if (first == last && first)
    sr_text_add(&d->out, "line %u: ", first);
  else if (first)
    sr_text_add(&d->out, "lines %u to %u: ", first, last);
}

/* Writes where lanes may wait. */
static void put_frontier(Dot *d, const spvreconv_frontier *row) {
  if (!row || !row->waiting_count)
    return;
  sr_text_add(&d->out, "<br/><font point-size=\"9\" color=\"" QUIET "\">waiting:");
  for (uint32_t i = 0; i < row->waiting_count; i++)
    sr_text_add(&d->out, " %%%" PRIu32, row->waiting[i]);
  sr_text_add(&d->out, "</font>");
}

static bool is_checked(const Dot *d, uint32_t from, uint32_t to) {
  const spvreconv_frontier *row = d->frontier[from];
  for (uint32_t i = 0; row && i < row->check_count; i++)
    if (row->checks[i] == to)
      return true;
  return false;
}

/* Writes "7 instructions, 2 phis", in small type, and how the block ends. */
static void put_details(Dot *d, uint32_t b, Flow flow) {
  const SrBlock *block = &d->f->blocks[b];
  uint32_t counted = 0, phis = 0;
  for (SR_EACH(d->m, r, block->list)) {
    counted += sr_counts(sr_inst(d->m, r));
    phis += sr_inst(d->m, r)->op == SpvOpPhi;
  }
  sr_text_add(&d->out, "<br/><font point-size=\"9\" color=\"" QUIET "\">");
  put_lines(d, block);
  put_plural(&d->out, counted, "instruction");
  if (phis) {
    sr_text_add(&d->out, ", ");
    put_plural(&d->out, phis, "phi");
  }
  sr_text_add(&d->out, "</font>");
  put_frontier(d, d->frontier[block->id]);
  const char *end = ending(sr_inst(d->m, sr_terminator(block))->op);
  if (!end)
    return;
  static const char *const colour[] = {INK, UNIFORM, DIVERGENT};
  static const char *const kind[] = {"", "uniform ", "divergent "};
  sr_text_add(&d->out, "<br/><font point-size=\"10\" color=\"%s\">%s%s</font>", colour[flow],
              kind[flow], end);
}

static void put_block(Dot *d, uint32_t b) {
  const SrBlock *block = &d->f->blocks[b];
  Flow flow = flow_of(d, b);
  sr_text_add(&d->out, "    b%" PRIu32 " [label=<<b>%%%" PRIu32 "</b>", block->id, block->id);
  if (d->names[block->id]) {
    sr_text_add(&d->out, " ");
    sr_label_escape(&d->out, d->names[block->id], 32);
  }
  put_details(d, b, flow);
  sr_text_add(&d->out, ">");
  if (flow == FLOW_DIVERGENT)
    sr_text_add(&d->out, ", color=\"" DIVERGENT "\", penwidth=2");
  if (block->added)
    sr_text_add(&d->out, ", fillcolor=\"" ADDED "\"");
  if (d->nest->rank[b] == SR_NONE)
    sr_text_add(&d->out, ", style=\"rounded,dashed\", fontcolor=\"" QUIET "\"");
  sr_text_add(&d->out, "];\n");
}

static void open_cycle(Dot *d, uint32_t c) {
  const SrCycle *cycle = &d->nest->cycles[c];
  uint32_t header = d->f->blocks[cycle->header].id;
  sr_text_add(&d->out, "    subgraph cluster_%" PRIu32 "_%" PRIu32 " {\n", d->f->id, c);
  if (cycle->entries > 1)
    sr_text_add(&d->out,
                "    label=\"irreducible cycle %%%" PRIu32 ", %" PRIu32
                " entries\"; style=\"rounded,filled,dashed\"; fillcolor=\"" IRREDUCIBLE_FILL
                "\"; color=\"" IRREDUCIBLE "\"; fontcolor=\"" IRREDUCIBLE "\"; ",
                header, cycle->entries);
  else
    sr_text_add(&d->out,
                "    label=\"loop %%%" PRIu32 "\"; style=\"rounded,filled\"; fillcolor=\"" LOOP_FILL
                "\"; color=\"" LOOP "\"; fontcolor=\"" LOOP "\"; ",
                header);
  sr_text_add(&d->out, "fontsize=10; labeljust=l; labelloc=t;\n");
}

/* Writes all blocks, those of a cycle in the cycle's cluster. Cycles are listed by their first
 * rank, parents before children, so one cursor runs along them. */
static void put_blocks(Dot *d) {
  uint32_t cycle = 0, open = SR_NONE;
  for (uint32_t i = 0; i < d->nest->count; i++) {
    for (; cycle < d->nest->cycle_count && d->nest->cycles[cycle].first == i; cycle++)
      open_cycle(d, open = cycle);
    put_block(d, d->nest->order[i]);
    for (; open != SR_NONE && d->nest->cycles[open].last == i; open = d->nest->cycles[open].parent)
      sr_text_add(&d->out, "    }\n");
  }
  for (uint32_t b = 0; b < d->f->block_count; b++)
    if (d->nest->rank[b] == SR_NONE)
      put_block(d, b);
}

/* ---- edges ---- */

typedef struct Edge {
  uint32_t to;      /* block id */
  uint32_t reasons; /* number of the branch's targets that this edge represents */
  char label[64];
} Edge;

/* Writes the condition or literal for which branch r takes its target number n, which is its word
 * `at`. */
static void name_reason(const SrModule *m, SrRef r, uint32_t n, uint32_t at, uint32_t before,
                        char out[24]) {
  const uint32_t *w = sr_words(m, r);
  uint16_t op = sr_inst(m, r)->op;
  if (op == SpvOpBranch)
    out[0] = 0;
  else if (op == SpvOpBranchConditional)
    snprintf(out, 24, "%s", n ? "false" : "true");
  else if (n == 0)
    snprintf(out, 24, "default");
  else if (at - before == 2)
    snprintf(out, 24, "%" PRId32, (int32_t)w[at - 1]);
  else
    snprintf(out, 24, "%" PRId64, (int64_t)((uint64_t)w[at - 1] << 32 | w[at - 2]));
}

static void add_reason(Edge *e, const char *reason) {
  enum { SHOWN = 3 };
  size_t n = strlen(e->label);
  if (e->reasons < SHOWN)
    snprintf(e->label + n, sizeof e->label - n, "%s%s", e->reasons ? ", " : "", reason);
  else if (e->reasons == SHOWN)
    snprintf(e->label + n, sizeof e->label - n, ", …");
  e->reasons++;
}

static void put_edge(Dot *d, uint32_t b, const Edge *e, Flow flow) {
  static const char *const colour[] = {INK, UNIFORM, DIVERGENT};
  uint32_t to = sr_block_of(d->m, e->to);
  bool back = d->nest->rank[b] != SR_NONE && d->nest->rank[to] <= d->nest->rank[b];
  sr_text_add(&d->out, "  b%" PRIu32 " -> b%" PRIu32 " [color=\"%s\", fontcolor=\"%s\"",
              d->f->blocks[b].id, e->to, colour[flow], colour[flow]);
  if (e->label[0])
    sr_text_add(&d->out, ", label=\" %s \"", e->label);
  if (back)
    sr_text_add(&d->out, ", penwidth=2.2, arrowsize=0.9");
  if (is_checked(d, d->f->blocks[b].id, e->to))
    sr_text_add(&d->out, ", dir=both, arrowtail=diamond");
  sr_text_add(&d->out, "];\n");
}

static void put_branch(Dot *d, SrArena *scratch, uint32_t b) {
  SR_VEC(Edge) edges = {0};
  SrRef r = sr_terminator(&d->f->blocks[b]);
  uint32_t n = 0;
  for (uint32_t before = 0, i = 0; (i = sr_next_target(d->m, r, i)); before = i, n++) {
    uint32_t to = sr_words(d->m, r)[i];
    if (d->slot[to] == SR_NONE) {
      d->slot[to] = edges.count;
      SR_PUSH(scratch, &edges, (Edge){.to = to});
    }
    char reason[24];
    name_reason(d->m, r, n, i, before, reason);
    add_reason(&edges.at[d->slot[to]], reason);
  }
  for (uint32_t i = 0; i < edges.count; i++) {
    d->slot[edges.at[i].to] = SR_NONE;
    put_edge(d, b, &edges.at[i], flow_of(d, b));
  }
}

/* Writes what the merge instruction declares. */
static void put_merge(Dot *d, uint32_t b) {
  SrRef r = sr_merge_inst(d->m, &d->f->blocks[b]);
  if (r == SR_NONE)
    return;
  const char *look = "style=dashed, color=\"" QUIET "\", fontcolor=\"" QUIET
                     "\", arrowhead=open, constraint=false";
  const uint32_t *w = sr_words(d->m, r);
  uint32_t from = d->f->blocks[b].id;
  sr_text_add(&d->out, "  b%" PRIu32 " -> b%" PRIu32 " [label=\" merge \", %s];\n", from, w[1],
              look);
  if (sr_inst(d->m, r)->op == SpvOpLoopMerge)
    sr_text_add(&d->out, "  b%" PRIu32 " -> b%" PRIu32 " [label=\" continue \", %s];\n", from, w[2],
                look);
}

/* ---- the picture ---- */

static void put_function(Dot *d, SrArena *scratch) {
  d->nest = sr_nest_build(scratch, sr_cfg_build(scratch, d->m, d->f));
  sr_text_add(&d->out, "  subgraph cluster_%" PRIu32 " {\n    label=<<b>", d->f->id);
  sr_label_escape(&d->out, sr_function_name(d->m, scratch, d->f), 64);
  sr_text_add(&d->out,
              "</b>>; fontsize=13; labeljust=l; labelloc=t; style=rounded; color=\"" QUIET "\";\n");
  put_blocks(d);
  sr_text_add(&d->out, "  }\n");
  for (uint32_t b = 0; b < d->f->block_count; b++) {
    put_branch(d, scratch, b);
    put_merge(d, b);
  }
}

static const char legend[] =
    "  label=<<table border=\"0\" cellspacing=\"6\" cellborder=\"0\"><tr>\n"
    "    <td border=\"2\" color=\"" DIVERGENT "\"><font color=\"" DIVERGENT
    "\">divergent branch</font></td>\n"
    "    <td><font color=\"" UNIFORM "\">uniform branch</font></td>\n"
    "    <td bgcolor=\"" ADDED "\">added block</td>\n"
    "    <td><font color=\"" LOOP "\">loop</font></td>\n"
    "    <td><font color=\"" IRREDUCIBLE "\">irreducible cycle</font></td>\n"
    "    <td><font color=\"" QUIET "\">dashed: merge, continue</font></td>\n"
    "    <td>thick: back edge</td>\n"
    "  </tr></table>>; labelloc=b; fontsize=10;\n";

static void index_frontiers(Dot *d, const SrFrontierList *list) {
  for (uint32_t i = 0; list && i < list->blocks.count; i++)
    d->frontier[list->blocks.at[i].block] = &list->blocks.at[i];
}

char *sr_dot_module(SrArena *arena, const SrModule *m, const SrUniform *u,
                    const SrFrontierList *frontiers) {
  SrArena scratch = sr_arena_new(arena->heap);
  Dot d = {.out = {.arena = arena},
           .m = m,
           .u = u,
           .names = sr_label_names(&scratch, m),
           .source = sr_source_new(arena, m),
           .slot = sr_new_none(&scratch, sr_bound(m)),
           .frontier = SR_NEW(&scratch, const spvreconv_frontier *, sr_bound(m))};
  index_frontiers(&d, frontiers);
  sr_text_add(&d.out, "digraph spvreconv {\n  fontname=\"Helvetica\"; fontcolor=\"" INK
                      "\"; nodesep=0.35; ranksep=0.4;\n");
  sr_text_add(&d.out, "%s", legend);
  sr_text_add(&d.out, "  node [shape=box, style=\"rounded,filled\", fillcolor=white, "
                      "fontname=\"Helvetica\", fontsize=11, color=\"" INK "\", fontcolor=\"" INK
                      "\", margin=\"0.12,0.06\"];\n"
                      "  edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.7];\n");
  for (uint32_t i = 0; i < m->function_count; i++) {
    SrMark mark = sr_arena_mark(&scratch);
    d.f = &m->functions[i];
    if (d.f->block_count)
      put_function(&d, &scratch);
    sr_arena_reset(&scratch, mark);
  }
  sr_text_add(&d.out, "}\n");
  sr_arena_free(&scratch);
  return sr_text_end(&d.out);
}
