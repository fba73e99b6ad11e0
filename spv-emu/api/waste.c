/* SPDX-License-Identifier: Apache-2.0 */
/* waste: spv_emu_wastes: the source lines that waste lanes, and why.
 *
 * The causes of a line are found from its costliest part upwards. From a part the search goes to
 * the branch that decides whether it runs, from there to the branch that decides about that one,
 * and so on; at the function's entry it goes to the call through which most lanes are lost. Lanes
 * are lost at two kinds of steps. In an arm of a branch, or in a loop, fewer lanes may be active
 * than outside. And if lanes leave a loop in different iterations without waiting for one another,
 * fewer are active afterwards. The causes are the steps at which most lanes are lost. */
#include "spv-emu/engine/program.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 256 };

static const double LEAST_DROP = 1.1; /* a smaller loss of lanes is no cause */

/* ---- causes ---------------------------------------------------------------------------------- */

static double lanes_of(const spv_emu_result *r, uint32_t part) {
  const spv_emu_part *p = &r->parts[part];
  return p->executions ? (double)p->lanes / (double)p->executions : 0;
}

static double drop_of(const spv_emu_cause *c) {
  return c->inside > 0 ? c->outside / c->inside : 0;
}

/* Keeps the causes with the largest drops, the largest first. */
static void note(spv_emu_waste *w, spv_emu_cause cause) {
  uint32_t at = w->cause_count;
  if (drop_of(&cause) < LEAST_DROP)
    return;
  if (at == SPV_EMU_CAUSES && drop_of(&w->causes[at - 1]) >= drop_of(&cause))
    return;
  w->cause_count = at < SPV_EMU_CAUSES ? at + 1 : at;
  for (at = w->cause_count - 1; at > 0 && drop_of(&w->causes[at - 1]) < drop_of(&cause); at--)
    w->causes[at] = w->causes[at - 1];
  w->causes[at] = cause;
}

/* The average number of lanes that enter the loop together. */
static double entering(const spv_emu_result *r, uint32_t loop) {
  const spv_emu_loop *l = &r->loops[loop];
  return l->entries ? (double)l->entered / (double)l->entries : 0;
}

/* Is the part in the loop? */
static bool is_inside(const spv_emu_result *r, uint32_t part, uint32_t loop) {
  uint32_t l = r->parts[part].loop;
  while (l != SPV_EMU_NO_LOOP && l != loop)
    l = r->loops[l].outer;
  return l == loop;
}

/* Notes the branch that decides about `part`, if lanes are lost there. If lanes leave a loop there,
 * returns the loop; SPV_EMU_NO_LOOP: they leave none. */
static uint32_t note_branch(const spv_emu_result *r, uint32_t number, uint32_t part,
                            spv_emu_waste *w) {
  const spv_emu_branch *b = &r->branches[number];
  double inside = lanes_of(r, part);
  if (b->loop == SPV_EMU_NO_LOOP) {
    if (r->parts[b->part].diverged)
      note(w, (spv_emu_cause){SPV_EMU_CAUSE_BRANCH, number, lanes_of(r, b->part), inside});
    return SPV_EMU_NO_LOOP;
  }
  if (is_inside(r, part, b->loop))
    return SPV_EMU_NO_LOOP;
  note(w, (spv_emu_cause){SPV_EMU_CAUSE_EXIT, number, entering(r, b->loop), inside});
  return b->loop;
}

/* Notes the loops around `part`, except `known`, that `outer` is not in; SPV_EMU_NO_PART: it is in
 * none. */
static void note_loops(const spv_emu_result *r, uint32_t part, uint32_t outer, uint32_t known,
                       spv_emu_waste *w) {
  double inside = lanes_of(r, part);
  for (uint32_t l = r->parts[part].loop; l != SPV_EMU_NO_LOOP; l = r->loops[l].outer) {
    if (outer != SPV_EMU_NO_PART && is_inside(r, outer, l))
      return;
    if (l != known)
      note(w, (spv_emu_cause){SPV_EMU_CAUSE_LOOP, l, entering(r, l), inside});
    inside = entering(r, l);
  }
}

static uint32_t function_of(const spv_emu_program *program, uint32_t part) {
  return program->p->blocks.at[part].function;
}

/* The call of the function through which the most lane slots are idle; SPV_EMU_NO_CALL: there is
 * none. */
static uint32_t worst_call(const spv_emu_result *r, uint32_t function) {
  uint32_t worst = SPV_EMU_NO_CALL;
  uint64_t most = 0;
  for (uint32_t i = 0; i < r->call_count; i++) {
    const spv_emu_call_site *c = &r->calls[i];
    uint64_t idle = c->issues * r->subgroup_size - c->lane_instructions;
    if (c->callee == function && c->executions && (worst == SPV_EMU_NO_CALL || idle > most)) {
      most = idle;
      worst = i;
    }
  }
  return worst;
}

