/* SPDX-License-Identifier: Apache-2.0 */
/* bare_draw: draws with a vertex shader, a fragment shader, or both, without a case: one
 * triangle over all of a framebuffer, or made-up triangles (bare_vertex.h).
 *
 * The framebuffer has an attachment for each location that the fragment shader writes:
 * R8G8B8A8_UNORM for floats, R32G32B32A32_UINT or _SINT for integers, cleared to 0; and D32_SFLOAT,
 * cleared to 1, if the shader writes depth, or if a vertex shader is given: fragments that are
 * nearer, or equally near, are drawn. A vertex shader alone draws nothing. */
#ifndef EMU_BARE_DRAW_H
#define EMU_BARE_DRAW_H

#include "spv-emu/cases/bare_run.h"
#include "spv-emu/report/picture.h"

typedef struct EmuBareDrawOptions {
  const spv_emu_program *vertex, *fragment; /* `fragment` NULL: there is none */
  bool built;             /* the vertex shader was made up: its issues do not count */
  uint32_t width, height; /* of the framebuffer */
  uint32_t vertices;      /* 0: a triangle over the framebuffer */
  uint64_t seed;          /* of the vertices */
  bool mixed;             /* as in spv_emu_scene */
} EmuBareDrawOptions;

typedef struct EmuBareDraw EmuBareDraw;

/* The programs must outlive the result, and so must `contents`, with the memory of their
 * descriptors. Unless SPV_EMU_OK, *draw is NULL and the message is one line. */
spv_emu_status emu_bare_draw_open(const EmuBareDrawOptions *options, const EmuBareOptions *contents,
                                  EmuBareDraw **draw, char *message, size_t message_size);
/* Draws under how->policy, into cleared attachments. Free the row in any case. */
spv_emu_status emu_bare_draw_run(EmuBareDraw *draw, const spv_emu_run_options *how, EmuRow *row,
                                 char *message, size_t message_size);
/* The attachments, the colours by location, then depth; valid until the next run. */
const EmuDrawn *emu_bare_draw_attachments(const EmuBareDraw *draw, uint32_t *count);
void emu_bare_draw_close(EmuBareDraw *draw);

#endif
