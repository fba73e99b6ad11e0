/* SPDX-License-Identifier: Apache-2.0 */
/* converge_script: see converge_script.h. */
#include "harness/converge/converge_script.h"

#include "harness/converge/converge_judge.h"
#include "harness/converge/glsl.h"

#include <stdio.h>
#include <stdlib.h>

const char *const cv_features[CV_MODES] = {
    "ShaderMaximalReconvergenceFeatures.shaderMaximalReconvergence",
    "ShaderSubgroupUniformControlFlowFeatures.shaderSubgroupUniformControlFlow", NULL};

static void put_head(const CvScript *s, FILE *out) {
  fputs("#!amber\n", out);
  if (s->expects)
    fprintf(out,
            "# What:  which invocations run each subgroup operation: mode %s, subgroups of %u, "
            "seed %llu\n"
            "# Made by spv-harness converge (docs/converge.md)\n",
            cv_mode_names[s->mode], s->subgroup_size, (unsigned long long)s->seed);
  fputs("DEVICE_FEATURE SubgroupSupportedOperations.basic\n"
        "DEVICE_FEATURE SubgroupSupportedOperations.ballot\n"
        "DEVICE_FEATURE SubgroupSupportedOperations.arithmetic\n"
        "DEVICE_FEATURE SubgroupSupportedStages.compute\n",
        out);
  if (s->declares && cv_features[s->mode])
    fprintf(out, "DEVICE_FEATURE %s\n", cv_features[s->mode]);
}

static void put_table(uint32_t size, FILE *out) {
  fputs("BUFFER values DATA_TYPE uint32 DATA", out);
  for (uint32_t row = 0; row <= CV_ROWS + CV_ITERATIONS; row++)
    for (uint32_t lane = 0; lane < size * CV_SUBGROUPS; lane++)
      fprintf(out, "%s%u", lane % 32 ? " " : "\n ", cv_value(row, lane, size));
  fputs("\nEND\n", out);
}

static void put_pipeline(const CvScript *s, FILE *out) {
  fprintf(out,
          "BUFFER told DATA_TYPE uint32 SIZE %u FILL 0\n"
          "PIPELINE compute p\n  ATTACH program\n",
          cv_told_words(s->subgroup_size));
  if (s->requires_size)
    fprintf(out, "  SUBGROUP program\n    FULLY_POPULATED on\n    REQUIRED_SIZE %u\n  END\n",
            s->subgroup_size);
  fputs("  BIND BUFFER values AS storage DESCRIPTOR_SET 0 BINDING 0\n"
        "  BIND BUFFER told AS storage DESCRIPTOR_SET 0 BINDING 1\nEND\nRUN p 1 1 1\n",
        out);
}

static void put_expects(const CvScript *s, const CvExpected *expected, FILE *out) {
  for (uint32_t lane = 0; lane < s->subgroup_size * CV_SUBGROUPS; lane++)
    for (uint32_t k = 0; k < expected->count[lane]; k++) {
      const CvRecord *r = &expected->record[lane][k];
      CvSet shown;
      bool exact = cv_shown(s->program, r, s->subgroup_size, lane, &shown);
      fprintf(out, "EXPECT told IDX %u EQ %u", cv_told_at(s->subgroup_size, lane, k) * 4,
              r->point + 1);
      for (uint32_t i = 0; exact && i < cv_set_words(s->subgroup_size); i++)
        fprintf(out, " %u", shown.word[i]);
      fputc('\n', out);
    }
}

char *cv_script(const CvScript *script) {
  char *text = NULL;
  size_t size;
  CvExpected *expected = script->expects ? malloc(sizeof *expected) : NULL;
  FILE *out = open_memstream(&text, &size);
  bool good = out && (expected || !script->expects);
  if (good) {
    put_head(script, out);
    fputs("SHADER compute program GLSL TARGET_ENV spv1.3\n", out);
    cv_glsl(script->program, script->mode, script->subgroup_size, script->declares, out);
    fputs("END\n", out);
    put_table(script->subgroup_size, out);
    put_pipeline(script, out);
  }
  if (good && expected) {
    cv_model(script->program, script->mode, script->subgroup_size, expected);
    put_expects(script, expected, out);
  }
  free(expected);
  if (out && (fclose(out) != 0 || !good)) {
    free(text);
    text = NULL;
  }
  return text;
}
