/* SPDX-License-Identifier: Apache-2.0 */
/* wave_print: see wave_print.h. */
#include "passes/transform/wave/wave_print.h"
#include "passes/ir/integer.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>

typedef struct Print {
  SrText out;
  const SrModule *m;
  const SrUniform *u;
  const SrWave *w;
  uint32_t *next_label; /* by label: the next at the same place */
  uint32_t *label_at;   /* by place: the first label, or SR_NONE */
} Print;

/* ---- instructions of the module ---- */

static void put_float(SrText *out, const uint32_t *w, uint32_t width) {
  double value = 0;
  if (width == 64) {
    memcpy(&value, w, sizeof value);
  } else {
    float single;
    memcpy(&single, w, sizeof single);
    value = (double)single;
  }
  sr_text_add(out, value == floor(value) && fabs(value) < 1e9 ? "%.1f" : "%.17g", value);
}

/* Writes a number by its type; false if it is too wide. */
static bool put_integer(SrText *out, const SrModule *m, uint32_t type, const uint32_t *words) {
  SrInteger i;
  if (!sr_integer_read(m, type, words, &i))
    return false;
  if (i.is_signed)
    sr_text_add(out, "%" PRId64, sr_integer_signed(i));
  else
    sr_text_add(out, "%" PRIu64, i.bits);
  return true;
}

/* Writes a constant by its value, since a register would not help the reader. */
static bool put_constant(SrText *out, const SrModule *m, uint32_t id) {
  SrRef r = sr_def(m, id);
  if (r == SR_NONE)
    return false;
  const uint32_t *w = sr_words(m, r);
  switch (sr_inst(m, r)->op) {
  case SpvOpConstantTrue:
  case SpvOpConstantFalse:
    sr_text_add(out, "%s", sr_inst(m, r)->op == SpvOpConstantTrue ? "true" : "false");
    return true;
  case SpvOpConstantNull:
    sr_text_add(out, "null");
    return true;
  case SpvOpConstant:
    break;
  default:
    return false;
  }
  const uint32_t *type = sr_words(m, sr_def(m, w[1]));
  bool is_float = sr_def_op(m, w[1]) == SpvOpTypeFloat;
  if (is_float && type[2] < 32)
    return false;
  if (is_float)
    put_float(out, w + 3, type[2]);
  else
    return put_integer(out, m, w[1], w + 3);
  return true;
}

static void put_operand(SrText *out, const SrModule *m, uint32_t word, bool is_id) {
  if (!is_id)
    sr_text_add(out, "%u", word);
  else if (!put_constant(out, m, word))
    sr_text_add(out, "%%%u", word);
}

static void put_name(SrText *out, const char *name) {
  sr_text_add(out, "%-15s", name);
}

void sr_wave_put_inst(SrText *out, const SrModule *m, SrRef r, SrWaveUnit unit) {
  const SrInst *in = sr_inst(m, r);
  SrText name = {.arena = out->arena};
  sr_wave_name(&name, m, r, unit);
  put_name(out, sr_text_end(&name));
  const char *between = " ";
  if (in->result) {
    sr_text_add(out, " %%%u", in->result);
    between = ", ";
  }
  uint32_t first = in->op == SpvOpExtInst ? 5 : in->first; /* words 3 and 4 are in its name */
  for (uint32_t i = first; i < sr_word_count(m, r); i++, between = ", ") {
    sr_text_add(out, "%s", between);
    put_operand(out, m, sr_words(m, r)[i], sr_word_is_id(m, r, i));
  }
}

bool sr_wave_has_condition(const SrModule *m, const SrWaveInst *body) {
  uint16_t op = sr_inst(m, body->last)->op;
  const uint32_t *w = sr_words(m, body->last);
  return op == SpvOpSwitch ? body->primary != 0 : op == SpvOpBranchConditional && w[2] != w[3];
}

void sr_wave_put_condition(SrText *out, const SrModule *m, const SrWaveInst *body) {
  const uint32_t *w = sr_words(m, body->last);
  put_name(out, body->primary ? ".vcc" : ".scc");
  sr_text_add(out, " ");
  put_operand(out, m, w[1], true);
  sr_text_add(out, ", @%u", body->primary ? body->primary : w[2]);
}

/* ---- instructions of the program ---- */

