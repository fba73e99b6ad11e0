/* SPDX-License-Identifier: Apache-2.0 */
/* check: translation validation. Does every function of the output compute the same as the function
 * with the same id in the input? In the code, the input is the side `before`, and the output the
 * side `after`.
 *
 * Control-flow transforms only move user instructions: each stays the same, on every path of every
 * lane. So a *walk* takes one lane through both versions with *uninterpreted* instructions: the
 * result of an instruction is a hash of its opcode, its operands and, if it reads memory, of all
 * effects before it. Numbers and booleans are drawn from that hash, so that branches can be taken;
 * comparisons, sums and logic, which transforms add, are computed. The observable part is the
 * trace: stores, calls, atomics, barriers, how the lane ends, each with its operands. Both traces
 * must be equal.
 *
 * In the input, the walk is steered (check_steer.h) so that every edge, and every pair of an edge
 * into a block and one out of it, is taken if the search finds a path. Then the same is done for
 * the output, in which each copy of code may be wrong: a *scout* goes through it alone, and the
 * numbers that led the scout then lead a walk through both modules.
 *
 * This is Necula's translation validation (PLDI 2000) with random interpretation (Gulwani and
 * Necula, POPL 2004) instead of a prover: a difference proves the output wrong; equal traces are
 * evidence that it is right. One lane cannot show which lanes run together; the emulator tests
 * that.
 *
 * The code shares nothing with transform/ and analysis/: it uses only the words of the two modules
 * and SPIR-V's grammar. */
#ifndef SR_CHECK_H
#define SR_CHECK_H

#include "passes/ir/module.h"

typedef struct SrCheckInput { /* words of the two modules */
  const uint32_t *before, *after;
  size_t before_count, after_count;
} SrCheckInput;

typedef struct SrCheckOptions {
  uint32_t walks; /* at most this many for each function; 0: as many as coverage requires, within a
                     budget */
  uint64_t seed;
  bool folds; /* a transform may have folded comparisons of constants */
} SrCheckOptions;

typedef struct SrCheckCoverage {
  uint64_t edges, edges_covered, pairs, pairs_covered;
} SrCheckCoverage;

typedef struct SrCheckReport {
  uint32_t functions;            /* functions whose words differ, so that they were walked */
  uint32_t unchanged;            /* functions with a body whose words are the same on both sides */
  uint64_t walks, visits;        /* visits: blocks entered by all walks, on both sides */
  SrCheckCoverage input, output; /* of those functions */
  uint32_t differences; /* functions that compute something else, plus one for a difference outside
                         * of functions */
  const char *first;    /* the first difference, on one line; NULL: there is none */
  const char *text;     /* the details of the first differences, several lines */
} SrCheckReport;

/* Compares two modules (both in the form that sr_read takes). The texts and other contents of the
 * report are allocated in `out`; everything else is freed. Fails only if a module cannot be read;
 * differences are in the report. Time: near-linear; the budget of walks is a constant factor. */
SR_MUST_USE SrStatus sr_check(SrArena *out, SrDiag *diag, const SrCheckInput *in,
                              const SrCheckOptions *options, SrCheckReport *report);

#endif
