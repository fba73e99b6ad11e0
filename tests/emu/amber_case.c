/* amber_case: see amber_case.h. */
#include "amber_case.h"

#include <stdlib.h>
#include <string.h>

static void *must(void *memory) {
  if (!memory) {
    fputs("out of memory\n", stderr);
    abort();
  }
  return memory;
}

static char *read_text(const char *path, size_t *size) {
  char *text = NULL;
  char part[4096];
  FILE *in = fopen(path, "rb"), *out = open_memstream(&text, size);
  for (size_t n; in && out && (n = fread(part, 1, sizeof part, in)) > 0;)
    fwrite(part, 1, n, out);
  bool good = in && out && !ferror(in);
  if (out)
    good &= fclose(out) == 0;
  if (in)
    fclose(in);
  if (good)
    return text;
  free(text);
  return NULL;
}

AmberScript *amber_case_read(const char *path, FILE *log) {
  size_t size;
  char *text = read_text(path, &size);
  if (!text) {
    fprintf(log, "%s: cannot be read\n", path);
    return NULL;
  }
  AmberFiles none = {0};
  AmberScript *script;
  AmberMessage message;
  if (amber_parse(text, size, &none, &script, &message) != AMBER_OK)
    fprintf(log, "%s: %s\n", path, message.text);
  free(text);
  return script;
}

AmberCaseMemory amber_case_memory(const AmberScript *script) {
  AmberCaseMemory memory = {must(calloc(script->buffer_count + 1, sizeof *memory.at)),
                            script->buffer_count};
  for (uint32_t i = 0; i < memory.count; i++) {
    const AmberBuffer *b = &script->buffers[i];
    void *bytes = must(malloc(b->size + 1));
    memcpy(bytes, b->bytes, b->size);
    memory.at[i] = (AmberContents){bytes, b->size};
  }
  return memory;
}

void amber_case_memory_free(AmberCaseMemory *memory) {
  for (uint32_t i = 0; i < memory->count; i++)
    free((void *)memory->at[i].bytes);
  free(memory->at);
  *memory = (AmberCaseMemory){0};
}

static uint32_t list_buffers(const AmberPipeline *pipeline, const AmberCaseMemory *memory,
                             spv_emu_buffer *out) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < pipeline->binding_count; i++) {
    const AmberBinding *b = &pipeline->bindings[i];
    for (uint32_t k = 0; k < b->descriptor_count; k++) {
      const AmberContents *c = &memory->at[b->descriptors[k].buffer];
      out[count++] = (spv_emu_buffer){.set = b->set,
                                      .binding = b->binding,
                                      .element = k,
                                      .bytes = (void *)c->bytes,
                                      .size = c->size};
    }
  }
  return count;
}

spv_emu_status amber_case_run(const AmberScript *script, const AmberCommand *run,
                              const spv_emu_program *program, const spv_emu_run_options *options,
                              AmberCaseMemory *memory, spv_emu_result **result, char *message,
                              size_t message_size) {
  const AmberPipeline *pipeline = &script->pipelines[run->pipeline];
  uint32_t most = 0;
  for (uint32_t i = 0; i < pipeline->binding_count; i++)
    most += pipeline->bindings[i].descriptor_count;
  spv_emu_buffer *buffers = must(calloc(most + 1, sizeof *buffers));
  spv_emu_run_options o = *options;
  o.groups[0] = run->run.x;
  o.groups[1] = run->run.y;
  o.groups[2] = run->run.z;
  o.buffers = buffers;
  o.buffer_count = list_buffers(pipeline, memory, buffers);
  spv_emu_status status = spv_emu_run(program, &o, result, message, message_size);
  free(buffers);
  return status;
}
