/* SPDX-License-Identifier: Apache-2.0 */
/* context: transforms are registered one after the other, then run, as with SPIRV-Tools' optimizer.
 * A context holds the options of spvreconv_run, with copies of their strings, and a growing list of
 * transforms. */
#include "passes/base/text.h"
#include "passes/driver/options.h"

#include <string.h>

struct spvreconv_context {
  SrHeap heap;
  SrArena arena;
  spvreconv_options
      *options; /* as large as the caller's, because the run checks the part that this version
                   lacks */
};

static const char *copy_text(SrArena *arena, const char *text) {
  return text ? sr_strndup(arena, text, strlen(text)) : NULL;
}

/* If the struct's `size` is impossible, only `size` is copied, and the run refuses the options. */
static spvreconv_options *copy_options(SrArena *arena, const spvreconv_options *given) {
  spvreconv_options none;
  spvreconv_options_init(&none, sizeof none);
  given = given ? given : &none;
  bool sane = sr_options_size_is_sane(given);
  size_t kept = sane ? given->size : sizeof given->size;
  spvreconv_options *copy = sr_alloc_zero(arena, 1, kept < sizeof *copy ? sizeof *copy : kept);
  memcpy(copy, given, kept);
  if (sane && kept < sizeof *copy)
    copy->size = sizeof *copy;
  copy->transform = copy_text(arena, copy->transform);
  copy->order = copy_text(arena, copy->order);
  copy->uniformity = copy_text(arena, copy->uniformity);
  copy->scope = copy_text(arena, copy->scope);
  copy->target_env = copy_text(arena, copy->target_env);
  copy->lowering = copy_text(arena, copy->lowering);
  copy->goal = copy_text(arena, copy->goal);
  copy->structure = copy_text(arena, copy->structure);
  copy->phis = copy_text(arena, copy->phis);
  return copy;
}

static bool fill(spvreconv_context *context, const spvreconv_options *given) {
  if (setjmp(context->heap.out_of_memory))
    return false;
  context->options = copy_options(&context->arena, given);
  return true;
}

spvreconv_context *spvreconv_context_create(const spvreconv_options *options) {
  spvreconv_options known;
  sr_options_take(options, &known);
  SrHeap heap = {.resize = known.resize, .user = known.resize_user};
  sr_heap_init(&heap);
  spvreconv_context *context = heap.resize(heap.user, NULL, 0, sizeof *context);
  if (!context)
    return NULL;
  *context = (spvreconv_context){.heap = heap};
  context->arena = sr_arena_new(&context->heap);
  if (fill(context, options))
    return context;
  spvreconv_context_destroy(context);
  return NULL;
}

void spvreconv_context_destroy(spvreconv_context *context) {
  if (!context)
    return;
  sr_heap_free_all(&context->heap);
  context->heap.resize(context->heap.user, context, sizeof *context, 0);
}

void spvreconv_context_set_message(spvreconv_context *context,
                                   void (*message)(void *user, const char *line), void *user) {
  context->options->message = message;
  context->options->message_user = user;
}

static void say(const spvreconv_context *context, const char *line) {
  if (context->options->message)
    context->options->message(context->options->message_user, line);
}

/* The list with `name` at its end. */
static const char *append(SrArena *arena, const char *list, const char *name) {
  SrText text = {.arena = arena};
  sr_text_add(&text, "%s%s%s", list ? list : "", list ? "," : "", name);
  return sr_text_end(&text);
}

static SrStatus add_transforms(spvreconv_context *context, const char *names, SrDiag *diag) {
  if (setjmp(context->heap.out_of_memory))
    return sr_fail(diag, SR_OUT_OF_MEMORY, SR_NOWHERE, "out of memory");
  SrOptions read = {0};
  SR_CHECK(sr_options_read_transforms(diag, &context->arena, names, &read));
  context->options->transform = append(&context->arena, context->options->transform, names);
  return SR_OK;
}

spvreconv_status spvreconv_context_register(spvreconv_context *context, const char *flag) {
  SrDiag diag = {.status = SR_OK};
  SrStatus status = add_transforms(context, flag + (strncmp(flag, "--", 2) == 0 ? 2 : 0), &diag);
  if (status != SR_OK)
    say(context, diag.text);
  return (spvreconv_status)status;
}

spvreconv_status spvreconv_context_run(const spvreconv_context *context, const uint32_t *words,
                                       size_t count, spvreconv_result **result) {
  spvreconv_status status = spvreconv_run(context->options, words, count, result);
  if (status != SPVRECONV_OK)
    say(context, spvreconv_result_message(*result));
  return status;
}
