/* SPDX-License-Identifier: Apache-2.0 */
/* structurize: an example of a program that uses the library. Reads a SPIR-V module, runs
 * transforms over it (structurize, or those named) and writes it.
 *
 *   structurize IN.spv OUT.spv [TRANSFORM...] */
#include <spvreconv/spvreconv.h>

#include <stdio.h>
#include <stdlib.h>

static void print_line(void *user, const char *line) {
  fprintf(stderr, "%s: %s\n", (const char *)user, line);
}

/* The words of a file, allocated by malloc; NULL if it cannot be read. */
static uint32_t *read_words(const char *name, size_t *count) {
  FILE *file = fopen(name, "rb");
  if (!file)
    return NULL;
  uint32_t *words = NULL;
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (size > 0 && (words = malloc((size_t)size))) {
    rewind(file);
    *count = fread(words, sizeof *words, (size_t)size / sizeof *words, file);
  }
  fclose(file);
  return words;
}

static int write_words(const char *name, const uint32_t *words, size_t count) {
  FILE *file = fopen(name, "wb");
  if (!file)
    return 0;
  size_t written = fwrite(words, sizeof *words, count, file);
  return fclose(file) == 0 && written == count;
}

static int run(spvreconv_context *context, const char *in, const char *out) {
  size_t count;
  uint32_t *words = read_words(in, &count);
  if (!words) {
    print_line((void *)in, "cannot be read");
    return EXIT_FAILURE;
  }
  spvreconv_result *result;
  int code = EXIT_FAILURE;
  if (spvreconv_context_run(context, words, count, &result) == SPVRECONV_OK) {
    const uint32_t *done = spvreconv_result_words(result, &count);
    code = write_words(out, done, count) ? EXIT_SUCCESS : EXIT_FAILURE;
    if (code == EXIT_FAILURE)
      print_line((void *)out, "cannot be written");
  } /* else print_line has printed the reason */
  spvreconv_result_destroy(result);
  free(words);
  return code;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr,
            "usage: structurize IN.spv OUT.spv [TRANSFORM...]\n"
            "with spvreconv %s\n",
            spvreconv_version_string());
    return 2;
  }
  spvreconv_context *context = spvreconv_context_create(NULL);
  if (!context)
    return EXIT_FAILURE;
  spvreconv_context_set_message(context, print_line, argv[1]);
  int code = EXIT_SUCCESS;
  if (argc == 3)
    code = spvreconv_context_register(context, "structurize");
  for (int i = 3; i < argc && code == EXIT_SUCCESS; i++)
    code = spvreconv_context_register(context, argv[i]);
  if (code == EXIT_SUCCESS)
    code = run(context, argv[1], argv[2]);
  spvreconv_context_destroy(context);
  return code;
}
