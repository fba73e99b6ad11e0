/* SPDX-License-Identifier: Apache-2.0 */
/* gen: random SPIR-V modules, by family, size and seed.
 *
 * Each module is a Vulkan 1.3 compute shader that is valid except (in the unstructured families)
 * for its control flow: it reads a buffer at gl_GlobalInvocationID.x, computes with these values in
 * random blocks, and writes one record of an output buffer. Every block stores its own constant and
 * folds another into a running hash, so that a block that is lost, repeated or out of order changes
 * the result. Every run ends: branches on cycles use up the fuel, a counter in memory, and then
 * take the path to the nearest block without successors; control.c says why some branches need
 * none. */
#ifndef EQUIV_GEN_H
#define EQUIV_GEN_H

#include "tests/equiv/gen/graph.h"
#include "tests/equiv/world.h"

#include <stddef.h>

/* Execution modes; the oldest headers lack that of SPV_KHR_maximal_reconvergence. */
enum { GEN_NO_PROMISE = 0, GEN_SUBGROUP_UNIFORM = 4421, GEN_MAXIMAL = 6023 };

typedef struct GenOptions {
  bool plain;    /* one function, no value is live across blocks, nothing but the graph */
  bool reverse;  /* successor lists reversed */
  bool only32;   /* only 32-bit integers */
  bool handles;  /* loads of images and samplers are live across blocks, too */
  bool ballots;  /* every block takes a ballot into its running hash; the oracle does not support
                    them */
  bool steers;   /* many branches test a phi of booleans, some of them constants */
  bool once;     /* more functions, in a tree of calls: each is called once, at most */
  bool calls;    /* many blocks call the same functions, by value and through variables */
  bool sparse;   /* only every third of the blocks does */
  bool single;   /* only one does, which is in no cycle */
  bool effects;  /* many blocks have atomics and barriers, and values decorated NonUniform */
  bool rich;     /* also what rich.h lists */
  bool fragment; /* with `rich`: a fragment shader, whose functions may end by OpKill */
  bool kernel;   /* with `rich`: an OpenCL kernel */
  int merges; /* structured families carry merge instructions: 1 yes, 0 no, -1 the seed decides */
  uint32_t promise; /* main has this mode, which promises where lanes reconverge: one of these */
} GenOptions;

typedef struct GenModule {
  uint32_t *words;
  size_t count;
  uint32_t blocks, edges;       /* of all functions */
  bool merges;                  /* structured, with merge instructions: valid as generated */
  uint32_t bare;                /* blocks without user instructions */
  uint32_t twins;               /* regions that were copied */
  uint32_t near[WORLD_CHANGES]; /* by TwinChange: how many of these have that change */
  uint32_t live; /* values of composite and pointer types used across the boundary of a cycle */
} GenModule;

void gen_module(GenFamily family, uint32_t blocks, uint64_t seed, const GenOptions *options,
                GenModule *module);
void gen_module_free(GenModule *module);

/* The family for a seed. The families take turns, such that each of them gets odd and even seeds,
 * and every residue modulo 4 and 8. */
GenFamily gen_turn(uint64_t seed);

/* One line: how many modules of each family there were. */
void gen_print_families(const uint64_t *count);

/* A number of blocks from lo to hi, log-uniform. */
uint32_t gen_size(uint64_t seed, uint32_t lo, uint32_t hi);

#endif
