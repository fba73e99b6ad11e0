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
/* Lays out `dot` and writes an SVG file to descriptor `fd`. On failure, and after so many seconds
 * (0: 30), returns false and says why; `path` is for messages. */
bool cli_draw(const char *path, const char *dot, int fd, uint64_t seconds);

#endif
