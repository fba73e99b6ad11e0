/* SPDX-License-Identifier: Apache-2.0 */
/* cli_image: see cli_image.h. */
#include "spv-emu/cli/cli_image.h"

#include "spv-emu/cli/cli_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 1024 };

static uint32_t count_placed(const EmuCli *cli) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < cli->given.image_count; i++)
    count += cli->given.images[i].placed;
  return count;
}

static bool find_placed(const EmuCli *cli, const EmuRow *row, EmuDrawn *drawn) {
  char message[MESSAGE];
  for (uint32_t i = 0; i < cli->given.image_count; i++)
    if (cli->given.images[i].placed &&
        !emu_image_file_find(&cli->given.images[i], row, drawn++, message, sizeof message))
      return emu_cli_module_say(cli->input, message);
  return true;
}

bool emu_cli_image_keep(const EmuCli *cli, const EmuCase *c, EmuRow *row) {
  char message[MESSAGE];
  EmuDrawn *drawn = calloc(EMU_AMBER_DRAWN + count_placed(cli), sizeof *drawn);
  if (!drawn)
    return emu_cli_module_say(cli->input, "out of memory");
  uint32_t count = emu_case_drawn(c, drawn);
  bool only = !count && emu_image_file_only(row, &drawn[0], message, sizeof message);
  count += only;
  bool good =
      count || !emu_given_plain_image(&cli->given) || emu_cli_module_say(cli->input, message);
  good = good && find_placed(cli, row, drawn + count);
  if (good && !emu_row_pictures(row, drawn, count + count_placed(cli)))
    good = emu_cli_module_say(cli->input, "out of memory");
  free(drawn);
  return good;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* "FILE.png"; of further colours "FILE-1.png", …; of depth "FILE-depth.png". */
static char *file_of(const char *image, const EmuPicture *picture, uint32_t index) {
  int stem = (int)strlen(image) - 4;
  char *file;
  int size = picture->depth ? asprintf(&file, "%.*s-depth.png", stem, image)
             : index        ? asprintf(&file, "%.*s-%u.png", stem, image, index)
                            : asprintf(&file, "%s", image);
  return size < 0 ? NULL : file;
}

/* The attachments, or the only image. */
static bool write_plain(const char *image, const EmuRow *row, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    char *file = file_of(image, &row->pictures[i], i);
    bool good = file && emu_image_file_write(file, &row->pictures[i]);
    free(file);
    if (!good)
      return false;
  }
  return true;
}

bool emu_cli_image_write(const EmuCli *cli, const EmuRow *rows, uint32_t count) {
  const EmuRow *row = rows, *last = rows + count - 1;
  while (row < last && !row->picture_count)
    row++;
  if (!row->picture_count)
    return emu_cli_module_say(cli->input, "--image: nothing ran that can be written");
  uint32_t plain = row->picture_count - count_placed(cli);
  const EmuPicture *next = row->pictures + plain;
  for (uint32_t i = 0; i < cli->given.image_count; i++)
    if (cli->given.images[i].placed && !emu_image_file_write(cli->given.images[i].file, next++))
      return false;
  return !emu_given_plain_image(&cli->given) ||
         write_plain(emu_given_plain_image(&cli->given)->file, row, plain);
}
