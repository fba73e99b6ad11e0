# SPDX-License-Identifier: Apache-2.0
# The test suite: cmocka tests, tests/unit/*/test_*.c, of which each folder is one program, and programs that run
# over many modules. Labels: unit, property, golden, cli, slow (left out under sanitizers).

# A test program on the library's internals, with assertions in every build type.
function(add_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_compile_options(${name} PRIVATE -UNDEBUG)
  target_link_libraries(${name} PRIVATE spvreconv_core ${arg_LIBRARIES})
endfunction()

# What several test programs share, compiled once, as a library.
function(add_test_parts name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_compile_options(${name} PRIVATE -UNDEBUG)
  target_link_libraries(${name} PUBLIC ${arg_LIBRARIES})
endfunction()

# For tools/survey.sh and tools/check_corpus.sh.
add_executable(carve_spirv tools/carve_spirv.c)

set(SPVRECONV_TEST_TIMEOUT 1200 CACHE STRING "Seconds that a test may take")

function(add_labelled_test name label)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS ${label}
                       TIMEOUT ${SPVRECONV_TEST_TIMEOUT})
  if(NOT label MATCHES "slow|bench") # every output is compared with its input (docs/check.md)
    set(environment SPVRECONV_CHECK=1)
    if(label MATCHES "^(unit|golden|cli)$") # glibc: new memory is not zero, freed memory is overwritten
      list(APPEND environment MALLOC_PERTURB_=165)
    endif()
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${environment}")
  endif()
endfunction()

# add_test_program PROGRAM TESTS FILE... LIBRARIES LIBRARY... [SOURCES FILE...]: several test_*.c as one program, which
# runs the one that is its argument (tests/run_test.c)
function(add_test_program program)
  cmake_parse_arguments(arg "" "" "TESTS;SOURCES;LIBRARIES" ${ARGN})
  set(list "")
  foreach(source ${arg_TESTS})
    get_filename_component(name ${source} NAME_WE)
    string(APPEND list "TEST(${name})\n")
    set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS main=${name})
  endforeach()
  set(list_file ${CMAKE_BINARY_DIR}/tests/${program}.inc)
  file(CONFIGURE OUTPUT ${list_file} CONTENT "${list}")
  add_executable(${program} tests/run_test.c ${arg_TESTS} ${arg_SOURCES})
  target_compile_definitions(${program} PRIVATE "TEST_LIST=\"${list_file}\"")
  target_compile_options(${program} PRIVATE -UNDEBUG)
  target_link_libraries(${program} PRIVATE ${arg_LIBRARIES})
endfunction()

# add_test_folder FOLDER LABEL [ALONE TEST...] LIBRARIES LIBRARY... [SOURCES FILE...]
#
# All tests/FOLDER/test_*.c as one program, tests_FOLDER, but those in ALONE: each of these is one, because it has
# arguments or link options. Each file is a test of its own; its second label is tests_FOLDER.
function(add_test_folder folder label)
  cmake_parse_arguments(arg "" "" "ALONE;SOURCES;LIBRARIES" ${ARGN})
  string(REPLACE / _ program tests_${folder})
  file(GLOB tests CONFIGURE_DEPENDS tests/${folder}/test_*.c)
  set(together "")
  foreach(source ${tests})
    get_filename_component(name ${source} NAME_WE)
    if(name IN_LIST arg_ALONE)
      add_executable(${name} ${source} ${arg_SOURCES})
      target_compile_options(${name} PRIVATE -UNDEBUG)
      target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
      add_labelled_test(${name} ${label} ${name})
    else()
      list(APPEND together ${source})
      add_labelled_test(${name} ${label} ${program} ${name})
    endif()
    set_property(TEST ${name} APPEND PROPERTY LABELS ${program})
  endforeach()
  add_test_program(${program} TESTS ${together} SOURCES ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES})
endfunction()

# ---- unit ----------------------------------------------------------------------------------------

file(GLOB unit_helpers CONFIGURE_DEPENDS tests/unit/*.c)
add_test_parts(unit_parts SOURCES ${unit_helpers} passes/tool/os/os_folder_list.c LIBRARIES spvreconv_core cmocka)
file(GLOB unit_folders CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/tests tests/unit/*/test_*.c)
list(TRANSFORM unit_folders REPLACE "/[^/]*$" "")
list(REMOVE_DUPLICATES unit_folders)
foreach(folder ${unit_folders})
  add_test_folder(${folder} unit ALONE test_allocator LIBRARIES unit_parts spvreconv_core)
endforeach()
list(TRANSFORM unit_folders REPLACE "/" "_")
list(TRANSFORM unit_folders PREPEND tests_)
add_custom_target(unit_tests DEPENDS ${unit_folders})
# Detects calls of malloc by the library where it should use the caller's allocator.
foreach(name malloc calloc realloc free _Znwm _Znam _ZdlPv _ZdlPvm _ZdaPv)
  target_link_options(test_allocator PRIVATE -Wl,--wrap=${name})
