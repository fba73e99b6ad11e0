/* SPDX-License-Identifier: Apache-2.0 */
/* new_parts: what the parts of a new case are written from. */
#ifndef HN_NEW_PARTS_H
#define HN_NEW_PARTS_H

#include "cases/contents.h"
#include "new/new_case.h"
#include "new/new_text.h"

typedef struct HnNew {
  const HnNewCase *wanted;
  HnTrialModule module;
  spv_emu_program *program;
  uint32_t groups[3];
  EmuContents contents;
  HnNewBuffer *buffers;
  uint32_t buffer_count;
  HnTrial trial;
  bool raced;     /* workgroups of a larger dispatch race */
  char **message; /* the first one is kept */
} HnNew;

/* Sets the message unless there is one; returns false. */
bool hn_new_fail(HnNew *n, const char *text);

/* The binding at that place, which there is. */
const spv_emu_binding *hn_new_binding(const HnNew *n, const EmuPlace *place);

/* new_buffers.c: the buffers of the contents, with their names in the case. False: a message. */
bool hn_new_buffers(HnNew *n);

/* new_shader.c: DEVICE_FEATUREs; the SHADER. *glsl: it is written as GLSL, so that -D become
 * options of the case. False: a message. */
void hn_new_features(const HnNew *n, FILE *out);
bool hn_new_shader(HnNew *n, FILE *out, bool *glsl);

/* new_pipeline.c: SAMPLERs; PIPELINE and RUN. */
void hn_new_samplers(const HnNew *n, FILE *out);
void hn_new_pipeline(const HnNew *n, FILE *out, bool glsl);

#endif
