/* SPDX-License-Identifier: Apache-2.0 */
/* tool_json: what the JSON of all the project's command lines shares. */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include <jansson.h>
#include <stdint.h>

/* A path, name or message, which need not be UTF-8: invalid bytes become question marks. */
json_t *tool_json_text(const char *text);
/* 16 hexadecimal digits, for a number too large for JSON. */
json_t *tool_json_hash(uint64_t hash);
/* Sets a member to a count. */
void tool_json_set_count(json_t *object, const char *name, uint64_t count);

#endif
