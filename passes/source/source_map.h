/* SPDX-License-Identifier: Apache-2.0 */
/* source_map: the files, functions and inlined calls that a module's debug information names.
 *
 * Three kinds of debug information exist, and a module may mix them: the core instructions
 * (OpSource, OpString, OpLine), the instruction set OpenCL.DebugInfo.100 (llvm-spirv -g), and the
 * instruction set NonSemantic.Shader.DebugInfo.100 (glslang -gVS, dxc). The two sets share opcodes
 * and layouts except for these differences:
 *
 *   OpenCL.DebugInfo.100      numbers are literals; OpLine gives lines; DebugFunction names its
 *                             OpFunction
 *   NonSemantic.Shader...100  numbers are ids of constants; DebugLine gives lines;
 *                             DebugFunctionDefinition connects DebugFunction and OpFunction
 *
 * Debug information is not trusted: the reader (ir/reader.h) only checks that ids are defined. What
 * is malformed, say a scope that contains itself, counts as not known. Each file, scope and call is
 * decoded once, when an instruction first refers to it, so the time is linear in what is used. */
#ifndef SR_SOURCE_MAP_H
#define SR_SOURCE_MAP_H

#include "passes/base/map.h"
#include "passes/ir/module.h"

/* Names and texts belong to the map's arena. */
typedef struct SrSourceFile {
  const char *name; /* as the compiler wrote it, without "./" parts; may be empty */
  const char *text; /* ends in a zero byte; NULL: the module does not hold the text */
  size_t size;
  uint32_t next; /* another file whose name has the same hash; SR_NONE: none */
} SrSourceFile;

/* A function of the source. The module may have only inlined copies of it. */
typedef struct SrSourceFunction {
  const char *name;
  uint32_t file; /* file of its declaration; SR_NONE: not known */
  uint32_t line; /* from 1; 0: not known */
} SrSourceFunction;

/* A call that was inlined. */
typedef struct SrSourceCall {
  uint32_t file, line;
  uint32_t function; /* the function that contains the call; SR_NONE: not known */
  uint32_t outer; /* index of the inlined call around this one, lower than its own; SR_NONE: none */
} SrSourceCall;

/* Where an instruction comes from. */
typedef struct SrSourcePlace {
  uint32_t file;         /* SR_NONE: not known, and line and column are 0 */
  uint32_t line, column; /* from 1; 0: not known */
  uint32_t function;     /* SR_NONE: not known */
  uint32_t call;         /* the call that was inlined; SR_NONE: none */
} SrSourcePlace;

#define SR_SOURCE_NOWHERE ((SrSourcePlace){SR_NONE, 0, 0, SR_NONE, SR_NONE})

/* A lexical scope. */
typedef struct SrSourceScope {
  uint32_t file, function;
} SrSourceScope;

typedef struct SrSource {
  SrArena *arena;
  const SrModule *m; /* instructions may have been added after the map was made */
  SR_VEC(SrSourceFile) files;
  SR_VEC(SrSourceFunction) functions;
  SR_VEC(SrSourceCall) calls;
  SR_VEC(SrSourceScope) scopes;
  SrMap file_of; /* by the id of an OpString */
  SrMap hash;    /* by the hash of a name: the last file with this hash */
  SrMap scope_of, function_of, call_of;
} SrSource;

/* Creates the map with the files whose text the module holds, in the module's order; other files
 * and all functions and calls are added when something refers to them. */
SrSource *sr_source_new(SrArena *arena, const SrModule *m);

/* The opcode of an instruction of one of the two instruction sets; 0: it belongs to neither.
 * *shader: does it belong to NonSemantic.Shader.DebugInfo.100? */
uint32_t sr_source_opcode(const SrModule *m, SrRef r, bool *shader);
/* The file that an OpString or a DebugSource names; SR_NONE: `id` is neither. */
uint32_t sr_source_file(SrSource *s, uint32_t id);
/* A scope (DebugFunction, DebugLexicalBlock, …); all fields are SR_NONE if `id` is not a scope. */
SrSourceScope sr_source_scope(SrSource *s, uint32_t id);
/* The index in `calls` of a DebugInlinedAt; SR_NONE: `id` is not a DebugInlinedAt. */
uint32_t sr_source_call(SrSource *s, uint32_t id);
/* The number in a word: a literal, or with `shader` the id of a constant; 0: not known. */
uint32_t sr_source_number(const SrModule *m, bool shader, uint32_t word);

#endif
