/* SPDX-License-Identifier: Apache-2.0 */
/* function: see function.h. */
#include "spv-graph/function.h"
#include "passes/analysis/graph/cfg.h"
#include "passes/ir/reader.h"
#include "passes/tool/tool_file.h"
#include "spv-graph/graph_profile.h"

#include <stdio.h>
#include <stdlib.h>

/* The id of the first entry point's function; 0: there is none. */
static uint32_t find_entry(const SrModule *m) {
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpEntryPoint)
      return sr_words(m, r)[2];
  return 0;
}

static bool is_named(const SrModule *m, SrArena *arena, const SrFunction *f, const char *name) {
  char id[16];
  snprintf(id, sizeof id, "%%%u", f->id);
  return strcmp(name, id) == 0 || strcmp(name, sr_function_name(m, arena, f)) == 0;
}

/* The requested function; without a name, that of the first entry point or, if there is none, the
 * first function with blocks. */
static const SrFunction *find_function(const SrModule *m, SrArena *arena, const char *name) {
  uint32_t entry = find_entry(m);
  for (uint32_t i = 0; i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    if (f->block_count && (name ? is_named(m, arena, f, name) : !entry || f->id == entry))
      return f;
  }
  return NULL;
}

static GraphTerm find_term(const SrModule *m, const SrFunction *f, const SrGraph *cfg, uint32_t b) {
  SpvOp op = sr_inst(m, sr_terminator(&f->blocks[b]))->op;
  if (op == SpvOpBranchConditional)
    return GRAPH_CONDITIONAL;
  if (op == SpvOpSwitch)
    return GRAPH_INDEXED;
  if (sr_is_leaf(op))
    return GRAPH_EXIT;
  return cfg->succ[cfg->succ_at[b]] == b + 1 ? GRAPH_FALL : GRAPH_BRANCH;
}

static GraphBlock make_block(const SrModule *m, const SrFunction *f, const SrGraph *cfg,
                             uint32_t b) {
  GraphBlock block = {.id = b, .taken = -1, .term = find_term(m, f, cfg, b)};
  for (SR_EACH(m, r, f->blocks[b].list)) {
    const SrInst *inst = sr_inst(m, r);
    block.weight += sr_counts(inst);
    block.calls += inst->op == SpvOpFunctionCall;
    block.barrier |= inst->op == SpvOpControlBarrier;
  }
  return block;
}

static Graph *make_graph(SrArena *arena, const SrModule *m, const SrFunction *f, const char *path) {
  Graph *g = SR_NEW(arena, Graph, 1);
  SrGraph *cfg = sr_cfg_build(arena, m, f);
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.'), *kernel = sr_function_name(m, arena, f);
  g->name = sr_strndup(arena, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
  g->kernel = sr_strndup(arena, kernel, strlen(kernel));
  for (uint32_t b = 0; b < f->block_count; b++) {
    GraphBlock block = make_block(m, f, cfg, b);
    block.succ = g->succ.count;
    block.succ_count = sr_succ_count(cfg, b);
    SR_PUSH(arena, &g->block, block);
    for (SR_SUCCS(s, cfg, b))
      SR_PUSH(arena, &g->succ, *s);
  }
  return g;
}

Graph *function_graph(SrArena *arena, const char *path, const uint32_t *words, size_t count,
                      const char *name, const char *profile) {
  SrModule *m;
  SrDiag *diag = SR_NEW(arena, SrDiag, 1);
  if (sr_read(arena, diag, words, count, &m) != SR_OK) {
    tool_say(path, "%s", diag->text);
    return NULL;
  }
  const SrFunction *f = find_function(m, arena, name);
  if (f) {
    Graph *g = make_graph(arena, m, f, path);
    return !profile || profile_apply(arena, profile, f, g) ? g : NULL;
  }
  if (name)
    tool_say(path, "there is no function '%s' with blocks", name);
  else
    tool_say(path, "there is no function with blocks");
  return NULL;
}
