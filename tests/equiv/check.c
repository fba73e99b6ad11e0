/* SPDX-License-Identifier: Apache-2.0 */
/* check: splits both modules into blocks by label id, then compares the blocks pairwise. */
#include "tests/equiv/check.h"

#include "tests/equiv/gen/emit.h"
#include "tests/equiv/gen/opcode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_WORDS = 5 };

/* Word offsets; 0: none. */
typedef struct Block {
  uint32_t label, first, merge, end; /* end: the terminator */
  uint32_t function;
} Block;

typedef struct Blocks {
  CheckModule m;
  uint32_t bound, functions_at; /* word offset of the first OpFunction */
  Block *block;
  uint32_t count;
  uint32_t *by_label; /* index + 1 */
  uint32_t *function; /* per function: index of its first block */
  uint32_t function_count;
  bool *defined;
  bool *variable; /* by id: a variable of a function */
} Blocks;

static uint32_t op_at(const CheckModule *m, size_t at) {
  return m->words[at] & 0xffff;
}

static uint32_t length_at(const CheckModule *m, size_t at) {
  return m->words[at] >> 16;
}

static void note(Blocks *b, size_t at, uint32_t *capacity) {
  uint32_t op = op_at(&b->m, at);
  const uint32_t *i = b->m.words + at;
  if (op == SpvOpFunction) {
    if (!b->functions_at)
      b->functions_at = (uint32_t)at;
    b->function = emit_resize(b->function, (b->function_count + 1) * sizeof *b->function);
    b->function[b->function_count++] = b->count;
  } else if (op == SpvOpLabel) {
    if (b->count == *capacity) {
      *capacity = *capacity * 2 + 64;
      b->block = emit_resize(b->block, *capacity * sizeof *b->block);
    }
    b->block[b->count++] =
        (Block){.label = i[1], .first = (uint32_t)at + 2, .function = b->function_count - 1};
    b->by_label[i[1]] = b->count;
    b->defined[i[1]] = true;
  } else if (b->count && opcode_is_merge(op)) {
    b->block[b->count - 1].merge = (uint32_t)at;
  } else if (b->count && opcode_is_terminator(op)) {
    b->block[b->count - 1].end = (uint32_t)at;
  }
  if (b->function_count && opcode_has_result(op))
    b->defined[i[2]] = true;
}

static Blocks cut(CheckModule m) {
  Blocks b = {.m = m, .bound = m.words[3]};
  uint32_t capacity = 0;
  b.by_label = emit_resize(NULL, b.bound * sizeof *b.by_label);
  memset(b.by_label, 0, b.bound * sizeof *b.by_label);
  b.defined = emit_resize(NULL, b.bound);
  memset(b.defined, 0, b.bound);
  b.variable = emit_resize(NULL, b.bound);
  memset(b.variable, 0, b.bound);
  for (size_t at = HEADER_WORDS; at < m.count; at += length_at(&m, at)) {
    note(&b, at, &capacity);
    if (op_at(&m, at) == SpvOpVariable && m.words[at + 3] == SpvStorageClassFunction)
      b.variable[m.words[at + 2]] = true;
  }
  return b;
}

static void blocks_free(Blocks *b) {
  free(b->block);
  free(b->by_label);
  free(b->function);
  free(b->defined);
  free(b->variable);
}

static const Block *find(const Blocks *b, uint32_t label) {
  return label < b->bound && b->by_label[label] ? &b->block[b->by_label[label] - 1] : NULL;
}

/* ---- successors ------------------------------------------------------------------------------ */

/* Words per literal, without a look-up of the selector's type: one, unless only two fit the operand
 * count and make the targets labels. */
static uint32_t switch_stride(const Blocks *b, uint32_t at) {
  uint32_t length = length_at(&b->m, at);
  if ((length - 3) % 2)
    return 3;
  for (uint32_t k = at + 4; k < at + length; k += 2)
    if (!find(b, b->m.words[k]))
      return 3;
  return 2;
}

