# The test suite: one cmocka program per tests/unit/*/test_*.c, and programs that run over many
# modules. Labels: unit, property, golden, cli, slow (left out under sanitizers).

# A test program on the library's internals; assertions hold whatever the build type.
function(add_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_compile_options(${name} PRIVATE -UNDEBUG)
  target_link_libraries(${name} PRIVATE spvreconv_core ${arg_LIBRARIES})
endfunction()

set(SPVRECONV_TEST_TIMEOUT 1200 CACHE STRING "Seconds that a test may take")

function(add_labelled_test name label)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS ${label}
                       TIMEOUT ${SPVRECONV_TEST_TIMEOUT})
  if(NOT label MATCHES "slow|bench") # every output is compared with its input (docs/check.md)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT SPVRECONV_CHECK=1)
  endif()
endfunction()

# ---- unit ----------------------------------------------------------------------------------------

file(GLOB unit_tests CONFIGURE_DEPENDS tests/unit/*/test_*.c)
file(GLOB unit_helpers CONFIGURE_DEPENDS tests/unit/*.c)
foreach(source ${unit_tests})
  get_filename_component(name ${source} NAME_WE)
  add_program(${name} SOURCES ${source} ${unit_helpers} LIBRARIES PkgConfig::CMOCKA)
  target_include_directories(${name} PRIVATE tests/unit)
  add_labelled_test(${name} unit ${name})
endforeach()

# Watches whether the library calls malloc where it has the caller's allocator.
foreach(name malloc calloc realloc free _Znwm _Znam _ZdlPv _ZdlPvm _ZdaPv)
  target_link_options(test_allocator PRIVATE -Wl,--wrap=${name})
endforeach()

# ---- properties on random graphs, mutated modules ------------------------------------------------

file(GLOB equiv_sources CONFIGURE_DEPENDS tests/equiv/*.c tests/equiv/gen/*.c)
list(FILTER equiv_sources EXCLUDE REGEX "/test_[^/]*$")
add_library(equiv_parts STATIC ${equiv_sources})
target_include_directories(equiv_parts PUBLIC tests/equiv tests/equiv/gen)
target_compile_options(equiv_parts PRIVATE -UNDEBUG)
target_link_libraries(equiv_parts PUBLIC spvreconv_core)
foreach(name equiv copies twins decorations threads check orders)
  add_program(test_${name} SOURCES tests/equiv/test_${name}.c LIBRARIES equiv_parts)
endforeach()
add_labelled_test(equiv property test_equiv --count=280)
add_labelled_test(copies property test_copies --count=400 --max-blocks=40)
add_labelled_test(copies_twins property test_copies --count=250 --max-blocks=40 --family=twins)
add_labelled_test(twins property test_twins)
add_labelled_test(decorations property test_decorations)
add_labelled_test(threads property test_threads)
foreach(name linearize guard)
  add_labelled_test(equiv_${name} property test_equiv --count=400 --max-blocks=120
                    --transform=${name})
endforeach()
add_labelled_test(check property test_check --count=120)
add_labelled_test(orders property test_orders --count=80)

file(GLOB mutate_sources CONFIGURE_DEPENDS tests/fuzz/*.c)
list(FILTER mutate_sources EXCLUDE REGEX "/(test_[^/]*|fuzz_[^p][^/]*)$")
add_library(mutate_parts STATIC ${mutate_sources})
target_include_directories(mutate_parts PUBLIC tests/fuzz spv-emu/include)
target_link_libraries(mutate_parts PUBLIC equiv_parts)
add_program(test_mutate SOURCES tests/fuzz/test_mutate.c LIBRARIES mutate_parts)
add_labelled_test(mutate property tests/mutate.sh $<TARGET_FILE:test_mutate> --count=5000)
add_program(test_graph_mutate SOURCES tests/fuzz/test_graph_mutate.c LIBRARIES mutate_parts)
add_labelled_test(graph_mutate property test_graph_mutate --count=400)
# Our verifier, and our parser, against SPIRV-Tools'; modules newer than both.
foreach(name agree operands unknown)
  add_program(test_${name} SOURCES tests/structure/test_${name}.c tests/structure/shader_files.c
              LIBRARIES mutate_parts)
  add_labelled_test(${name} property test_${name} ${CMAKE_SOURCE_DIR}/shaders
                    ${CMAKE_SOURCE_DIR}/tests)
endforeach()

# ---- through the command line --------------------------------------------------------------------

add_executable(golden_runner tests/golden_runner.c)
target_compile_options(golden_runner PRIVATE -UNDEBUG)
foreach(name golden bad)
  add_labelled_test(${name} golden golden_runner $<TARGET_FILE:spvreconv>
                    ${CMAKE_SOURCE_DIR}/tests/${name})
endforeach()
add_executable(gen_big tests/golden/gen_big.c)
target_link_libraries(gen_big PRIVATE spirv_tools)
add_labelled_test(shaders cli tests/shaders.sh $<TARGET_FILE:spvreconv>)
add_labelled_test(big slow tests/big.sh $<TARGET_FILE:spvreconv>)
file(GLOB cli_tests CONFIGURE_DEPENDS tests/cli/*.sh)
foreach(source ${cli_tests})
  get_filename_component(name ${source} NAME_WE)
  add_labelled_test(cli_${name} cli sh ${source} $<TARGET_FILE:spvreconv>)
endforeach()

# ---- the libraries as others see them -------------------------------------------------------------

file(GLOB library_tests CONFIGURE_DEPENDS tests/library/*.sh tests/library/*.bash)
if(SPVRECONV_SANITIZE) # nobody packages that
  list(FILTER library_tests EXCLUDE REGEX "/packages\\.sh$")
endif()
foreach(source ${library_tests})
  get_filename_component(name ${source} NAME_WE)
  add_labelled_test(library_${name} library ${source} ${CMAKE_BINARY_DIR})
endforeach()

# ---- the scripts of tools/ ------------------------------------------------------------------------

file(GLOB tool_tests CONFIGURE_DEPENDS tests/tools/*.sh)
foreach(source ${tool_tests})
  get_filename_component(name ${source} NAME_WE)
  add_labelled_test(tools_${name} cli sh ${source} ${CMAKE_BINARY_DIR})
endforeach()

# ---- the harness ---------------------------------------------------------------------------------

# One program per tests/harness/test_*.c; amber_*.c and vk_case.c help them.
file(GLOB harness_tests CONFIGURE_DEPENDS tests/harness/test_*.c)
foreach(source ${harness_tests})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source} tests/harness/amber_judge.c tests/harness/amber_text.c
                 tests/harness/vk_case.c)
  target_compile_options(${name} PRIVATE -UNDEBUG)
  target_include_directories(${name} PRIVATE tests/harness tests/unit)
  target_link_libraries(${name} PRIVATE harness_core PkgConfig::CMOCKA)
  add_labelled_test(${name} harness ${name})
endforeach()
add_program(gen_cases SOURCES tests/harness/gen_cases.c tests/harness/live_out.c
            LIBRARIES equiv_parts)
add_executable(gen_results tests/harness/gen_results.c)
target_link_libraries(gen_results PRIVATE harness_core)
target_link_options(test_vk_faults PRIVATE -Wl,--wrap=vh_check)
# A Vulkan layer that dies on demand, and where the loader finds it.
add_library(layer_fault MODULE tests/harness/layer_fault.c)
target_include_directories(layer_fault PRIVATE harness)
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

# ---- the emulator --------------------------------------------------------------------------------

# One program per tests/emu/FOLDER/test_*.c.
file(GLOB emu_tests CONFIGURE_DEPENDS tests/emu/*/test_*.c)
file(GLOB emu_helpers CONFIGURE_DEPENDS tests/emu/*.c tests/emu/*/*.c)
list(REMOVE_ITEM emu_helpers ${emu_tests})
foreach(source ${emu_tests})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source} ${emu_helpers})
  target_compile_options(${name} PRIVATE -UNDEBUG)
  target_include_directories(${name} PRIVATE tests/emu tests/emu/alu tests/emu/memory tests/unit)
  target_link_libraries(${name} PRIVATE spv_emu_core spvreconv_core spv_emu_front PkgConfig::CMOCKA)
  add_labelled_test(${name} emu ${name})
