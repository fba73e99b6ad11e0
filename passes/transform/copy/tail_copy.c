/* SPDX-License-Identifier: Apache-2.0 */
/* tail_copy: see tail_copy.h. Each round makes structurize's program for the current graph, and
 * copies tails that have a guard in it; in a small function, only those of one row of guards. Then
 * the program is made again. If this saved nothing, for instance because arms that now have blocks
 * of their own need a merge block each, the round is undone. */
#include "passes/transform/copy/tail_copy.h"

#include "passes/analysis/uniform/cross_lane.h"
#include "passes/base/sort.h"
#include "passes/transform/copy/copy_blocks.h"
#include "passes/transform/copy/peel.h"
#include "passes/transform/flow/flow_write.h"
#include "passes/transform/structurize/added.h"
#include "passes/transform/structurize/sweep.h"

#include <stdlib.h>

enum {
  WORK = 1 << 15, /* blocks in all rounds together, beyond the first rounds */
  LEAST_ROUNDS = 16,
  FIRST_TAIL = 8, /* instructions of the tails that are tried first */
  STEP = 4,       /* tails that are tried next are this many times as large */
  GUARD_SIZE = 2, /* instructions: the test and the branch */
};

/* What rounds try to copy: parts of cycles with several entries; the tails of whole rows of guards;
 * those of single guards. */
typedef enum Phase { PEELS, ROWS, SINGLES } Phase;

typedef struct Job {
  SrModule *m;
  SrFunction *f;
  SrArena arena;
  const SrTailOptions *options;
  SrTransformCounts *counts;
  SrCopyGraph c;
  SrGrowth growth;
  uint32_t most; /* most instructions of a tail, at present */
  Phase phase;
  SR_VEC(bool) tried; /* by node: its cycle, row of guards or guard has been tried in this phase */
  uint32_t rows;      /* number of rows to try in one round */
  uint32_t copies;    /* copies of tails */
  uint32_t peels;     /* entries of cycles that lead to copies */
  bool limited;       /* something was not tried because of the limit on growth */
} Job;

static SrFlowGraph *sweep(const Job *j, SrArena *arena, const SrNest *nest) {
  const SrSweepOptions options = {SR_NESTING_LIMIT, j->options->goal,
                                  j->options->structure == SR_STRUCTURE_PORTABLE, NULL};
  return sr_sweep_build(arena, j->c.graph, nest, j->c.is_switch, &options);
}

/* ---- rows of guards ---- */

/* A block that a guard admits lanes to, or that the guard's other lanes go to. */
typedef struct Item {
  uint32_t node;
  uint64_t copied; /* instructions of its copies */
} Item;

/* A chain of guards, each the merge block of the one before. Lanes pass all guards before their
 * target; those with a later target continue to the exit:
 *
 *     guard of a -> guard of b -> exit               of a copy of a, a' -> guard of b -> exit
 *       `-> a -^      `-> b -^
 *
 * So each item that is copied saves a guard. There is one exception. If the last guard has a block
 * on either side, and both lead to the exit, the first copy saves nothing, because its lanes then
 * meet the others at the exit. */
typedef struct Row {
  SR_VEC(Item) item;
  uint32_t both;  /* 1 if the last guard has a block on either side, else 0 */
  uint32_t extra; /* instructions on edges into the first guard */
} Row;

typedef struct Round {
  Job *j;
  SrArena *scratch;
  const SrFlowGraph *flow;
  SrTails tails;
  uint32_t *selects; /* by flow block: branches with both edges to it */
  SrBits *follows;   /* by flow block: it is a guard that follows another one */
} Round;

static const SrFlowBlock *block_at(const Round *r, uint32_t b) {
  return &r->flow->block.at[b];
}

static uint32_t target(const Round *r, uint32_t b, uint32_t slot) {
  return r->flow->slot.at[block_at(r, b)->slot + slot].to;
}

static bool is_guard(const Round *r, uint32_t b) {
  return block_at(r, b)->role == SR_ROLE_GUARD;
}

