/* SPDX-License-Identifier: Apache-2.0 */
/* cli_case: the input of the command line, ready to run: an AmberScript or a single module. */
#ifndef EMU_CLI_CASE_H
#define EMU_CLI_CASE_H

#include "spv-emu/cases/amber_run.h"
#include "spv-emu/cases/bare_run.h"
#include "spv-emu/cases/contents.h"
#include "spv-emu/cli/cli_draw.h"
#include "spv-emu/cli/emu_options.h"

typedef struct EmuCase {
  char *dispatch; /* for a module: what runs, as text; else NULL */
  bool source;    /* the module was compiled from a source */
  /* For an AmberScript. */
  AmberScript *script; /* NULL: the input is a module */
  HnModule *modules;
  EmuAmber *amber;
  /* For a module. */
  EmuCliModule module;
  spv_emu_stage stage;
  spv_emu_program *program;
  EmuContents contents;
  EmuCliDraw draw; /* how a fragment or vertex shader is drawn */
  char *told;      /* what is made up, as text; NULL: it has not been made up yet */
  const char *input;
  const struct EmuCase *last; /* the variant before this one; NULL: none */
  EmuBare *bare;
} EmuCase;

/* Reads the input. `last`: the variant before it, whose made-up contents are not printed again;
 * NULL: none. False: one line is on standard error, and *code is the exit code. Close the case in
 * any case. The command line and `last` must outlive it. */
bool emu_case_read(EmuCli *cli, const EmuCase *last, EmuCase *c, int *code);
/* Loads the case, with values for the specialization constants that are varied, which have names,
 * and frees what was loaded before. False: as above; the exit code is that of bad input. */
bool emu_case_load(EmuCli *cli, EmuCase *c, const spv_emu_spec *varied, uint32_t count);
/* Runs the case under how->policy, as emu_amber_run and emu_bare_run do. */
spv_emu_status emu_case_run(EmuCase *c, const spv_emu_run_options *how, EmuRow *row, char *message,
                            size_t message_size);
/* Has a page a heat map of the case: does it draw, or is it a dispatch of one module whose
 * invocations have an x and a y? */
bool emu_case_has_map(const EmuCase *c);
/* The attachments after that run; returns how many there are, at most EMU_AMBER_DRAWN. */
uint32_t emu_case_drawn(const EmuCase *c, EmuDrawn drawn[EMU_AMBER_DRAWN]);
void emu_case_close(EmuCase *c);

#endif
