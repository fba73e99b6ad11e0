/* SPDX-License-Identifier: Apache-2.0 */
/* decorations: see decorations.h. The index by id is built at its first use by a counting sort of
 * the (id, decoration) pairs. Linear. Decorations that are added later are indexed too, since a
 * copy may be copied again; those of one id are contiguous. */
#include "passes/ir/decorations.h"
#include "passes/ir/edit.h"
#include "passes/ir/id_table.h"
#include "passes/ir/pointer.h"

/* The decorations that an id was given after the index was built. */
typedef struct Range {
  uint32_t first, count; /* in `added` */
} Range;

typedef struct SrDecorations {
  uint32_t *at; /* by id: its row in `refs` */
  SrRef *refs;
  uint32_t bound;   /* ids below it have rows */
  SrRef kept;       /* the module's first decoration that phis keep, or SR_NONE */
  SrIdTable *range; /* by id: index in `ranges`; NULL: nothing was added */
  SR_VEC(Range) ranges;
  SR_VEC(SrRef) added;
} SrDecorations;

typedef struct Pair {
  uint32_t id;
  SrRef decoration;
} Pair;

typedef SR_VEC(Pair) Pairs;

static bool is_decoration(uint16_t op) {
  return op == SpvOpDecorate || op == SpvOpDecorateId || op == SpvOpDecorateString;
}

/* Does a phi keep such a decoration? */
static bool is_kept(uint32_t kind) {
  return kind == SpvDecorationNonUniform || kind == SpvDecorationRelaxedPrecision;
}

static Pairs collect(SrModule *m, SrArena *arena) {
  Pairs pairs = {0};
  for (SR_EACH(m, r, m->globals)) {
    uint16_t op = sr_inst(m, r)->op;
    if (is_decoration(op))
      SR_PUSH(arena, &pairs, (Pair){sr_words(m, r)[1], r});
    else if (op == SpvOpGroupDecorate)
      for (uint32_t i = 2; i < sr_word_count(m, r); i++)
        SR_PUSH(arena, &pairs, (Pair){sr_words(m, r)[i], r});
  }
  return pairs;
}

static void build(SrModule *m) {
  SrArena scratch = sr_arena_new(m->arena->heap);
  SrDecorations *d = SR_NEW(m->arena, SrDecorations, 1);
  Pairs pairs = collect(m, &scratch);
  d->bound = sr_bound(m);
  d->kept = SR_NONE;
  for (uint32_t p = 0; p < pairs.count && d->kept == SR_NONE; p++) {
    SrRef r = pairs.at[p].decoration;
    if (sr_inst(m, r)->op == SpvOpDecorate && is_kept(sr_words(m, r)[2]))
      d->kept = r;
  }
  d->at = SR_NEW(m->arena, uint32_t, (size_t)d->bound + 2);
  d->refs = SR_NEW(m->arena, SrRef, pairs.count);
  for (uint32_t p = 0; p < pairs.count; p++)
    d->at[pairs.at[p].id + 2]++;
  for (uint32_t id = 2; id < d->bound + 2; id++)
    d->at[id] += d->at[id - 1];
  for (uint32_t p = 0; p < pairs.count; p++)
    d->refs[d->at[pairs.at[p].id + 1]++] = pairs.at[p].decoration;
  m->decorations = d;
  sr_arena_free(&scratch);
}

void sr_forget_decorations(SrModule *m) {
  if (m->decorations && m->decorations->range)
    sr_ids_give(m, m->decorations->range);
  m->decorations = NULL; /* the memory stays in the arena */
  if (m->names)
    sr_ids_give(m, m->names);
  m->names = NULL;
}

static Range *range_of(const SrDecorations *d, uint32_t id) {
  uint32_t at = d->range ? sr_ids_get(d->range, id) : SR_NONE;
  return at == SR_NONE ? NULL : &d->ranges.at[at];
}

