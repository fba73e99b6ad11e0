/* SPDX-License-Identifier: Apache-2.0 */
/* fit_policies: the policies that fit compares with a device: each of the emulator's with its
 * default options, and those whose options change which lanes run together, also with others; but not
 * `opt`, which is a bound, nor `scalar`, which has no subgroups. */
#ifndef FT_FIT_POLICIES_H
#define FT_FIT_POLICIES_H

#include <spv-emu/spv_emu.h>

typedef struct FtPolicy {
  const char *name;   /* "dwf:minority" */
  const char *policy; /* the emulator's */
  spv_emu_choice choices[2];
  uint32_t choice_count;
  const char *transform; /* which the policy needs; it changes no tangle that is promised. NULL:
                            none */
} FtPolicy;

enum { FT_POLICIES = 64 /* at most */ };

/* Sets the policies; returns their number. */
uint32_t ft_policies(FtPolicy policies[FT_POLICIES]);
/* The policy of that name. NULL: there is none, and one line on standard error lists them. */
const FtPolicy *ft_policy_find(const FtPolicy *policies, uint32_t count, const char *name);

#endif
