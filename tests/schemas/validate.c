/* SPDX-License-Identifier: Apache-2.0 */
/* validate: are the JSON values of some files as a schema says (JSON Schema, 2020-12)?
 *
 * Of the keywords, those that docs/schemas/ uses: type, enum, const, minimum, required, properties,
 * additionalProperties, items, anyOf, $ref to $defs, and annotations. A schema with another one is
 * refused, so that nothing is accepted because it was not checked. The other way round, every
 * property of the schema must be in one of the values: a schema must not promise what is no longer
 * printed.
 *
 * Depth: that of the schema and of a value, which jansson limits.
 *
 * Usage: validate SCHEMA FILE...    a file has values one after the other; - is standard input
 * Exit status: 0 yes; 1 no, a line says where and why; 2 the schema is not one. */
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 512, WHY = 1024 };

static const char seen_key[] = "x-seen"; /* a property's schema gets this once a value has it */

typedef struct Place {
  const json_t *root; /* the schema */
  char path[PATH];    /* of the value: /results/0/status */
  char why[WHY];      /* the first thing that is wrong; empty: nothing */
  bool mark;          /* mark what is seen: the value is known to be valid */
} Place;

static bool valid(const json_t *schema, const json_t *value, Place *place);

__attribute__((format(printf, 2, 3))) static bool wrong(Place *place, const char *format, ...) {
  va_list args;
  int used = snprintf(place->why, WHY, "%s: ", *place->path ? place->path : "/");
  va_start(args, format);
  vsnprintf(place->why + used, WHY - (size_t)used, format, args);
  va_end(args);
  return false;
}

/* Checks a part of the value, whose name is added to the path. */
static bool valid_part(const json_t *schema, const json_t *part, const char *name, Place *place) {
  size_t length = strlen(place->path);
  snprintf(place->path + length, PATH - length, "/%s", name);
  bool good = valid(schema, part, place);
  place->path[length] = 0;
  return good;
}

/* ---- keywords -------------------------------------------------------------------------------- */

static bool is_type(const char *type, const json_t *value) {
  return strcmp(type, "object") == 0    ? json_is_object(value)
         : strcmp(type, "array") == 0   ? json_is_array(value)
         : strcmp(type, "string") == 0  ? json_is_string(value)
         : strcmp(type, "integer") == 0 ? json_is_integer(value)
         : strcmp(type, "number") == 0  ? json_is_number(value)
         : strcmp(type, "boolean") == 0 ? json_is_boolean(value)
         : strcmp(type, "null") == 0    ? json_is_null(value)
                                        : false;
}

static bool check_type(const json_t *types, const json_t *value, Place *place) {
  size_t count = json_is_array(types) ? json_array_size(types) : 1;
  for (size_t i = 0; i < count; i++) {
    const json_t *type = json_is_array(types) ? json_array_get(types, i) : types;
    if (is_type(json_string_value(type), value))
      return true;
  }
  char *text = json_dumps(types, JSON_ENCODE_ANY | JSON_COMPACT);
  wrong(place, "is no %s", text ? text : "");
  free(text);
  return false;
}

static bool check_enum(const json_t *values, const json_t *value, Place *place) {
  for (size_t i = 0; i < json_array_size(values); i++)
    if (json_equal(json_array_get(values, i), value))
      return true;
  char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
  wrong(place, "%s is not one of the values", text ? text : "");
  free(text);
  return false;
}

static bool check_required(const json_t *names, const json_t *value, Place *place) {
  for (size_t i = 0; json_is_object(value) && i < json_array_size(names); i++) {
    const char *name = json_string_value(json_array_get(names, i));
    if (!json_object_get(value, name))
      return wrong(place, "has no '%s'", name);
  }
  return true;
}

/* `more`: the schema of other members, false, or NULL: none is allowed, or any. */
static bool check_members(const json_t *properties, const json_t *more, const json_t *value,
                          Place *place) {
  const char *name;
  json_t *member;
  json_object_foreach((json_t *)value, name, member) {
    json_t *schema = json_object_get(properties, name);
    if (!schema && json_is_false(more))
      return wrong(place, "'%s' is not in the schema", name);
    if (schema && place->mark)
      json_object_set_new(schema, seen_key, json_true());
    if ((schema || more) && !valid_part(schema ? schema : more, member, name, place))
      return false;
  }
  return true;
}

static bool check_items(const json_t *schema, const json_t *value, Place *place) {
  for (size_t i = 0; i < json_array_size(value); i++) {
    char name[24];
    snprintf(name, sizeof name, "%zu", i);
    if (!valid_part(schema, json_array_get(value, i), name, place))
      return false;
  }
  return true;
}

/* The first alternative that the value is; marks are made in that one. */
static bool check_any(const json_t *schemas, const json_t *value, Place *place) {
  char all[WHY] = "";
  for (size_t i = 0; i < json_array_size(schemas); i++) {
    const json_t *schema = json_array_get(schemas, i);
    Place try = *place;
    try.mark = false;
    if (valid(schema, value, &try))
      return !place->mark || valid(schema, value, place);
    size_t used = strlen(all);
    snprintf(all + used, WHY - used, "%s%.180s", used ? "; " : "", try.why);
  }
  return wrong(place, "is none of the alternatives (%s)", all);
}

