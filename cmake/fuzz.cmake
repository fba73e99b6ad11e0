# SPDX-License-Identifier: Apache-2.0
# The fuzz targets, fuzz_NAME from tests/fuzz/fuzz_NAME.c. With clang and SPVRECONV_FUZZ they are libFuzzer
# programs, with afl-clang-fast AFL++ programs; else they run the given files, and the test suite
# runs them on tests/regressions/.

file(GLOB fuzz_targets CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
list(FILTER fuzz_targets EXCLUDE REGEX "/fuzz_(main|mutator|parts)\\.c$")
add_custom_target(fuzzers)
add_program(gen_modules SOURCES tests/fuzz/gen_modules.c LIBRARIES spv_shader)
add_dependencies(fuzzers gen_modules)
foreach(source ${fuzz_targets})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_compile_options(${name} PRIVATE -UNDEBUG)
  target_link_libraries(${name} PRIVATE mutate_parts spv_emu_core spvreconv_core)
  if(SPVRECONV_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(${name} PRIVATE tests/fuzz/fuzz_main.c)
  endif()
  if(NOT name STREQUAL fuzz_amber AND SPVRECONV_FUZZ)
    target_sources(${name} PRIVATE tests/fuzz/fuzz_mutator.c)
  endif()
  add_dependencies(fuzzers ${name})
  if(NOT SPVRECONV_FUZZ)
    add_labelled_test(regressions_${name} property sh tests/regressions/run.sh
                      $<TARGET_FILE:${name}>)
  endif()
endforeach()
target_sources(fuzz_amber PRIVATE tests/harness/amber_judge.c)
target_link_libraries(fuzz_amber PRIVATE spv_emu_front)
