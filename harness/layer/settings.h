/* settings: what the environment asks of the layer. Read once, when an instance is created, and not
 * at all in a process that runs with more rights than its user (secure_getenv). */
#ifndef LY_SETTINGS_H
#define LY_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct LySettings {
  char *transform;   /* SPVRECONV_TRANSFORM, or "auto" */
  char *log;         /* SPVRECONV_LOG: a file; NULL: standard error */
  char *dump;        /* SPVRECONV_DUMP: a folder, or NULL */
  char *cache;       /* SPVRECONV_CACHE: a folder, or NULL */
  bool validate;     /* SPVRECONV_VALIDATE=1: SPIRV-Tools judges what was transformed */
  bool check;        /* SPVRECONV_CHECK=1: so does our own comparison with the original */
  size_t bytes;      /* SPVRECONV_MAX_MIB: memory that one module may take */
  double seconds;    /* SPVRECONV_MAX_SECONDS: time that it may take */
  const char *wrong; /* a variable whose value means nothing, so that its default holds; or NULL */
} LySettings;

/* False: out of memory. To be cleared in either case. */
bool ly_settings_read(LySettings *settings);
void ly_settings_clear(LySettings *settings);

#endif
