/* amber_run: the compute part of an AmberScript on the emulator.
 *
 * Each buffer of the script is one string of bytes: what descriptors show of it as a buffer, as a
 * texel buffer or as an image are windows on the same bytes, so nothing is ever copied between
 * views. Images keep their mip levels one behind the other, level 0, which is what scripts fill,
 * compare and copy, in front; the others start as zeros, and so do images of several samples.
 *
 * SUBGROUP REQUIRED_SIZE with a number counts for its pipeline; all else about subgroup sizes means
 * the size that the case is opened with: the emulated device has no other. What the script requires
 * of the device (DEVICE_FEATURE and the like) is not looked at: the emulator refuses a module by
 * what is in it. */
#ifndef EMU_AMBER_RUN_H
#define EMU_AMBER_RUN_H

#include "report/report_row.h"
#include "shader/shader.h"

typedef struct EmuAmber EmuAmber;

typedef struct EmuAmberOptions {
  const char *transform;  /* as spv_emu_load_options */
  uint32_t subgroup_size; /* 0: the workgroup's */
  bool check_uniform;     /* as spv_emu_load_options */
  const char *vary;       /* a specialization constant of at least one pipeline, as spv_emu_spec has
                             names, that all which have it take `value` for; NULL: none */
  uint64_t value;
  const char *const *orders; /* as spv_emu_load_options */
  uint32_t order_count;
} EmuAmberOptions;

/* Loads the programs of all pipelines that the script runs; `modules` by index in script->shaders,
 * not kept. The script must outlive the result. On anything but SPV_EMU_OK *amber is NULL and the
 * message is one line, with the line of the script: what the emulator lacks (graphics, reading
 * images of several samples), or why it refuses a module. */
spv_emu_status emu_amber_open(const AmberScript *script, const HnModule *modules,
                              const EmuAmberOptions *options, EmuAmber **amber, char *message,
                              size_t message_size);
/* Runs the script from its initial contents under how->policy; what programs see besides is filled
 * in here. A dispatch that does not end well ends the script; an EXPECT that fails does not. The
 * row is to be freed whatever the result; its parts are the script's pipelines. */
spv_emu_status emu_amber_run(EmuAmber *amber, const spv_emu_run_options *how, EmuRow *row,
                             char *message, size_t message_size);
/* A buffer of the script as it stands now, of the size that the script gives it; NULL: an image of
 * several samples, or one that no pipeline, COPY or EXPECT uses. */
const uint8_t *emu_amber_contents(const EmuAmber *amber, uint32_t buffer);
void emu_amber_close(EmuAmber *amber);

#endif
