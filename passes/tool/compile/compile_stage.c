/* SPDX-License-Identifier: Apache-2.0 */
/* compile_stage: stages and languages by the names of files. */
#include "passes/tool/compile/compile.h"

#include <string.h>

static const struct {
  const char *ending, *name;
} stages[] = {
    [COMPILE_VERTEX] = {"vert", "vertex"},
    [COMPILE_TESSELLATION_CONTROL] = {"tesc", "tessellation control"},
    [COMPILE_TESSELLATION_EVALUATION] = {"tese", "tessellation evaluation"},
    [COMPILE_GEOMETRY] = {"geom", "geometry"},
    [COMPILE_FRAGMENT] = {"frag", "fragment"},
    [COMPILE_COMPUTE] = {"comp", "compute"},
    [COMPILE_RAY_GENERATION] = {"rgen", "ray generation"},
    [COMPILE_INTERSECTION] = {"rint", "intersection"},
    [COMPILE_ANY_HIT] = {"rahit", "any-hit"},
    [COMPILE_CLOSEST_HIT] = {"rchit", "closest-hit"},
    [COMPILE_MISS] = {"rmiss", "miss"},
    [COMPILE_CALLABLE] = {"rcall", "callable"},
    [COMPILE_TASK] = {"task", "task"},
    [COMPILE_MESH] = {"mesh", "mesh"},
    [COMPILE_KERNEL] = {"cl", "kernel"},
};

const char compile_stage_endings[] =
    "vert tesc tese geom frag comp rgen rint rahit rchit rmiss rcall task mesh";

const char *compile_stage_name(CompileStage stage) {
  return stages[stage].name;
}

const char *compile_stage_ending(CompileStage stage) {
  return stages[stage].ending;
}

static CompileStage find(const char *text, size_t length) {
  CompileStage i = 0;
  while (i < COMPILE_NO_STAGE &&
         !(strlen(stages[i].ending) == length && memcmp(stages[i].ending, text, length) == 0))
    i++;
  return i;
}

CompileStage compile_stage_find(const char *name) {
  for (CompileStage i = 0; i < COMPILE_NO_STAGE; i++)
    if (strcmp(stages[i].name, name) == 0)
      return i;
  return find(name, strlen(name));
}

/* The last ending in [name, *end): returns its text after the dot, and *end becomes the dot. */
static const char *last_ending(const char *name, const char **end) {
  for (const char *p = *end; p > name; p--)
    if (p[-1] == '.') {
      const char *start = p;
      *end = p - 1;
      return start;
    }
  return NULL;
}

bool compile_kind_of(const char *path, CompileLanguage *language, CompileStage *stage) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const char *end = name + strlen(name), *after = end;
  const char *ending = last_ending(name, &end);
  *language = COMPILE_GLSL;
  *stage = COMPILE_NO_STAGE;
  if (!ending)
    return false;
  bool hlsl = strcmp(ending, "hlsl") == 0;
  if (hlsl || strcmp(ending, "glsl") == 0) {
    *language = hlsl ? COMPILE_HLSL : COMPILE_GLSL;
    after = end;
    ending = last_ending(name, &end);
    *stage = ending ? find(ending, (size_t)(after - ending)) : COMPILE_NO_STAGE;
    *stage = *stage == COMPILE_KERNEL ? COMPILE_NO_STAGE : *stage;
    return true;
  }
  *stage = find(ending, (size_t)(after - ending));
  if (*stage == COMPILE_KERNEL)
    *language = COMPILE_OPENCL_C;
  return *stage != COMPILE_NO_STAGE;
}
