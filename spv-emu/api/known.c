/* SPDX-License-Identifier: Apache-2.0 */
/* known: see known.h. SPIRV-Tools' parser is asked about each of these instructions alone, after
 * the module's header: linear. */
#include "spv-emu/api/known.h"

#include "passes/ir/module.h"

#include <spirv-tools/libspirv.h>
#include <string.h>

enum { HEADER = 5, LONGEST = 64 };

/* Does the instruction only add something to the module, and has it no result? */
static bool only_adds(uint32_t op) {
  switch (op) {
  case SpvOpSource:
  case SpvOpCapability:
  case SpvOpExecutionMode:
  case SpvOpExecutionModeId:
  case SpvOpDecorate:
  case SpvOpDecorateId:
  case SpvOpDecorateString:
  case SpvOpMemberDecorate:
  case SpvOpMemberDecorateString:
    return true;
  }
  return false;
}

static bool is_known(spv_const_context context, const uint32_t *header, const uint32_t *words,
                     size_t count) {
  uint32_t alone[HEADER + LONGEST];
  if (count > LONGEST)
    return true;
  memcpy(alone, header, HEADER * sizeof *alone);
  memcpy(alone + HEADER, words, count * sizeof *alone);
  return spvBinaryParse(context, NULL, alone, HEADER + count, NULL, NULL, NULL) !=
         SPV_ERROR_INVALID_BINARY;
}

uint32_t *emu_known_words(SrArena *arena, const uint32_t *words, size_t count, size_t *kept) {
  uint32_t *known = SR_NEW_RAW(arena, uint32_t, count);
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  size_t n = count < HEADER ? count : HEADER;
  memcpy(known, words, n * sizeof *known);
  for (size_t at = n, length; at < count; at += length) {
    length = words[at] >> 16;
    if (length == 0 || length > count - at)
      length = count - at; /* the reader refuses it */
    if (context && only_adds(words[at] & 0xffff) && !is_known(context, words, words + at, length))
      continue;
    memcpy(known + n, words + at, length * sizeof *known);
    n += length;
  }
  spvContextDestroy(context);
  *kept = n;
  return known;
}