/* The guard that follows guard b, or SR_NONE. */
static uint32_t next_guard(const Round *r, uint32_t b) {
  uint32_t merge = block_at(r, b)->merge;
  return block_at(r, b)->merge_kind == SR_MERGE_SELECTION && is_guard(r, merge) ? merge : SR_NONE;
}

static void find_guards(Round *r) {
  uint32_t count = r->flow->block.count;
  r->selects = SR_NEW(r->scratch, uint32_t, count);
  r->follows = sr_bits_new(r->scratch, count);
  for (uint32_t b = 0; b < count; b++) {
    if (block_at(r, b)->role == SR_ROLE_USER && sr_flow_both_to_one(r->flow, block_at(r, b)))
      r->selects[target(r, b, 0)]++;
    if (is_guard(r, b) && next_guard(r, b) != SR_NONE)
      sr_bit_set(r->follows, next_guard(r, b));
  }
}

/* Adds the target of slot `slot` of guard b, if its tail may be copied. */
static void add_item(Round *r, Row *row, uint32_t b, uint32_t slot) {
  uint32_t to = target(r, b, slot);
  if (block_at(r, to)->role != SR_ROLE_USER)
    return;
  uint32_t node = block_at(r, to)->user;
  if (sr_tail_find(&r->tails, node, r->j->most))
    SR_PUSH(r->scratch, &row->item, (Item){node, (uint64_t)(r->tails.copies - 1) * r->tails.size});
}

static Row row_from(Round *r, uint32_t first) {
  Row row = {.extra = r->selects[first]};
  if (r->j->phase == SINGLES) {
    add_item(r, &row, first, 0);
    return row;
  }
  for (uint32_t b = first, next; b != SR_NONE; b = next) {
    next = next_guard(r, b);
    row.both = next == SR_NONE && target(r, b, 1) != block_at(r, b)->merge;
    add_item(r, &row, b, 0);
    if (row.both)
      add_item(r, &row, b, 1);
  }
  return row;
}

