/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_counter: see kernel_counter.h. */
#include "passes/transform/kernel/kernel_counter.h"

#include "passes/ir/integer.h"

/* The comparison that holds when `op` does not. */
static SpvOp negated(SpvOp op) {
  switch (op) {
  case SpvOpIEqual:
    return SpvOpINotEqual;
  case SpvOpUGreaterThan:
    return SpvOpULessThanEqual;
  case SpvOpUGreaterThanEqual:
    return SpvOpULessThan;
  case SpvOpULessThan:
    return SpvOpUGreaterThanEqual;
  case SpvOpULessThanEqual:
    return SpvOpUGreaterThan;
  case SpvOpSGreaterThan:
    return SpvOpSLessThanEqual;
  case SpvOpSGreaterThanEqual:
    return SpvOpSLessThan;
  case SpvOpSLessThan:
    return SpvOpSGreaterThanEqual;
  case SpvOpSLessThanEqual:
    return SpvOpSGreaterThan;
  default:
    return SpvOpNop;
  }
}

/* The comparison with its operands exchanged. */
static SpvOp exchanged(SpvOp op) {
  switch (op) {
  case SpvOpUGreaterThan:
    return SpvOpULessThan;
  case SpvOpUGreaterThanEqual:
    return SpvOpULessThanEqual;
  case SpvOpSGreaterThan:
    return SpvOpSLessThan;
  case SpvOpSGreaterThanEqual:
    return SpvOpSLessThanEqual;
  case SpvOpINotEqual:
    return op;
  default:
    return SpvOpNop;
  }
}

static bool bounds(SpvOp op) {
  return op == SpvOpINotEqual || op == SpvOpSLessThan || op == SpvOpSLessThanEqual ||
         op == SpvOpULessThan || op == SpvOpULessThanEqual;
}

/* Is the id the same in every iteration of the loop with this header? */
static bool is_fixed(const SrKernels *k, const SrDom *d, uint32_t id, uint32_t header) {
  uint32_t block = k->m->home[id];
  return block == SR_NONE || (block != header && sr_dominates(d, block, header));
}

/* Reads the test that the branch `t` makes on its way to its true side, or to the other one. */
static bool read_test(const SrKernels *k, SrRef t, bool when, uint32_t phi, uint32_t next,
                      SrKernelCounter *c) {
  const SrModule *m = k->m;
  SrRef r = sr_def(m, sr_words(m, t)[1]);
  if (r == SR_NONE || sr_word_count(m, r) != 5)
    return false;
  uint32_t a = sr_words(m, r)[3], b = sr_words(m, r)[4];
  SpvOp op = (SpvOp)sr_inst(m, r)->op;
  if (!when)
    op = negated(op);
  if (b == phi || b == next) {
    uint32_t other = a;
    a = b;
    b = other;
    op = exchanged(op);
  }
  c->test = op;
  c->bound = b;
  c->of_next = a == next;
  return bounds(op) && (a == phi || a == next);
}

/* The side of a branch that the loop takes to go on: 0 or 1; -1: either, or it is not a branch. */
static int side_that_goes_on(const SrKernels *k, const SrGraph *g, const SrDom *d, uint32_t block,
                             uint32_t header, uint32_t latch) {
  const SrModule *m = k->m;
  SrRef t = sr_terminator(&k->f->blocks[block]);
  if (sr_inst(m, t)->op != SpvOpBranchConditional)
    return -1;
  uint32_t side[2] = {m->home[sr_words(m, t)[2]], m->home[sr_words(m, t)[3]]};
  for (int i = 0; i < 2 && side[0] != side[1]; i++)
    if (block == latch ? side[i] == header
                       : sr_pred_count(g, side[i]) == 1 && sr_dominates(d, side[i], latch))
      return i;
  return -1;
}

bool sr_kernel_counter_find(const SrKernels *k, const SrGraph *g, const SrDom *d, SrRef phi,
                            SrKernelCounter *c) {
  const SrModule *m = k->m;
  const uint32_t *w = sr_words(m, phi), id = sr_inst(m, phi)->result, header = m->home[id];
  SrInteger by;
  for (uint32_t i = 3; sr_word_count(m, phi) == 7 && i < 7; i += 2) {
    SrRef next = sr_def(m, w[i]);
    if (next == SR_NONE || sr_inst(m, next)->op != SpvOpIAdd || sr_words(m, next)[3] != id ||
        !sr_integer_constant(m, sr_words(m, next)[4], &by) || !by.bits || by.bits > INT32_MAX)
      continue;
    *c = (SrKernelCounter){.start = w[8 - i], .step = (uint32_t)by.bits};
    uint32_t latch = m->home[w[i + 1]], block[2] = {latch, header};
    for (int j = 0; j < 2; j++) {
      int side = side_that_goes_on(k, g, d, block[j], header, latch);
      if (side >= 0 &&
          read_test(k, sr_terminator(&k->f->blocks[block[j]]), side == 0, id, w[i], c)) {
        c->fixed = is_fixed(k, d, c->bound, header);
        return true;
      }
    }
  }
  return false;
}
