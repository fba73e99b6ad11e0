# SPDX-License-Identifier: Apache-2.0
# Tests of the harness, and all that run several of the tools: scripts, cases on drivers, what is
# installed.

# tests/harness/test_*.c; amber_*.c and vk_case.c help them.
add_test_parts(harness_parts
               SOURCES tests/harness/amber_judge.c tests/harness/amber_text.c tests/harness/vk_case.c
               LIBRARIES harness_core cmocka)
add_test_folder(harness harness ALONE test_amber_mutate test_vk_faults LIBRARIES harness_parts harness_core)
add_program(gen_cases SOURCES tests/harness/gen_cases.c tests/harness/live_out.c
            LIBRARIES equiv_parts)
add_program(gen_rasters SOURCES tests/harness/gen_rasters.c LIBRARIES spv_emu_core)
add_executable(gen_results tests/harness/gen_results.c)
target_link_libraries(gen_results PRIVATE harness_core)
target_link_options(test_vk_faults PRIVATE -Wl,--wrap=vh_check)
# A Vulkan layer that fails on demand, and where the loader finds it.
add_library(layer_fault MODULE tests/harness/layer_fault.c tests/harness/plain_layer.c)
target_link_libraries(layer_fault PRIVATE vulkan_headers)
set(layer_fault_path ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/liblayer_fault.so)
configure_file(tests/harness/layer_fault.json.in ${CMAKE_BINARY_DIR}/bin/layers/layer_fault.json
               @ONLY)
