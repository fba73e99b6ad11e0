/* SPDX-License-Identifier: Apache-2.0 */
/* program_file: a SPIR-V module in assembly text, with its inputs and expected results in comments.
 * Such a line begins with "; " and one of these words (in parentheses: the default):
 *
 *   BUFFER BYTES            initial contents of a buffer, as for spv-emu's --buffer:
 *                           0:1:u32[]=1,2,3
 *   EXPECT BYTES            expected contents; without a BUFFER line the buffer starts as zeros;
 *                           any NaN matches NaN
 *   ULP N BYTES             the same; floats may differ by N units in the last place
 *   NEAR D BYTES            the same; floats may differ by D, absolutely or relatively
 *   IMAGE 0:2 FORMAT WIDTH HEIGHT DEPTH LAYERS LEVELS SAMPLES
 *                           the buffer at that place holds the texels of an image
 *   SAMPLER 0:3 FILTER MIPMAP ADDRESS COMPARE
 *                           numbers of Vulkan's enums; COMPARE 0: no comparison, else the
 *                           operation + 1
 *   PUSH TYPE[N]=VALUES     push constants
 *   SPEC ID=VALUE           a specialization constant
 *   GROUPS X,Y,Z            workgroups (1,1,1);   LOCAL X,Y,Z   workgroup size of a kernel
 *   SIZES N…                subgroup sizes (1 4 32)
 *   POLICIES NAME…          (scalar maximal tf-stack structured); exec runs after reconverge
 *   DROPPED N               accesses out of bounds (0)
 *   REFUSED MESSAGE         the module is refused, with a message that contains this
 *   REFUSED A | B           the same, with A or B in the message
 *
 * A backslash at the end continues a line in the next one. */
#ifndef PROGRAM_FILE_H
#define PROGRAM_FILE_H

#include "spv-emu/cases/bare_value.h"

#include <spv-emu/spv_emu.h>

enum {
  PROGRAM_MEMORIES = 128,
  PROGRAM_SIZES = 8,
  PROGRAM_POLICIES = 8,
  PROGRAM_SPECS = 16,
  PROGRAM_SAMPLERS = 8,
  PROGRAM_PUSH = 256, /* bytes */
  PROGRAM_MESSAGE = 512
};

typedef enum ProgramMatch { PROGRAM_EXACT, PROGRAM_ULP, PROGRAM_NEAR } ProgramMatch;

typedef struct ProgramMemory {
  uint32_t set, binding, element;
  EmuValues start, wanted; /* without bytes: not given */
  ProgramMatch match;
  double tolerance;
  spv_emu_image image; /* width 0: it is a buffer */
} ProgramMemory;

typedef struct Program {
  char *text; /* owned; its comments are split into lines and words, `source` is a copy */
  char *source;
  size_t length;
  ProgramMemory memories[PROGRAM_MEMORIES];
  spv_emu_sampler samplers[PROGRAM_SAMPLERS];
  spv_emu_spec specs[PROGRAM_SPECS];
  uint8_t push[PROGRAM_PUSH];
  uint32_t sizes[PROGRAM_SIZES];
  const char *policies[PROGRAM_POLICIES];
  uint32_t memory_count, sampler_count, spec_count, push_bytes, size_count, policy_count;
  uint32_t groups[3], local[3];
  uint64_t dropped;
  const char *refused; /* NULL: it runs */
} Program;

/* Reads a program. False, with a message: the file cannot be read, or a line is wrong. */
bool program_read(const char *path, Program *program, char message[PROGRAM_MESSAGE]);
void program_free(Program *program);

#endif
