/* SPDX-License-Identifier: Apache-2.0 */
/* fit_programs: the programs by which fit tells reconvergence policies apart, as AmberScript cases.
 *
 * Each program has one kind of control flow on which policies form different tangles. Its workgroup
 * has two subgroups. What a lane does depends on its number in the subgroup, which it reads from a
 * buffer, so that no compiler knows it. So the paths are the same on all devices, unless a program
 * says otherwise. Every loop is bounded under every policy, so no program hangs. */
#ifndef FT_FIT_PROGRAMS_H
#define FT_FIT_PROGRAMS_H

#include <stdint.h>

enum { FT_SUBGROUPS = 2 /* in the workgroup */ };

typedef struct FtProgram {
  const char *name;
  const char *shows;     /* what its control flow is, a few words */
  const char *text;      /* GLSL after the part that all programs share */
  const char *transform; /* not NULL: the text is the assembly of main from the end of its first
                            block on, and this makes it structured */
} FtProgram;

/* Programs by index; NULL past the last. */
const FtProgram *ft_program_at(uint32_t index);
/* The case for subgroups of this size, to be freed; NULL: out of memory. */
char *ft_program_script(const FtProgram *program, uint32_t subgroup_size);

#endif
