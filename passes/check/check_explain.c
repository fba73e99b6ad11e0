/* SPDX-License-Identifier: Apache-2.0 */
/* check_explain: see check_explain.h. Values are printed as numbers, or as four digits of their
 * hash: enough to tell which are equal. */
#include "passes/check/check_explain.h"

#include "passes/base/text.h"
#include "passes/ir/grammar.h"
#include "passes/source/source_message.h"
#include "passes/source/source_walk.h"

#include <inttypes.h>
#include <stdio.h>

enum { ENDS_OF_PATH = 12 };

void sr_check_put_place(SrText *t, const SrModule *m, SrRef r) {
  char place[SR_MOST_PLACE];
  SrSource *source = sr_source_new(t->arena, m);
  sr_source_print(source, sr_source_at(source, r), place, sizeof place);
  if (*place)
    sr_text_add(t, " (%s)", place);
}

static void put_path(SrText *t, const SrWalkSide *s, uint32_t first, uint32_t end) {
  const SrFunction *f = s->code->f;
  for (uint32_t i = first; i < end; i++) {
    if (end - first > 2 * ENDS_OF_PATH && i == first + ENDS_OF_PATH) {
      i = end - ENDS_OF_PATH;
      sr_text_add(t, " -> ...");
    }
    sr_text_add(t, "%s%%%u", i == first ? "" : " -> ", f->blocks[s->path.at[i]].id);
  }
}

static void put_value(SrText *t, const SrWalkSide *s, const SrWalkValue *v, uint32_t id) {
  sr_text_add(t, " %%%u", id);
  if (v->undefined)
    sr_text_add(t, "=undefined");
  else if (sr_walk_width(s->code->c->m, sr_walk_type_of(s->code->c->m, id)))
    sr_text_add(t, "=%" PRIu64, v->a);
  else
    sr_text_add(t, "=#%04x", (unsigned)(v->a & 0xffff));
}

static void put_inst(SrText *t, const SrWalkSide *s, const SrWalkInst *in) {
  const SrInst *source = sr_inst(s->code->c->m, in->source);
  if (source->result)
    sr_text_add(t, "%%%u = ", source->result);
  sr_text_add(t, "Op%s", sr_grammar_name(source->op));
}

static SrRef end_of(const SrWalkSide *s, uint32_t path) {
  return sr_terminator(&s->code->f->blocks[s->path.at[path - 1]]);
}

static void put_event(SrText *t, const SrWalk *w) {
  const SrWalkSide *s = &w->before;
  if (w->event == w->trace.event.count) {
    sr_text_add(t, "no further effect");
    sr_check_put_place(t, s->code->c->m, end_of(s, s->path.count));
    return;
  }
  const SrWalkEvent *e = &w->trace.event.at[w->event];
  const SrWalkInst *in = &s->code->inst.at[e->inst];
  put_inst(t, s, in);
  for (uint32_t k = 0; k < e->count; k++)
    put_value(t, s, &w->trace.operand.at[e->operand + k], s->code->operand.at[in->operand + k]);
  sr_check_put_place(t, s->code->c->m, in->source);
}

static void put_after(SrText *t, const SrWalk *w) {
  const SrWalkSide *s = &w->after;
  if (w->inst == SR_NONE) {
    sr_text_add(t, "the end of %%%u", s->code->f->blocks[s->path.at[s->path.count - 1]].id);
    sr_check_put_place(t, s->code->c->m, end_of(s, s->path.count));
    return;
  }
  const SrWalkInst *in = &s->code->inst.at[w->inst];
  put_inst(t, s, in);
  for (uint32_t k = 0; k < in->count; k++) {
    uint32_t id = s->code->operand.at[in->operand + k];
    put_value(t, s, sr_walk_value(s, w->draw->epoch, id), id);
  }
  sr_check_put_place(t, s->code->c->m, in->source);
}

/* The number of blocks that the walk entered in the input up to the event, or altogether if there
 * is no such event. */
static uint32_t path_at(const SrWalk *w, uint32_t event) {
  return event < w->trace.event.count ? w->trace.event.at[event].path : w->before.path.count;
}

const char *sr_check_line(SrArena *arena, const SrWalk *w) {
  const SrModule *m = w->before.code->c->m;
  bool more = w->event == w->trace.event.count;
  SrText t = {.arena = arena};
  sr_text_add(&t, "function %s", sr_function_name(m, arena, w->before.code->f));
  uint32_t path = path_at(w, w->event);
  sr_text_add(&t, ", block %%%u: the output differs from the input: %s",
              w->before.code->f->blocks[w->before.path.at[path - 1]].id, w->difference);
  sr_check_put_place(&t, m,
                     more ? end_of(&w->before, path)
                          : w->before.code->inst.at[w->trace.event.at[w->event].inst].source);
  return sr_text_end(&t);
}

const char *sr_check_story(SrArena *arena, const SrWalk *w, uint32_t number, uint64_t seed) {
  SrText t = {.arena = arena};
  uint32_t agreed = w->event ? w->trace.event.at[w->event - 1].path - 1 : 0;
  sr_text_add(&t, "  walk %u, seed %016" PRIx64 ", after %u equal effects\n  before: ", number,
              seed, w->event);
  put_path(&t, &w->before, agreed, path_at(w, w->event));
  sr_text_add(&t, ": ");
  put_event(&t, w);
  sr_text_add(&t, "\n  after:  ");
  put_path(&t, &w->after, w->agreed ? w->agreed - 1 : 0, w->after.path.count);
  sr_text_add(&t, ": ");
  put_after(&t, w);
  sr_text_add(&t, "\n");
  return sr_text_end(&t);
}
