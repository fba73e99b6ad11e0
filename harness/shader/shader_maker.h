/* SPDX-License-Identifier: Apache-2.0 */
/* shader_maker: functions that translate one shader to SPIR-V, for one target environment. */
#ifndef HN_SHADER_MAKER_H
#define HN_SHADER_MAKER_H

#include "harness/shader/outcome.h"
#include "harness/shader/shader.h"

#include "passes/base/compiler.h"
#include "passes/tool/compile/compile_target.h"

/* The environment that TARGET_ENV names; without TARGET_ENV spv1.0, the first one tried. */
const CompileTarget *hn_target_of(const AmberShader *shader);

typedef struct HnMaker {
  const AmberScript *script;
  const AmberShader *shader;
  const CompileTarget *target;
  HnModule *module;
  char **message;     /* of the first failure; later failures do not change it */
  HnOutcome *outcome; /* set to HN_FAIL or HN_SKIP with the message */
  bool source;        /* keep the source in the module */
} HnMaker;

/* Sets the message, unless there is one already, and returns false. `line` of the source, from 1;
 * 0: no particular line. Only the first line of the text is kept. */
bool hn_maker_fail(const HnMaker *maker, unsigned line, const char *format, ...) SR_PRINTF(3, 4);
/* The same for something that the installed tools do not know: the case is skipped. */
bool hn_maker_skip(const HnMaker *maker, const char *format, ...) SR_PRINTF(2, 3);
bool hn_maker_keep(const HnMaker *maker, const uint32_t *words, size_t count);

/* ---- shader_glsl.c ---- */

/* *newer: the translation failed because the shader needs a newer version of SPIR-V. */
bool hn_maker_glsl(const HnMaker *maker, bool *newer);
bool hn_maker_opencl(const HnMaker *maker);

/* ---- shader_spirv.c ---- */

/* Assembles text, or the built-in pass-through vertex shader. */
bool hn_maker_assembly(const HnMaker *maker);
bool hn_maker_passthrough(const HnMaker *maker);
bool hn_maker_hex(const HnMaker *maker);
bool hn_maker_binary(const HnMaker *maker);

#endif
