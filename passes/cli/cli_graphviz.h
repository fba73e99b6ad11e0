/* cli_graphviz: runs Graphviz' `dot`, whose layout may take hours and say a line for each edge that
 * it could not route: with a limit of time, and not heard. */
#ifndef CLI_GRAPHVIZ_H
#define CLI_GRAPHVIZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Blocks in one picture, at most: some seconds of layout. One of more is not readable, either. */
enum { CLI_MOST_BLOCKS = 500 };

/* Is there a program `dot`? */
bool cli_has_graphviz(void);
/* The blocks that a graph of SPVRECONV_WANT_CFG_DOT has. */
size_t cli_count_blocks(const char *dot);
/* Draws `dot` to an SVG file, which appears complete or not at all (cli_file.h), in so many seconds
 * at most (0: 30). On failure returns false and says why. */
bool cli_write_svg(const char *path, const char *dot, uint64_t seconds);
/* The same into memory, to be freed; `path` is for messages. */
bool cli_make_svg(const char *path, const char *dot, char **svg);

#endif
