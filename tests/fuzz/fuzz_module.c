/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_module: reader and writer. A module that the reader accepts is written back word for word,
 * and is accepted again, also in the other byte order; a refused one gives a one-line message. */
#include "emit.h"
#include "fuzz.h"
#include "ir/byte_order.h"
#include "ir/reader.h"
#include "ir/writer.h"

#include <spvreconv/spvreconv.h>
#include <stdlib.h>
#include <string.h>

static void check_line(SrStatus status, const char *text) {
  if (status != SR_BAD_INPUT)
    fuzz_die("status %d: %s", (int)status, text);
  if (!*text || strchr(text, '\n'))
    fuzz_die("not a message of one line: '%s'", text);
}

/* Is the module accepted? */
static bool read_and_write(SrHeap *heap, const uint32_t *words, size_t count) {
  SrDiag diag = {.status = SR_OK};
  SrArena arena = sr_arena_new(heap);
  SrModule *m;
  if (setjmp(heap->out_of_memory))
    fuzz_die("out of memory");
  if (sr_read(&arena, &diag, words, count, &m) != SR_OK) {
    check_line(diag.status, diag.text);
    return false;
  }
  size_t written;
  const uint32_t *out = sr_write(m, &arena, &written);
  if (written != count || memcmp(out, words, count * sizeof *words) != 0)
    fuzz_die("%zu words are written back as %zu others", count, written);
  return true;
}

/* The library must give the same answer through the public header for the other byte order. */
static void check_swapped(const uint32_t *words, size_t count, bool taken) {
  uint32_t *swapped = emit_resize(NULL, count * sizeof *swapped);
  sr_swap(swapped, words, count);
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "none";
  options.validate = SPVRECONV_VALIDATE_NONE;
  spvreconv_result *result;
  spvreconv_status status = spvreconv_run(&options, swapped, count, &result);
  if ((status == SPVRECONV_OK) != taken)
    fuzz_die("taken: %d; swapped: %s", taken, spvreconv_result_message(result));
  spvreconv_result_destroy(result);
  free(swapped);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t count;
  uint32_t *words = fuzz_words(data, size, &count);
  if (count > 5 &&
      sr_is_swapped(words, count)) { /* unchanged except for the byte order, which is the host's */
    sr_swap(words, words, count);
  }
  SrHeap heap = {0};
  sr_heap_init(&heap);
  bool taken = read_and_write(&heap, words, count);
  sr_heap_free_all(&heap);
  if (count > 5 && words[0] == SpvMagicNumber)
    check_swapped(words, count, taken);
  free(words);
  return 0;
}
