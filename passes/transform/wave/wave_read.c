/* SPDX-License-Identifier: Apache-2.0 */
/* wave_read: see wave_read.h. It reads line by line; labels may be used before they are defined. */
#include "passes/transform/wave/wave_read.h"

#include "passes/analysis/graph/cycle.h"
#include "passes/base/map.h"
#include "passes/transform/wave/wave_print.h"

#include <stdlib.h>

enum { MAX_MASK = 1 << 24 };

typedef struct Reader {
  const SrModule *m;
  const SrUniform *u;
  SrWave *wave;
  SrArena *scratch;
  const char *next; /* the rest of the text */
  char *line;       /* the current line: without comment, with single blanks, none at its ends */
  const char *at;   /* the rest of it */
  uint32_t number;
  uint32_t *function_of;        /* by id of a block */
  uint32_t *index_of;           /* by id of a function */
  SrMap labels[SR_WAVE_LABELS]; /* by id: index */
  uint32_t last_body;           /* SR_NONE, or its index */
  bool failed;
} Reader;

/* ---- words ---- */

static bool fail(Reader *r, const char *what) {
  if (!r->failed && sr_fail(r->m->diag, SR_BAD_INPUT, SR_NOWHERE, "wave listing, line %u: %s",
                            r->number, what) != SR_OK)
    r->failed = true;
  return false;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/* The next line that is not empty; false at the end. */
static bool next_line(Reader *r) {
  while (*r->next) {
    const char *end = strchr(r->next, '\n');
    size_t length = end ? (size_t)(end - r->next) : strlen(r->next), used = 0;
    char *line = SR_NEW(r->scratch, char, length + 1);
    for (size_t i = 0; i < length && r->next[i] != ';'; i++)
      if (!is_blank(r->next[i]))
        line[used++] = r->next[i];
      else if (used && line[used - 1] != ' ')
        line[used++] = ' ';
    line[used -= used && line[used - 1] == ' '] = 0;
    r->next += length + (end != NULL);
    r->number++;
    r->at = r->line = line;
    if (used)
      return true;
  }
  return false;
}

static bool take(Reader *r, const char *word) {
  size_t length = strlen(word);
  if (strncmp(r->at, word, length) != 0)
    return false;
  r->at += length;
  return true;
}

static bool expect(Reader *r, const char *word) {
  return take(r, word) || fail(r, "a word is missing or wrong");
}

static bool number(Reader *r, uint32_t *value) {
  char *end;
  unsigned long long n = strtoull(r->at, &end, 10);
  if (*r->at < '0' || *r->at > '9' || n >= SR_NONE)
    return fail(r, "a number is missing or too large");
  *value = (uint32_t)n;
  r->at = end;
  return true;
}

static bool line_end(Reader *r) {
  return !*r->at || fail(r, "there is text after the instruction");
}

/* ---- labels ---- */

/* Reads a label: @12, @flow12, @end3, @function3. */
static bool label(Reader *r, uint32_t *index) {
  static const char *const kinds[SR_WAVE_LABELS] = {"", "flow", "end", "function"};
  uint32_t id, kind = SR_WAVE_LABELS;
  if (!take(r, "@"))
    return fail(r, "a label is missing, such as @12");
  while (!take(r, kinds[--kind])) {
  }
  if (!number(r, &id))
    return false;
  SrMap *map = &r->labels[kind];
  *index = sr_map_get(map, id);
  if (*index == SR_NONE) {
    *index = r->wave->labels.count;
    SR_PUSH(r->wave->arena, &r->wave->labels,
            (SrWaveLabel){.id = id, .place = SR_NONE, .kind = (uint8_t)kind});
    sr_map_set(map, id, *index);
  }
  return true;
}

static bool start_function(Reader *r, uint32_t id) {
  if (id >= sr_bound(r->m) || r->index_of[id] == SR_NONE)
    return fail(r, "the module has no such function");
  SR_PUSH(r->wave->arena, &r->wave->functions,
          (SrWaveFunction){.index = r->index_of[id], .first = r->wave->code.count});
  return true;
}

static bool define_label(Reader *r) {
  uint32_t index;
  if (!label(r, &index) || !expect(r, ":") || !line_end(r))
    return false;
  SrWaveLabel *l = &r->wave->labels.at[index];
  if (l->place != SR_NONE)
    return fail(r, "the label is defined already");
  l->place = r->wave->code.count;
  return l->kind != SR_WAVE_AT_FUNCTION || start_function(r, l->id);
}

/* ---- bodies ---- */

/* Finds the first and last instruction of a part of a block; continues after the part before, if
 * that is the last body. */
static bool find_part(Reader *r, SrWaveInst *i) {
  if (i->block >= sr_bound(r->m) || r->function_of[i->block] == SR_NONE)
    return fail(r, "the module has no such block");
  const SrBlock *b = &r->m->functions[r->function_of[i->block]].blocks[sr_block_of(r->m, i->block)];
  const SrWaveInst *before = r->last_body == SR_NONE ? NULL : &r->wave->code.at[r->last_body];
  uint32_t part = 0;
  i->first = b->list.first;
  if (before && before->block == i->block && before->part < i->part) {
    part = before->part + 1;
    i->first = sr_inst(r->m, before->last)->next;
  }
  for (SrRef at = i->first; at != SR_NONE; at = sr_inst(r->m, at)->next) {
    if (sr_inst(r->m, at)->op != SpvOpFunctionCall && at != b->list.last)
      continue;
    i->last = at;
    if (part++ == i->part)
      return true;
    i->first = sr_inst(r->m, at)->next;
  }
  return fail(r, "the block has no such part");
}

static bool is_line(Reader *r, SrText *want) {
  const char *a = r->line, *b = sr_text_end(want);
  for (; *a && *b; a++, b++) {
    if (*a != *b)
      return false;
    while (*b == ' ' && b[1] == ' ')
      b++;
  }
  return !*a && !*b;
}

/* Reads the module's own lines, which must follow the directive. */
static bool own_lines(Reader *r, const SrWaveInst *i) {
  for (SrRef at = i->first; at != i->last; at = sr_inst(r->m, at)->next) {
    SrWaveUnit unit = sr_wave_unit(r->m, r->u, at);
    if (unit == SR_WAVE_NO_UNIT)
      continue;
    SrText want = {.arena = r->scratch};
    sr_wave_put_inst(&want, r->m, at, unit);
    if (!next_line(r) || !is_line(r, &want))
      return fail(r, "the module's own instructions cannot be edited");
  }
  return true;
}

static bool is_target(const Reader *r, SrRef terminator, uint32_t id) {
  for (uint32_t i = 0; (i = sr_next_target(r->m, terminator, i));)
    if (sr_words(r->m, terminator)[i] == id)
      return true;
  return false;
}

/* Reads `.vcc %22, @30` or `.scc %22, @14`; the choice between them, and .vcc's target, may be
 * edited. */
static bool condition(Reader *r, SrWaveInst *i) {
  Reader before = *r;
  bool more = next_line(r), vcc = more && take(r, ".vcc");
  if (!vcc && !sr_wave_has_condition(r->m, i)) { /* keeps the line for the next reader */
    r->next = before.next;
    r->number = before.number;
    return true;
  }
  if (vcc) {
    const char *at = strchr(r->line, '@');
    r->at = at ? at + 1 : "";
    if (!number(r, &i->primary) || !line_end(r))
      return false;
    if (!is_target(r, i->last, i->primary))
      return fail(r, "the branch has no such target");
  }
  SrText want = {.arena = r->scratch};
  sr_wave_put_condition(&want, r->m, i);
  return (more && is_line(r, &want)) || fail(r, "this is not the condition of the block's branch");
}

static bool body(Reader *r, SrWaveInst *i) {
  if (!expect(r, " %") || !number(r, &i->block) || (take(r, ", ") && !number(r, &i->part)) ||
      !line_end(r) || !find_part(r, i))
    return false;
  return own_lines(r, i) && condition(r, i);
}

/* ---- mask instructions and branches ---- */

static bool mask(Reader *r, uint32_t *operand) {
  uint32_t low = 0, high = 0;
  *operand = SR_WAVE_ZERO;
  if (take(r, "0"))
    return true;
  *operand = SR_WAVE_EXEC;
  if (take(r, "exec"))
    return true;
  *operand = SR_WAVE_VCC;
  if (take(r, "vcc"))
    return true;
  if (!take(r, "s[") || !number(r, &low) || !expect(r, ":") || !number(r, &high) || !expect(r, "]"))
    return fail(r, "an operand is wrong: exec, vcc, 0, or a pair of registers such as s[0:1]");
  if (low % 2 || high != low + 1 || low / 2 >= MAX_MASK)
    return fail(r, "masks are pairs of registers that begin with an even one, such as s[0:1]");
  *operand = low / 2;
  if (r->wave->masks <= *operand)
    r->wave->masks = *operand + 1;
  return true;
}

static bool mask_inst(Reader *r, SrWaveInst *i) {
  if (!expect(r, " ") || !mask(r, &i->dst) || !expect(r, ", ") || !mask(r, &i->a))
    return false;
  if (i->dst == SR_WAVE_ZERO)
    return fail(r, "0 cannot be written");
  return i->op == SR_WAVE_MOV || (expect(r, ", ") && mask(r, &i->b));
}

/* Reads the table's selector, which must be the last body's. */
static bool selector(Reader *r, uint32_t *targets) {
  const SrWaveInst *b = r->last_body == SR_NONE ? NULL : &r->wave->code.at[r->last_body];
  uint32_t id;
  if (!b || sr_inst(r->m, b->last)->op != SpvOpSwitch)
    return fail(r, "a table follows a block that ends in OpSwitch");
  if (!expect(r, "%") || !number(r, &id))
    return false;
  if (id != sr_words(r->m, b->last)[1])
    return fail(r, "the table's selector is not the one of the block before");
  SrMap seen = {.arena = r->scratch};
  *targets = 0;
  for (uint32_t i = 0; (i = sr_next_target(r->m, b->last, i));) {
    uint32_t to = sr_words(r->m, b->last)[i];
    *targets += sr_map_get(&seen, to) == SR_NONE;
    sr_map_set(&seen, to, 0);
  }
  return true;
}

static bool branch(Reader *r, SrWaveInst *i) {
  uint32_t wanted = i->op == SR_WAVE_RETURN || i->op == SR_WAVE_END ? 0 : 1;
  i->target = r->wave->targets.count;
  if (i->op == SR_WAVE_END)
    return true;
  if (!expect(r, " "))
    return false;
  if (i->op == SR_WAVE_TABLE && !selector(r, &wanted))
    return false;
  if ((i->op == SR_WAVE_CALL || i->op == SR_WAVE_RETURN) && !expect(r, "ret"))
    return false;
  for (; i->count < wanted; i->count++) {
    uint32_t to;
    bool first = i->count == 0 && i->op != SR_WAVE_TABLE && i->op != SR_WAVE_CALL;
    if ((!first && !expect(r, ", ")) || !label(r, &to))
      return false;
    SR_PUSH(r->wave->arena, &r->wave->targets, to);
  }
  return true;
}

static bool instruction(Reader *r) {
  size_t length = strcspn(r->line, " ");
  for (uint32_t op = 0; op < SR_WAVE_OPS; op++) {
    const char *name = sr_wave_mnemonic((SrWaveOp)op);
    if (strlen(name) != length || memcmp(name, r->line, length) != 0)
      continue;
    SrWaveInst i = {.op = (uint8_t)op, .line = r->number};
    r->at += length;
    bool good = op == SR_WAVE_BODY       ? body(r, &i)
                : sr_wave_is_mask_op(&i) ? mask_inst(r, &i) && line_end(r)
                                         : branch(r, &i) && line_end(r);
    if (op == SR_WAVE_BODY)
      r->last_body = r->wave->code.count;
    SR_PUSH(r->wave->arena, &r->wave->code, i);
    return good;
  }
  return fail(r, "there is no such instruction here");
}

/* ---- all of it ---- */

static bool check_labels(Reader *r) {
  const SrWave *w = r->wave;
  for (uint32_t i = 0; i < w->code.count; i++)
    for (uint32_t t = 0; t < w->code.at[i].count; t++) {
      const SrWaveLabel *l = &w->labels.at[w->targets.at[w->code.at[i].target + t]];
      r->number = w->code.at[i].line;
      if (l->place == SR_NONE)
        return fail(r, "the label that it leads to is not defined");
      if (l->place == w->code.count)
        return fail(r, "the label that it leads to is at the end of the program");
    }
  if (!w->code.count || !sr_wave_ends_flow(&SR_LAST(&w->code)))
    return fail(r, "the program runs past its end");
  return true;
}

/* Can a call return without running a block of the module? */
static bool check_calls(Reader *r, const SrGraph *g) {
  const SrWave *w = r->wave;
  SrBits *seen = sr_bits_new(r->scratch, g->count);
  SR_VEC(uint32_t) work = {0};
  for (uint32_t i = 0; i < w->code.count; i++)
    if (w->code.at[i].op == SR_WAVE_CALL)
      SR_PUSH(r->scratch, &work, w->labels.at[w->targets.at[w->code.at[i].target]].place + 1);
  while (work.count) {
    uint32_t x = SR_POP(&work);
    if (sr_bit(seen, x))
      continue;
    sr_bit_set(seen, x);
    if (w->code.at[x - 1].op == SR_WAVE_RETURN) {
      r->number = w->code.at[x - 1].line;
      return fail(r, "a call returns here that has run no block of the module");
    }
    for (SR_SUCCS(t, g, x))
      SR_PUSH(r->scratch, &work, *t);
  }
  return true;
}

/* Checks that the graph of the instructions, without the edges out of bodies, has no cycles (one
 * more node leads to every instruction). Then control runs at most the length of the program
 * between two bodies, so --max-issues, which counts bodies, bounds a run. */
static bool check_cycles(Reader *r) {
  const SrWave *w = r->wave;
  SR_VEC(SrEdge) edges = {0};
  for (uint32_t i = 0; i < w->code.count; i++) {
    const SrWaveInst *in = &w->code.at[i];
    SR_PUSH(r->scratch, &edges, (SrEdge){0, i + 1});
    for (uint32_t t = 0; t < in->count; t++)
      SR_PUSH(r->scratch, &edges,
              (SrEdge){i + 1, w->labels.at[w->targets.at[in->target + t]].place + 1});
    if (in->op != SR_WAVE_BODY && !sr_wave_ends_flow(in))
      SR_PUSH(r->scratch, &edges, (SrEdge){i + 1, i + 2});
  }
  const SrGraph *g = sr_graph_new(r->scratch, w->code.count + 1, edges.at, edges.count);
  const SrNest *nest = sr_nest_build(r->scratch, g);
  if (!nest->cycle_count)
    return check_calls(r, g);
  r->number = w->code.at[nest->cycles[0].header - 1].line;
  return fail(r, "a cycle that contains no block of the module");
}

static void index_module(Reader *r) {
  const SrModule *m = r->m;
  r->function_of = sr_new_none(r->scratch, sr_bound(m));
  r->index_of = sr_new_none(r->scratch, sr_bound(m));
  for (uint32_t f = 0; f < m->function_count; f++) {
    r->index_of[m->functions[f].id] = f;
    for (uint32_t b = 0; b < m->functions[f].block_count; b++)
      r->function_of[m->functions[f].blocks[b].id] = f;
  }
}

static bool read_lines(Reader *r) {
  SrMark mark = sr_arena_mark(r->scratch);
  while (next_line(r)) {
    if (!(*r->line == '@' ? define_label(r) : instruction(r)))
      return false;
    sr_arena_reset(r->scratch, mark);
  }
  return true;
}

SrStatus sr_wave_read(SrArena *arena, const SrModule *m, const SrUniform *u, const char *text,
                      SrWave **wave) {
  SrArena scratch = sr_arena_new(arena->heap), maps = sr_arena_new(arena->heap);
  *wave = SR_NEW(arena, SrWave, 1);
  (*wave)->arena = arena;
  Reader r = {
      .m = m, .u = u, .wave = *wave, .scratch = &scratch, .next = text, .last_body = SR_NONE};
  for (uint32_t kind = 0; kind < SR_WAVE_LABELS; kind++)
    r.labels[kind].arena = &maps;
  index_module(&r);
  bool good = read_lines(&r) && check_labels(&r) && check_cycles(&r);
  sr_arena_free(&scratch);
  sr_arena_free(&maps);
  return good ? SR_OK : SR_BAD_INPUT;
}