endforeach()
file(GLOB emu_scripts CONFIGURE_DEPENDS tests/emu/*.sh)
foreach(source ${emu_scripts})
  get_filename_component(name ${source} NAME_WE)
  add_labelled_test(emu_${name} emu sh ${source} $<TARGET_FILE:spv-emu> $<TARGET_FILE:spv-harness>)
endforeach()

# Random modules under every policy; needs the generator of tests/equiv.
add_executable(test_policies tests/equiv/test_policies.c)
target_compile_options(test_policies PRIVATE -UNDEBUG)
target_link_libraries(test_policies PRIVATE equiv_parts spv_emu_core)
add_labelled_test(policies property test_policies --count=80)
add_program(test_emu_mutate SOURCES tests/fuzz/test_emu_mutate.c
            LIBRARIES mutate_parts spv_emu_core)
add_labelled_test(emu_mutate property tests/emu_mutate.sh $<TARGET_FILE:test_emu_mutate>
                  --count=3000)

# ---- differential tests --------------------------------------------------------------------------

set(diff_program tests/diff/source.c tests/diff/statement.c tests/diff/uniform.c
                 tests/diff/family.c)
add_program(gen_glsl SOURCES tests/diff/gen_glsl.c ${diff_program} LIBRARIES equiv_parts)
add_executable(expect_emu tests/diff/expect_emu.c)
target_link_libraries(expect_emu PRIVATE harness_core)
add_labelled_test(diff harness tests/diff/test.sh ${CMAKE_BINARY_DIR})
add_labelled_test(diff_judge harness tests/diff/judge.sh)
add_labelled_test(diff_regressions harness tests/diff/regressions.sh ${CMAKE_BINARY_DIR})
set_tests_properties(diff_regressions PROPERTIES SKIP_RETURN_CODE 77)

# ---- fuzzers --------------------------------------------------------------------------------------

include(cmake/fuzz.cmake)

# ---- limits ---------------------------------------------------------------------------------------

add_executable(gen_hostile tests/limits/gen_hostile.c)
target_link_libraries(gen_hostile PRIVATE equiv_parts)
add_executable(cost tests/limits/cost.c)
add_labelled_test(limits cli sh tests/limits/hostile.sh $<TARGET_FILE:spvreconv>
                  $<TARGET_FILE:spv-emu> 20000 1)
add_labelled_test(limits_functions slow sh tests/limits/functions.sh $<TARGET_FILE:spvreconv>)

# ---- benchmark -----------------------------------------------------------------------------------

file(GLOB bench_sources CONFIGURE_DEPENDS tests/bench/*.c)
add_program(spvreconv-bench SOURCES ${bench_sources} LIBRARIES equiv_parts)
add_labelled_test(bench bench spvreconv-bench --quick --family=structured,irreducible)
file(GLOB bench_emu_sources CONFIGURE_DEPENDS tests/bench-emu/*.c)
add_executable(spv-emu-bench ${bench_emu_sources})
target_link_libraries(spv-emu-bench PRIVATE harness_core equiv_parts)
if(NOT SPVRECONV_SANITIZE) # times mean nothing then, and lavapipe leaks when it is unloaded
  add_labelled_test(bench_emu bench spv-emu-bench --quick)
endif()
add_executable(minimal_vulkan tests/harness/minimal_vulkan.c)
target_link_libraries(minimal_vulkan PRIVATE vulkan_headers vulkan)
add_labelled_test(bench_harness bench sh tests/harness/bench_cost.sh $<TARGET_FILE:spv-harness>)

# ---- the Vulkan layer ----------------------------------------------------------------------------

include(cmake/layer_tests.cmake)