const char *sr_wave_mnemonic(SrWaveOp op) {
  static const char *const names[SR_WAVE_OPS] = {
      [SR_WAVE_BODY] = ".block",
      [SR_WAVE_MOV] = "s_mov_b64",
      [SR_WAVE_AND] = "s_and_b64",
      [SR_WAVE_ANDN2] = "s_andn2_b64",
      [SR_WAVE_OR] = "s_or_b64",
      [SR_WAVE_EXECZ] = "s_cbranch_execz",
      [SR_WAVE_EXECNZ] = "s_cbranch_execnz",
      [SR_WAVE_SCC0] = "s_cbranch_scc0",
      [SR_WAVE_SCC1] = "s_cbranch_scc1",
      [SR_WAVE_BRANCH] = "s_branch",
      [SR_WAVE_TABLE] = "s_branch_table",
      [SR_WAVE_CALL] = "s_swappc_b64",
      [SR_WAVE_RETURN] = "s_setpc_b64",
      [SR_WAVE_END] = "s_endpgm",
  };
  return names[op];
}

void sr_wave_put_label(SrText *out, const SrWaveLabel *label) {
  static const char *const kinds[SR_WAVE_LABELS] = {"", "flow", "end", "function"};
  sr_text_add(out, "@%s%u", kinds[label->kind], label->id);
}

static void put_mask(SrText *out, uint32_t operand) {
  if (operand == SR_WAVE_EXEC)
    sr_text_add(out, "exec");
  else if (operand == SR_WAVE_VCC)
    sr_text_add(out, "vcc");
  else if (operand == SR_WAVE_ZERO)
    sr_text_add(out, "0");
  else
    sr_text_add(out, "s[%u:%u]", 2 * operand, 2 * operand + 1);
}

static void put_mask_inst(SrText *out, const SrWaveInst *i) {
  put_name(out, sr_wave_mnemonic((SrWaveOp)i->op));
  sr_text_add(out, " ");
  put_mask(out, i->dst);
  sr_text_add(out, ", ");
  put_mask(out, i->a);
  if (i->op != SR_WAVE_MOV) {
    sr_text_add(out, ", ");
    put_mask(out, i->b);
  }
}

/* The body that precedes a branch. */
static uint32_t body_before(const Print *p, uint32_t place) {
  while (place > 0 && p->w->code.at[place].op != SR_WAVE_BODY)
    place--;
  return place;
}

/* Writes the values of a table's cases as a remark: `; 7 @30, 9 @31`. */
static void put_cases(Print *p, uint32_t place) {
  SrRef r = p->w->code.at[body_before(p, place)].last;
  const uint32_t *w = sr_words(p->m, r);
  const char *between = "  ; ";
  uint32_t type = sr_inst(p->m, sr_def(p->m, w[1]))->type, before = 2;
  for (uint32_t i = before; (i = sr_next_target(p->m, r, i)); before = i, between = ", ") {
    sr_text_add(&p->out, "%s", between);
    put_integer(&p->out, p->m, type, &w[before + 1]);
    sr_text_add(&p->out, " @%u", w[i]);
  }
}

static void put_branch(Print *p, uint32_t place) {
  const SrWaveInst *i = &p->w->code.at[place];
  SrText *out = &p->out;
  const char *between = " ";
  if (i->op == SR_WAVE_END) {
    sr_text_add(out, "%s", sr_wave_mnemonic(SR_WAVE_END));
    return;
  }
  put_name(out, sr_wave_mnemonic((SrWaveOp)i->op));
  if (i->op == SR_WAVE_CALL || i->op == SR_WAVE_RETURN || i->op == SR_WAVE_TABLE) {
    if (i->op == SR_WAVE_TABLE)
      sr_text_add(out, " %%%u", sr_words(p->m, p->w->code.at[body_before(p, place)].last)[1]);
    else
      sr_text_add(out, " ret");
    between = ", ";
  }
  for (uint32_t t = i->target; t < i->target + i->count; t++, between = ", ") {
    sr_text_add(out, "%s", between);
    sr_wave_put_label(out, &p->w->labels.at[p->w->targets.at[t]]);
  }
  if (i->op == SR_WAVE_TABLE)
    put_cases(p, place);
}

