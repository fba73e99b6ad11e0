/* SPDX-License-Identifier: Apache-2.0 */
/* policy_program: the program that a policy runs in place of the graph, and the policy's options.
 *
 * Some machines run instructions that a compiler places in the control flow: tokens, JOINs,
 * convergence barriers, masks. Such a policy places them itself, or reads a listing of them. The
 * table of blocks holds the program as a pointer that only the policy understands. */
#ifndef EMU_POLICY_PROGRAM_H
#define EMU_POLICY_PROGRAM_H

#include "spv-emu/policy/block_table.h"

/* An option of a policy. */
typedef struct EmuPolicyOption {
  const char *flag;          /* "--barrier-placement"; NULL: past the last option */
  const char *what;          /* in messages: "barrier placement" */
  const char *const *values; /* that it may have, then NULL; NULL: the policy reads the text */
  const char *help;          /* the lines of --help */
} EmuPolicyOption;

/* What a program is made from. */
typedef struct EmuPlacing {
  SrArena *arena; /* the program's */
  SrDiag *diag;
  const EmuProgram *p;
  const EmuBlockTable *table;
} EmuPlacing;

typedef struct EmuPolicyProgram {
  const char *dump;      /* the flag that writes the program to a file; NULL: none */
  const char *dump_help; /* the lines of --help */
  uint32_t listing;      /* the option whose value is the program as text; SR_NONE: none */
  /* Makes the program. If that is impossible, *program stays NULL, and *refused says why. */
  SrStatus (*place)(const EmuPlacing *from, const void **program, const char **refused);
  /* Reads the program from a listing, perhaps edited. NULL: no program has a listing. */
  SrStatus (*read)(const EmuPlacing *from, const char *text, const void **program);
  /* Writes the program as text. NULL: no program is written. */
  void (*print)(const void *program, const EmuBlockTable *table, SrText *text);
} EmuPolicyProgram;

/* Is `value` one that the option may have? NULL is. */
SR_MUST_USE SrStatus emu_policy_option_check(SrArena *arena, SrDiag *diag,
                                             const EmuPolicyOption *option, const char *value);
/* The value of the policy's option `index`, or NULL. */
static inline const char *emu_policy_value(const EmuBlockTable *table, uint32_t index) {
  return table->choices ? table->choices[index] : NULL;
}
/* The place of that value among those that the option may have; `other` if it is NULL. */
uint32_t emu_policy_choice(const EmuPolicyOption *options, const EmuBlockTable *table,
                           uint32_t index, uint32_t other);
/* The program in the table; if the table has none, and no reason for that, it is made in `arena` by
 * a `place` that needs only the table. NULL: it cannot be made; *why is the reason. */
const void *emu_policy_program(const EmuPolicyProgram *program, SrArena *arena,
                               const EmuBlockTable *table, const char **why);

#endif
