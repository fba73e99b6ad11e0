/* SPDX-License-Identifier: Apache-2.0 */
/* amber_judge: see amber_judge.h. */
#include "tests/harness/amber_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool check_pipeline(const AmberScript *script, const AmberPipeline *p) {
  bool good = p->graphics ? p->color_count > 0 : p->shader_count > 0;
  for (uint32_t i = 0; i < p->shader_count; i++)
    good = good && p->shaders[i].shader < script->shader_count;
  for (uint32_t i = 0; i < p->binding_count; i++)
    for (uint32_t k = 0; k < p->bindings[i].descriptor_count; k++) {
      const AmberDescriptor *d = &p->bindings[i].descriptors[k];
      good = good && (d->sampler == AMBER_NONE || d->sampler < script->sampler_count) &&
             (d->buffer == AMBER_NONE || script->buffers[d->buffer].size > 0);
    }
  for (uint32_t i = 0; i < p->color_count; i++) {
    const AmberBuffer *b = &script->buffers[p->colors[i].buffer];
    good = good && b->format && b->width >> p->colors[i].base_mip_level >= p->raster.width &&
           b->height >> p->colors[i].base_mip_level >= p->raster.height;
  }
  for (uint32_t i = 0; i < p->vertex_input_count; i++)
    good = good && script->buffers[p->vertex_inputs[i].buffer].size >=
                       p->vertex_inputs[i].offset + p->vertex_inputs[i].format->bytes;
  return good;
}

static bool check_buffer(const AmberBuffer *b) {
  bool good = b->size == (uint64_t)b->element_count * b->layout.stride &&
              b->size <= AMBER_MAX_BUFFER_BYTES && (b->size > 0 || !b->uses) &&
              b->layout.size <= b->layout.stride && b->layout.field_count > 0;
  if (b->size)
    good = good && b->element_count == (uint64_t)b->width * b->height * b->depth;
  for (uint32_t i = 0; i < b->layout.field_count; i++) {
    const EmuField *f = &b->layout.fields[i];
    good = good && f->offset + f->unit <= b->layout.stride && f->unit <= 8 && f->bits > 0 &&
           f->shift + f->bits <= 8 * f->unit;
  }
  return good;
}

/* Evaluates every EXPECT and writes all values, so that the sanitizers see what is accessed. */
static void check_accesses(const AmberScript *script) {
  AmberContents *contents = calloc(script->buffer_count + 1u, sizeof *contents);
  char text[200];
  for (uint32_t i = 0; i < script->buffer_count; i++)
    contents[i] = (AmberContents){script->buffers[i].bytes, script->buffers[i].size};
  for (uint32_t i = 0; i < script->command_count; i++)
    if (script->commands[i].kind == AMBER_EXPECT)
      amber_expect_check(script, &script->commands[i], contents, text, sizeof text);
    else if (script->commands[i].kind == AMBER_WRITE)
      amber_write_apply(&script->commands[i].write,
                        script->buffers[script->commands[i].write.buffer].bytes);
  free(contents);
}

static bool check_commands(const AmberScript *script) {
  bool good = true;
  for (uint32_t i = 0; i < script->command_count; i++) {
    const AmberCommand *c = &script->commands[i];
    good = good && (c->pipeline == AMBER_NONE || c->pipeline < script->pipeline_count);
    if (c->kind == AMBER_REPEAT)
      good = good && c->repeat.length <= script->command_count - i - 1;
  }
  return good;
}

static bool check_script(const AmberScript *script) {
  bool good = check_commands(script);
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < script->buffer_count; i++) {
    bytes += script->buffers[i].size;
    good = good && check_buffer(&script->buffers[i]);
  }
  for (uint32_t i = 0; i < script->pipeline_count; i++)
    good = good && check_pipeline(script, &script->pipelines[i]);
  return good && bytes <= AMBER_MAX_TOTAL_BYTES;
}

static bool check_message(const AmberMessage *message) {
  unsigned line;
  int used = 0;
  if (sscanf(message->text, "line %u: %n", &line, &used) != 1 || !used || !message->text[used])
    return false;
  for (const char *at = message->text; *at; at++)
    if (*at < ' ' || *at > '~')
      return false;
  return line == message->line && line > 0;
}

static bool read_any(void *user, const char *path, size_t limit, uint8_t **bytes, size_t *size) {
  (void)user;
  (void)limit;
  *size = strlen(path);
  *bytes = (uint8_t *)strdup(path);
  return strlen(path) % 2 == 0;
}

bool amber_judge_file(void *user, const char *path, size_t limit, uint8_t **bytes, size_t *size) {
  if (read_any(user, path, limit, bytes, size))
    return true;
  free(*bytes);
  *bytes = NULL;
  return false;
}

int amber_judge(const char *text, size_t size, AmberMessage *message) {
  const AmberFiles files = {.read = amber_judge_file};
  AmberScript *script;
  /* An exact copy, so that the sanitizers see reads past its end. */
  char *exact = malloc(size ? size : 1);
  if (size)
    memcpy(exact, text, size);
  AmberStatus status = amber_parse(exact, size, &files, &script, message);
  free(exact);
  bool good =
      status == AMBER_OK ? script && check_script(script) : !script && check_message(message);
  if (status == AMBER_OK && good)
    check_accesses(script);
  amber_destroy(script);
  return good ? (int)status : -1;
}