/* The k-th successor of the terminator, 0 past the last. */
static uint32_t successor(const Blocks *b, uint32_t at, uint32_t stride, uint32_t k) {
  const uint32_t *i = b->m.words + at;
  uint32_t length = length_at(&b->m, at);
  switch (i[0] & 0xffff) {
  case SpvOpBranch:
    return k == 0 ? i[1] : 0;
  case SpvOpBranchConditional:
    return k < 2 ? i[2 + k] : 0;
  case SpvOpSwitch:
    return k == 0 ? i[2] : 2 + k * stride < length ? i[2 + k * stride] : 0;
  default:
    return 0;
  }
}

static uint32_t stride_of(const Blocks *b, uint32_t at) {
  return op_at(&b->m, at) == SpvOpSwitch ? switch_stride(b, at) : 0;
}

static bool *reachable(const Blocks *b) {
  bool *seen = emit_resize(NULL, b->count);
  uint32_t *stack = emit_resize(NULL, (b->count + 1) * sizeof *stack), depth = 0;
  memset(seen, 0, b->count);
  for (uint32_t f = 0; f < b->function_count; f++) {
    stack[depth++] = b->function[f];
    seen[b->function[f]] = true;
    while (depth) {
      const Block *k = &b->block[stack[--depth]];
      uint32_t stride = stride_of(b, k->end), label;
      for (uint32_t s = 0; (label = successor(b, k->end, stride, s)) != 0; s++) {
        uint32_t to = b->by_label[label] - 1;
        if (!seen[to])
          stack[depth++] = to;
        seen[to] = true;
      }
    }
  }
  free(stack);
  return seen;
}

/* ---- preservation ---------------------------------------------------------------------------- */

/* A walk over the compared instructions of a block. */
typedef struct Walk {
  const Blocks *b;
  uint32_t at, end, old_bound;
  uint32_t line[3];
} Walk;

static Walk walk(const Blocks *b, const Block *k, uint32_t old_bound) {
  return (Walk){b, k->first, k->end, old_bound, {0}};
}

static bool is_new(const Walk *w) {
  return opcode_has_result(op_at(&w->b->m, w->at)) && w->b->m.words[w->at + 2] >= w->old_bound;
}

static void track_line(Walk *w) {
  const uint32_t *i = w->b->m.words + w->at;
  if ((i[0] & 0xffff) == SpvOpLine)
    memcpy(w->line, i + 1, sizeof w->line);
  else if ((i[0] & 0xffff) == SpvOpNoLine)
    memset(w->line, 0, sizeof w->line);
}

static void skip(Walk *w) {
  w->at += length_at(&w->b->m, w->at);
}

/* Does it store to, or load from, a variable that was added for a phi? */
static bool passes_phi(const Blocks *b, uint32_t at, uint32_t old_bound) {
  const uint32_t *i = b->m.words + at;
  uint32_t op = op_at(&b->m, at), pointer = op == SpvOpStore ? i[1] : op == SpvOpLoad ? i[3] : 0;
  return pointer >= old_bound && b->variable[pointer];
}

/* The next compared instruction, NULL at the end. */
static const uint32_t *next(Walk *w) {
  for (; w->at < w->end; skip(w)) {
    uint32_t op = op_at(&w->b->m, w->at);
    track_line(w);
    if (op != SpvOpPhi && !opcode_is_merge(op) && !opcode_is_line(op) && !is_new(w) &&
        !passes_phi(w->b, w->at, w->old_bound))
      return w->b->m.words + w->at;
  }
  return NULL;
}

static bool same_instruction(const uint32_t *x, const uint32_t *y, uint32_t old_bound) {
  if (x[0] != y[0])
    return false;
  for (uint32_t k = 1; k < x[0] >> 16; k++)
    if (x[k] != y[k] && y[k] < old_bound)
      return false;
  return true;
}

static bool report(char *message, size_t size, const char *what, uint32_t block, uint32_t id) {
  snprintf(message, size, "block %%%u: %s (%u)", (unsigned)block, what, (unsigned)id);
  return false;
}

