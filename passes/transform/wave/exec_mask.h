/* SPDX-License-Identifier: Apache-2.0 */
/* exec_mask: lowers reconverging functions to a wave-level program (wave.h).
 *
 * This is LowerReconvCFG of F. Wahlster, Vectorising Divergent Control-Flow for SIMD Applications,
 * TU Munich 2018, section 4.2; it uses the sets of analysis/graph/rejoin.h. Let B be a primary
 * successor with rejoin mask m (here s[0:1]). The blocks in P have divergent branches to B. Those
 * in P0, the first on a path to B, set m; the others add to it. The blocks in Q, which bypass P0
 * and lead to blocks where lanes may wait in m, clear it. The lanes that branch to B are in VCC:
 *
 *     p in P0                          p in P, not in P0                q in Q
 *       s_mov_b64    s[0:1], vcc         s_or_b64    s[0:1], s[0:1], vcc    s_mov_b64 s[0:1], 0
 *       s_andn2_b64  exec, exec, vcc     s_andn2_b64 exec, exec, vcc
 *       s_cbranch_execz @B               s_cbranch_execz @B
 *       (the other successor)            (the other successor)
 *     B:
 *       s_or_b64     exec, exec, s[0:1]
 *
 * With `branch_masks` each branch in P has a mask of its own, as in listing 4.1 of the thesis. The
 * blocks in P0 clear the others, those in Q all of them, B adds all of them, and a branch adds to its
 * mask only if it may run again before B:
 *
 *     p in P0                          p in P, not in P0                B
 *       s_mov_b64    s[2:3], 0           s_mov_b64   s[2:3], vcc          s_or_b64 exec, exec, s[0:1]
 *       s_mov_b64    s[0:1], vcc         s_andn2_b64 exec, exec, vcc      s_or_b64 exec, exec, s[2:3]
 *
 * Blocks are laid out in LRPO; a branch to the next block is omitted, and a condition is inverted
 * where that saves a branch. Uniform branches stay scalar branches.
 *
 * Deviations. The thesis does not cover calls: here a callee runs with the caller's EXEC and has
 * masks of its own, so its flow is a region nested in the block that calls. A callee that may end
 * lanes (OpKill) may return with no lane left; then the wave continues where lanes wait next, or
 * ends. The s_cbranch_execz above, the *skip branch*, may be omitted if nothing on the path to B
 * needs a lane (SrWaveOptions.needed_skips): the wave then runs that code with EXEC empty. It stays
 * if the path leads through a cycle, a call, an operation that communicates between lanes, or a
 * uniform branch (no lane would have computed its condition), as in LLVM's AMDGPU back end.
 *
 * Cost: O(E log V) and the size of the program; with branch_masks also the size of the distinct sets
 * of masks. */
#ifndef SR_EXEC_MASK_H
#define SR_EXEC_MASK_H

#include "passes/analysis/uniform/uniform.h"
#include "passes/transform/wave/wave.h"

typedef struct SrWaveOptions {
  bool needed_skips; /* omit skip branches that are not needed */
  bool flow_blocks;  /* flow blocks (figure 4.3b) before primary successors that are also entered
                        from outside of the divergent region: edges from outside then need not clear
                        the masks */
  bool branch_masks; /* a mask for each branch instead of one for each primary successor */
} SrWaveOptions;

/* Reads "needed-skips,flow-blocks,branch-masks"; NULL: none. False: a word is none of these. */
bool sr_wave_options_read(const char *text, SrWaveOptions *options);

/* Lowers these functions of the module (by index, each with a body), and no others, to a program in
 * `arena`. Fails if one of them is not reconverging, or the program is too long. */
SR_MUST_USE SrStatus sr_exec_mask_lower(SrArena *arena, const SrModule *m, const SrUniform *u,
                                        const uint32_t *functions, uint32_t count,
                                        const SrWaveOptions *options, SrWave **wave);
/* Why the function cannot be lowered, as one line in `arena`; NULL: it can. */
const char *sr_exec_mask_refuses(SrArena *arena, const SrModule *m, const SrUniform *u,
                                 const SrFunction *f);

#endif
