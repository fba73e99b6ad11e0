/* SPDX-License-Identifier: Apache-2.0 */
/* points: see points.h. One walk makes the points; a second one, which knows the first point of
 * each block, adds references to other blocks. */
#include "harness/observe/points.h"

#include "passes/ir/effects.h"
#include "passes/ir/grammar.h"
#include "passes/source/source_message.h"
#include "passes/source/source_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 65536 };

typedef struct Find {
  SrModule *m;
  SrArena *arena;
  SrSource *source;
  SR_VEC(ObPoint) points;
  SR_VEC(ObSite) sites;
  SR_VEC(uint32_t) successors;
  uint32_t *first; /* by id of an OpLabel or OpFunction: its first point */
} Find;

/* ---- texts ---- */

static void name_place(Find *f, const SrFunction *function, ObPoint *p, SrRef after,
                       SrSourcePlace place) {
  char line[200], op[100] = "";
  sr_source_print(f->source, place, line, sizeof line);
  if (p->kind == OB_SELECTOR)
    snprintf(op, sizeof op, ", before OpSwitch");
  else if (after != SR_NONE)
    snprintf(op, sizeof op, ", after Op%s", sr_grammar_name(sr_inst(f->m, after)->op));
  if (asprintf(&p->text, "function %.100s, block %%%u%s%s%s",
               sr_function_name(f->m, f->arena, function), p->block, op, *line ? ", " : "",
               line) < 0)
    longjmp(f->arena->heap->out_of_memory, 1);
}

/* The first line in the block. */
static SrSourcePlace line_of(Find *f, const SrBlock *b) {
  SrSourceWalk walk = sr_source_walk(f->source);
  for (SR_EACH(f->m, r, b->list)) {
    SrSourcePlace place = sr_source_step(&walk, r);
    if (place.line && !sr_is_debug_line(sr_inst(f->m, r)))
      return place;
  }
  return SR_SOURCE_NOWHERE;
}

/* ---- the points ---- */

static void add(Find *f, const SrFunction *function, SrBlock *b, ObKind kind, SrRef before,
                SrRef after, SrSourcePlace place) {
  ObPoint p = {.kind = kind,
               .block = b->id,
               .next = SR_NONE,
               .callee = SR_NONE,
               .merge = SR_NONE,
               .target = SR_NONE,
               .line = place.line};
  name_place(f, function, &p, after, place);
  if (kind == OB_BLOCK)
    f->first[b->id] = f->points.count;
  else
    SR_LAST(&f->points).next = f->points.count;
  SR_PUSH(f->arena, &f->points, p);
  SR_PUSH(f->arena, &f->sites, (ObSite){.list = &b->list, .before = before});
}

/* Atomic operations return what other invocations wrote. */
static bool is_atomic(const SrModule *m, SrRef r) {
  return sr_inst(m, r)->result &&
         strncmp(sr_grammar_name(sr_inst(m, r)->op), "Atomic", strlen("Atomic")) == 0;
}

static void add_switch(Find *f, const SrFunction *function, SrBlock *b, SrSourcePlace place) {
  SrRef end = sr_terminator(b), merge = sr_merge_inst(f->m, b);
  if (sr_inst(f->m, end)->op != SpvOpSwitch)
    return;
  add(f, function, b, OB_SELECTOR, merge == SR_NONE ? end : merge, SR_NONE, place);
  SR_LAST(&f->sites).selector = sr_words(f->m, end)[1];
}

static void add_block(Find *f, const SrFunction *function, SrBlock *b) {
  const SrModule *m = f->m;
  SrSourcePlace place = line_of(f, b), last = SR_SOURCE_NOWHERE;
  SrSourceWalk walk = sr_source_walk(f->source);
  add(f, function, b, OB_BLOCK, sr_first_ordinary(m, b), SR_NONE, place);
  for (SR_EACH(m, r, b->list)) {
    SrSourcePlace here = sr_source_step(&walk, r);
    last = here.line ? here : last;
    if (sr_inst(m, r)->op == SpvOpFunctionCall) {
      SR_LAST(&f->points).callee = sr_words(m, r)[3];
      add(f, function, b, OB_RETURN, sr_inst(m, r)->next, r, last);
    } else if (sr_is_cross_lane(m, r)) {
      SR_LAST(&f->points).has_group = true;
      add(f, function, b, OB_AFTER, sr_inst(m, r)->next, r, last);
    } else if (is_atomic(m, r)) {
      SR_LAST(&f->points).has_atomic = true;
    }
  }
  add_switch(f, function, b, last);
}