static Range *new_range(SrModule *m, uint32_t id) {
  SrDecorations *d = m->decorations;
  if (!d->range)
    d->range = sr_ids_take(m);
  SR_PUSH(m->arena, &d->ranges, (Range){.first = d->added.count});
  sr_ids_set(d->range, id, d->ranges.count - 1);
  return &d->ranges.at[d->ranges.count - 1];
}

static void note_added(SrModule *m, uint32_t id, SrRef decoration) {
  SrDecorations *d = m->decorations;
  if (!d)
    return;
  Range *range = range_of(d, id);
  if (!range)
    range = new_range(m, id);
  if (range->first + range->count !=
      d->added.count) { /* moves its decorations to the end of `added`, where one more can follow */
    uint32_t first = d->added.count;
    for (uint32_t i = 0; i < range->count; i++)
      SR_PUSH(m->arena, &d->added, d->added.at[range->first + i]);
    range->first = first;
  }
  SR_PUSH(m->arena, &d->added, decoration);
  range->count++;
}

/* The i-th decoration of an id: an OpDecorate of any kind, or an OpGroupDecorate with the id. */
static SrRef decoration(SrModule *m, uint32_t id, uint32_t i) {
  if (!m->decorations)
    build(m);
  const SrDecorations *d = m->decorations;
  uint32_t row = id < d->bound ? d->at[id] : 0, count = id < d->bound ? d->at[id + 1] - row : 0;
  if (i < count)
    return d->refs[row + i];
  const Range *range = range_of(d, id);
  return range && i - count < range->count ? d->added.at[range->first + i - count] : SR_NONE;
}

typedef bool Visit(SrModule *m, SrRef decoration, void *user);

/* Visits the decorations of an id, those of its groups included (groups do not nest), until `visit`
 * returns true. */
static bool visit_decorations(SrModule *m, uint32_t id, Visit *visit, void *user) {
  SrRef r, q;
  for (uint32_t i = 0; (r = decoration(m, id, i)) != SR_NONE; i++) {
    if (sr_inst(m, r)->op != SpvOpGroupDecorate) {
      if (visit(m, r, user))
        return true;
      continue;
    }
    uint32_t group = sr_words(m, r)[1];
    for (uint32_t j = 0; (q = decoration(m, group, j)) != SR_NONE; j++)
      if (sr_inst(m, q)->op != SpvOpGroupDecorate && visit(m, q, user))
        return true;
  }
  return false;
}

static bool is_kind(SrModule *m, SrRef r, void *user) {
  return sr_words(m, r)[2] == *(const uint32_t *)user;
}

bool sr_is_decorated(SrModule *m, uint32_t id, SpvDecoration kind) {
  return visit_decorations(m, id, is_kind, &(uint32_t){(uint32_t)kind});
}

typedef struct Find {
  uint32_t kind, value;
} Find;

static bool find_value(SrModule *m, SrRef r, void *user) {
  Find *find = user;
  if (sr_words(m, r)[2] != find->kind)
    return false;
  find->value = sr_word_count(m, r) > 3 ? sr_words(m, r)[3] : 0;
  return true;
}

bool sr_decoration_value(SrModule *m, uint32_t id, SpvDecoration kind, uint32_t *value) {
  Find find = {.kind = (uint32_t)kind};
  if (!visit_decorations(m, id, find_value, &find))
    return false;
  *value = find.value;
  return true;
}

typedef struct Listed {
  SrArena *arena;
  SR_VEC(SrRef) at;
} Listed;

static bool list_one(SrModule *m, SrRef r, void *user) {
  (void)m;
  Listed *l = user;
  SR_PUSH(l->arena, &l->at, r);
  return false;
}

/* Are two decorations equal, apart from the target? */
static bool same_decoration(const SrModule *m, SrRef r, SrRef q) {
  uint32_t n = sr_word_count(m, r);
  return sr_words(m, r)[0] == sr_words(m, q)[0] &&
         memcmp(sr_words(m, r) + 2, sr_words(m, q) + 2, (n - 2) * sizeof(uint32_t)) == 0;
}

