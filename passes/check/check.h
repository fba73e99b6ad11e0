/* check: translation validation. Does every function of the module after compute what the function
 * of the same id computes in the module before?
 *
 * Control-flow transforms only move user instructions: each one is the same, on every path of every
 * lane. So a *walk* takes one lane through both versions with *uninterpreted* instructions: the
 * result of an instruction is a hash of its opcode, its operands and, where it reads memory, of all
 * effects before it. Numbers and booleans are drawn from that hash, so that branches go somewhere;
 * comparisons, sums and logic, which transforms add, are computed. What can be observed is the
 * trace: stores, calls, atomics, barriers, how the lane ends, each with its operands. Both traces
 * must be equal.
 *
 * The walk before is steered (check_steer.h) so that every edge, and every pair of an edge into a
 * block and one out of it, is taken if the search finds a way.
 *
 * This is Necula's translation validation (PLDI 2000) with random interpretation (Gulwani and
 * Necula, POPL 2004) in place of a prover: a difference is a proof of a wrong output, equal traces
 * are evidence. One lane cannot see which lanes run together; the emulator tests that.
 *
 * The code shares nothing with transform/ and analysis/: what it knows of the two modules are their
 * words and SPIR-V's grammar. */
#ifndef SR_CHECK_H
#define SR_CHECK_H

#include "ir/module.h"

typedef struct SrCheckOptions {
  uint32_t walks; /* at most in each function; 0: as many as coverage takes, within a budget */
  uint64_t seed;
  bool folds; /* a transform may have decided comparisons of constants */
} SrCheckOptions;

typedef struct SrCheckReport {
  uint32_t functions;     /* that differ in their words, and so were walked */
  uint64_t walks, visits; /* visits: blocks entered by all walks, before and after */
  uint64_t edges, edges_covered, pairs, pairs_covered; /* of those functions, before */
  uint32_t differences; /* functions that compute something else; a module-level one counts too */
  const char *first;    /* of the differences: one line; NULL: there are none */
  const char *text;     /* all else that is known of the first ones, several lines */
} SrCheckReport;

/* Compares two modules (both as sr_read takes them). Texts and what else the report holds come from
 * `out`; the rest is given back. Fails only where a module cannot be read; differences are in the
 * report. Time: near-linear, in the budget's factor of blocks and instructions. */
SR_MUST_USE SrStatus sr_check(SrArena *out, SrDiag *diag, const uint32_t *before,
                              size_t before_count, const uint32_t *after, size_t after_count,
                              const SrCheckOptions *options, SrCheckReport *report);

#endif
