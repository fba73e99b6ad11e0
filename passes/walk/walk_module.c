/* SPDX-License-Identifier: Apache-2.0 */
/* walk_module: see walk_module.h. Each module-level id gets its value in one walk in module
 * order, since in SPIR-V definitions precede uses there. Structs are distinguished by their ids:
 * two with equal members are two types. */
#include "passes/walk/walk_module.h"

#include "passes/base/text.h"
#include "passes/ir/grammar.h"
#include "passes/ir/integer.h"
#include "passes/walk/walk_kind.h"

#include <string.h>

/* ---- values ---- */

static uint64_t hash_words(const SrWalkModule *c, SrRef r) {
  const SrModule *m = c->m;
  const uint32_t *w = sr_words(m, r);
  uint64_t h = sr_walk_mix(1, sr_inst(m, r)->op);
  for (uint32_t i = 1; i < w[0] >> 16; i++) {
    if (i == sr_inst(m, r)->first - 1u && sr_inst(m, r)->result)
      continue; /* the result id */
    h = sr_walk_mix(h, sr_word_is_id(m, r, i) ? c->value[w[i]].a : w[i]);
  }
  return h;
}

static SrWalkSplat splat_of(const SrWalkModule *c, SrRef r) {
  const uint32_t *w = sr_words(c->m, r);
  uint64_t first = c->value[w[3]].a;
  for (uint32_t i = 4; i < w[0] >> 16; i++)
    if (c->value[w[i]].a != first)
      return SR_SPLAT_NO;
  return first ? SR_SPLAT_TRUE : SR_SPLAT_FALSE;
}

/* Is it a number that is known only when the pipeline is created? */
static bool is_specialized(uint16_t op) {
  return op >= SpvOpSpecConstantTrue && op <= SpvOpSpecConstantOp;
}

static SrWalkValue global_value(const SrWalkModule *c, SrRef r) {
  const SrInst *in = sr_inst(c->m, r);
  unsigned width = sr_walk_width(c->m, in->type);
  SrInteger number;
  SrWalkValue v = {.a = sr_walk_mix(2, in->result), .epoch = SR_WALK_ALWAYS};
  switch (in->op) {
  case SpvOpConstantTrue:
  case SpvOpConstantFalse:
    v.a = in->op == SpvOpConstantTrue;
    break;
  case SpvOpConstant:
    v.a = width && sr_integer_constant(c->m, in->result, &number) ? number.bits : hash_words(c, r);
    break;
  case SpvOpConstantNull:
    v.a = width ? 0 : hash_words(c, r);
    if (sr_walk_is_bools(c->m, in->type))
      v.splat = SR_SPLAT_FALSE;
    break;
  case SpvOpConstantComposite:
    v.a = hash_words(c, r);
    if (sr_walk_is_bools(c->m, in->type))
      v.splat = splat_of(c, r);
    break;
  case SpvOpUndef:
    v.undefined = true;
    break;
  case SpvOpTypeStruct:
  case SpvOpTypeOpaque:
    break;
  default:
    if (in->op >= SpvOpTypeVoid && in->op <= SpvOpTypePipe)
      v.a = hash_words(c, r);
    break;
  }
  return v;
}

static void set_globals(SrWalkModule *c) {
  const SrModule *m = c->m;
  for (uint32_t i = 0; i < m->function_count; i++)
    c->value[m->functions[i].id] =
        (SrWalkValue){.a = sr_walk_mix(2, m->functions[i].id), .epoch = SR_WALK_ALWAYS};
  for (SR_EACH(m, r, m->globals)) {
    const SrInst *in = sr_inst(m, r);
    if (!in->result)
      continue;
    c->value[in->result] = global_value(c, r);
    if (is_specialized(in->op) && sr_walk_width(m, in->type))
      c->drawn_in[in->result] = 0;
  }
}

/* ---- decorations ---- */

static bool decorates(uint16_t op) {
  return op == SpvOpDecorate || op == SpvOpDecorateId || op == SpvOpDecorateString;
}

/* All words but the target. */
static uint64_t decoration_hash(const SrWalkModule *c, SrRef r) {
  const uint32_t *w = sr_words(c->m, r);
  uint64_t h = sr_walk_mix(3, sr_inst(c->m, r)->op);
  for (uint32_t i = 2; i < w[0] >> 16; i++)
    h = sr_walk_mix(h, sr_word_is_id(c->m, r, i) ? c->value[w[i]].a : w[i]);
  return h;
}

static void decorate(SrWalkModule *c, SrRef r) {
  const uint32_t *w = sr_words(c->m, r);
  c->decoration[w[1]] += decoration_hash(c, r);
  if (w[2] == SpvDecorationNonUniform)
    sr_bit_set(c->nonuniform, w[1]);
  if (w[2] == SpvDecorationVolatile)
    sr_bit_set(c->is_volatile, w[1]);
}

static void decorate_as(SrWalkModule *c, uint32_t group, uint32_t id) {
  c->decoration[id] += c->decoration[group];
  if (sr_bit(c->nonuniform, group))
    sr_bit_set(c->nonuniform, id);
  if (sr_bit(c->is_volatile, group))
    sr_bit_set(c->is_volatile, id);
}

/* Reads all decorations; those of a group precede the group's application. */
static void read_decorations(SrWalkModule *c) {
  const SrModule *m = c->m;
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *w = sr_words(m, r);
    if (decorates(sr_inst(m, r)->op))
      decorate(c, r);
    else if (sr_inst(m, r)->op == SpvOpGroupDecorate)
      for (uint32_t i = 2; i < w[0] >> 16; i++)
        decorate_as(c, w[1], w[i]);
  }
}