file(GLOB harness_scripts CONFIGURE_DEPENDS tests/harness/*.sh)
list(FILTER harness_scripts EXCLUDE REGEX "/bench_")
foreach(source ${harness_scripts})
  get_filename_component(name ${source} NAME_WE)
  add_labelled_test(harness_${name} harness sh ${source} $<TARGET_FILE:spv-harness>)
endforeach()

# ---- the harness on a cluster --------------------------------------------------------------------

add_labelled_test(cluster_slurm slow tests/cluster/slurm.sh $<TARGET_FILE:spv-harness>)
set_tests_properties(cluster_slurm PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)

# ---- the emulator, with the harness ---------------------------------------------------------------

file(GLOB emu_scripts CONFIGURE_DEPENDS tests/emu/*.sh)
foreach(source ${emu_scripts})
  get_filename_component(name ${source} NAME_WE)
  add_labelled_test(emu_${name} emu sh ${source} $<TARGET_FILE:spv-emu> $<TARGET_FILE:spv-harness>)
endforeach()

# Every message of the three commands, and the width of their help.
add_labelled_test(messages cli sh tests/messages/run.sh $<TARGET_FILE:spv-emu>
                  $<TARGET_FILE:spv-harness>)
add_labelled_test(messages_help cli sh tests/messages/help.sh $<TARGET_FILE:spv-emu>)

# spvreconv --lint, and the emulator's checks that decide its findings.
add_labelled_test(lint cli sh tests/lint/run.sh $<TARGET_FILE:spvreconv> $<TARGET_FILE:spv-emu>)

# What the commands print as JSON, and the schemas in docs/schemas.
add_executable(validate_json tests/schemas/validate.c)
target_link_libraries(validate_json PRIVATE jansson)
add_labelled_test(schemas cli sh tests/schemas/run.sh $<TARGET_FILE:validate_json>
                  $<TARGET_FILE:spvreconv> $<TARGET_FILE:spv-emu> $<TARGET_FILE:spv-harness>)

# ---- differential tests --------------------------------------------------------------------------

set(diff_program tests/diff/source.c tests/diff/statement.c tests/diff/uniform.c
                 tests/diff/family.c tests/diff/slope.c tests/diff/kernel.c)
add_program(gen_glsl SOURCES tests/diff/gen_glsl.c ${diff_program} LIBRARIES equiv_parts)
add_program(gen_frag SOURCES tests/diff/gen_frag.c ${diff_program} LIBRARIES equiv_parts)
add_program(gen_kernel SOURCES tests/diff/gen_kernel.c ${diff_program} LIBRARIES equiv_parts)
add_executable(expect_emu tests/diff/expect_emu.c)
target_link_libraries(expect_emu PRIVATE harness_core)
add_labelled_test(diff harness tests/diff/test.sh ${CMAKE_BINARY_DIR})
add_labelled_test(diff_draws harness tests/diff/draws.sh ${CMAKE_BINARY_DIR})
add_labelled_test(diff_kernels harness tests/diff/kernels.sh ${CMAKE_BINARY_DIR})
add_labelled_test(diff_judge harness tests/diff/judge.sh)
add_labelled_test(diff_regressions harness tests/diff/regressions.sh ${CMAKE_BINARY_DIR})
set_tests_properties(diff_regressions PROPERTIES SKIP_RETURN_CODE 77)

# ---- functions of OpenCL.std ----------------------------------------------------------------------

# The errors of the code of math.def: as C, and as shaders.
add_test_parts(math_parts SOURCES tests/math/math_run.c LIBRARIES harness_parts)
add_executable(opencl_math tests/math/opencl_math.c tests/math/math_function.c tests/math/math_code.c)
add_executable(opencl_integer tests/math/opencl_integer.c)
target_link_libraries(opencl_integer PRIVATE math_parts)
# As in SPIR-V, integers wrap around in the language of math/, and a number that does not fit becomes any integer.
set_source_files_properties(tests/math/math_code.c PROPERTIES
                            COMPILE_OPTIONS "-ffp-contract=off;-fwrapv;-fno-sanitize=float-cast-overflow")
target_link_libraries(opencl_math PRIVATE math_parts m)
add_labelled_test(math_code harness opencl_math code 4096)
add_labelled_test(math_emu harness opencl_math emu 2048)
add_labelled_test(math_integer harness opencl_integer emu 256)
add_labelled_test(math_vectors harness spv-harness run --device=emu
                  --transform=kernel-to-shader,structurize tests/math)

# ---- readers of other projects --------------------------------------------------------------------

add_labelled_test(consumers harness tests/consumers/test.sh ${CMAKE_BINARY_DIR})

# ---- the installed libraries, used from outside ---------------------------------------------------

file(GLOB library_tests CONFIGURE_DEPENDS tests/library/*.sh tests/library/*.bash)
if(SPVRECONV_SANITIZE) # such builds are not packaged
  list(FILTER library_tests EXCLUDE REGEX "/packages\\.sh$")
endif()
foreach(source ${library_tests})
  get_filename_component(name ${source} NAME_WE)
  add_labelled_test(library_${name} library ${source} ${CMAKE_BINARY_DIR})
endforeach()

# ---- the example of a host of kernels --------------------------------------------------------------

add_executable(run_kernel examples/kernel/run_kernel.c examples/kernel/device.c)
target_link_libraries(run_kernel PRIVATE spvreconv_shared vulkan_loader)

# ---- the scripts of tools/ ------------------------------------------------------------------------

file(GLOB tool_tests CONFIGURE_DEPENDS tests/tools/*.sh)
foreach(source ${tool_tests})
  get_filename_component(name ${source} NAME_WE)
  add_labelled_test(tools_${name} cli sh ${source} ${CMAKE_BINARY_DIR})
endforeach()

# ---- limits, benchmarks --------------------------------------------------------------------------

add_labelled_test(limits cli sh tests/limits/hostile.sh $<TARGET_FILE:spvreconv>
                  $<TARGET_FILE:spv-emu> 20000 1)
file(GLOB bench_emu_sources CONFIGURE_DEPENDS tests/bench-emu/*.c)
add_executable(spv-emu-bench ${bench_emu_sources})
target_link_libraries(spv-emu-bench PRIVATE harness_core equiv_parts)
if(NOT SPVRECONV_SANITIZE) # times mean nothing then, and lavapipe leaks when it is unloaded
  add_labelled_test(bench_emu bench spv-emu-bench --quick)
endif()
add_executable(minimal_vulkan tests/harness/minimal_vulkan.c)
target_link_libraries(minimal_vulkan PRIVATE vulkan_loader)
add_labelled_test(bench_harness bench sh tests/harness/bench_cost.sh $<TARGET_FILE:spv-harness>)