bool sr_same_decorations(SrModule *m, uint32_t a, uint32_t b) {
  if (decoration(m, a, 0) == SR_NONE && decoration(m, b, 0) == SR_NONE)
    return true;
  SrArena scratch = sr_arena_new(m->arena->heap);
  Listed x = {.arena = &scratch}, y = {.arena = &scratch};
  visit_decorations(m, a, list_one, &x);
  visit_decorations(m, b, list_one, &y);
  bool same = x.at.count == y.at.count;
  for (uint32_t i = 0; same && i < x.at.count; i++)
    same = same_decoration(m, x.at.at[i], y.at.at[i]);
  sr_arena_free(&scratch);
  return same;
}

/* OpenCL's memory model assumes aliasing. A physical pointer is not an object. */
static bool implies_aliased(const SrModule *m, uint32_t pointer) {
  return !m->shader || sr_pointer_class(m, pointer) == SpvStorageClassPhysicalStorageBuffer;
}

bool sr_argument_may_lose(const SrModule *m, SrRef r) {
  const uint32_t *w = sr_words(m, r);
  if (sr_inst(m, r)->op != SpvOpDecorate)
    return false;
  switch (w[2]) {
  case SpvDecorationRelaxedPrecision:
  case SpvDecorationRestrict:
  case SpvDecorationConstant: /* promises about what a kernel's pointer points to */
  case SpvDecorationAlignment:
  case SpvDecorationMaxByteOffset:
    return true;
  case SpvDecorationAliased:
    return implies_aliased(m, w[1]);
  case SpvDecorationFuncParamAttr:
    return w[3] != SpvFunctionParameterAttributeByVal && w[3] != SpvFunctionParameterAttributeSret;
  default:
    return false;
  }
}

static bool copy_one(SrModule *m, SrRef r, void *user) {
  uint32_t to = *(const uint32_t *)user;
  SrRef copy = sr_clone(m, r);
  sr_words(m, copy)[1] = to;
  sr_insert_before(m, &m->globals, r, copy);
  note_added(m, to, copy);
  return false;
}

void sr_copy_decorations(SrModule *m, uint32_t from, uint32_t to) {
  visit_decorations(m, from, copy_one, &to);
}

/* ---- what phis keep ---- */

bool sr_any_kept(SrModule *m) {
  if (!m->decorations)
    build(m);
  return m->decorations->kept != SR_NONE;
}

static bool note_kept(SrModule *m, SrRef r, void *user) {
  SrKept *kept = user;
  kept->non_uniform |= sr_words(m, r)[2] == SpvDecorationNonUniform;
  kept->relaxed |= sr_words(m, r)[2] == SpvDecorationRelaxedPrecision;
  return false;
}

SrKept sr_kept(SrModule *m, uint32_t id) {
  SrKept kept = {false, false};
  if (!sr_any_kept(m))
    return kept;
  if (sr_def_op(m, id) == SpvOpUndef)
    return SR_KEPT_OF_NONE;
  visit_decorations(m, id, note_kept, &kept);
  return kept;
}

SrKept sr_kept_joined(SrKept a, SrKept b) {
  return (SrKept){a.non_uniform || b.non_uniform, a.relaxed && b.relaxed};
}

bool sr_kept_same(SrKept a, SrKept b) {
  return a.non_uniform == b.non_uniform && a.relaxed == b.relaxed;
}

SrKept sr_kept_of(SrModule *m, const uint32_t *ids, uint32_t count) {
  SrKept kept = SR_KEPT_OF_NONE;
  for (uint32_t i = 0; i < count; i++)
    kept = sr_kept_joined(kept, sr_kept(m, ids[i]));
  return kept;
}

static bool is_type(uint16_t op) {
  return op >= SpvOpTypeVoid && op <= SpvOpTypeForwardPointer;
}

SrRef sr_decoration_place(const SrModule *m) {
  SrRef type = SR_NONE;
  for (SR_EACH(m, r, m->globals)) {
    if (is_decoration(sr_inst(m, r)->op))
      return r;
    if (type == SR_NONE && is_type(sr_inst(m, r)->op))
      type = r;
  }
  return type;
}