static bool same_block(const Blocks *in, const Blocks *out, const Block *x, const Block *y,
                       char *message, size_t size) {
  Walk a = walk(in, x, UINT32_MAX), b = walk(out, y, in->bound);
  for (;;) {
    const uint32_t *i = next(&a), *j = next(&b);
    if (!i && !j)
      return true;
    if (!i || !j || !same_instruction(i, j, in->bound))
      return report(message, size, i ? "instruction lost or changed" : "instruction too many",
                    x->label, i ? i[2] : j[2]);
    if (memcmp(a.line, b.line, sizeof a.line) != 0)
      return report(message, size, "source line changed", x->label, i[2]);
    skip(&a);
    skip(&b);
  }
}

/* Handles may be loaded again at a use. */
static bool is_handle(const Blocks *b, uint32_t type) {
  for (size_t at = HEADER_WORDS; at < b->functions_at; at += length_at(&b->m, at))
    if (b->m.words[at + 1] == type &&
        (op_at(&b->m, at) == SpvOpTypeImage || op_at(&b->m, at) == SpvOpTypeSampler))
      return true;
  return false;
}

/* Added instructions only compute, or are variables of functions. */
static bool is_harmless(const Blocks *b, uint32_t at) {
  uint32_t op = op_at(&b->m, at);
  if (op == SpvOpLoad)
    return is_handle(b, b->m.words[at + 1]);
  return op != SpvOpStore && op != SpvOpFunctionCall &&
         (op != SpvOpVariable || b->m.words[at + 3] == SpvStorageClassFunction);
}

static bool check_added(const Blocks *out, const Block *k, uint32_t old_bound, char *message,
                        size_t size) {
  for (uint32_t at = k->first; at < k->end; at += length_at(&out->m, at)) {
    uint32_t op = op_at(&out->m, at);
    if (!opcode_has_result(op) && op != SpvOpStore)
      continue;
    bool fresh = op != SpvOpStore && out->m.words[at + 2] >= old_bound;
    if (op == SpvOpPhi || passes_phi(out, at, old_bound))
      continue;
    if (k->label >= old_bound && !fresh)
      return report(message, size, "user instruction in an added block", k->label, op);
    if (fresh && !is_harmless(out, at))
      return report(message, size, "added instruction with an effect", k->label, op);
  }
  return true;
}

static bool check_blocks(const Blocks *in, const Blocks *out, char *message, size_t size) {
  bool ok = true, *live = reachable(in);
  for (uint32_t k = 0; k < in->count && ok; k++) {
    const Block *y = find(out, in->block[k].label);
    if (!live[k])
      continue;
    if (!y || y->function != in->block[k].function)
      ok = report(message, size, "block lost", in->block[k].label, 0);
    else
      ok = same_block(in, out, &in->block[k], y, message, size);
  }
  free(live);
  for (uint32_t k = 0; k < out->count && ok; k++)
    ok = check_added(out, &out->block[k], in->bound, message, size);
  return ok;
}

static bool labels_once(const Blocks *out, char *message, size_t size) {
  for (uint32_t k = 0; k < out->count; k++)
    if (out->by_label[out->block[k].label] != k + 1)
      return report(message, size, "label twice", out->block[k].label, 0);
  return true;
}

/* Names and decorations of values in unreachable blocks may be dropped with them. */
static bool may_go(const Blocks *in, const Blocks *out, const uint32_t *i) {
  uint32_t op = i[0] & 0xffff;
  bool note = op == SpvOpName || op == SpvOpDecorate;
  return note && in->defined[i[1]] && !(i[1] < out->bound && out->defined[i[1]]);
}

