/* SPDX-License-Identifier: Apache-2.0 */
/* cli_final: the contents that a run leaves in all buffers, images and attachments.
 *
 * For a script these are its buffers, by name; attachments are among them, except attachments of
 * several samples. For a module these are its descriptors, by set, binding and element, and the
 * attachments that it draws to. */
#ifndef EMU_CLI_FINAL_H
#define EMU_CLI_FINAL_H

#include "spv-emu/cli/cli_case.h"

enum { EMU_FINAL_NAME = 96 };

typedef struct EmuFinal {
  char name[EMU_FINAL_NAME]; /* "buffer 0:1", "buffer 0:1[2]", "buffer data", "attachment 0" */
  EmuElementLayout layout;   /* its fields belong to the case */
  const spv_emu_shape
      *shape;             /* of a module's descriptor, which belongs to the case; NULL: not known */
  const uint8_t *bytes;   /* owned by the case, valid until it runs again */
  const uint8_t *initial; /* what the bytes were before the run; NULL: not known */
  uint64_t size;
} EmuFinal;

/* The contents after the run of `row`, each under a name of its own. NULL: out of memory. */
EmuFinal *emu_final_all(const EmuCase *c, const EmuRow *row, uint32_t *count);
/* Did the run change the contents, as far as is known? */
bool emu_final_is_written(const EmuFinal *f);

#endif
