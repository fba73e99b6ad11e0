/* SPDX-License-Identifier: Apache-2.0 */
/* source_message: see source_message.h. */
#include "passes/source/source_message.h"

#include "passes/ir/parse.h"
#include "passes/source/source_walk.h"

#include <stdio.h>

void sr_source_print(const SrSource *s, SrSourcePlace place, char *text, size_t room) {
  text[0] = 0;
  if (place.line && *s->files.at[place.file].name)
    snprintf(text, room, "%s:%u", s->files.at[place.file].name, place.line);
  else if (place.line)
    snprintf(text, room, "line %u", place.line);
}

typedef struct Explain {
  SrModule *m;
  SrSource *source; /* NULL: to be made for the first message */
} Explain;

/* The instruction at a word of the input. Instructions are made with ascending words. */
static SrRef at_word(const SrModule *m, uint32_t word) {
  uint32_t low = 0, high = m->inst.count, at = word - SR_HEADER_WORDS;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (m->inst.at[middle].at < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low < m->inst.count && m->inst.at[low].at == at ? low : SR_NONE;
}

SrSourcePlace sr_source_of_block(SrSource *s, SrRef label) {
  SrSourcePlace found = SR_SOURCE_NOWHERE;
  SrSourceWalk walk = sr_source_walk(s);
  for (SrRef r = sr_source_start(s->m, label); r != SR_NONE; r = sr_inst(s->m, r)->next) {
    SrSourcePlace place = sr_source_step(&walk, r);
    if (place.line)
      found = place;
  }
  return found;
}

static void locate(void *user, SrWhere where, char *text, size_t room) {
  Explain *e = user;
  SrSourcePlace place = SR_SOURCE_NOWHERE;
  if (!e->source)
    e->source = sr_source_new(e->m->arena, e->m);
  SrRef r = where.word == SR_NONE ? SR_NONE : at_word(e->m, where.word);
  if (r != SR_NONE)
    place = sr_source_at(e->source, r);
  if (!place.line && where.block && sr_def_op(e->m, where.block) == SpvOpLabel)
    place = sr_source_of_block(e->source, sr_def(e->m, where.block));
  sr_source_print(e->source, place, text, room);
}

void sr_source_explain(SrModule *m, SrSource *source) {
  Explain *e = SR_NEW(m->arena, Explain, 1);
  *e = (Explain){m, source};
  m->diag->locate = locate;
  m->diag->locate_user = e;
}

void sr_source_explain_not(SrDiag *diag) {
  diag->locate = NULL;
}