void sr_decorate(SrModule *m, uint32_t id, SpvDecoration kind) {
  sr_begin(m, SpvOpDecorate, 0, 0);
  sr_put_id(m, id);
  sr_put_literal(m, (uint32_t)kind);
  SrRef r = sr_end(m);
  if (!m->decorations)
    build(m);
  SrRef kept = m->decorations->kept;
  sr_insert_before(m, &m->globals, kept == SR_NONE ? sr_decoration_place(m) : kept, r);
  note_added(m, id, r);
}

void sr_keep(SrModule *m, uint32_t id, SrKept kept) {
  if (!sr_any_kept(m))
    return;
  SrKept has = sr_kept(m, id);
  if (kept.non_uniform && !has.non_uniform)
    sr_decorate(m, id, SpvDecorationNonUniform);
  if (kept.relaxed && !has.relaxed)
    sr_decorate(m, id, SpvDecorationRelaxedPrecision);
}

static bool is_undefined_pointer(const SrModule *m, uint32_t id) {
  return sr_def_op(m, id) == SpvOpUndef && sr_pointer_class(m, id) != SR_NONE;
}

bool sr_keeps_in_place(SrModule *m, uint32_t from, uint32_t to) {
  if (is_undefined_pointer(m, to) && !is_undefined_pointer(m, from))
    return false;
  return !sr_kept(m, from).non_uniform || sr_kept(m, to).non_uniform;
}

uint32_t sr_keep_in_place(SrModule *m, SrList *list, SrRef before, uint32_t type, uint32_t from,
                          uint32_t to) {
  uint32_t id = sr_fresh_id(m);
  sr_begin(m, SpvOpCopyObject, type, id);
  sr_put_id(m, to);
  sr_insert_before(m, list, before, sr_end(m));
  sr_keep(m, id, sr_kept(m, from));
  return id;
}

/* ---- names ---- */

static void index_names(SrModule *m) {
  m->names = sr_ids_take(m);
  for (SR_EACH(m, r, m->globals))
    if (sr_inst(m, r)->op == SpvOpName)
      sr_ids_set(m->names, sr_words(m, r)[1], r);
}

void sr_copy_name(SrModule *m, uint32_t from, uint32_t to) {
  if (!m->names)
    index_names(m);
  SrRef name = sr_ids_get(m->names, from);
  if (name == SR_NONE)
    return;
  SrRef copy = sr_clone(m, name);
  sr_words(m, copy)[1] = to;
  sr_insert_before(m, &m->globals, name, copy);
  sr_ids_set(m->names, to, copy);
}

/* ---- ids without definition ---- */

static bool is_gone(const SrModule *m, SrRef r, uint32_t word) {
  return m->def[sr_words(m, r)[word]] == SR_NONE;
}

static void drop_gone_targets(SrModule *m, SrRef group_decorate) {
  const SrInst in = *sr_inst(m, group_decorate);
  uint32_t count = sr_word_count(m, group_decorate);
  sr_begin(m, SpvOpGroupDecorate, 0, 0);
  sr_put_id(m, m->pool.at[in.at + 1]);
  for (uint32_t i = 2; i < count; i++)
    if (!is_gone(m, group_decorate, i))
      sr_put_id(m, m->pool.at[in.at + i]);
  sr_insert_before(m, &m->globals, group_decorate, sr_end(m));
  sr_remove(m, &m->globals, group_decorate);
}

void sr_forget_undefined(SrModule *m) {
  for (SR_EACH_SAFE(m, r, m->globals)) {
    uint16_t op = sr_inst(m, r)->op;
    if (op == SpvOpName || op == SpvOpMemberName || op == SpvOpMemberDecorate ||
        is_decoration(op)) {
      if (is_gone(m, r, 1))
        sr_remove(m, &m->globals, r);
    } else if (op == SpvOpGroupDecorate) {
      bool any = false;
      for (uint32_t i = 2; i < sr_word_count(m, r); i++)
        any |= is_gone(m, r, i);
      if (any)
        drop_gone_targets(m, r);
    }
  }
}