static void find_causes(const spv_emu_program *program, const spv_emu_result *r, spv_emu_waste *w) {
  uint32_t part = w->part, known = SPV_EMU_NO_LOOP;
  w->call = SPV_EMU_NO_CALL;
  for (uint32_t i = 0; i < MOST_STEPS; i++) {
    uint32_t number = r->parts[part].branch;
    if (number != SPV_EMU_NO_BRANCH) {
      uint32_t at = r->branches[number].part, left = note_branch(r, number, part, w);
      note_loops(r, part, at, known, w);
      known = left != SPV_EMU_NO_LOOP ? left : known;
      part = at;
      continue;
    }
    note_loops(r, part, SPV_EMU_NO_PART, known, w);
    uint32_t call = worst_call(r, function_of(program, part));
    if (call == SPV_EMU_NO_CALL)
      return;
    w->call = w->call == SPV_EMU_NO_CALL ? call : w->call;
    part = r->calls[call].part;
  }
}

/* ---- lines ----------------------------------------------------------------------------------- */

static uint64_t avoidable_of(const spv_emu_part *p) {
  return p->executions > p->needed ? p->executions - p->needed : 0;
}

static uint64_t idle_of(const spv_emu_result *r, const spv_emu_part *p) {
  uint64_t slots = p->executions * r->subgroup_size;
  return slots > p->lanes ? slots - p->lanes : 0;
}

/* Adds `count` instructions of the part. */
static void add(const spv_emu_result *r, spv_emu_waste *w, uint32_t part, uint32_t count,
                uint64_t *most) {
  const spv_emu_part *p = &r->parts[part];
  w->issues += count * p->executions;
  w->lanes += count * p->lanes;
  w->avoidable += count * avoidable_of(p);
  w->idle += count * idle_of(r, p);
  if (count * idle_of(r, p) >= *most) {
    *most = count * idle_of(r, p);
    w->part = part;
  }
}

typedef struct Wastes {
  const spv_emu_program *program;
  const spv_emu_result *result;
  spv_emu_waste *at;
  uint32_t count;
} Wastes;

static void take(Wastes *s, const spv_emu_waste *w) {
  if (!w->idle && !w->avoidable)
    return;
  s->at[s->count] = *w;
  find_causes(s->program, s->result, &s->at[s->count]);
  s->count++;
}

static void take_lines(Wastes *s, const spv_emu_listing *listing) {
  for (uint32_t i = 0; i < listing->section_count; i++)
    for (uint32_t k = 0; k < listing->sections[i].lines; k++) {
      const spv_emu_line *line = &listing->lines[listing->sections[i].line + k];
      spv_emu_waste w = {.file = listing->sections[i].file, .line = line->number};
      uint64_t most = 0;
      for (uint32_t u = line->use; u < line->use + line->uses; u++)
        add(s->result, &w, listing->uses[u].part, listing->uses[u].count, &most);
      take(s, &w);
    }
}

static void take_parts(Wastes *s) {
  for (uint32_t p = 0; p < s->result->part_count; p++) {
    spv_emu_waste w = {.file = SPV_EMU_NO_FILE};
    uint64_t most = 0;
    add(s->result, &w, p, s->result->parts[p].issues, &most);
    take(s, &w);
  }
}

/* ---- the order ------------------------------------------------------------------------------- */

static int larger_first(uint64_t a, uint64_t b) {
  return (a < b) - (a > b);
}

int spv_emu_waste_order(const spv_emu_waste *a, const spv_emu_waste *b, bool idle) {
  int order = idle ? 0 : larger_first(a->avoidable, b->avoidable);
  order = order ? order : larger_first(a->idle, b->idle);
  order = order ? order : larger_first(b->part, a->part);
  return order ? order : larger_first(b->line, a->line);
}

static int by_waste(const void *left, const void *right) {
  return spv_emu_waste_order(left, right, false);
}

spv_emu_waste *spv_emu_wastes(const spv_emu_program *program, const spv_emu_result *result,
                              uint32_t *count) {
  spv_emu_listing *listing = spv_emu_list(program, true);
  Wastes s = {.program = program, .result = result};
  *count = 0;
  if (!listing)
    return NULL;
  size_t room = (listing->source ? listing->line_count : result->part_count) + 1u;
  s.at = calloc(room, sizeof *s.at);
  if (s.at && result->branches) {
    if (listing->source)
      take_lines(&s, listing);
    else
      take_parts(&s);
    qsort(s.at, s.count, sizeof *s.at, by_waste);
  }
  spv_emu_listing_free(listing);
  *count = s.count;
  return s.at;
}
