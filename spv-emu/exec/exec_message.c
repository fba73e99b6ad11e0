/* SPDX-License-Identifier: Apache-2.0 */
/* exec_message: see exec_message.h. */
#include "spv-emu/exec/exec_message.h"

#include "passes/base/compiler.h"
#include "passes/source/source_message.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct Message {
  EmuExec *e;
  char *text;
  size_t size, used;
  uint32_t groups;
} Message;

static void add(Message *t, const char *format, ...) SR_PRINTF(2, 3);

static void add(Message *t, const char *format, ...) {
  if (t->used >= t->size)
    return;
  va_list list;
  va_start(list, format);
  t->used += (size_t)vsnprintf(t->text + t->used, t->size - t->used, format, list);
  va_end(list);
}

static void add_lanes(Message *t, const EmuMask *lanes) {
  uint32_t words = t->e->lanes.words, count = emu_mask_count(lanes, words);
  uint32_t first = emu_mask_next(lanes, 0, words);
  if (count == 1)
    add(t, "1 lane (%u)", first);
  else
    add(t, "%u lanes (the first %u)", count, first);
}

/* "…block %5 (main.comp:11)" */
static void add_block(Message *t, const char *before, uint32_t block, SrSourcePlace place) {
  const EmuProgram *p = t->e->shared->program;
  char line[EMU_MOST_PLACE];
  sr_source_print(p->source, place, line, sizeof line);
  add(t, "%s %%%u%s%s%s", before, p->blocks.at[block].id, *line ? " (" : "", line,
      *line ? ")" : "");
}

static void add_waiting(void *user, uint32_t block, const EmuMask *lanes) {
  Message *t = user;
  add(t, "%s ", t->groups++ ? "," : "");
  add_lanes(t, lanes);
  add_block(t, " at block", block, t->e->shared->program->blocks.at[block].place);
}

static void add_all_waiting(Message *m) {
  m->e->shared->policy->waiting(m->e->policy, add_waiting, m);
}

static Message begin(EmuExec *e) {
  return (Message){.e = e, .text = e->shared->deadlock, .size = sizeof e->shared->deadlock};
}

void emu_exec_message_barrier(EmuExec *e, SrRef barrier) {
  const EmuProgram *p = e->shared->program;
  const EmuBlock *b = &p->blocks.at[e->lanes.block];
  Message message = begin(e);
  add(&message, "function %s,", p->functions.at[b->function].name);
  add_block(&message, " block", e->lanes.block, sr_source_at(p->source, barrier));
  add(&message, ": ");
  add_lanes(&message, &e->lanes.on);
  add(&message, " at the barrier while others of the subgroup wait:");
  add_all_waiting(&message);
}

/* The place of the first block since `loop` in the repeated part that has a line, else of `loop`.
 */
static SrSourcePlace place_of_loop(const EmuExec *e, uint32_t loop) {
  const EmuProgram *p = e->shared->program;
  char line[EMU_MOST_PLACE];
  for (uint32_t b = loop; b < p->blocks.count; b++) {
    if (!sr_bit(e->livelock.seen, b))
      continue;
    sr_source_print(p->source, p->blocks.at[b].place, line, sizeof line);
    if (*line)
      return p->blocks.at[b].place;
  }
  return p->blocks.at[loop].place;
}

/* "function main, loop at block %5 (…): 3 lanes (the first 1) are in it for ever while …" */
void emu_exec_message_livelock(EmuExec *e, uint32_t loop) {
  const EmuProgram *p = e->shared->program;
  Message message = begin(e);
  add(&message, "function %s,", p->functions.at[p->blocks.at[loop].function].name);
  add_block(&message, " loop at block", loop, place_of_loop(e, loop));
  add(&message, ": ");
  add_lanes(&message, &e->lanes.on);
  add(&message, " in it for ever while others of the subgroup wait:");
  add_all_waiting(&message);
}

void emu_exec_message_stuck(EmuExec *e) {
  Message message = begin(e);
  add(&message, "all lanes of a subgroup wait for one another:");
  add_all_waiting(&message);
}

void emu_exec_message_limit(EmuExec *e, uint64_t most, const EmuRunaway *found) {
  const EmuProgram *p = e->shared->program;
  Message message = begin(e);
  add(&message, "more than %" PRIu64 " instructions issued (--max-issues)", most);
  if (found->loop == SR_NONE)
    return;
  add(&message, ": function %s,", p->functions.at[p->blocks.at[found->loop].function].name);
  add_block(&message, " loop at block", found->loop, p->blocks.at[found->place].place);
  add(&message, ": ");
  add_lanes(&message, &found->lanes);
  add(&message, " in it after %" PRIu64 " iterations", found->iterations);
  if (found->issued < most / 2)
    add(&message,
        "; subgroup %" PRIu64 " issued only %" PRIu64
        " instructions, so perhaps no loop runs away: raise --max-issues",
        e->lanes.subgroup, found->issued);
}
