/* SPDX-License-Identifier: Apache-2.0 */
/* jip_read: reads back the listing of JOINs (jip_dump.c), perhaps edited.
 *
 * JOINs and JIPs may be changed, and GOTO and JMPI where lanes have one target. Blocks, their
 * targets, calls and ends belong to the module. The result is safe to run: every block is listed
 * once, and a JIP names a JOIN further down in the same function, so that a search for lanes ends.
 * Lanes that wait where no JIP leads remain there. */
#include "spv-emu/policy/jip/jip_place.h"
#include "spv-emu/policy/listing.h"

typedef struct Reader {
  EmuListing text;
  const EmuBlockTable *table;
  EmuJips *out;
  bool *listed;                     /* by block */
  uint32_t *namer;                  /* by block: 1 + the last block whose branch names it */
  uint32_t *join_line, *leave_line; /* by block: line of its JOIN's JIP; line of its branch's JIP */
} Reader;

static const EmuFunctionBlocks *function_of(const Reader *r, uint32_t block) {
  return &r->table->functions[r->table->function[block]];
}

/* "JIP %12" */
static bool read_jip(Reader *r, uint32_t from, uint32_t *jip, uint32_t *line) {
  *line = r->text.line;
  if (!emu_listing_block(&r->text, jip))
    return false;
  return (r->table->function[*jip] == r->table->function[from] && *jip > from) ||
         emu_listing_fail(&r->text, "a JIP names a block further down in the same function");
}

static bool ends_here(Reader *r) {
  return !*r->text.at || emu_listing_fail(&r->text, "there is text after the instruction");
}

static bool next_line(Reader *r) {
  return emu_listing_line(&r->text) ||
         emu_listing_fail(&r->text, "the program ends within a block");
}

static bool read_join(Reader *r, uint32_t b) {
  if (!emu_listing_take(&r->text, "JOIN"))
    return true;
  r->out->join[b] = true;
  if (emu_listing_take(&r->text, "JIP") && !read_jip(r, b, &r->out->empty[b], &r->join_line[b]))
    return false;
  return ends_here(r) && next_line(r);
}

static bool read_call(Reader *r, uint32_t b) {
  uint32_t callee = r->table->callee[b], to;
  if (!emu_listing_block(&r->text, &to))
    return false;
  return (callee != SR_NONE && r->table->functions[callee].first == to) ||
         emu_listing_fail(&r->text, "the block does not end in this call");
}

static bool is_successor(const EmuFunctionBlocks *fn, uint32_t b, uint32_t to) {
  for (SR_SUCCS(t, fn->graph, b - fn->first))
    if (fn->first + *t == to)
      return true;
  return false;
}

/* "%12, else %13": all targets of the block, each once, in any order. */
static bool read_targets(Reader *r, uint32_t b) {
  const EmuFunctionBlocks *fn = function_of(r, b);
  uint32_t count = 0, to;
  do {
    if (!emu_listing_block(&r->text, &to))
      return false;
    if (r->namer[to] == b + 1 || !is_successor(fn, b, to))
      return emu_listing_fail(&r->text, "the block does not branch there");
    r->namer[to] = b + 1;
    count++;
  } while (emu_listing_take(&r->text, ", else"));
  return (r->table->callee[b] == SR_NONE && count == sr_succ_count(fn->graph, b - fn->first)) ||
         emu_listing_fail(&r->text, "the block does not end in this branch");
}

static bool read_end(Reader *r, uint32_t b) {
  const EmuFunctionBlocks *fn = function_of(r, b);
  uint32_t count = sr_succ_count(fn->graph, b - fn->first);
  if (emu_listing_take(&r->text, "CALL")) {
    if (!read_call(r, b))
      return false;
  } else if (emu_listing_take(&r->text, "GOTO")) {
    if (!read_targets(r, b))
      return false;
  } else if (emu_listing_take(&r->text, "JMPI")) {
    r->out->jump[b] = true;
    return read_targets(r, b) && ends_here(r) &&
           (count == 1 || (r->table->uniform && r->table->uniform[b]) ||
            emu_listing_fail(&r->text, "lanes may have several targets here, so it is GOTO"));
  } else if (!emu_listing_take(&r->text, "EXIT") && !emu_listing_take(&r->text, "RET")) {
    return emu_listing_fail(&r->text, "a block ends in GOTO, JMPI, CALL, RET or EXIT");
  } else if (count || r->table->callee[b] != SR_NONE) {
    return emu_listing_fail(&r->text, "the block does not end here");
  }
  if (emu_listing_take(&r->text, ", JIP") && !read_jip(r, b, &r->out->leave[b], &r->leave_line[b]))
    return false;
  return ends_here(r);
}

static bool read_block(Reader *r) {
  uint32_t b;
  if (!emu_listing_block(&r->text, &b))
    return false;
  if (!emu_listing_take(&r->text, ":"))
    return emu_listing_fail(&r->text, "a block looks like %12: ...");
  if (r->listed[b])
    return emu_listing_fail(&r->text, "the block is listed twice");
  r->listed[b] = true;
  if (!*r->text.at && !next_line(r))
    return false;
  if (!read_join(r, b))
    return false;
  if (!emu_listing_take(&r->text, "..."))
    return emu_listing_fail(&r->text, "the body of the block is missing: ...");
  return ends_here(r) && next_line(r) && read_end(r, b);
}

/* Do all JIPs lead to JOINs? */
static bool check_jips(Reader *r) {
  const EmuJips *j = r->out;
  for (uint32_t b = 0; b < r->table->count; b++) {
    if (!r->listed[b])
      return emu_listing_fail(&r->text, "at the end, a block is missing");
    bool join = j->empty[b] == SR_NONE || j->join[j->empty[b]];
    if (!join || (j->leave[b] != SR_NONE && !j->join[j->leave[b]]))
      return emu_listing_fail_at(&r->text, join ? r->leave_line[b] : r->join_line[b],
                                 "a JIP names a block without a JOIN");
  }
  return true;
}

static bool read_all(Reader *r) {
  while (emu_listing_line(&r->text)) {
    if (strncmp(r->text.at, "function ", strlen("function ")) == 0)
      continue;
    if (!read_block(r))
      return false;
  }
  return check_jips(r);
}

const EmuJips *emu_jips_read(SrArena *arena, const EmuBlockTable *table, const char *text,
                             const char **why) {
  SrArena scratch = sr_arena_new(arena->heap);
  Reader r = {.table = table, .out = emu_jips_new(arena, table->count)};
  r.out->edited = true;
  r.listed = SR_NEW(&scratch, bool, table->count);
  r.namer = SR_NEW(&scratch, uint32_t, table->count);
  r.join_line = SR_NEW(&scratch, uint32_t, table->count);
  r.leave_line = SR_NEW(&scratch, uint32_t, table->count);
  emu_listing_open(&r.text, arena, &scratch, table, "jip listing", text, why);
  bool good = read_all(&r);
  sr_arena_free(&scratch);
  return good ? r.out : NULL;
}
