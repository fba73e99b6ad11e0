/* SPDX-License-Identifier: Apache-2.0 */
/* amber_draw: the draws and clears of an AmberScript on the emulator. */
#ifndef EMU_AMBER_DRAW_H
#define EMU_AMBER_DRAW_H

#include "spv-emu/cases/amber_bind.h"
#include "spv-emu/report/picture.h"

/* The clear values of a pipeline. */
typedef struct EmuAmberClear {
  float color[4], depth;
  uint32_t stencil;
} EmuAmberClear;

typedef struct EmuAmberDraw {
  const AmberScript *script;
  const EmuAmberBuffer *buffers;                       /* by index in the script */
  const spv_emu_program *vertex, *geometry, *fragment; /* NULL: none */
  const spv_emu_run_options *options;
  bool mixed; /* as in spv_emu_scene */
} EmuAmberDraw;

/* Runs a DRAW command; multisampled attachments are resolved after it. Unless SPV_EMU_OK, the
 * message is one line. */
spv_emu_status emu_amber_draw(const EmuAmberDraw *draw, const AmberCommand *command,
                              spv_emu_result **vertex, spv_emu_result **geometry,
                              spv_emu_result **fragment, char *message, size_t message_size);
enum { EMU_AMBER_DRAWN = 9 };
/* The attachments of a pipeline, colours first, at most EMU_AMBER_DRAWN. Returns how many. */
uint32_t emu_amber_attachments(const AmberScript *script, const EmuAmberBuffer *buffers,
                               uint32_t pipeline, EmuDrawn drawn[EMU_AMBER_DRAWN]);
/* Clears all attachments of the pipeline. */
void emu_amber_clear(const AmberScript *script, const EmuAmberBuffer *buffers, uint32_t pipeline,
                     const EmuAmberClear *clear);

#endif
