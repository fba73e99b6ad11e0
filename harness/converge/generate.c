/* SPDX-License-Identifier: Apache-2.0 */
/* generate: see generate.h.
 *
 * Statements nest at random until a budget is used up; an observation follows every statement and
 * begins most blocks, so that each change of a tangle is seen. A jump is the last statement of its
 * block, nearly always inside an `if`. A program whose lanes would observe too often is replaced by
 * the next one from the same random numbers.
 *
 * Loops that elect lanes observe in each iteration only where the set of lanes is exact: in mode
 * maximal, in main, outside of switches. Elsewhere the number of iterations may depend on the
 * device, so only the elected lane observes. */
#include "harness/converge/generate.h"

#include "spv-emu/cases/random.h"

enum { MOST_BUDGET = 40, LEAST_BUDGET = 8 };

typedef struct Generator {
  CvProgram *p;
  uint64_t state;
  uint32_t budget, depth, function;
  uint32_t loops; /* around the statement, in its function */
  bool in_switch, may_break, may_continue;
  CvMode mode;
} Generator;

static uint32_t below(Generator *g, uint32_t limit) {
  return (uint32_t)(emu_random(&g->state) >> 32) % limit;
}

static bool percent(Generator *g, uint32_t of_hundred) {
  return below(g, 100) < of_hundred;
}

/* ---- blocks ---- */

typedef struct Block {
  uint32_t first, last;
} Block;

/* CV_NONE: the program is full. */
static uint32_t append(Generator *g, Block *block, CvStatement statement) {
  CvProgram *p = g->p;
  if (p->count == CV_STATEMENTS)
    return CV_NONE;
  uint32_t at = p->count++;
  p->at[at] = statement;
  p->at[at].next = CV_NONE;
  if (block->first == CV_NONE)
    block->first = at;
  else
    p->at[block->last].next = at;
  block->last = at;
  return at;
}

static uint8_t some_tell(Generator *g) {
  return percent(g, 60) ? CV_BALLOT : (uint8_t)below(g, CV_TELLS);
}

/* Half of the conditions in modes other than maximal are the same for all lanes: only then is much
 * of the flow uniform. */
static uint8_t some_row(Generator *g) {
  uint32_t same = g->mode == CV_MAXIMAL ? 15 : 50;
  if (!percent(g, same))
    return (uint8_t)(CV_SPLIT + below(g, CV_ROWS - CV_SPLIT));
  return (uint8_t)below(g, g->mode == CV_UNIFORM ? CV_SPLIT : 4);
}

static void add_tell(Generator *g, Block *block) {
  append(g, block, (CvStatement){.kind = CV_TELL, .tell = some_tell(g), .row = some_row(g)});
}

static uint32_t some_block(Generator *g, bool jumps);

/* ---- statements ---- */

static CvStatement with_parts(CvKind kind) {
  return (CvStatement){.kind = (uint8_t)kind, .parts = {CV_NONE, CV_NONE, CV_NONE, CV_NONE}};
}

static void add_if(Generator *g, Block *block) {
  CvStatement s = with_parts(CV_IF);
  s.row = some_row(g);
  s.counter = g->loops && s.row >= CV_SPLIT && percent(g, 60);
  s.parts[0] = some_block(g, true);
  if (percent(g, 45))
    s.parts[1] = some_block(g, true);
  append(g, block, s);
}

static void add_loop(Generator *g, Block *block) {
  Generator outer = *g;
  CvStatement s = with_parts(CV_LOOP);
  s.row = some_row(g);
  s.loop = (uint8_t)below(g, CV_LOOPS);
  s.tells = s.loop != CV_DO && percent(g, 50);
  s.tell = some_tell(g);
  g->loops++;
  g->may_break = g->may_continue = true;
  s.parts[0] = some_block(g, false);
  g->loops = outer.loops;
  g->may_break = outer.may_break;
  g->may_continue = outer.may_continue;
  append(g, block, s);
}

