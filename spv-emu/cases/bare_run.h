/* SPDX-License-Identifier: Apache-2.0 */
/* bare_run: runs a module without a case; its buffers come from the command line. For draws
 * (bare_draw.h) it supplies the buffers of their stages.
 *
 * Every run starts from the given contents. The program was loaded with
 * spv_emu_load_options.shapes. */
#ifndef EMU_BARE_RUN_H
#define EMU_BARE_RUN_H

#include "passes/names/name_list.h"
#include "spv-emu/cases/bare_value.h"
#include "spv-emu/report/report_row.h"

typedef struct EmuBareOptions {
  uint32_t groups[3]; /* for a draw: the framebuffer's width, its height, 1 */
  bool draw;
  const EmuBareBuffer *buffers; /* buffers and images; their files have been read, and their places
                                   found (emu_bare_find); no two have the same place */
  uint32_t buffer_count;
  const spv_emu_sampler *samplers;
  uint32_t sampler_count;
  const EmuValues *push_constants; /* concatenated */
  uint32_t push_constant_count;
} EmuBareOptions;

typedef struct EmuBare EmuBare;

/* Sets the set and binding of a place that has a name. False, with one line in `message`: no buffer
 * of the program has that name, or several have. */
bool emu_bare_find(const spv_emu_program *program, EmuDescriptorPlace *place, char *message,
                   size_t message_size);

/* All bindings as a list for a message; "none" if there are none. */
SrNameList emu_bare_list_all(const spv_emu_binding *bindings, uint32_t count);
/* Adds a buffer to a list for a message, "0:5 (data)"; `name` may be NULL. */
void emu_bare_list(SrNameList *list, uint32_t set, uint32_t binding, const char *name);

/* Is it the output at the place? Names are those of a script's buffers; of a module they have been
 * replaced by places. */
bool emu_bare_is_output(const EmuDescriptorPlace *place, const EmuOutput *output);

/* The index of the buffer or image for a descriptor; UINT32_MAX: there is none. */
uint32_t emu_bare_find_buffer(const EmuBareOptions *options, uint32_t set, uint32_t binding,
                              uint32_t element);
bool emu_bare_has_buffer(const EmuBareOptions *options, uint32_t set, uint32_t binding,
                         uint32_t element);
bool emu_bare_has_sampler(const EmuBareOptions *options, uint32_t set, uint32_t binding,
                          uint32_t element);

/* Do the options give exactly what the program declares? False: one line in `message`. */
bool emu_bare_check(const spv_emu_program *program, const EmuBareOptions *options, char *message,
                    size_t message_size);
/* Checks that the options give exactly what the program declares. The program and the options must
 * outlive the result. Unless SPV_EMU_OK, *bare is NULL and the message is one line. */
spv_emu_status emu_bare_open(const spv_emu_program *program, const EmuBareOptions *options,
                             EmuBare **bare, char *message, size_t message_size);
/* Runs the module under how->policy; the other members of `how` that a dispatch needs are filled in
 * here. The row must be freed in any case. */
spv_emu_status emu_bare_run(EmuBare *bare, const spv_emu_run_options *how, EmuRow *row,
                            char *message, size_t message_size);
/* The same for the stages of a draw (`second` NULL: there is only one stage): declarations of
 * either stage count. The next two functions are called before and after the draw's run. */
spv_emu_status emu_bare_open_draw(const spv_emu_program *first, const spv_emu_program *second,
                                  const EmuBareOptions *options, EmuBare **bare, char *message,
                                  size_t message_size);
/* Gives the buffers their initial contents, and the options all descriptors. */
void emu_bare_start(EmuBare *bare, spv_emu_run_options *options);
/* Adds the buffers to the row of the run. False: out of memory. */
bool emu_bare_end(const EmuBare *bare, EmuRow *row);
void emu_bare_close(EmuBare *bare);

#endif
