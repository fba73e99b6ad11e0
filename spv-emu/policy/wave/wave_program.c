/* SPDX-License-Identifier: Apache-2.0 */
/* wave_program: see wave_program.h. */
#include "spv-emu/policy/wave/wave_program.h"

#include "passes/transform/wave/exec_mask.h"
#include "passes/transform/wave/wave_read.h"

#include <assert.h>
#include <stdlib.h>

typedef struct Link {
  SrArena *arena;
  const EmuProgram *p;
  const SrWave *wave;
  uint32_t *first_part; /* by id of a block: its first part */
  EmuWave *out;
} Link;

/* ---- labels become blocks -------------------------------------------------------------------- */

static void index_blocks(Link *l, SrArena *scratch) {
  l->first_part = sr_new_none(scratch, sr_bound(l->p->module));
  for (uint32_t b = l->p->blocks.count; b-- > 0;)
    if (l->p->blocks.at[b].part == 0)
      l->first_part[l->p->blocks.at[b].id] = b;
}

static void link_body(Link *l, uint32_t at) {
  const SrWaveInst *i = &l->wave->code.at[at];
  uint32_t b = l->first_part[i->block];
  if (b == SR_NONE)
    return;
  const EmuBlock *block = &l->p->blocks.at[b + i->part];
  l->out->block[at] = b + i->part;
  if (block->edges)
    l->out->first[at] = l->p->edges.at[block->edge].to;
  if (i->primary)
    l->out->primary[at] = l->first_part[i->primary];
}

typedef struct Jump {
  uint32_t block, place;
} Jump;

static int by_block(const void *a, const void *b) {
  uint32_t x = ((const Jump *)a)->block, y = ((const Jump *)b)->block;
  return (x > y) - (x < y);
}

/* The entries of a table are in the order of its block's edges; here they are sorted by target
 * block, for look-up. */
static void link_table(Link *l, SrArena *scratch, const SrWaveInst *i, uint32_t body) {
  Jump *jumps = SR_NEW(scratch, Jump, i->count);
  uint32_t b = body == SR_NONE ? SR_NONE : l->out->block[body];
  for (uint32_t k = 0; k < i->count; k++) {
    jumps[k] = (Jump){SR_NONE, l->out->place[i->target + k]};
    if (b != SR_NONE && k < l->p->blocks.at[b].edges)
      jumps[k].block = l->p->edges.at[l->p->blocks.at[b].edge + k].to;
  }
  qsort(jumps, i->count, sizeof *jumps, by_block);
  for (uint32_t k = 0; k < i->count; k++) {
    l->out->place[i->target + k] = jumps[k].place;
    l->out->place_for[i->target + k] = jumps[k].block;
  }
}

/* Sets where the lanes of each mask wait: at the first block after the instruction that joins the
 * mask to EXEC. */
static void link_homes(Link *l) {
  uint32_t after = SR_NONE;
  for (uint32_t at = l->wave->code.count; at-- > 0;) {
    const SrWaveInst *i = &l->wave->code.at[at];
    if (i->op == SR_WAVE_BODY)
      after = l->out->block[at];
    else if (i->op == SR_WAVE_OR && i->dst == SR_WAVE_EXEC && i->b < l->wave->masks)
      l->out->home[i->b] = after;
  }
}

static SrStatus link_program(Link *l, SrDiag *diag) {
  const SrWave *w = l->wave;
  SrArena scratch = sr_arena_new(l->arena->heap);
  index_blocks(l, &scratch);
  for (uint32_t t = 0; t < w->targets.count; t++)
    l->out->place[t] = w->labels.at[w->targets.at[t]].place;
  for (uint32_t at = 0, body = SR_NONE; at < w->code.count; at++) {
    if (w->code.at[at].op == SR_WAVE_BODY)
      link_body(l, body = at);
    else if (w->code.at[at].op == SR_WAVE_TABLE)
      link_table(l, &scratch, &w->code.at[at], body);
  }
  link_homes(l);
  sr_arena_free(&scratch);
  uint32_t entry = l->p->functions.at[l->p->entry].id;
  for (uint32_t f = 0; f < w->functions.count; f++)
    if (l->p->module->functions[w->functions.at[f].index].id == entry)
      l->out->start = w->functions.at[f].first;
  if (l->out->start == SR_NONE)
    return sr_fail(diag, SR_BAD_INPUT, SR_NOWHERE,
                   "wave listing: @function%u, the entry point's, is missing", entry);
  return SR_OK;
}

/* ---- making the program ---------------------------------------------------------------------- */

/* Indices of the reached functions in the module. */
static uint32_t *reached(SrArena *arena, const EmuProgram *p) {
  uint32_t *index_of = sr_new_none(arena, sr_bound(p->module));
  uint32_t *functions = SR_NEW(arena, uint32_t, p->functions.count);
  for (uint32_t i = 0; i < p->module->function_count; i++)
    index_of[p->module->functions[i].id] = i;
  for (uint32_t i = 0; i < p->functions.count; i++)
    functions[i] = index_of[p->functions.at[i].id];
  return functions;
}

static SrStatus lower(SrArena *arena, const SrModule *m, const SrUniform *u, const EmuProgram *p,
                      const char *lowering, const char **refused, SrWave **wave) {
  SrWaveOptions options;
  if (!sr_wave_options_read(lowering, &options))
    return sr_fail(
        m->diag, SR_BAD_OPTION, SR_NOWHERE,
        "unknown lowering '%.80s'; lowerings are needed-skips, flow-blocks, branch-masks",
        lowering);
  const uint32_t *functions = reached(arena, p);
  for (uint32_t i = 0; i < p->functions.count && !*refused; i++)
    *refused = sr_exec_mask_refuses(arena, m, u, &m->functions[functions[i]]);
  if (*refused)
    return SR_OK;
  return sr_exec_mask_lower(arena, m, u, functions, p->functions.count, &options, wave);
}

SrStatus emu_wave_build(SrArena *arena, SrDiag *diag, const EmuProgram *p, const char *text,
                        const char *lowering, const EmuWave **program, const char **refused) {
  SrArena scratch = sr_arena_new(arena->heap);
  /* A copy with its own messages, because other threads may run the program. */
  SrModule m = *p->module;
  m.diag = diag;
  const SrUniform *u = sr_uniform_build(&scratch, &m, SR_UNIFORM_ANALYSIS, SR_SCOPE_SUBGROUP);
  SrWave *wave = NULL;
  SrStatus status = text ? sr_wave_read(arena, &m, u, text, &wave)
                         : lower(arena, &m, u, p, lowering, refused, &wave);
  sr_arena_free(&scratch);
  if (status != SR_OK || *refused)
    return status;
  assert(wave);
  EmuWave *out = SR_NEW(arena, EmuWave, 1);
  *out = (EmuWave){.wave = wave,
                   .start = SR_NONE,
                   .block = sr_new_none(arena, wave->code.count),
                   .first = sr_new_none(arena, wave->code.count),
                   .primary = sr_new_none(arena, wave->code.count),
                   .place = sr_new_none(arena, wave->targets.count),
                   .place_for = sr_new_none(arena, wave->targets.count),
                   .home = sr_new_none(arena, wave->masks),
                   .depth = p->functions.count};
  *program = out;
  return link_program(&(Link){.arena = arena, .p = p, .wave = wave, .out = out}, diag);
}
