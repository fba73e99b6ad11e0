/* SPDX-License-Identifier: Apache-2.0 */
/* tool_source: shader sources as input of the commands, compiled first (compile/compile.h). */
#ifndef TOOL_SOURCE_H
#define TOOL_SOURCE_H

#include "passes/tool/compile/compile.h"
#include "passes/tool/tool_file.h"

typedef struct ToolSource {
  const char **options; /* -I, -D, as the compilers take them; owned */
  uint32_t option_count;
  const char *first;  /* the first option about sources that was given; NULL: none */
  CompileStage stage; /* COMPILE_NO_STAGE: by the name of the file */
  const char *target; /* --target-env; NULL: the lowest that suffices */
  const char *entry;  /* entry point of HLSL; NULL: main */
  bool debug;         /* keep the source and its lines in the module */
  bool plain_ids;     /* … with the ids of a compilation without them (compile/compile_ids.h) */
} ToolSource;

/* No options, and the stage by the name of the file. */
ToolSource tool_source_none(void);
void tool_source_free(ToolSource *source);
/* Adds option -I or -D, by its letter. False, with one line on standard error: the value is wrong,
 * or memory ran out. */
bool tool_source_add(ToolSource *source, char letter, const char *value);
/* Sets the stage that --stage names. False, with one line on standard error: there is no such
 * stage. */
bool tool_source_stage(ToolSource *source, const char *name);

/* Is the file a source, by its name, or because a stage was named? */
bool tool_source_is(const ToolSource *source, const char *path);
/* Is the text GLSL, whatever its name? */
bool tool_source_is_glsl(const ToolInput *in);
/* Prints that the file is GLSL, and how to give its stage, which the file's name lacks; returns
 * false. */
bool tool_source_refuse_glsl(const char *path);
/* Replaces the text of a source by the words of its module, unless it is a module already. If that
 * fails, prints the compiler's lines and one of its own on standard error, and returns false. */
bool tool_source_compile(const ToolSource *source, const char *path, ToolInput *in,
                         CompileStage *stage);

#endif