endforeach()

# ---- spv-graph -----------------------------------------------------------------------------------

add_program(test_graph SOURCES tests/graph/test_graph.c LIBRARIES unit_parts spv_graph)
target_compile_definitions(test_graph PRIVATE $<$<TARGET_EXISTS:cgraph>:SPV_GRAPH_HAS_DOT>)
add_labelled_test(test_graph unit test_graph)
if(TARGET spv-emu)
  add_labelled_test(graph cli tests/graph/graph.sh $<TARGET_FILE:spv-graph> $<TARGET_FILE:spv-emu>)
endif()

# ---- properties on random graphs, mutated modules ------------------------------------------------

file(GLOB equiv_sources CONFIGURE_DEPENDS tests/equiv/*.c tests/equiv/gen/*.c)
list(FILTER equiv_sources EXCLUDE REGEX "/test_[^/]*$")
add_library(equiv_parts STATIC ${equiv_sources})
target_compile_options(equiv_parts PRIVATE -UNDEBUG)
target_link_libraries(equiv_parts PUBLIC spvreconv_core)
foreach(name equiv copies twins decorations kept hints threads check orders portable undispatch best repair)
  add_program(test_${name} SOURCES tests/equiv/test_${name}.c LIBRARIES equiv_parts)
endforeach()
# As many modules as find the planted errors; ./setup.sh test-long has more of each.
add_labelled_test(equiv property test_equiv --count=80)
add_labelled_test(equiv_growth property test_equiv --growth)
add_labelled_test(copies property test_copies --count=120 --max-blocks=40)
add_labelled_test(copies_twins property test_copies --count=80 --max-blocks=40 --family=twins)
# Copies of a cycle after a loop; twins that differ in a literal, or in a type.
add_labelled_test(copies_self property test_copies --count=1 --seed=238 --family=both-sides --max-blocks=40)
add_labelled_test(copies_literal property test_copies --count=1 --seed=212 --family=twins --max-blocks=40)
add_labelled_test(copies_type property test_copies --count=1 --seed=160 --family=twins --max-blocks=40)
add_labelled_test(twins property test_twins)
add_labelled_test(decorations property test_decorations)
add_labelled_test(kept property test_kept --count=20)
add_labelled_test(hints property test_hints)
add_labelled_test(threads property test_threads)
add_labelled_test(undispatch property test_undispatch --count=40)
add_labelled_test(repair property test_repair --count=100)
add_labelled_test(equiv_best property test_best --count=30)
# Tests SUITE_NAME, for each transform that is to be tested by itself (tests/pass_lists.sh).
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${CMAKE_SOURCE_DIR}/tests/pass_lists.sh ${CMAKE_SOURCE_DIR}/passes/driver/pass.def)
execute_process(COMMAND sh ${CMAKE_SOURCE_DIR}/tests/pass_lists.sh OUTPUT_VARIABLE pass_lists
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" pass_lists "${pass_lists}")
function(add_pass_tests suite)
  foreach(line ${pass_lists})
    string(REGEX MATCHALL "[^ ]+" words "${line}")
    list(POP_FRONT words name alone structured)
    if(NOT words STREQUAL "-")
      string(REPLACE "-" "_" name ${name})
      add_labelled_test(${suite}_${name} property test_${suite} ${ARGN} ${words}
                        --transform=${structured})
    endif()
  endforeach()
endfunction()
add_pass_tests(equiv --count=120 --max-blocks=120)
add_labelled_test(pass_lists property sh tests/equiv/pass_lists.sh $<TARGET_FILE:spvreconv> $<TARGET_FILE:test_kept>)
add_labelled_test(equiv_steers property test_equiv --count=600 --seed=1000 --max-blocks=40 --steers
                  --transform=undispatch)
add_labelled_test(equiv_inline_shared property test_equiv --count=80 --max-blocks=120 --calls --once
                  --transform=inline,share-calls:all,structurize)
# Calls joined in functions that are then called once: one variable for arguments for each of them.
add_labelled_test(equiv_inline_rounds property test_equiv --replay=2000218 --family=twins --max-blocks=60
                  --calls --once --transform=inline,share-calls:all,inline)
foreach(tails 8 0:size 100:issues)
  string(REPLACE ":" "_" name equiv_tails_${tails})
  add_labelled_test(${name} property test_equiv --count=120 --max-blocks=120
                    --transform=structurize:${tails})
endforeach()
# Structure is kept; what can be melded is mostly in syntax trees and their copies.
foreach(family structured twins)
  add_labelled_test(equiv_meld_${family} property test_equiv --count=60 --max-blocks=120
                    --family=${family} --transform=structurize,meld:0,structurize)
endforeach()
add_labelled_test(check property test_check --count=75 --max-blocks=30)
# Values that join at the entries of a cycle behind one that was peeled.
add_labelled_test(equiv_tails_entries property test_equiv --replay=21139 --family=both-sides
                  --max-blocks=80 --transform=structurize:60:issues)
# A state machine that begins in a state which only the number of a loop's iterations decides.
add_labelled_test(check_laps property test_check --seed=1000459 --count=1
                  --transform=structurize:20:issues)
# A selector that lasts: the walk that took a new case was repeated for another one, and the case lost.
add_labelled_test(check_lasting property test_check --seed=7120074 --count=1 --family=mixed
                  --transform=strip-merges,structurize)
# Modules with all that rich.h lists.
add_labelled_test(portable property test_portable --count=12 --max-blocks=30)
add_labelled_test(equiv_portable property test_equiv --count=120 --seed=50000 --max-blocks=80
                  --transform=structurize:portable)
add_labelled_test(equiv_rich property test_equiv --count=16 --max-blocks=40 --rich)
# A branch out of a switch passes by the merge block of a selection in it, which other lanes take.
add_labelled_test(check_switch_break property test_check --seed=332545 --count=1 --family=breaks
                  --transform=unstructure:1,structurize --rich)
# A cycle that copies of its first turn lead into in the middle.
add_labelled_test(lists_turned property test_lists --kernel --seed=4200488 --count=1 --max-blocks=30
                  --transform=structurize:100:issues)
# Headers of loops with promises that call what becomes a part of their function.
add_labelled_test(check_promise property test_check --seed=331535 --count=1 --family=twins
                  --transform=inline,structurize --rich)
add_labelled_test(check_rich property test_check --count=12 --rich)
add_labelled_test(orders property test_orders --count=20)

file(GLOB mutate_sources CONFIGURE_DEPENDS tests/fuzz/*.c)
list(FILTER mutate_sources EXCLUDE REGEX "/(test_[^/]*|fuzz_[^p][^/]*)$")
add_library(mutate_parts STATIC ${mutate_sources})
target_include_directories(mutate_parts PUBLIC spv-emu/include)
target_link_libraries(mutate_parts PUBLIC equiv_parts spv_script)
add_program(test_mutate SOURCES tests/fuzz/test_mutate.c LIBRARIES mutate_parts)
add_program(test_graph_mutate SOURCES tests/fuzz/test_graph_mutate.c LIBRARIES mutate_parts)
add_labelled_test(graph_mutate property test_graph_mutate --count=400)
# Our verifier and our parser, compared with SPIRV-Tools'; modules newer than SPIRV-Tools and its headers.
foreach(name agree operands unknown)
  add_program(test_${name} SOURCES tests/structure/test_${name}.c tests/structure/shader_files.c
              LIBRARIES mutate_parts spv_tool)
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
add_labelled_test(big slow tests/big.sh $<TARGET_FILE:spvreconv>)
file(GLOB cli_tests CONFIGURE_DEPENDS tests/cli/*.sh)
foreach(source ${cli_tests})
  get_filename_component(name ${source} NAME_WE)
  add_labelled_test(cli_${name} cli sh ${source} $<TARGET_FILE:spvreconv>)
endforeach()

# ---- limits ---------------------------------------------------------------------------------------

add_executable(gen_hostile tests/limits/gen_hostile.c)
target_link_libraries(gen_hostile PRIVATE equiv_parts)
add_executable(cost tests/limits/cost.c)
add_labelled_test(limits_functions slow sh tests/limits/functions.sh $<TARGET_FILE:spvreconv>)

# ---- benchmark -----------------------------------------------------------------------------------

file(GLOB bench_sources CONFIGURE_DEPENDS tests/bench/*.c)
add_program(spvreconv-bench SOURCES ${bench_sources} LIBRARIES equiv_parts)
add_labelled_test(bench bench spvreconv-bench --quick --most=1000 --family=irreducible)

# ---- the other tools ------------------------------------------------------------------------------

if(TARGET spv-emu)
  include(cmake/emu_tests.cmake)
endif()
if(TARGET spv-harness)
  can_build(build_harness_tests "the tests of spv-harness and of the Vulkan layer" vulkan_loader)
endif()
if(build_harness_tests)
  include(cmake/harness_tests.cmake)
  include(cmake/layer_tests.cmake)
endif()

# The longest tests begin first, so that none is left alone at the end; ctest measures times only in its first run.
foreach(name emu_report harness_corpus big cluster_slurm tools_experiments layer_bisect emu_barriers harness_faults
        limits_functions emu_graphics equiv diff diff_draws test_allocator)
  if(TEST ${name})
    set_property(TEST ${name} PROPERTY COST 100)
  endif()
endforeach()
