/* SPDX-License-Identifier: Apache-2.0 */
/* cli_source: shader sources as input of the commands, compiled first (compile/compile.h). */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "cli/cli_file.h"
#include "compile/compile.h"

typedef struct CliSource {
  const char **options; /* -I, -D, as the compilers take them; owned */
  uint32_t option_count;
  const char *first;  /* the first option about sources that was given; NULL: none */
  CompileStage stage; /* COMPILE_NO_STAGE: by the name of the file */
  const char *target; /* --target-env; NULL: the lowest that will do */
  const char *entry;  /* of HLSL; NULL: main */
  bool debug;         /* keep the source and its lines in the module */
} CliSource;

/* No options, and the stage by the name of the file. */
CliSource cli_source_none(void);
void cli_source_free(CliSource *source);
/* Adds option -I or -D, by its letter. False, with one line on standard error: the value is wrong,
 * or memory ran out. */
bool cli_source_add(CliSource *source, char letter, const char *value);
/* Sets the stage that --stage names. False, with one line on standard error: there is no such
 * stage. */
bool cli_source_stage(CliSource *source, const char *name);

/* Is the file a source, by its name, or because a stage was named? */
bool cli_source_is(const CliSource *source, const char *path);
/* Is the text GLSL, whatever its name? */
bool cli_source_is_glsl(const CliInput *in);
/* Prints that the file is GLSL, and how to give its stage, which the file's name lacks; returns
 * false. */
bool cli_source_refuse_glsl(const char *path);
/* Replaces the text of a source by the words of its module, unless it is a module already. If that
 * fails, returns false after the compiler's lines and one line of this program on standard
 * error. */
bool cli_source_compile(const CliSource *source, const char *path, CliInput *in,
                        CompileStage *stage);

#endif