void sr_walk_module_init(SrArena *arena, const SrModule *m, SrWalkModule *c) {
  *c = (SrWalkModule){.m = m,
                      .value = SR_NEW(arena, SrWalkValue, sr_bound(m)),
                      .decoration = SR_NEW(arena, uint64_t, sr_bound(m)),
                      .nonuniform = sr_bits_new(arena, sr_bound(m)),
                      .is_volatile = sr_bits_new(arena, sr_bound(m)),
                      .drawn_in = sr_new_none(arena, sr_bound(m))};
  set_globals(c);
  read_decorations(c);
}

/* ---- the module level, compared ---- */

static bool same_words(const SrModule *before, SrRef a, const SrModule *after, SrRef b) {
  uint32_t count = sr_word_count(before, a);
  return count == sr_word_count(after, b) &&
         memcmp(sr_words(before, a), sr_words(after, b), count * sizeof(uint32_t)) == 0;
}

/* Do both apply the same group to the same ids, apart from removed and new ids? */
static bool same_group(const SrModule *before, SrRef a, const SrModule *after, SrRef b,
                       uint32_t own_from) {
  uint32_t count = sr_word_count(before, a), more = sr_word_count(after, b), i = 2, k = 2;
  const uint32_t *x = sr_words(before, a), *y = sr_words(after, b);
  if (sr_inst(before, a)->op != SpvOpGroupDecorate || sr_inst(after, b)->op != SpvOpGroupDecorate ||
      x[1] != y[1])
    return false;
  while (i < count || k < more) {
    if (i < count && k < more && x[i] == y[k]) {
      i++;
      k++;
    } else if (i < count && sr_def(after, x[i]) == SR_NONE) {
      i++;
    } else if (k < more && y[k] >= own_from) {
      k++;
    } else {
      return false;
    }
  }
  return true;
}

/* Are a and b the entry point of one kernel, b perhaps with more variables in its interface?
 * llvm-spirv leaves some out, and transforms add them. */
static bool same_entry(const SrModule *before, SrRef a, const SrModule *after, SrRef b) {
  uint32_t count = sr_word_count(before, a), more = sr_word_count(after, b);
  const uint32_t *x = sr_words(before, a), *y = sr_words(after, b);
  if (sr_inst(before, a)->op != SpvOpEntryPoint || sr_inst(after, b)->op != SpvOpEntryPoint ||
      x[1] != SpvExecutionModelKernel || more < count ||
      memcmp(x + 1, y + 1, (count - 1) * sizeof *x) != 0)
    return false;
  bool variables = true;
  for (uint32_t i = count; i < more; i++)
    variables = variables && sr_def_op(before, y[i]) == SpvOpVariable;
  return variables;
}

/* Does the instruction define an id that only the output has, or concern only such ids? */
static bool may_be_new(const SrModule *after, SrRef r, uint32_t own_from) {
  const SrInst *in = sr_inst(after, r);
  if (in->result)
    return in->result >= own_from;
  return (decorates(in->op) || in->op == SpvOpName) && sr_words(after, r)[1] >= own_from;
}

/* May the instruction be removed? Debug instructions may, and all that concern removed values. */
static bool may_go(const SrModule *before, const SrModule *after, SrRef r) {
  const SrInst *in = sr_inst(before, r);
  switch (in->op) {
  case SpvOpName:
  case SpvOpMemberName:
  case SpvOpSource:
  case SpvOpSourceContinued:
  case SpvOpSourceExtension:
  case SpvOpString:
  case SpvOpModuleProcessed:
  case SpvOpLine:
  case SpvOpNoLine:
  case SpvOpExtInstImport:
    return true;
  default:
    return in->nonsemantic ||
           (decorates(in->op) && sr_def(after, sr_words(before, r)[1]) == SR_NONE);
  }
}

static const char *line(SrArena *arena, const char *what, const SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  uint32_t id = in->result;
  for (uint32_t i = in->first; !id && i < sr_word_count(m, r); i++)
    if (sr_word_is_id(m, r, i))
      id = sr_words(m, r)[i];
  SrText t = {.arena = arena};
  sr_text_add(&t, "module level: Op%s", sr_grammar_name(in->op));
  if (id)
    sr_text_add(&t, " %%%u", id);
  sr_text_add(&t, " %s", what);
  return sr_text_end(&t);
}

void sr_walk_globals(SrArena *arena, const SrModule *before, const SrModule *after,
                     uint32_t own_from, const char **what) {
  SrRef a = before->globals.first, b = after->globals.first;
  *what = NULL;
  while (a != SR_NONE || b != SR_NONE) {
    if (a != SR_NONE && b != SR_NONE &&
        (same_words(before, a, after, b) || same_group(before, a, after, b, own_from) ||
         same_entry(before, a, after, b))) {
      a = sr_inst(before, a)->next;
      b = sr_inst(after, b)->next;
    } else if (b != SR_NONE && may_be_new(after, b, own_from)) {
      b = sr_inst(after, b)->next;
    } else if (a != SR_NONE && may_go(before, after, a)) {
      a = sr_inst(before, a)->next;
    } else {
      *what = a != SR_NONE ? line(arena, "is missing or changed", before, a)
                           : line(arena, "is new", after, b);
      return;
    }
  }
}
