/* SPDX-License-Identifier: Apache-2.0 */
/* policy: which lanes of a subgroup run which block next.
 *
 * The executor (exec.h) runs whole blocks and does not know about reconvergence; a policy knows the
 * graph (block_table.h) and the lanes' masks but no instructions:
 *
 *   start    all lanes are at the entry
 *   next     the block to run now, and its lanes; false: no lane is left
 *   went     tells the policy where the lanes of that block went
 *
 * A policy keeps its own masks or stack and decides from these alone. Its state lives in an arena;
 * everything is allocated at `create` or grows by doubling.
 *
 * Blocks are numbered over the whole program; each function's are contiguous, its entry first. From
 * a block that ends in a call, lanes go to the callee's entry (kind EMU_WENT_CALL); from a block
 * that ends in a return, each lane goes to the block after the call that it came from
 * (EMU_WENT_RETURN). Some policies treat both like any other edge. Others nest calls: the lanes of
 * a call continue after it when all of them have returned or ended. */
#ifndef EMU_POLICY_H
#define EMU_POLICY_H

#include "spv-emu/cost/policy_counts.h"
#include "spv-emu/policy/policy_program.h"

typedef enum EmuWentKind {
  EMU_WENT_BRANCH,
  EMU_WENT_CALL,   /* one target: the callee's entry */
  EMU_WENT_RETURN, /* targets: the blocks after the calls */
} EmuWentKind;

typedef struct EmuTarget {
  uint32_t block;
  EmuMask lanes; /* never empty */
} EmuTarget;

typedef struct EmuWent {
  EmuWentKind kind;
  uint32_t count;     /* number of distinct targets of the lanes */
  EmuTarget *targets; /* in the operand order of the branch; for a return, by ascending block; valid
                         during the call of `went` */
  EmuMask gone;       /* lanes that have ended */
} EmuWent;

/* A part of a policy's state that holds lanes, for a debugger. */
typedef struct EmuHeld {
  const char *what;     /* "stack entry", "merge block", …: the term of the policy's source */
  uint32_t number;      /* of those with numbers; SR_NONE: it has none */
  uint32_t block;       /* where its lanes run or wait; SR_NONE: nowhere */
  uint32_t rejoin;      /* where they reconverge; SR_NONE: nowhere, or not known */
  const EmuMask *lanes; /* may be empty: it waits for lanes */
  const char *why;      /* why its lanes wait; NULL: they run, or wait elsewhere */
} EmuHeld;

/* Lanes that leave a path for good, and those that stay. */
typedef struct EmuParting {
  uint32_t block; /* where they part */
  uint32_t stay;  /* the next block of those that stay */
  uint32_t via;   /* a block that the others run on their way, with one edge; SR_NONE: none */
  uint32_t to;
} EmuParting;

typedef void EmuTellHeld(void *user, const EmuHeld *held);

