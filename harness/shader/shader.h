/* SPDX-License-Identifier: Apache-2.0 */
/* shader: translates the shaders of a script to SPIR-V.
 *
 * glslang translates GLSL; clang and llvm-spirv translate OpenCL C (compile/compile.h); SPIRV-Tools
 * assembles text and keeps numeric ids, so that a script may name blocks by number. Without
 * TARGET_ENV the target is the lowest version of SPIR-V to which the source compiles; text is read
 * as by the command lines (assembly/assembly.h). The result need not be valid. */
#ifndef HN_SHADER_H
#define HN_SHADER_H

#include "harness/shader/outcome.h"
#include "spv-emu/script/script.h"

typedef struct HnModule {
  const uint32_t *words;
  size_t count;
} HnModule;

/* Creates the modules of all shaders that pipelines attach, by index in script->shaders; the others
 * stay empty. If the result is not HN_PASS, *modules is NULL and *message, which the caller frees,
 * is one line that names the line of the script. HN_SKIP: the installed tools cannot compile OpenCL
 * C, or do not know an extension that a shader names. HN_FAIL: a shader is wrong, or memory ran
 * out. */
HnOutcome hn_shaders_make(const AmberScript *script, HnModule **modules, char **message);
/* The same; modules from GLSL also contain their source and the line of each instruction
 * (OpLine). */
HnOutcome hn_shaders_make_with_source(const AmberScript *script, HnModule **modules,
                                      char **message);
void hn_shaders_free(HnModule *modules, size_t count);

/* glslang builds tables of its built-in functions for each language version and target. That takes
 * about 50 ms of CPU time, a hundred times as long as a small shader. So the parent process keeps
 * the tables for its children: it builds those that a child reports as needed; children forked
 * later have them when they call hn_shaders_make. The parent compiles only an empty shader, nothing from a
 * script. */
typedef struct HnShaderTables HnShaderTables;

enum { HN_SHADER_TABLES = 128 }; /* an upper bound */

/* Lists the tables that the script's shaders need, each once; returns their number. */
uint32_t hn_shader_tables_needed(const AmberScript *script, uint32_t tables[HN_SHADER_TABLES]);
HnShaderTables *hn_shader_tables_open(void); /* NULL: out of memory */
void hn_shader_tables_warm(HnShaderTables *tables, uint32_t table);
void hn_shader_tables_close(HnShaderTables *tables);

#endif