static void add_switch(Generator *g, Block *block) {
  Generator outer = *g;
  CvStatement s = with_parts(CV_SWITCH);
  s.row = some_row(g);
  s.cases = (uint8_t)(2 + below(g, CV_PARTS - 1));
  s.has_other = percent(g, 50);
  g->in_switch = g->may_break = true;
  for (uint32_t i = 0; i < s.cases; i++) {
    if (i + 1u < s.cases && percent(g, 35))
      s.falls |= (uint8_t)(1u << i);
    if (!(s.falls >> i & 1) || percent(g, 70))
      s.parts[i] = some_block(g, true);
  }
  g->in_switch = outer.in_switch;
  g->may_break = outer.may_break;
  append(g, block, s);
}

static void add_elect(Generator *g, Block *block) {
  Generator outer = *g;
  CvStatement s = with_parts(CV_ELECT);
  bool exact = g->mode == CV_MAXIMAL && !g->in_switch && g->function + 1 == g->p->function_count;
  g->may_continue = false;
  g->may_break = true;
  g->in_switch = true; /* no elect loop that observes inside */
  s.parts[0] = some_block(g, false);
  if (exact && percent(g, 60))
    s.parts[1] = some_block(g, false);
  g->may_continue = outer.may_continue;
  g->may_break = outer.may_break;
  g->in_switch = outer.in_switch;
  append(g, block, s);
}

static void add_call(Generator *g, Block *block) {
  append(g, block, (CvStatement){.kind = CV_CALL, .callee = (uint8_t)below(g, g->function)});
}

static void add_jump(Generator *g, Block *block) {
  CvKind jumps[3];
  uint32_t count = 0;
  if (g->may_break)
    jumps[count++] = CV_BREAK;
  if (g->may_continue)
    jumps[count++] = CV_CONTINUE;
  if (percent(g, 40))
    jumps[count++] = CV_RETURN;
  if (count)
    append(g, block, with_parts(jumps[below(g, count)]));
}

static void add_statement(Generator *g, Block *block) {
  uint32_t kind = below(g, 100);
  if (g->budget)
    g->budget--;
  if (g->depth >= CV_DEPTH || !g->budget)
    return;
  if (kind < 45)
    add_if(g, block);
  else if (kind < 70)
    add_loop(g, block);
  else if (kind < 80)
    add_switch(g, block);
  else if (kind < 87)
    add_elect(g, block);
  else if (g->function)
    add_call(g, block);
}

/* `jumps`: the block may end with a jump. */
static uint32_t some_block(Generator *g, bool jumps) {
  Block block = {CV_NONE, CV_NONE};
  g->depth++;
  if (percent(g, 80))
    add_tell(g, &block);
  for (uint32_t i = 1 + below(g, 2); i && g->budget; i--) {
    add_statement(g, &block);
    add_tell(g, &block);
  }
  if (jumps && percent(g, 45))
    add_jump(g, &block);
  g->depth--;
  return block.first;
}

static void one_program(Generator *g) {
  *g->p = (CvProgram){.function_count = 1 + below(g, CV_FUNCTIONS - 1)};
  for (uint32_t f = 0; f < g->p->function_count; f++) {
    bool last = f + 1 == g->p->function_count;
    Block block = {CV_NONE, CV_NONE};
    g->function = f;
    g->budget = last ? LEAST_BUDGET + below(g, MOST_BUDGET - LEAST_BUDGET) : 2 + below(g, 6);
    add_tell(g, &block);
    for (uint32_t i = last ? 6 : 2; i && g->budget; i--) {
      add_statement(g, &block);
      add_tell(g, &block);
    }
    g->p->functions[f] = block.first;
  }
  cv_tidy(g->p);
}

/* Ends: most programs are short enough. */
void cv_generate(uint64_t seed, CvMode mode, bool two_exits, CvProgram *program) {
  Generator g = {.p = program, .state = seed * 3 + mode, .mode = mode};
  bool fits = false;
  while (!fits) {
    one_program(&g);
    fits = program->count < CV_STATEMENTS && cv_model_fits(program);
  }
  program->two_exits = two_exits;
}