static int by_size(const void *a, const void *b) {
  const Item *x = a, *y = b;
  if (x->copied != y->copied)
    return x->copied < y->copied ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

/* Keeps the items to copy: the smallest ones, as many as pay. */
static void choose(const Round *r, Row *row) {
  uint64_t copied = 0;
  uint32_t kept = 0;
  sr_sort(r->scratch, row->item.at, row->item.count, sizeof *row->item.at, by_size);
  for (uint32_t i = 0; i < row->item.count; i++) {
    uint64_t saved =
        (uint64_t)(i + 1 - row->both) * GUARD_SIZE + (i + 1 == row->item.count ? row->extra : 0);
    copied += row->item.at[i].copied;
    if (i + 1 > row->both && (r->j->options->goal == SR_GOAL_ISSUES || copied <= saved))
      kept = i + 1;
  }
  row->item.count = kept;
}

static int by_rank(const void *a, const void *b, void *user) {
  const uint32_t *rank = user;
  uint32_t x = rank[((const Item *)a)->node], y = rank[((const Item *)b)->node];
  return (x < y) - (x > y);
}

/* ---- one round ---- */

/* Copies the items of a row, the last one first, so that its copies belong to the tails of the
 * others. */
static bool copy_row(Round *r, Row *row) {
  Job *j = r->j;
  uint64_t copied = 0;
  for (uint32_t i = 0; i < row->item.count; i++)
    copied += row->item.at[i].copied;
  if (!row->item.count)
    return false;
  if (!sr_growth_fits(&j->growth, copied)) {
    j->limited = true;
    return false;
  }
  sr_sort_by(r->scratch, row->item.at, row->item.count, sizeof *row->item.at, by_rank,
             r->tails.nest->rank);
  for (uint32_t i = 0; i < row->item.count; i++) {
    if (!sr_tail_find(&r->tails, row->item.at[i].node, j->most))
      continue;
    j->growth.copied += (uint64_t)(r->tails.copies - 1) * r->tails.size;
    j->copies += r->tails.copies - 1;
    sr_tail_copy(&r->tails);
  }
  return true;
}

/* A row is identified by the last block that its first guard admits lanes to. */
static bool *tried(Job *j, uint32_t node) {
  while (j->tried.count <= node)
    SR_PUSH(&j->arena, &j->tried, false);
  return &j->tried.at[node];
}

/* Copies items of at most `left` rows that no round has tried yet, the last ones first. Returns how
 * many of the `left` remain. */
static uint32_t copy_rows(Round *r, uint32_t left) {
  Job *j = r->j;
  find_guards(r);
  for (uint32_t b = r->flow->block.count; b-- > 0 && left;) {
    if (!is_guard(r, b) || (j->phase == ROWS && sr_bit(r->follows, b)))
      continue;
    uint32_t to = block_at(r, target(r, b, 0))->user;
    if (to == SR_NONE || *tried(j, to))
      continue;
    *tried(j, to) = true;
    Row row = row_from(r, b);
    choose(r, &row);
    left -= copy_row(r, &row);
  }
  return left;
}

static bool peel(Round *r, uint32_t cycle) {
  Job *j = r->j;
  if (!sr_peel_find(&r->tails, cycle, j->most))
    return false;
  if (!sr_growth_fits(&j->growth, r->tails.size)) {
    j->limited = true;
    return false;
  }
  j->growth.copied += r->tails.size;
  j->peels += r->tails.in.count;
  sr_peel(&r->tails);
  return true;
}

/* Peels some cycles that no round has tried yet. None of them lies in another, because after a peel
 * the nest no longer describes the blocks in the cycle. */
static uint32_t peel_cycles(Round *r, uint32_t left) {
  const SrNest *nest = r->tails.nest;
  uint32_t end = 0; /* the ranks up to here lie in a cycle that was peeled */
  for (uint32_t c = 0; c < nest->cycle_count && left; c++) {
    if (nest->cycles[c].first < end || *tried(r->j, nest->cycles[c].header))
      continue;
    *tried(r->j, nest->cycles[c].header) = true;
    if (!peel(r, c))
      continue;
    left--;
    end = nest->cycles[c].last + 1;
  }
  return left;
}

static bool copy_some(Job *j, SrArena *scratch, const SrNest *nest, const SrFlowGraph *flow) {
  Round r = {.j = j, .scratch = scratch, .flow = flow};
  r.tails = sr_tails_new(&j->arena, scratch, &j->c, nest, j->growth.fixed);
  if ((j->phase == PEELS ? peel_cycles(&r, j->rows) : copy_rows(&r, j->rows)) == j->rows)
    return false;
  sr_tails_finish(&r.tails);
  return true;
}

/* Did the round, which copied this many instructions, save something? With goal ISSUES, each saved
 * block may cost one tail. */
static bool saves(const Job *j, const SrAdded *before, const SrAdded *after, uint64_t copied) {
  if (j->options->goal == SR_GOAL_ISSUES)
    return after->issues < before->issues && (before->issues - after->issues) * j->most >= copied;
  uint64_t size = after->size + copied;
  return size < before->size || (size == before->size && after->issues < before->issues);
}

/* Undoes a round: the state was as in *before. */
static void undo(Job *j, const Job *before) {
  SrCopyGraph c = before->c;
  c.block = j->c.block; /* the array may have moved */
  c.block.count = before->c.block.count;
  j->c = c;
  j->growth = before->growth;
  j->copies = before->copies;
  j->peels = before->peels;
}

/* Returns whether there was something to copy. */
static bool run_round(Job *j, SrArena *scratch) {
  const Job old = *j;
  const SrNest *nest = sr_nest_build(scratch, j->c.graph);
  const SrFlowGraph *flow = sweep(j, scratch, nest);
  SrAdded before = sr_added(scratch, flow, nest);
  if (!copy_some(j, scratch, nest, flow))
    return false;
  nest = sr_nest_build(scratch, j->c.graph);
  SrAdded after = sr_added(scratch, sweep(j, scratch, nest), nest);
  if (!saves(j, &before, &after, j->growth.copied - old.growth.copied))
    undo(j, &old);
  return true;
}

/* ---- options ---- */

/* Skips `word`, and a colon after it, if the text begins with `word` and then ends or has a
 * colon. */
static bool takes_word(const char **text, const char *word) {
  size_t n = strlen(word);
  if (strncmp(*text, word, n) != 0 || ((*text)[n] && (*text)[n] != ':'))
    return false;
  *text += n + ((*text)[n] == ':');
  return true;
}

/* The number, and the goal after it. */
static bool read_size(const char **text, SrTailOptions *options) {
  char *end;
  unsigned long long most = strtoull(*text, &end, 10);
  if (most > UINT32_MAX || (*end && *end != ':'))
    return false;
  options->most = (uint32_t)most;
  *text = end + (*end == ':');
  options->goal = takes_word(text, "issues") ? SR_GOAL_ISSUES
                  : takes_word(text, "size") ? SR_GOAL_SIZE
                                             : SR_GOAL_NONE;
  return true;
}

bool sr_tail_options_read(const char *text, SrTailOptions *options) {
  if (!*text || (*text >= '0' && *text <= '9' && !read_size(&text, options)))
    return false;
  if (takes_word(&text, "portable"))
    options->structure = SR_STRUCTURE_PORTABLE;
  else if (takes_word(&text, "any"))
    options->structure = SR_STRUCTURE_ANY;
  return !*text && text[-1] != ':';
}

/* ---- all of it ---- */

static void say_limit(Job *j) {
  SrWhere where = {.function = sr_function_name(j->m, &j->arena, j->f), .word = SR_NONE};
  sr_notice(j->m->diag, where,
            "structurize copies no more code in place of guards: more than %u %% would be added; "
            "raise --max-growth",
            j->options->max_growth);
}

/* First all small copies are tried, then larger ones. */
static bool next_phase(Job *j) {
  j->tried.count = 0;
  if (j->phase != SINGLES) {
    j->phase++;
    return true;
  }
  bool more = j->most < j->options->most;
  j->phase = PEELS;
  j->most = j->options->most / STEP > j->most ? j->most * STEP : j->options->most;
  return more;
}

static SrStatus copy_tails(Job *j, const SrBits *cross_lane) {
  const SrGraph *g = sr_cfg_build(&j->arena, j->m, j->f);
  const SrBits *fixed = sr_cross_lane_blocks(&j->arena, j->m, j->f, cross_lane);
  j->c = sr_copy_graph_new(&j->arena, j->m, j->f, g);
  j->growth = sr_growth_new(j->m, j->f, &j->arena, j->options->max_growth, j->c.size, fixed);
  uint32_t rounds = WORK / g->count > LEAST_ROUNDS ? WORK / g->count : LEAST_ROUNDS;
  bool more = true;
  j->rows = g->count / rounds + 1;
  j->most = j->options->most < FIRST_TAIL ? j->options->most : FIRST_TAIL;
  for (uint32_t round = 0; more && round < rounds; round++) {
    SrArena scratch = sr_arena_new(j->arena.heap);
    more = run_round(j, &scratch) || next_phase(j);
    sr_arena_free(&scratch);
  }
  if (j->limited)
    say_limit(j);
  if (j->c.graph->count == g->count)
    return SR_OK;
  j->counts->forward_copies += j->copies;
  j->counts->backward_copies += j->peels;
  const SrCopyPlan *plan = sr_copy_plan_of(&j->arena, g, j->c.graph, j->c.block.at);
  return sr_copy_blocks(j->m, j->f, &j->arena, plan, j->counts);
}

SrStatus sr_copy_tails(SrModule *m, SrFunction *f, const SrBits *cross_lane,
                       const SrTailOptions *options, SrTransformCounts *counts) {
  Job j = {
      .m = m, .f = f, .arena = sr_arena_new(m->arena->heap), .options = options, .counts = counts};
  SrStatus status = copy_tails(&j, cross_lane);
  sr_arena_free(&j.arena);
  return status;
}
