/* SPDX-License-Identifier: Apache-2.0 */
/* backend_policy: the policies of device emu: each of the emulator's with its default options, and
 * those whose options change which lanes run together, also with others. `opt`, which is a bound,
 * is not among them. */
#ifndef HN_BACKEND_POLICY_H
#define HN_BACKEND_POLICY_H

#include <spv-emu/spv_emu.h>

typedef struct HnPolicy {
  const char *name;   /* "dwf:minority" */
  const char *policy; /* the emulator's */
  spv_emu_choice choices[2];
  uint32_t choice_count;
  const char *transform; /* which the policy needs; it changes no tangle that is promised. NULL:
                            none */
} HnPolicy;

enum { HN_POLICIES = 64 /* at most */ };

/* Sets all policies; returns their number. */
uint32_t hn_policies(HnPolicy policies[HN_POLICIES]);
/* Sets the policy of that name. False: there is none. */
bool hn_policy_find(const char *name, HnPolicy *policy);
/* Sets those of a list, "all" or names separated by commas. False: one line about the name that is
 * not known is on standard error. */
bool hn_policy_list(const char *list, HnPolicy policies[HN_POLICIES], uint32_t *count);

#endif
