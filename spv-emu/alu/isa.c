/* SPDX-License-Identifier: Apache-2.0 */
/* isa: which versions of the lane engine's arithmetic this machine supports; see isa.h. */
#include "spv-emu/alu/isa.h"

#include <stdlib.h>
#include <string.h>

extern const EmuIsa emu_isa_baseline;
#ifdef EMU_HAS_avx2
extern const EmuIsa emu_isa_avx2;
#endif
#ifdef EMU_HAS_avx512
extern const EmuIsa emu_isa_avx512;
#endif

/* The instruction sets that this machine supports, the smallest first: each includes those before
 * it. */
static uint32_t runnable(const EmuIsa *isas[3]) {
  uint32_t count = 0;
  isas[count++] = &emu_isa_baseline;
#ifdef EMU_HAS_avx2
  /* Every processor with AVX2 has F16C, and LZCNT with BMI. */
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") ||
      !__builtin_cpu_supports("popcnt"))
    return count;
  isas[count++] = &emu_isa_avx2;
#endif
#ifdef EMU_HAS_avx512
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl") ||
      !__builtin_cpu_supports("avx512cd"))
    return count;
  isas[count++] = &emu_isa_avx512;
#endif
  return count;
}

const EmuIsa *emu_isa_at(uint32_t index) {
  const EmuIsa *isas[3];
  return index < runnable(isas) ? isas[index] : NULL;
}

const EmuIsa *emu_isa(void) {
  const EmuIsa *isas[3];
  uint32_t count = runnable(isas);
  const char *name = getenv("SPV_EMU_ISA");
  for (uint32_t i = 0; name && i < count; i++)
    if (strcmp(isas[i]->name, name) == 0)
      return isas[i];
  return isas[count - 1];
}
