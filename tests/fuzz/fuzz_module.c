/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_module: reader and writer. A module that the reader accepts is written back word for word,
 * except for misplaced merge instructions, and is accepted again, also in the other byte order; a
 * refused one gives a one-line message. */
#include "passes/ir/byte_order.h"
#include "passes/ir/reader.h"
#include "passes/ir/writer.h"
#include "tests/equiv/gen/emit.h"
#include "tests/fuzz/fuzz.h"

#include <spvreconv/spvreconv.h>
#include <stdlib.h>
#include <string.h>

static void check_line(SrStatus status, const char *text) {
  if (status != SR_BAD_INPUT)
    fuzz_die("status %d: %s", (int)status, text);
  if (!*text || strchr(text, '\n'))
    fuzz_die("not a message of one line: '%s'", text);
}

static bool drops_merges(const SrModule *m) {
  for (uint32_t i = 0; i < m->function_count; i++)
    if (m->functions[i].misplaced)
      return true;
  return false;
}

/* Are the words the same, except for merge instructions that the reader drops where they are out of
 * place? */
static bool is_written_back(const SrModule *m, const uint32_t *in, size_t in_count,
                            const uint32_t *out, size_t out_count) {
  if (in_count == out_count && memcmp(in, out, in_count * sizeof *in) == 0)
    return true;
  if (!drops_merges(m) || memcmp(in, out, 5 * sizeof *in) != 0)
    return false;
  size_t i = 5, k = 5;
  while (i < in_count) {
    uint32_t op = in[i] & 0xffff;
    size_t n = in[i] >> 16;
    if (k + n <= out_count && memcmp(in + i, out + k, n * sizeof *in) == 0)
      k += n;
    else if (op != SpvOpLoopMerge && op != SpvOpSelectionMerge)
      return false;
    i += n;
  }
  return k == out_count;
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
  if (!is_written_back(m, words, count, out, written))
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
