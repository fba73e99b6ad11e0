/* SPDX-License-Identifier: Apache-2.0 */
/* new_case: an AmberScript case for a compute shader without one.
 *
 * Contents and dispatch are made up as for spv-emu (cases/guess.h). The emulator runs the shader
 * with subgroups of several sizes; what all runs agree on becomes EXPECTs, the rest depends on the
 * order of invocations or on the size and is left out. */
#ifndef HN_NEW_CASE_H
#define HN_NEW_CASE_H

#include "cli/cli_source.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct HnNewCase {
  const char *path;
  CliSource source;
  uint64_t seed;
} HnNewCase;

/* Does the path name a shader, by its ending? */
bool hn_new_case_is(const char *path);
/* The text of the case, to be freed; *outside: with these contents, the shader accesses memory out
 * of bounds. NULL: *message is what is wrong, one line to be freed; empty: that
 * is on standard error already. */
char *hn_new_case(const HnNewCase *wanted, bool *outside, char **message);

#endif
