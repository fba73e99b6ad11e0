/* SPDX-License-Identifier: Apache-2.0 */
/* new_parts: what the parts of a new case are written from. */
#ifndef HN_NEW_PARTS_H
#define HN_NEW_PARTS_H

#include "harness/new/new_case.h"
#include "harness/new/new_text.h"
#include "spv-emu/cases/contents.h"

typedef struct HnNew {
  const HnNewCase *wanted;
  HnTrialModule module;
  const spv_emu_program *program; /* the module's, in subgroups of 32 lanes */
  bool draws;                     /* the module is a fragment shader */
  char *vertex_text;              /* for a draw: the vertex shader, as assembly */
  HnTrialModule vertex;           /* the same, assembled */
  uint32_t groups[3];             /* for a draw: the framebuffer's width, its height, 1 */
  EmuContents contents;
  HnNewBuffer *buffers; /* those of a binding follow each other, by element */
  uint32_t buffer_count;
  EmuValues pushed; /* the push constants, joined */
  HnTrial trial;
  bool raced;     /* workgroups of a larger dispatch race */
  char **message; /* only the first message is kept */
} HnNew;

/* Sets the message unless there is one already; returns false. */
bool hn_new_fail(HnNew *n, const char *text);

/* "compute" or "fragment". */
const char *hn_new_stage(const HnNew *n);

/* The program's binding at this place, which must exist. */
const spv_emu_binding *hn_new_binding(const HnNew *n, const EmuDescriptorPlace *place);

/* new_buffers.c: sets `buffers` from the contents, with names for the case. False: a message is
 * set. */
bool hn_new_buffers(HnNew *n);

/* new_shader.c: write the DEVICE_FEATUREs, and the SHADER. *glsl: the shader is written as GLSL, so
 * that options -D become options of the case. False: a message is set. */
void hn_new_features(const HnNew *n, FILE *out);
bool hn_new_shader(HnNew *n, FILE *out, bool *glsl);

/* new_draw.c, for fragment shaders. hn_new_vertex makes the vertex shader; false: a message is
 * set. */
bool hn_new_vertex(HnNew *n);
/* These write the vertex SHADER, the vertices and the attachments; the PIPELINE's commands about
 * them; the CLEAR and the RUN; the EXPECTs of the attachments. */
void hn_new_draw_declare(const HnNew *n, FILE *out);
void hn_new_draw_bind(const HnNew *n, FILE *out);
void hn_new_draw_run(FILE *out);
void hn_new_draw_expect(const HnNew *n, FILE *out);

/* new_pipeline.c: can SPECIALIZE express the constants that are given? False: a message is set. */
bool hn_new_constants(HnNew *n);
/* Write the SAMPLERs, and the PIPELINE with its RUN. */
void hn_new_samplers(const HnNew *n, FILE *out);
void hn_new_pipeline(const HnNew *n, FILE *out, bool glsl);

#endif
