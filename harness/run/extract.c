/* SPDX-License-Identifier: Apache-2.0 */
/* extract: see extract.h. */
#include "harness/run/extract.h"
#include "harness/shader/case_file.h"
#include "harness/shader/shader.h"
#include "passes/tool/compile/compile_file.h"

#include "passes/tool/tool_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the script of a case. NULL: the reason is on standard error. */
static AmberScript *read_script(const char *path) {
  const AmberFiles files = hn_files_beside(path);
  AmberScript *script;
  AmberMessage message;
  uint8_t *bytes;
  size_t size;
  if (!compile_file_read(path, HN_FILE_MOST, &bytes, &size)) {
    tool_say(path, "cannot be read: %s", strerror(errno));
    return NULL;
  }
  if (amber_parse((const char *)bytes, size, &files, &script, &message) != AMBER_OK)
    tool_say(path, "%s", message.text);
  free(bytes);
  return script;
}

static bool write_module(const AmberShader *shader, HnModule module, const char *folder) {
  char *path;
  if (asprintf(&path, "%s/%s.spv", folder, shader->name) < 0) {
    tool_say(folder, "out of memory");
    return false;
  }
  for (char *c = path + strlen(folder) + 1; *c; c++)
    if (*c == '/')
      *c = '_';
  bool good = tool_write(path, module.words, module.count * sizeof *module.words);
  if (good)
    puts(path);
  free(path);
  return good;
}

static bool write_all(const AmberScript *script, const HnModule *modules, const char *folder) {
  bool good = tool_make_folder(folder);
  for (uint32_t i = 0; good && i < script->shader_count; i++)
    if (modules[i].count && script->shaders[i].format != AMBER_PASSTHROUGH)
      good = write_module(&script->shaders[i], modules[i], folder);
  return good;
}

bool hn_extract(const char *path, const char *folder) {
  AmberScript *script = read_script(path);
  HnModule *modules;
  char *message;
  if (!script)
    return false;
  bool good = hn_shaders_make(script, &modules, &message) == HN_PASS;
  if (good) {
    good = write_all(script, modules, folder);
    hn_shaders_free(modules, script->shader_count);
  } else {
    tool_say(path, "%s", message ? message : "out of memory");
    free(message);
  }
  amber_destroy(script);
  return good;
}
