/* SPDX-License-Identifier: Apache-2.0 */
/* shader_files: see shader_files.h. */
#include "tests/structure/shader_files.h"

#include <dirent.h>
#include <spawn.h>
#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

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

static bool visit_binary(const char *path, const char *name, const char *note, ShaderVisitor *visit,
                         void *user) {
  size_t size = 0;
  char *bytes = read_file(path, &size);
  if (!bytes) {
    printf("%s: cannot be read\n", path);
    return false;
  }
  uint32_t *words = malloc(size + 1);
  memcpy(words, bytes, size);
  visit(user, name, words, size / 4, note);
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

static bool compile(const char *path, const char *output) {
  char *argv[] = {"glslangValidator", "-s",         "--quiet", "--target-env", "vulkan1.3", "-o",
                  (char *)output,     (char *)path, NULL};
  pid_t pid;
  int status;
  return posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) == 0 &&
         waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool visit_glsl(const char *path, ShaderVisitor *visit, void *user) {
  char output[] = "/tmp/shader_files.XXXXXX";
  int fd = mkstemp(output);
  if (fd < 0) {
    perror(output);
    return false;
  }
  close(fd);
  bool ok = compile(path, output);
  if (ok)
    ok = visit_binary(output, path, "", visit, user);
  else
    printf("%s: glslangValidator does not compile it\n", path);
  unlink(output);
  return ok;
}

static bool visit_one(const char *path, ShaderVisitor *visit, void *user) {
  const char *dot = strrchr(path, '.');
  if (!dot)
    return true;
  if (strcmp(dot, ".spvasm") == 0)
    return visit_text(path, visit, user);
  if (strcmp(dot, ".spv") == 0)
    return visit_binary(path, path, "", visit, user);
  if (strcmp(dot, ".comp") == 0 || strcmp(dot, ".frag") == 0 || strcmp(dot, ".vert") == 0)
    return visit_glsl(path, visit, user);
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