static SrStatus add_function(Find *f, SrFunction *function) {
  SrModule *m = f->m;
  SrWhere where = {.function = sr_function_name(m, f->arena, function), .word = SR_NONE};
  if (function->unread || !function->block_count)
    return sr_fail(m->diag, SR_BAD_INPUT, where,
                   function->unread ? "an instruction that this build does not know may end a block"
                                    : "the function has no body");
  for (uint32_t b = 0; b < function->block_count; b++)
    add_block(f, function, &function->blocks[b]);
  f->first[function->id] = f->first[function->blocks[0].id];
  if (f->points.count > MOST_POINTS)
    return sr_fail(m->diag, SR_BAD_INPUT, where,
                   "more than %d points to observe: the shader is too large", MOST_POINTS);
  return SR_OK;
}

/* ---- from block to block ---- */

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static ObEnd end_of(uint16_t op, uint32_t successors) {
  return !successors                    ? OB_ENDS
         : op == SpvOpBranchConditional ? OB_SPLITS
         : op == SpvOpSwitch            ? OB_SWITCHES
                                        : OB_BRANCHES;
}

static void connect(Find *f, const SrBlock *b) {
  const SrModule *m = f->m;
  SrRef end = sr_terminator(b), merge = sr_merge_inst(m, b);
  uint32_t begin = f->successors.count;
  for (uint32_t i = 0; (i = sr_next_target(m, end, i));)
    SR_PUSH(f->arena, &f->successors, f->first[sr_words(m, end)[i]]);
  uint32_t count = f->successors.count - begin;
  if (count)
    qsort(f->successors.at + begin, count, sizeof *f->successors.at, ascending);
  ObPoint *head = &f->points.at[f->first[b->id]];
  if (merge != SR_NONE) {
    head->merge = f->first[sr_words(m, merge)[1]];
    if (sr_inst(m, merge)->op == SpvOpLoopMerge)
      head->target = f->first[sr_words(m, merge)[2]];
  }
  for (uint32_t p = f->first[b->id]; p != SR_NONE; p = f->points.at[p].next) {
    ObPoint *point = &f->points.at[p];
    point->end = end_of(sr_inst(m, end)->op, count);
    point->first_successor = begin;
    point->successor_count = count;
    if (point->callee != SR_NONE)
      point->callee = f->first[point->callee];
  }
}

/* ---- the whole module ---- */

static void *copy(Find *f, const void *from, size_t size) {
  void *to = malloc(size + 1);
  if (!to)
    longjmp(f->arena->heap->out_of_memory, 1);
  if (size)
    memcpy(to, from, size);
  return to;
}

static SrStatus find(Find *f) {
  SrModule *m = f->m;
  for (uint32_t i = 0; i < m->function_count; i++)
    SR_CHECK(add_function(f, &m->functions[i]));
  for (uint32_t i = 0; i < m->function_count; i++)
    for (uint32_t b = 0; b < m->functions[i].block_count; b++)
      connect(f, &m->functions[i].blocks[b]);
  return SR_OK;
}

SrStatus ob_points_find(SrModule *m, SrArena *arena, uint32_t entry, ObPoints *points,
                        ObSite **sites) {
  Find f = {.m = m,
            .arena = arena,
            .source = sr_source_new(arena, m),
            .first = sr_new_none(arena, sr_bound(m))};
  SrStatus status = find(&f);
  *points = (ObPoints){.count = f.points.count, .entry = f.first[entry]};
  points->at = copy(&f, f.points.at, f.points.count * sizeof *f.points.at);
  points->successors = copy(&f, f.successors.at, f.successors.count * sizeof *f.successors.at);
  *sites = f.sites.at;
  return status;
}

void ob_points_free(ObPoints *points) {
  for (uint32_t i = 0; points->at && i < points->count; i++)
    free(points->at[i].text);
  free(points->at);
  free(points->successors);
  *points = (ObPoints){0};
}
