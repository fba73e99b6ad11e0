/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder never indexes its tables by a register that does not exist: an assertion fails, or,
 * where the library was built without assertions, the module is refused. */
#include "spv-emu/decode/values/decoder.h"
#include "tests/unit/unit.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REFUSED = 42, GOES_ON = 43 };

typedef void Use(EmuDecode *d);

static void use_register(EmuDecode *d) {
  emu_register(d, EMU_NO_ROW)->row = 1;
}
static void use_next_register(EmuDecode *d) {
  emu_register_new(d, EMU_U32, EMU_REGISTER_UNUSED);
  emu_register(d, d->registers.count)->row = 1;
}
static void note_use(EmuDecode *d) {
  emu_register_note_use(d, d->registers.count);
}
static void use_bits(EmuDecode *d) {
  uint32_t variable = emu_register_new(d, EMU_U32, EMU_REGISTER_FIXED);
  if (emu_register_bits(d, variable))
    emu_register(d, variable)->row = 1;
}
static void use_address(EmuDecode *d) {
  const EmuPointer nowhere = {.segment = SR_NONE, .dynamic = EMU_NO_ROW};
  emu_register(d, emu_address_of(d, &nowhere))->row = 1;
}

/* Runs in a child, where the assertion ends the process. */
_Noreturn static void run(Use *use) {
  SrHeap heap = {0};
  SrDiag diag = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  SrModule module = {.diag = &diag};
  EmuProgram program = {0};
  EmuDecode d = {.m = &module,
                 .arena = &arena,
                 .scratch = &arena,
                 .p = &program,
                 .isa = emu_isa(),
                 .block = SR_NONE};
  if (setjmp(heap.out_of_memory))
    _exit(diag.status == SR_BAD_INPUT && strstr(diag.text, "report it") ? REFUSED : GOES_ON);
  use(&d);
  _exit(GOES_ON);
}

static void none_is_used(void **state) {
  (void)state;
  static Use *const uses[] = {use_register, use_next_register, note_use, use_bits, use_address};
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
    pid_t child = fork();
    if (child == 0) {
      if (!freopen("/dev/null", "w", stderr))
        _exit(GOES_ON);
      run(uses[i]);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    bool stopped = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    assert_true(stopped || (WIFEXITED(status) && WEXITSTATUS(status) == REFUSED));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(none_is_used)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
