/* cli_file: whole files in; files out that appear complete or not at all. */
#ifndef CLI_FILE_H
#define CLI_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct CliInput {
  char *bytes; /* of malloc, aligned for words, a 0 behind the last */
  size_t count;
  bool binary; /* starts with SPIR-V's magic number in either byte order */
} CliInput;

/* Reads a file, "-" for standard input. On failure returns false and says why on standard error. */
bool cli_read(const char *path, CliInput *in);

/* Writes a file under a temporary name beside it and renames it, with the old file's permissions if
 * there is one; "-" is standard output, and what is no regular file is written in place. On failure
 * returns false and says why on standard error. */
bool cli_write(const char *path, const void *bytes, size_t count);

/* All bytes to a descriptor; false with errno set. */
bool cli_write_to(int fd, const char *bytes, size_t count);

/* Draws `dot` with Graphviz to an SVG file, in the same manner, in so many seconds at most (0: 30).
 */
bool cli_write_svg(const char *path, const char *dot, uint64_t seconds);

/* The same into memory, to be freed; `path` is for messages. */
bool cli_make_svg(const char *path, const char *dot, char **svg);

/* Makes the folder unless it is there. On failure returns false and says why. */
bool cli_make_folder(const char *path);

bool cli_has_suffix(const char *path, const char *suffix);
/* "PROGRAM: FILE: …" on standard error. */
void cli_say(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
