/* SPDX-License-Identifier: Apache-2.0 */
/* cli_draw: an input that is a fragment or vertex shader: what it is drawn with. */
#ifndef EMU_CLI_DRAW_H
#define EMU_CLI_DRAW_H

#include "spv-emu/cases/bare_draw.h"
#include "spv-emu/cases/contents.h"
#include "spv-emu/cli/cli_module.h"

#include <stdio.h>

typedef struct EmuCliDraw {
  EmuCliModule module;     /* of --vertex; words NULL: not given */
  spv_emu_program *vertex; /* --vertex, or a made-up one; NULL: the input is a vertex shader */
  EmuContents contents; /* those of the input, and those that the vertex shader of --vertex adds */
  EmuBareDraw *draw;
} EmuCliDraw;

/* Do the options fit an input of that stage? False: one line is on standard error, and *code is the exit
 * code. */
bool emu_cli_draw_check(const EmuCli *cli, spv_emu_stage stage, int *code);

/* Reads the file of --vertex, if it is given. False: one line is on standard error. Close the draw
 * in any case. */
bool emu_cli_draw_read(const EmuCli *cli, EmuCliDraw *draw);
/* Makes up or loads the vertex shader of `input`, unless `input` is a vertex shader. False: as
 * above. */
bool emu_cli_draw_load(const EmuCli *cli, spv_emu_stage stage, const spv_emu_program *input,
                       EmuCliDraw *draw);
/* Sets given->groups to the pixels, or vertices, for which lengths of run-time arrays and sizes are
 * guessed. */
void emu_cli_draw_groups(const EmuCli *cli, spv_emu_stage stage, EmuBareOptions *given);
/* Adds to the contents of the input what the shader of --vertex needs. False: as above. */
bool emu_cli_draw_contents(const EmuCli *cli, const EmuContents *of_input, EmuCliDraw *draw);
/* Prints what is made up besides the contents of buffers: options and, as comments, the values of
 * inputs. */
void emu_cli_draw_tell(const EmuCli *cli, spv_emu_stage stage, FILE *out);
void emu_cli_draw_tell_inputs(const EmuCli *cli, spv_emu_stage stage, const spv_emu_program *input,
                              const EmuCliDraw *draw, FILE *out);
/* Makes the draw ready to run; `input` and the contents have been loaded. False: as above. */
bool emu_cli_draw_open(const EmuCli *cli, spv_emu_stage stage, const spv_emu_program *input,
                       const EmuContents *of_input, EmuCliDraw *draw);
/* What runs, as text: "256 x 256 pixels"; the caller frees it; NULL: out of memory. */
char *emu_cli_draw_text(const EmuCli *cli, spv_emu_stage stage);
/* Frees what has been loaded. */
void emu_cli_draw_unload(EmuCliDraw *draw);
void emu_cli_draw_close(EmuCliDraw *draw);

#endif
