/* SPDX-License-Identifier: Apache-2.0 */
/* compile: compiles shader sources to SPIR-V: GLSL by glslang's library, HLSL by glslang's program,
 * OpenCL C by clang and llvm-spirv. The commands and the harness share it.
 *
 * Stage and language follow from the name of the file (compile_kind_of), never from its text; a
 * case of the harness states both. */
#ifndef COMPILE_H
#define COMPILE_H

#include "passes/tool/compile/compile_target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum CompileLanguage {
  COMPILE_GLSL,
  COMPILE_HLSL,
  COMPILE_OPENCL_C,
} CompileLanguage;

typedef enum CompileStage { /* compile_stage.c has their names */
                            COMPILE_VERTEX,
                            COMPILE_TESSELLATION_CONTROL,
                            COMPILE_TESSELLATION_EVALUATION,
                            COMPILE_GEOMETRY,
                            COMPILE_FRAGMENT,
                            COMPILE_COMPUTE,
                            COMPILE_RAY_GENERATION,
                            COMPILE_INTERSECTION,
                            COMPILE_ANY_HIT,
                            COMPILE_CLOSEST_HIT,
                            COMPILE_MISS,
                            COMPILE_CALLABLE,
                            COMPILE_TASK,
                            COMPILE_MESH,
                            COMPILE_KERNEL, /* of OpenCL C */
                            COMPILE_NO_STAGE,
} CompileStage;

typedef struct CompileText {
  const char *name; /* of the file, in messages and debug lines; #include searches its folder first;
                       "": none */
  const char *text; /* ends in a zero byte */
  size_t size;
} CompileText;

typedef struct CompileSource {
  CompileLanguage language;
  CompileStage stage;
  const CompileText *texts; /* several texts are linked; in HLSL and OpenCL C only one */
  uint32_t text_count;
  const CompileTarget *target; /* NULL: the lowest of spv1.0 to spv1.6 that suffices; of OpenCL C
                                  what the translator chooses */
  const char *entry;           /* entry point of HLSL; NULL: "main" */
  const char *const *options;  /* -DNAME[=VALUE], -IDIR; OpenCL C also -UNAME and -cl-... */
  uint32_t option_count;
  bool debug; /* keep the source and the line of each instruction (OpSource, OpLine) */
} CompileSource;

typedef enum CompileOutcome {
  COMPILE_DONE,
  COMPILE_WRONG,   /* the source or an option is wrong, or out of memory */
  COMPILE_NEWER,   /* the source needs a higher version of SPIR-V than the target */
  COMPILE_UNKNOWN, /* the compiler does not know an extension, which the log names */
  COMPILE_MISSING, /* the compiler is not installed; the log says what to install */
} CompileOutcome;

typedef struct CompileResult {
  uint32_t *words; /* NULL unless COMPILE_DONE */
  size_t count;
  char *log;  /* lines "NAME:LINE: error: TEXT"; NULL: out of memory, or nothing to say */
  char *note; /* one line about a module that was made; NULL: nothing to say */
} CompileResult;

/* Compiles the source. Free the result in any case. */
CompileOutcome compile_run(const CompileSource *source, CompileResult *result);
void compile_free(CompileResult *result);
/* Builds glslang's tables of the functions that Vulkan's GLSL 4.50 has, so that children which are
 * forked later find them. */
void compile_prepare(void);

/* The first error of a log, as parts of the log: the file's name, which has name_length bytes, the
 * number of the line (0: none), and the text, text_length bytes without the end of the line. */
typedef struct CompileError {
  const char *name, *text;
  size_t name_length, text_length;
  unsigned line;
} CompileError;
/* False: the log has no error. */
bool compile_first_error(const char *log, CompileError *error);

/* ---- compile_stage.c ---- */

/* The stage and the language of a file by its name, as glslangValidator has them: FILE.comp,
 * FILE.comp.glsl, FILE.comp.hlsl; FILE.cl is OpenCL C. FILE.glsl and FILE.hlsl have a language and
 * no stage. False: the name is none of these. */
bool compile_kind_of(const char *path, CompileLanguage *language, CompileStage *stage);
/* The stage whose file ending without the dot ("comp") or whose name ("compute") is `name`;
 * COMPILE_NO_STAGE: there is no such stage. */
CompileStage compile_stage_find(const char *name);
const char *compile_stage_name(CompileStage stage);   /* in words */
const char *compile_stage_ending(CompileStage stage); /* "comp" */
/* All endings but OpenCL C's, for a message. */
extern const char compile_stage_endings[];

#endif
