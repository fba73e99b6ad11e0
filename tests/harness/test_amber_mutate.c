/* SPDX-License-Identifier: Apache-2.0 */
/* Mutations of AmberScript files: no crash, no sanitizer report; a refusal is one line with a line
 * number and a reason; an accepted script satisfies the contract of script.h.
 *
 *   test_amber_mutate [--count=N] [--seed=S] [--show=N] [FILE|DIRECTORY…]
 *
 * Without files: the scripts next to the tests and the cases in shaders/. Mutation N depends only
 * on the seed, N and the files: --show=N prints it and checks it alone. */
#include "tests/unit/unit.h"

#include "tests/harness/amber_judge.h"
#include "tests/harness/amber_text.h"

#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef struct Text {
  char *bytes;
  size_t size;
} Text;

typedef struct Corpus {
  char **paths;
  Text *files;
  size_t count;
} Corpus;

/* ---- the files ------------------------------------------------------------------------------- */

static bool ends_in_amber(const char *path) {
  size_t length = strlen(path);
  return length > 6 && strcmp(path + length - 6, ".amber") == 0;
}

static void corpus_add(Corpus *corpus, const char *path) {
  Text file = {0};
  file.bytes = amber_text_file(path, &file.size);
  if (!file.bytes || !file.size) {
    free(file.bytes);
    return;
  }
  corpus->paths = realloc(corpus->paths, (corpus->count + 1) * sizeof *corpus->paths);
  corpus->files = realloc(corpus->files, (corpus->count + 1) * sizeof *corpus->files);
  corpus->paths[corpus->count] = strdup(path);
  corpus->files[corpus->count++] = file;
}

/* Global, because nftw passes no user data. */
static Corpus gathered;

static int gather(const char *path, const struct stat *info, int type, struct FTW *place) {
  (void)info;
  (void)place;
  if (type == FTW_F && ends_in_amber(path))
    corpus_add(&gathered, path);
  return 0;
}

