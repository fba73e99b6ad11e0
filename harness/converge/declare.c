/* SPDX-License-Identifier: Apache-2.0 */
/* declare: see declare.h. OpExtension goes after the capabilities, OpExecutionMode after the entry
 * points. */
#include "harness/converge/declare.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, MAXIMALLY_RECONVERGES = 6023, SUBGROUP_UNIFORM = 4421 };

/* Appends OpExtension; returns its words. */
static size_t put_extension(uint32_t *out, const char *name) {
  size_t words = 1 + strlen(name) / 4 + 1;
  memset(out, 0, words * sizeof *out);
  out[0] = (uint32_t)words << 16 | SpvOpExtension;
  memcpy(out + 1, name, strlen(name));
  return words;
}

static size_t put_mode(uint32_t *out, uint32_t entry, uint32_t mode) {
  out[0] = 3u << 16 | SpvOpExecutionMode;
  out[1] = entry;
  out[2] = mode;
  return 3;
}

uint32_t *cv_declare(const uint32_t *words, size_t count, CvMode mode, size_t *new_count) {
  static const char *const names[CV_MODES] = {"SPV_KHR_maximal_reconvergence",
                                              "SPV_KHR_subgroup_uniform_control_flow", ""};
  uint32_t *out = malloc((count + 16) * sizeof *out);
  uint32_t entry = 0;
  bool extended = mode == CV_NO_PROMISE, declared = extended;
  if (!out)
    return NULL;
  memcpy(out, words, HEADER * sizeof *out);
  size_t n = HEADER;
  for (size_t at = HEADER; at < count; at += words[at] >> 16) {
    uint32_t op = words[at] & 0xffff;
    if (!extended && op != SpvOpCapability) {
      n += put_extension(out + n, names[mode]);
      extended = true;
    }
    if (entry && !declared && op != SpvOpEntryPoint) {
      n += put_mode(out + n, entry, mode == CV_MAXIMAL ? MAXIMALLY_RECONVERGES : SUBGROUP_UNIFORM);
      declared = true;
    }
    if (op == SpvOpEntryPoint && !entry)
      entry = words[at + 2];
    memcpy(out + n, words + at, (words[at] >> 16) * sizeof *out);
    n += words[at] >> 16;
  }
  *new_count = n;
  return out;
}