typedef struct EmuPolicy {
  const char *name;
  const char *purpose; /* one line, for --help */
  bool stacked;        /* the policy keeps waiting lanes on a stack, which cost models charge for */
  bool starts_empty;   /* at the start, its stack has no entry */
  bool scalar_code;    /* its program has instructions of the scalar unit too, which no mask turns
                          into no-ops */
  const EmuPolicyOption *options;  /* the last has no flag; NULL: it has none */
  const EmuPolicyProgram *program; /* NULL: it runs the graph */
  /* May lanes in different iterations of a loop run together? Then no value that changes is
   * uniform, and none is checked. NULL: never. */
  bool (*mixes)(SrArena *arena, const EmuBlockTable *table);
  bool tangles;        /* the lanes that run together are those that SPIR-V's rules of maximal or
                          structured reconvergence keep together: one dynamic instance */
  bool meets_in_place; /* lanes wait for one another at places that do not depend on how long others
                          take, so that the groups of a subgroup may be interleaved */
  bool logs_divergence; /* the policy logs divergent branches itself; else the executor does */
  /* Returns the reason why the policy does not apply ("function main is not structured: …"), in
   * `arena`; NULL: it applies. */
  const char *(*refuses)(SrArena *arena, const EmuBlockTable *table);
  /* How many instructions the policy places in the program's code, in `arena`; called only if the
   * policy does not refuse. NULL: none. */
  uint32_t (*code)(SrArena *arena, const EmuBlockTable *table);
  /* Computes, once for all subgroups, what the policy needs of the program; subgroups do not change
   * it. May be NULL. The table outlives the plan. */
  const void *(*plan)(SrArena *arena, const EmuBlockTable *table);
  /* Makes the state for subgroups of `lanes` lanes, which use it one after the other. The table and
   * the plan outlive the state. The caller owns the counts; the policy only adds to them. */
  void *(*create)(SrArena *arena, const EmuBlockTable *table, const void *plan, uint32_t lanes,
                  EmuPolicyCounts *counts);
  /* Starts a new subgroup; all lanes in `on` are at the entry function's entry. */
  void (*start)(void *policy, const EmuMask *on);
  /* Chooses the block to run and the lanes to run it with; false: all lanes have ended. Only
   * tf-sandy and exec may return an empty mask: the block's instructions are then issued as
   * no-ops. */
  bool (*next)(void *policy, uint32_t *block, EmuMask *on);
  /* Tells the policy where the lanes of the block that `next` returned went. After a block of
   * no-ops there are no targets and `gone` is empty. */
  void (*went)(void *policy, const EmuWent *went);
  /* Replaces `went` in the most frequent case, when all lanes of the block branch to one block; may
   * be NULL. True: these lanes run `to` next, and the policy has updated its state. *joined: lanes
   * that waited at `to` join them; if no lanes do, `next` need not be called. Of the counts only
   * pushes, pops and max_depth may change. False: the policy has done nothing; call `went`. */
  bool (*stays)(void *policy, uint32_t to, bool *joined);
  /* Is the policy's state, except for pushes and pops, the same as at the last call? Called only if
   * the lanes have stayed together since then, and are at the same block. NULL: it always is. */
  bool (*returns)(void *policy);
  /* All lanes have come to a block from outside (`stays`). Is it the header of a loop that is not open,
   * around which the lanes may go like other lanes before them? Then brings the policy to the state in
   * which they would come back to it, and counts what the header's branch counts when the loop is entered.
   * False: no; nothing was done. NULL: never. */
  bool (*enters)(void *policy, uint32_t header);
  /* Replaces `went`, and all calls until the lanes reconverge, when the lanes of the running block
   * diverge at the branch of a hammock (hammock.h); may be NULL. Returns the hammock if under this
   * policy its arms run now, in order, each with all lanes that reach it, and then exactly the
   * lanes that diverged run the join. The policy has then updated its state and counted pushes and
   * pops; the caller counts issues and reconvergences. Otherwise, or if the arms have more than
   * `most` issues together, returns NULL and does nothing. */
  const struct EmuHammock *(*hammock)(void *policy, uint64_t most);
  /* The hammock that `hammock` may return for a block; NULL: none. Its arms change the policy's pushes
   * and pops in the same way whether lanes diverge or stay together. NULL if `hammock` is. */
  const struct EmuHammock *(*hammock_at)(const void *policy, uint32_t block);
  /* On a path that the lanes take round and round (EmuPolicy.returns), at its start: may lanes leave it
   * from p->block for p->to, while the others stay together on it, and wait there until these have
   * left it, too? Then `stays` finds the same for the others. May be NULL: never. */
  bool (*lets_part)(const void *policy, const EmuParting *p);
  /* Lanes of the running group have left so, in `times` parts, each of which `went` would have told. */
  void (*part)(void *policy, uint32_t to, const EmuMask *lanes, uint64_t times);
  /* For a policy that regroups lanes. Its state is for a workgroup: it gets the workgroup's lanes
   * in place of a subgroup's, and the lanes that `next` returns run as several subgroups. True:
   * these lanes are packed into the fewest subgroups, each lane in its column, which is its number
   * in its own subgroup (packs.h); false: each lane runs in its own subgroup. NULL: the policy's
   * state is for a subgroup. */
  bool (*packed)(const void *policy);
  /* Has `next` returned false although lanes are left, because each waits for others? NULL:
   * never. */
  bool (*stuck)(const void *policy);
  /* Calls `tell` with the block and lanes of each waiting group, that is, each except the running
   * one, for the message of a deadlock. */
  void (*waiting)(const void *policy,
                  void (*tell)(void *user, uint32_t block, const EmuMask *lanes), void *user);
  const char
      *rule; /* why a group waits, as a clause: "another group runs first"; NULL: none does */
  /* Calls `tell` for each part of the state, from the one that runs to the one that runs last; NULL:
   * `waiting` tells all that there is. */
  void (*held)(const void *policy, EmuTellHeld *tell, void *user);
  /* Calls `tell` for each register that has lanes, for a trace; NULL: there are no registers. */
  void (*registers)(const void *policy,
                    void (*tell)(void *user, uint32_t number, const EmuMask *lanes), void *user);
} EmuPolicy;

/* The policy's plan; NULL if it has none. */
static inline const void *emu_policy_plan(const EmuPolicy *policy, SrArena *arena,
                                          const EmuBlockTable *table) {
  return policy->plan ? policy->plan(arena, table) : NULL;
}

#endif
