/* amber_case: compute cases in AmberScript for programs that drive the emulator through spv_emu.h.
 */
#ifndef AMBER_CASE_H
#define AMBER_CASE_H

#include "script/script.h"
#include "spv-emu/spv_emu.h"

#include <stdio.h>

/* The script of a file; NULL, with a line on `log`, where it cannot be read. To be destroyed. */
AmberScript *amber_case_read(const char *path, FILE *log);

/* What the buffers of a script hold while it runs, by index in script->buffers. */
typedef struct AmberCaseMemory {
  AmberContents *at;
  uint32_t count;
} AmberCaseMemory;

/* Copies of the contents at the start; to be freed. Out of memory ends the process. */
AmberCaseMemory amber_case_memory(const AmberScript *script);
void amber_case_memory_free(AmberCaseMemory *memory);

/* Does one RUN of the script with a program made from its shader,; groups and buffers come from
 * the script, the rest of *options is the caller's. Only buffers: no images, no push constants. As
 * spv_emu_run. */
spv_emu_status amber_case_run(const AmberScript *script, const AmberCommand *run,
                              const spv_emu_program *program, const spv_emu_run_options *options,
                              AmberCaseMemory *memory, spv_emu_result **result, char *message,
                              size_t message_size);

#endif