static bool check_globals(const Blocks *in, const Blocks *out, char *message, size_t size) {
  uint32_t at = HEADER_WORDS;
  for (uint32_t k = HEADER_WORDS; k < in->functions_at; k += length_at(&in->m, k)) {
    const uint32_t *i = in->m.words + k;
    if (may_go(in, out, i))
      continue;
    while (at < out->functions_at &&
           (out->m.words[at] != i[0] || memcmp(out->m.words + at, i, (i[0] >> 16) * sizeof *i)))
      at += length_at(&out->m, at);
    if (at >= out->functions_at) {
      snprintf(message, size, "lost before the functions: opcode %u, word %u",
               (unsigned)(i[0] & 0xffff), (unsigned)k);
      return false;
    }
    at += length_at(&out->m, at);
  }
  return true;
}

bool check_preserved(CheckModule in, CheckModule out, char *message, size_t size) {
  Blocks a = cut(in), b = cut(out);
  bool ok = labels_once(&b, message, size) && check_globals(&a, &b, message, size) &&
            check_blocks(&a, &b, message, size);
  blocks_free(&a);
  blocks_free(&b);
  return ok;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static bool same_merge(const Blocks *a, const Block *x, const Blocks *b, const Block *y) {
  if (!x->merge || !y->merge)
    return x->merge == y->merge;
  const uint32_t *i = a->m.words + x->merge, *j = b->m.words + y->merge;
  uint32_t labels = (i[0] & 0xffff) == SpvOpLoopMerge ? 2 : 1;
  return (i[0] & 0xffff) == (j[0] & 0xffff) && memcmp(i + 1, j + 1, labels * sizeof *i) == 0;
}

static bool same_successors(const Blocks *a, const Block *x, const Blocks *b, const Block *y) {
  uint32_t s = stride_of(a, x->end), t = stride_of(b, y->end), label;
  if (op_at(&a->m, x->end) != op_at(&b->m, y->end))
    return false;
  for (uint32_t k = 0; (label = successor(a, x->end, s, k)) != 0; k++)
    if (label != successor(b, y->end, t, k))
      return false;
  return true;
}

static bool same_graph(const Blocks *a, const Blocks *b, const bool *live, char *message,
                       size_t size) {
  for (uint32_t k = 0; k < b->count; k++)
    if (!find(a, b->block[k].label))
      return report(message, size, "added block", b->block[k].label, 0);
  for (uint32_t k = 0; k < a->count; k++) {
    const Block *x = &a->block[k], *y = find(b, x->label);
    if (!live[k])
      continue;
    if (!y)
      return report(message, size, "block lost", x->label, 0);
    if (!same_successors(a, x, b, y))
      return report(message, size, "other successors", x->label, 0);
    if (!same_merge(a, x, b, y))
      return report(message, size, "other merge", x->label, 0);
  }
  return true;
}

bool check_same_graph(CheckModule in, CheckModule out, char *message, size_t size) {
  Blocks a = cut(in), b = cut(out);
  bool *live = reachable(&a), ok = same_graph(&a, &b, live, message, size);
  free(live);
  blocks_free(&a);
  blocks_free(&b);
  return ok;
}

/* ---- controls of merge instructions ---------------------------------------------------------- */

static const uint32_t *merge_words(const Blocks *b, const Block *k, uint32_t op) {
  const uint32_t *w = k && k->merge ? b->m.words + k->merge : NULL;
  return w && (w[0] & 0xffff) == op ? w : NULL;
}

/* Can the block be reached from itself? */
static bool on_cycle(const Blocks *b, const Block *from) {
  uint32_t target = (uint32_t)(from - b->block), *stack, depth = 0, label;
  bool *seen = emit_resize(NULL, b->count);
  memset(seen, 0, b->count);
  stack = emit_resize(NULL, (b->count + 1) * sizeof *stack);
  stack[depth++] = target;
  while (depth && !seen[target]) {
    const Block *k = &b->block[stack[--depth]];
    uint32_t stride = stride_of(b, k->end);
    for (uint32_t s = 0; (label = successor(b, k->end, stride, s)) != 0; s++) {
      uint32_t to = b->by_label[label] - 1;
      if (!seen[to])
        stack[depth++] = to;
      seen[to] = true;
    }
  }
  bool result = seen[target];
  free(stack);
  free(seen);
  return result;
}

/* The merge instruction of the loop that begins at the block, or at an added block before it. */
static const uint32_t *loop_at(const Blocks *in, const Blocks *out, const Block *header) {
  const uint32_t *w = merge_words(out, header, SpvOpLoopMerge);
  for (uint32_t k = 0; !w && k < out->count; k++) {
    const Block *b = &out->block[k];
    if (!find(in, b->label) && op_at(&out->m, b->end) == SpvOpBranch &&
        out->m.words[b->end + 1] == header->label)
      w = merge_words(out, b, SpvOpLoopMerge);
  }
  return w;
}

static bool same_controls(const uint32_t *x, const uint32_t *y, uint32_t first, bool strict) {
  const uint32_t promises = 0x7c; /* DependencyInfinite to IterationMultiple */
  if (!strict)
    return (x[first] & ~promises) == (y[first] & ~promises);
  return x[0] == y[0] && memcmp(x + first, y + first, ((x[0] >> 16) - first) * sizeof *x) == 0;
}

static bool check_block_hints(const Blocks *in, const Block *x, const bool *live, const Blocks *out,
                              bool strict, CheckHints *found, char *message, size_t size) {
  const Block *y = find(out, x->label);
  const uint32_t *loop = merge_words(in, x, SpvOpLoopMerge);
  const uint32_t *selection = merge_words(in, x, SpvOpSelectionMerge);
  bool repeats = loop && live[in->by_label[loop[2]] - 1];
  if (y && repeats && loop[3] && (!strict || on_cycle(out, y))) {
    const uint32_t *now = strict ? loop_at(in, out, y) : merge_words(out, y, SpvOpLoopMerge);
    if (strict && !now)
      return report(message, size, "a loop lost its merge instruction", x->label, 0);
    if (now && !same_controls(loop, now, 3, strict))
      return report(message, size, "a loop lost its controls", x->label, 0);
    found->loops += now != NULL;
  }
  const uint32_t *now = merge_words(out, y, SpvOpSelectionMerge);
  if (selection && selection[2] && now) {
    if (now[2] != selection[2])
      return report(message, size, "a branch lost its controls", x->label, 0);
    found->selections++;
  }
  return true;
}

bool check_hints(CheckModule in, CheckModule out, bool strict, CheckHints *found, char *message,
                 size_t size) {
  Blocks a = cut(in), b = cut(out);
  bool ok = true, *live = reachable(&a);
  for (uint32_t k = 0; k < a.count && ok; k++)
    ok = !live[k] || check_block_hints(&a, &a.block[k], live, &b, strict, found, message, size);
  free(live);
  blocks_free(&a);
  blocks_free(&b);
  return ok;
}

CheckModule check_function_words(CheckModule m, uint32_t id) {
  size_t begin = 0;
  for (size_t i = 5; i < m.count; i += m.words[i] >> 16) {
    uint32_t op = m.words[i] & 0xffff;
    if (op == SpvOpFunction && m.words[i + 2] == id)
      begin = i;
    if (op == SpvOpFunctionEnd && begin)
      return (CheckModule){&m.words[begin], i + 1 - begin};
  }
  return (CheckModule){0};
}

CheckSize check_size(CheckModule m) {
  CheckSize s = {0};
  bool inside = false;
  for (size_t at = HEADER_WORDS; at < m.count; at += length_at(&m, at)) {
    uint32_t op = op_at(&m, at);
    inside |= op == SpvOpFunction;
    if (!inside || op == SpvOpFunction || op == SpvOpFunctionParameter || op == SpvOpFunctionEnd ||
        op == SpvOpVariable || op == SpvOpUndef || opcode_is_line(op) || opcode_is_merge(op))
      continue;
    s.blocks += op == SpvOpLabel;
    s.phis += op == SpvOpPhi;
    s.instructions += op != SpvOpLabel && op != SpvOpPhi;
  }
  return s;
}