static int by_path(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static Corpus corpus_read(char **arguments, int count) {
  Corpus corpus = {0};
  for (int i = 0; i < count; i++)
    nftw(arguments[i], gather, 16, FTW_PHYS);
  if (gathered.count)
    qsort(gathered.paths, gathered.count, sizeof *gathered.paths, by_path);
  for (size_t i = 0; i < gathered.count; i++) {
    corpus_add(&corpus, gathered.paths[i]);
    free(gathered.paths[i]);
    free(gathered.files[i].bytes);
  }
  free(gathered.paths);
  free(gathered.files);
  return corpus;
}

/* ---- mutations ------------------------------------------------------------------------------- */

typedef struct Span {
  size_t start, end;
} Span;

/* Replaces a part of the text. */
static void splice(Text *text, Span span, const char *bytes, size_t size) {
  size_t rest = text->size - span.end, total = span.start + size + rest;
  char *made = malloc(total + 1);
  memcpy(made, text->bytes, span.start);
  memcpy(made + span.start, bytes, size);
  memcpy(made + span.start + size, text->bytes + span.end, rest);
  made[total] = '\0';
  free(text->bytes);
  *text = (Text){made, total};
}

static Span word_at(const Text *text, size_t at) {
  Span span = {at, at};
  while (span.start > 0 && !strchr(" \n", text->bytes[span.start - 1]))
    span.start--;
  while (span.end < text->size && !strchr(" \n", text->bytes[span.end]))
    span.end++;
  return span;
}

static Span line_at(const Text *text, size_t at) {
  Span span = {at, at};
  while (span.start > 0 && text->bytes[span.start - 1] != '\n')
    span.start--;
  while (span.end < text->size && text->bytes[span.end] != '\n')
    span.end++;
  span.end += span.end < text->size;
  return span;
}

static const char *const hostile[] = {
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "-1",
    "0",
    "65536",
    "268435456",
    "99999999999",
    "1e400",
    "nan",
    "-inf",
    "0x",
    "0xffffffff",
    "2147483648",
    "%",
    "5%",
    "#",
    "\\",
    "END",
    "DATA",
    "SIZE",
    "IDX",
    "EQ",
    "TOLERANCE",
    "FILL",
    "SERIES_FROM",
    "INC_BY",
    "FILE",
    "BINARY",
    "REPEAT",
    "BUFFER",
    "IMAGE",
    "STD140",
    "float[65536]",
    "uint8[]",
    "mat4x4<double>",
    "vec3<int8>",
    "DIM_3D",
    "WIDTH",
    "MIP_LEVELS",
    "16",
    "SAMPLES",
    "AS",
    "color",
    "depth_stencil",
    "COPY",
    "TO",
    "EXPECT",
    "RUN",
    "START_IDX",
    "COUNT",
    "INDEXED",
    "EQ_BUFFER",
    "RMSE_BUFFER",
    "FORMAT",
    "R64G64B64A64_SFLOAT",
    "D24_UNORM_S8_UINT",
    "BASE_MIP_LEVEL",
    "SWIZZLE",
    "STRIDE",
    "OFFSET",
};

static void replace_word(Text *text, const Corpus *corpus, uint64_t *seed) {
  (void)corpus;
  const char *word = hostile[unit_below(seed, sizeof hostile / sizeof *hostile)];
  splice(text, word_at(text, unit_below(seed, (uint32_t)text->size)), word, strlen(word));
}

/* A number becomes its neighbour, its double or a small one, which are likely to be at limits. */
static void change_number(Text *text, const Corpus *corpus, uint64_t *seed) {
  (void)corpus;
  size_t at = unit_below(seed, (uint32_t)text->size), left = text->size;
  for (; left && !(text->bytes[at] >= '0' && text->bytes[at] <= '9'); left--)
    at = (at + 1) % text->size;
  if (!left)
    return;
  Span word = word_at(text, at);
  unsigned long long number = strtoull(text->bytes + word.start, NULL, 0);
  unsigned long long others[] = {number + 1, number - 1, 2 * number, unit_below(seed, 300)};
  char digits[32];
  snprintf(digits, sizeof digits, "%llu", others[unit_below(seed, 4)]);
  splice(text, word, digits, strlen(digits));
}

static void insert_word(Text *text, const Corpus *corpus, uint64_t *seed) {
  (void)corpus;
  const char *word = hostile[unit_below(seed, sizeof hostile / sizeof *hostile)];
  Span span = word_at(text, unit_below(seed, (uint32_t)text->size));
  splice(text, (Span){span.start, span.start}, " ", 1);
  splice(text, (Span){span.start, span.start}, word, strlen(word));
}

static void swap_words(Text *text, const Corpus *corpus, uint64_t *seed) {
  (void)corpus;
  Span a = word_at(text, unit_below(seed, (uint32_t)text->size));
  Span b = word_at(text, unit_below(seed, (uint32_t)text->size));
  char *copy = strndup(text->bytes + b.start, b.end - b.start);
  splice(text, a, copy, strlen(copy));
  free(copy);
}

static void truncate_text(Text *text, const Corpus *corpus, uint64_t *seed) {
  (void)corpus;
  text->size = unit_below(seed, (uint32_t)text->size) + 1;
  text->bytes[text->size] = '\0';
}

static void flip_bit(Text *text, const Corpus *corpus, uint64_t *seed) {
  (void)corpus;
  text->bytes[unit_below(seed, (uint32_t)text->size)] ^= (char)(1 << unit_below(seed, 8));
}

static void drop_line(Text *text, const Corpus *corpus, uint64_t *seed) {
  (void)corpus;
  splice(text, line_at(text, unit_below(seed, (uint32_t)text->size)), "", 0);
}

/* Inserts a line of any file at another place. */
static void move_line(Text *text, const Corpus *corpus, uint64_t *seed) {
  const Text *from = &corpus->files[unit_below(seed, (uint32_t)corpus->count)];
  Span line = line_at(from, unit_below(seed, (uint32_t)from->size));
  Span here = line_at(text, unit_below(seed, (uint32_t)text->size));
  splice(text, (Span){here.start, here.start}, from->bytes + line.start, line.end - line.start);
}

static Text mutate(const Corpus *corpus, uint64_t *seed) {
  typedef void Mutation(Text * text, const Corpus *corpus, uint64_t *seed);
  static Mutation *const mutations[] = {change_number, change_number, change_number, change_number,
                                        replace_word,  replace_word,  insert_word,   swap_words,
                                        swap_words,    truncate_text, flip_bit,      flip_bit,
                                        drop_line,     move_line};
  const Text *from = &corpus->files[unit_below(seed, (uint32_t)corpus->count)];
  Text text = {malloc(from->size + 1), from->size};
  memcpy(text.bytes, from->bytes, from->size);
  text.bytes[from->size] = '\0';
  for (uint32_t n = 1 + unit_below(seed, 4); n && text.size; n--)
    mutations[unit_below(seed, sizeof mutations / sizeof *mutations)](&text, corpus, seed);
  return text;
}

/* ---- the run --------------------------------------------------------------------------------- */

static uint64_t seed_of(uint64_t seed, uint64_t n) {
  uint64_t state = seed ^ n * 0x9e3779b97f4a7c15u;
  unit_below(&state, 2);
  return state;
}

static int show(const Corpus *corpus, uint64_t seed, uint64_t n) {
  uint64_t state = seed_of(seed, n);
  AmberMessage message = {0};
  Text text = mutate(corpus, &state);
  fwrite(text.bytes, 1, text.size, stdout);
  int result = amber_judge(text.bytes, text.size, &message);
  printf("\n-- %d %s\n", result, message.text);
  free(text.bytes);
  return result < 0;
}

static int run(const Corpus *corpus, uint64_t seed, uint64_t count) {
  size_t counts[5] = {0};
  for (uint64_t n = 0; n < count; n++) {
    uint64_t state = seed_of(seed, n);
    AmberMessage message = {0};
    Text text = mutate(corpus, &state);
    int result = amber_judge(text.bytes, text.size, &message);
    counts[result + 1]++;
    if (result < 0)
      printf("seed %llu, mutation %llu: does not hold: %s\n", (unsigned long long)seed,
             (unsigned long long)n, message.text);
    free(text.bytes);
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("seed %llu, %zu files: %zu accepted, %zu refused, %zu unsupported, %zu "
         "wrong; at most %ld MiB\n",
         (unsigned long long)seed, corpus->count, counts[1], counts[2], counts[3], counts[0],
         usage.ru_maxrss / 1024);
  return counts[0] > 0;
}

static void corpus_free(Corpus *corpus) {
  for (size_t i = 0; i < corpus->count; i++) {
    free(corpus->paths[i]);
    free(corpus->files[i].bytes);
  }
  free(corpus->paths);
  free(corpus->files);
}

int main(int argc, char **argv) {
  unsigned long long count = 5000, seed = 1, shown = 0;
  bool one = false;
  int first = 1;
  for (; first < argc && argv[first][0] == '-'; first++)
    if (sscanf(argv[first], "--show=%llu", &shown) == 1)
      one = true;
    else if (sscanf(argv[first], "--count=%llu", &count) != 1 &&
             sscanf(argv[first], "--seed=%llu", &seed) != 1)
      return fprintf(stderr, "no such option: %s\n", argv[first]), 2;
  char *usual[] = {"tests/harness/amber", "tests/harness/vkscript", "shaders"};
  bool named = first < argc;
  Corpus corpus = corpus_read(named ? argv + first : usual, named ? argc - first : 3);
  if (!corpus.count)
    return fprintf(stderr, "no .amber files\n"), 2;
  int result = one ? show(&corpus, seed, shown) : run(&corpus, seed, count);
  corpus_free(&corpus);
  return result;
}
