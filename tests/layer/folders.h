/* folders: a folder of a test's own, and the layer's variables. */
#ifndef FOLDERS_H
#define FOLDERS_H

#include <stddef.h>

/* A new folder below /tmp, removed at the end of the program; to be freed. */
char *folder_new(void);
/* FOLDER/NAME, to be freed. */
char *folder_file(const char *folder, const char *name);
/* How many files end so, and the path of the last of them, to be freed, in *path (NULL: not
 * wanted).
 */
size_t folder_count(const char *folder, const char *ending, char **path);
/* The text of a file, zero-terminated, to be freed; "" if there is none. */
char *folder_text(const char *path);
size_t folder_lines(const char *path);

/* The path of a log that is not there yet, to be freed; SPVRECONV_LOG names it. */
char *folder_new_log(void);

/* Unsets all variables of the layer. */
void folder_clear_environment(void);

#endif
