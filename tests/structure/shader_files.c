/* SPDX-License-Identifier: Apache-2.0 */
/* shader_files: see shader_files.h. */
#include "tests/structure/shader_files.h"

#include "passes/tool/compile/compile.h"

#include <dirent.h>
#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The file's bytes with a 0 after them, to be freed; NULL if it cannot be read. */
static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  struct stat info;
  char *bytes = NULL;
  if (fstat(fileno(file), &info) == 0 && (bytes = malloc((size_t)info.st_size + 1))) {
    *size = fread(bytes, 1, (size_t)info.st_size, file);
    bytes[*size] = 0;
  }
  fclose(file);
  return bytes;
}

static bool visit_binary(const char *path, ShaderVisitor *visit, void *user) {
  size_t size = 0;
  char *bytes = read_file(path, &size);
  if (!bytes) {
    printf("%s: cannot be read\n", path);
    return false;
  }
  uint32_t *words = malloc(size + 1);
  memcpy(words, bytes, size);
  visit(user, path, words, size / 4, "");
  free(words);
  free(bytes);
  return true;
}

static bool visit_text(const char *path, ShaderVisitor *visit, void *user) {
  size_t size = 0;
  char *text = read_file(path, &size);
  if (!text) {
    printf("%s: cannot be read\n", path);
    return false;
  }
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  spv_binary binary = NULL;
  spv_diagnostic diagnostic = NULL;
  spv_result_t result = spvTextToBinaryWithOptions(
      context, text, size, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &binary, &diagnostic);
  text[strcspn(text, "\n")] = 0;
  if (result == SPV_SUCCESS)
    visit(user, path, binary->code, binary->wordCount, text);
  else
    printf("%s: left out: %s\n", path, diagnostic ? diagnostic->error : "does not assemble");
  spvDiagnosticDestroy(diagnostic);
  spvBinaryDestroy(binary);
  spvContextDestroy(context);
  free(text);
  return true;
}

static bool visit_glsl(const char *path, CompileStage stage, ShaderVisitor *visit, void *user) {
  CompileText text = {.name = path};
  char *source = read_file(path, &text.size);
  if (!source) {
    printf("%s: cannot be read\n", path);
    return false;
  }
  text.text = source;
  const CompileSource glsl = {.language = COMPILE_GLSL,
                              .stage = stage,
                              .texts = &text,
                              .text_count = 1,
                              .target = compile_target_find("vulkan1.3")};
  CompileResult result;
  bool good = compile_run(&glsl, &result) == COMPILE_DONE;
  if (good)
    visit(user, path, result.words, result.count, "");
  else
    printf("%s: %s\n", path, result.log ? result.log : "does not compile");
  compile_free(&result);
  free(source);
  return good;
}

static bool visit_one(const char *path, ShaderVisitor *visit, void *user) {
  const char *dot = strrchr(path, '.');
  if (!dot)
    return true;
  if (strcmp(dot, ".spvasm") == 0)
    return visit_text(path, visit, user);
  if (strcmp(dot, ".spv") == 0)
    return visit_binary(path, visit, user);
  CompileLanguage language;
  CompileStage stage;
  if (compile_kind_of(path, &language, &stage) && language == COMPILE_GLSL &&
      (stage == COMPILE_COMPUTE || stage == COMPILE_FRAGMENT || stage == COMPILE_VERTEX))
    return visit_glsl(path, stage, visit, user);
  return true;
}

bool visit_shader_files(const char *path, ShaderVisitor *visit, void *user) {
  struct stat info;
  if (stat(path, &info) != 0) {
    perror(path);
    return false;
  }
  if (!S_ISDIR(info.st_mode))
    return visit_one(path, visit, user);
  struct dirent **entries;
  int n = scandir(path, &entries, NULL, alphasort);
  if (n < 0) {
    perror(path);
    return false;
  }
  bool ok = true;
  for (int i = 0; i < n; i++) {
    if (entries[i]->d_name[0] != '.') {
      size_t room = strlen(path) + strlen(entries[i]->d_name) + 2;
      char *child = malloc(room);
      snprintf(child, room, "%s/%s", path, entries[i]->d_name);
      ok = visit_shader_files(child, visit, user) && ok;
      free(child);
    }
    free(entries[i]);
  }
  free(entries);
  return ok;
}
