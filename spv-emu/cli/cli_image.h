/* SPDX-License-Identifier: Apache-2.0 */
/* cli_image: --image: the pictures of what a run has drawn, or left in images and buffers. They are
 * those of the first row that ran. */
#ifndef EMU_CLI_IMAGE_H
#define EMU_CLI_IMAGE_H

#include "spv-emu/cli/cli_case.h"

/* Keeps the pictures of a row that has run: attachments, or the only storage image, then those of
 * options that name a place. Without --image, for a page, what there is. False: one line is on
 * standard error. */
bool emu_cli_image_keep(const EmuCli *cli, const EmuCase *c, EmuRow *row);
/* Writes the files, from the first row that has pictures. False: as above. */
bool emu_cli_image_write(const EmuCli *cli, const EmuRow *rows, uint32_t count);

#endif
