/* SPDX-License-Identifier: Apache-2.0 */
/* cli_text: see cli_text.h. */
#include "spv-emu/cli/cli_text.h"

#include "passes/tool/compile/compile_file.h"
#include "passes/tool/os/os_path.h"
#include "passes/tool/tool_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 16 << 20 }; /* bytes */

/* The module decides which file is opened. */
static bool read_text(const char *path, ToolInput *text) {
  uint8_t *bytes;
  if (!compile_file_read_regular(path, MOST_TEXT, &bytes, &text->count))
    return false;
  text->bytes = (char *)bytes;
  if (!memchr(text->bytes, 0, text->count))
    return true;
  free(bytes);
  return false;
}

static bool read_in(const char *folder, int length, const char *name, ToolInput *text) {
  char *path = NULL;
  bool good = asprintf(&path, "%.*s/%s", length, folder, name) >= 0 && read_text(path, text);
  free(path);
  return good;
}

/* The whole name, if it is relative, then its last part. */
static bool find_in(const char *folder, int length, const char *name, ToolInput *text) {
  const char *last = strrchr(name, '/');
  return (!os_path_is_absolute(name) && read_in(folder, length, name, text)) ||
         (last && last[1] && read_in(folder, length, last + 1, text));
}

static bool find(const EmuCli *cli, const char *name, ToolInput *text) {
  const char *slash = strrchr(cli->input, '/');
  for (uint32_t i = 0; i < cli->folder_count; i++)
    if (find_in(cli->folders[i], (int)strlen(cli->folders[i]), name, text))
      return true;
  return find_in(slash ? cli->input : ".", slash ? (int)(slash - cli->input) : 1, name, text) ||
         read_text(name, text);
}

bool emu_cli_texts(const EmuCli *cli, spv_emu_program *program) {
  const spv_emu_source *source = spv_emu_source_of(program);
  bool good = true;
  for (uint32_t i = 0; good && i < source->file_count; i++) {
    ToolInput text;
    if (source->files[i].text || !*source->files[i].name ||
        !find(cli, source->files[i].name, &text))
      continue;
    good = spv_emu_give_text(program, i, text.bytes, text.count);
    free(text.bytes);
  }
  return good;
}
