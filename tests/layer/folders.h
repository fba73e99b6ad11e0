/* SPDX-License-Identifier: Apache-2.0 */
/* folders: a temporary folder for a test, and the layer's environment variables. */
#ifndef FOLDERS_H
#define FOLDERS_H

#include <stddef.h>

/* A new folder below /tmp, removed at the end of the program; to be freed. */
char *folder_new(void);
/* FOLDER/NAME, to be freed. */
char *folder_file(const char *folder, const char *name);
/* How many files have this ending; *path is the last one's path, to be freed, unless `path` is
 * NULL. */
size_t folder_count(const char *folder, const char *ending, char **path);
/* The text of a file, zero-terminated, to be freed; "" if it does not exist. */
char *folder_text(const char *path);
size_t folder_lines(const char *path);

/* The path of a log that does not exist yet, to be freed; sets SPVRECONV_LOG to it. */
char *folder_new_log(void);

/* For cmocka, called before and after each test: during a test, SPVRECONV_LOG is the only variable
 * of the layer that is set, to a new log, folder_log. */
extern char *folder_log;
int folder_set_up(void **state);
int folder_tear_down(void **state);

/* Unsets all variables of the layer. */
void folder_clear_environment(void);

#endif