static const json_t *resolve(const json_t *reference, Place *place) {
  static const char begin[] = "#/$defs/";
  const char *text = json_string_value(reference);
  const json_t *to =
      text && strncmp(text, begin, sizeof begin - 1) == 0
          ? json_object_get(json_object_get(place->root, "$defs"), text + sizeof begin - 1)
          : NULL;
  if (to)
    return to;
  fprintf(stderr, "validate: the schema has no %s\n", text ? text : "reference");
  exit(2);
}

static bool valid(const json_t *schema, const json_t *value, Place *place) {
  const json_t *k;
  if ((k = json_object_get(schema, "$ref")) && !valid(resolve(k, place), value, place))
    return false;
  if ((k = json_object_get(schema, "type")) && !check_type(k, value, place))
    return false;
  if ((k = json_object_get(schema, "enum")) && !check_enum(k, value, place))
    return false;
  if ((k = json_object_get(schema, "const")) && !json_equal(k, value))
    return wrong(place, "is not '%s'", json_string_value(k));
  if ((k = json_object_get(schema, "minimum")) && json_is_number(value) &&
      json_number_value(value) < json_number_value(k))
    return wrong(place, "%g is too small", json_number_value(value));
  if ((k = json_object_get(schema, "required")) && !check_required(k, value, place))
    return false;
  if (json_is_object(value) &&
      !check_members(json_object_get(schema, "properties"),
                     json_object_get(schema, "additionalProperties"), value, place))
    return false;
  if ((k = json_object_get(schema, "items")) && !check_items(k, value, place))
    return false;
  return !(k = json_object_get(schema, "anyOf")) || check_any(k, value, place);
}

/* ---- the schema ------------------------------------------------------------------------------ */

static bool is_known(const char *keyword) {
  static const char *const all[] = {
      "$schema", "title",   "description", "$defs", "$ref",       "type",  "enum",
      "const",   "minimum", "required",    "items", "properties", "anyOf", "additionalProperties"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i], keyword) == 0)
      return true;
  return false;
}

/* Calls `visit` for each schema in a schema, with the name of the property that it is of. */
static void walk(const json_t *schema, const char *name,
                 void (*visit)(const json_t *schema, const char *name)) {
  static const char *const maps[] = {"properties", "$defs"};
  static const char *const ones[] = {"items", "additionalProperties"};
  const json_t *any = json_object_get(schema, "anyOf");
  visit(schema, name);
  for (size_t m = 0; m < 2; m++) {
    const char *key;
    json_t *one;
    json_object_foreach(json_object_get(schema, maps[m]), key, one) {
      walk(one, m == 0 ? key : NULL, visit);
    }
    if (json_is_object(json_object_get(schema, ones[m])))
      walk(json_object_get(schema, ones[m]), NULL, visit);
  }
  for (size_t i = 0; i < json_array_size(any); i++)
    walk(json_array_get(any, i), NULL, visit);
}

static void check_keywords(const json_t *schema, const char *name) {
  (void)name;
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)schema, key, value) {
    if (is_known(key))
      continue;
    fprintf(stderr, "validate: keyword '%s' is not checked\n", key);
    exit(2);
  }
}

static unsigned unseen;

static void find_unseen(const json_t *schema, const char *name) {
  if (!name || json_object_get(schema, seen_key))
    return;
  printf("FAILED: no value has the property '%s' of the schema\n", name);
  unseen++;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* False: a value is not valid. */
static bool check_file(const json_t *schema, const char *path) {
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
  size_t count = 0;
  bool good = file;
  for (json_error_t error; good;) {
    int byte = fgetc(file);
    while (byte == ' ' || byte == '\n')
      byte = fgetc(file);
    if (byte == EOF)
      break;
    ungetc(byte, file);
    json_t *value = json_loadf(file, JSON_DISABLE_EOF_CHECK, &error);
    Place place = {.root = schema};
    good = value && valid(schema, value, &place);
    place.mark = true;
    if (good)
      valid(schema, value, &place);
    else
      printf("FAILED: %s: value %zu: %s\n", path, count, value ? place.why : error.text);
    json_decref(value);
    count++;
  }
  if (!count)
    printf("FAILED: %s: there is no value\n", path);
  if (file && file != stdin)
    fclose(file);
  return good && count;
}

int main(int argc, char **argv) {
  json_error_t error;
  json_t *schema = argc > 2 ? json_load_file(argv[1], 0, &error) : NULL;
  if (!schema) {
    fprintf(stderr, "validate: %s\n", argc > 2 ? error.text : "SCHEMA FILE...");
    return 2;
  }
  walk(schema, NULL, check_keywords);
  bool good = true;
  for (int i = 2; i < argc; i++)
    good = check_file(schema, argv[i]) && good;
  if (good)
    walk(schema, NULL, find_unseen);
  json_decref(schema);
  return good && !unseen ? 0 : 1;
}
