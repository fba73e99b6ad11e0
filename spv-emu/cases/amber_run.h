/* SPDX-License-Identifier: Apache-2.0 */
/* amber_run: an AmberScript on the emulator.
 *
 * Each buffer of the script is one array of bytes. Descriptors of it as a buffer, a texel buffer or
 * an image are views of the same bytes, so nothing is copied between views. The mip levels of an
 * image are consecutive. Scripts fill, compare and copy level 0; the other levels start as zeros,
 * as do images of several samples.
 *
 * SUBGROUP REQUIRED_SIZE with a number applies to its pipeline. All other statements about subgroup
 * sizes refer to the size with which the case is opened, since the emulated device has no other.
 * Requirements on the device (DEVICE_FEATURE and similar) are ignored: the emulator refuses a
 * module by its contents. */
#ifndef EMU_AMBER_RUN_H
#define EMU_AMBER_RUN_H

#include "harness/shader/shader.h"
#include "spv-emu/cases/amber_draw.h"
#include "spv-emu/report/report_row.h"

typedef struct EmuAmber EmuAmber;

typedef struct EmuAmberOptions {
  const char *transform;  /* as in spv_emu_load_options */
  uint32_t subgroup_size; /* 0: the size of a workgroup, or 32 for graphics stages */
  bool mixed;             /* as in spv_emu_scene */
  bool check_uniform, check_vuid, check_convergence, debug,
      tangles; /* as in spv_emu_load_options */
  const spv_emu_spec
      *varied; /* specialization constants, by name, and their values in all pipelines
                                 that have them (at least one must) */
  uint32_t varied_count;
  const char *const *orders; /* as in spv_emu_load_options */
  uint32_t order_count;
} EmuAmberOptions;

/* Loads the programs of all pipelines that the script runs. `modules`: by index in script->shaders,
 * not kept. The script must outlive the result. Unless SPV_EMU_OK, *amber is NULL and the message
 * is one line, with the line of the script, that says what the emulator does not support (a
 * tessellation shader, reading images of several samples), or why it refuses a module. */
spv_emu_status emu_amber_open(const AmberScript *script, const HnModule *modules,
                              const EmuAmberOptions *options, EmuAmber **amber, char *message,
                              size_t message_size);
/* What was left out when the case's modules were read, in one line (spv_emu_notice); NULL:
 * nothing. */
const char *emu_amber_notice(const EmuAmber *amber);
/* Runs the script from its initial contents under how->policy; the other members of `how` that a
 * dispatch needs are filled in here. A dispatch that fails ends the script; an EXPECT that fails
 * does not. Free the row in any case. Its parts are the script's pipelines, followed by the vertex
 * shaders of all pipelines if there are graphics pipelines. */
spv_emu_status emu_amber_run(EmuAmber *amber, const spv_emu_run_options *how, EmuRow *row,
                             char *message, size_t message_size);
/* The current contents of a buffer, as many bytes as the script gives it. NULL: it is an image of
 * several samples, or no pipeline, COPY or EXPECT uses it. */
const uint8_t *emu_amber_contents(const EmuAmber *amber, uint32_t buffer);
/* Does the script draw? */
bool emu_amber_draws(const EmuAmber *amber);
/* The attachments of the last draw's pipeline, as in emu_amber_attachments; 0: nothing was
 * drawn. */
uint32_t emu_amber_drawn(const EmuAmber *amber, EmuDrawn drawn[EMU_AMBER_DRAWN]);
void emu_amber_close(EmuAmber *amber);

#endif