static void put_body(Print *p, const SrWaveInst *i) {
  sr_text_add(&p->out, "  ");
  put_name(&p->out, sr_wave_mnemonic(SR_WAVE_BODY));
  sr_text_add(&p->out, i->part ? " %%%u, %u\n" : " %%%u\n", i->block, i->part);
  for (SrRef r = i->first; r != i->last; r = sr_inst(p->m, r)->next) {
    SrWaveUnit unit = sr_wave_unit(p->m, p->u, r);
    if (unit == SR_WAVE_NO_UNIT)
      continue;
    sr_text_add(&p->out, "  ");
    sr_wave_put_inst(&p->out, p->m, r, unit);
    sr_text_add(&p->out, "\n");
  }
  if (sr_wave_has_condition(p->m, i)) {
    sr_text_add(&p->out, "  ");
    sr_wave_put_condition(&p->out, p->m, i);
    sr_text_add(&p->out, "\n");
  }
}

static void put_inst(Print *p, uint32_t place) {
  const SrWaveInst *i = &p->w->code.at[place];
  if (i->op == SR_WAVE_BODY) {
    put_body(p, i);
    return;
  }
  sr_text_add(&p->out, "  ");
  if (sr_wave_is_mask_op(i))
    put_mask_inst(&p->out, i);
  else
    put_branch(p, place);
  sr_text_add(&p->out, "\n");
}

/* ---- counts ---- */

typedef struct Counts {
  uint32_t vector, scalar;  /* of the module's instructions */
  uint32_t masks, branches; /* of the program's own */
} Counts;

static Counts count(const Print *p, uint32_t from, uint32_t to) {
  Counts c = {0};
  for (const SrWaveInst *i = &p->w->code.at[from]; i < &p->w->code.at[to]; i++) {
    c.masks += sr_wave_is_mask_op(i);
    c.branches += sr_wave_is_branch(i);
    if (i->op != SR_WAVE_BODY)
      continue;
    for (SrRef r = i->first; r != i->last; r = sr_inst(p->m, r)->next) {
      SrWaveUnit unit = sr_wave_unit(p->m, p->u, r);
      c.vector += unit == SR_WAVE_VECTOR;
      c.scalar += unit == SR_WAVE_SCALAR;
    }
  }
  return c;
}

/* ---- all of it ---- */

/* Writes a name of the module into a comment: on one line, whatever it contains. */
static void put_remark(SrText *out, const char *text) {
  sr_text_add(out, "; ");
  for (const char *c = text; *c; c++)
    sr_text_add(out, "%c", isprint((unsigned char)*c) ? *c : '?');
}

static void put_head(Print *p, uint32_t function) {
  const SrWaveFunction *f = &p->w->functions.at[function];
  uint32_t end = function + 1 < p->w->functions.count ? p->w->functions.at[function + 1].first
                                                      : p->w->code.count;
  Counts c = count(p, f->first, end);
  sr_text_add(&p->out, "%s", function ? "\n" : "");
  put_remark(&p->out, sr_function_name(p->m, p->out.arena, &p->m->functions[f->index]));
  sr_text_add(&p->out, ": %u vector, %u scalar, %u mask, %u branch instructions; ", c.vector,
              c.scalar, c.masks, c.branches);
  sr_text_add(&p->out, "%u rejoin mask%s, at most %u in use at once\n", f->masks,
              f->masks == 1 ? "" : "s", f->most_masks);
}

static void index_labels(Print *p, SrArena *scratch) {
  const SrWave *w = p->w;
  p->label_at = sr_new_none(scratch, (size_t)w->code.count + 1);
  p->next_label = sr_new_none(scratch, w->labels.count);
  for (uint32_t i = w->labels.count; i-- > 0;)
    if (w->labels.at[i].place != SR_NONE) {
      p->next_label[i] = p->label_at[w->labels.at[i].place];
      p->label_at[w->labels.at[i].place] = i;
    }
}

char *sr_wave_print(SrArena *arena, const SrModule *m, const SrUniform *u, const SrWave *w) {
  SrArena scratch = sr_arena_new(arena->heap);
  Print p = {.out = {.arena = arena}, .m = m, .u = u, .w = w};
  index_labels(&p, &scratch);
  for (uint32_t i = 0, f = 0; i < w->code.count; i++) {
    if (f < w->functions.count && w->functions.at[f].first == i)
      put_head(&p, f++);
    for (uint32_t l = p.label_at[i]; l != SR_NONE; l = p.next_label[l]) {
      sr_wave_put_label(&p.out, &w->labels.at[l]);
      sr_text_add(&p.out, ":\n");
    }
    put_inst(&p, i);
  }
  sr_arena_free(&scratch);
  return sr_text_end(&p.out);
}
