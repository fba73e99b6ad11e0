# The test suite: one cmocka program per tests/unit/test_*.c, and programs that run over many
# modules. Labels: unit, property, golden, cli, slow (left out under sanitizers).

# A test program on the library's internals; assertions hold whatever the build type.
function(add_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_compile_options(${name} PRIVATE -UNDEBUG)
  target_link_libraries(${name} PRIVATE spvreconv_core ${arg_LIBRARIES})
endfunction()

function(add_labelled_test name label)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 1200)
endfunction()

# ---- unit ----------------------------------------------------------------------------------------

file(GLOB unit_tests CONFIGURE_DEPENDS tests/unit/test_*.c)
file(GLOB unit_helpers CONFIGURE_DEPENDS tests/unit/*.c)
if(unit_tests)
  list(REMOVE_ITEM unit_helpers ${unit_tests})
endif()
foreach(source ${unit_tests})
  get_filename_component(name ${source} NAME_WE)
  add_program(${name} SOURCES ${source} ${unit_helpers} LIBRARIES PkgConfig::CMOCKA)
  target_include_directories(${name} PRIVATE tests/unit)
  add_labelled_test(${name} unit ${name})
endforeach()

# ---- properties on random graphs, mutated modules ------------------------------------------------

file(GLOB equiv_sources CONFIGURE_DEPENDS tests/equiv/*.c)
list(FILTER equiv_sources EXCLUDE REGEX "/test_[^/]*$")
if(equiv_sources)
  add_library(equiv_parts STATIC ${equiv_sources})
  target_include_directories(equiv_parts PUBLIC tests/equiv)
  target_compile_options(equiv_parts PRIVATE -UNDEBUG)
  target_link_libraries(equiv_parts PUBLIC spvreconv_core)
endif()
if(EXISTS ${CMAKE_SOURCE_DIR}/tests/equiv/test_equiv.c)
  add_program(test_equiv SOURCES tests/equiv/test_equiv.c LIBRARIES equiv_parts)
  add_labelled_test(equiv property test_equiv --count=1000)
endif()
if(EXISTS ${CMAKE_SOURCE_DIR}/tests/fuzz/test_mutate.c)
  file(GLOB mutate_sources CONFIGURE_DEPENDS tests/fuzz/*.c)
  add_program(test_mutate SOURCES ${mutate_sources} LIBRARIES equiv_parts)
  target_include_directories(test_mutate PRIVATE tests/fuzz)
  add_labelled_test(mutate property tests/mutate.sh $<TARGET_FILE:test_mutate> --count=5000)
endif()
if(EXISTS ${CMAKE_SOURCE_DIR}/tests/structure/test_agree.c)
  file(GLOB agree_sources CONFIGURE_DEPENDS tests/structure/*.c)
  add_program(test_agree SOURCES ${agree_sources})
  add_labelled_test(agree property test_agree ${CMAKE_SOURCE_DIR}/shaders
                    ${CMAKE_SOURCE_DIR}/tests)
endif()

# ---- through the command line --------------------------------------------------------------------

if(TARGET spvreconv AND EXISTS ${CMAKE_SOURCE_DIR}/tests/golden_runner.c)
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
endif()
file(GLOB cli_tests CONFIGURE_DEPENDS tests/cli/*.sh)
if(TARGET spvreconv)
  foreach(source ${cli_tests})
    get_filename_component(name ${source} NAME_WE)
    add_labelled_test(cli_${name} cli sh ${source} $<TARGET_FILE:spvreconv>)
  endforeach()
endif()

# ---- benchmark -----------------------------------------------------------------------------------

file(GLOB bench_sources CONFIGURE_DEPENDS tests/bench/*.c)
if(bench_sources)
  add_program(spvreconv-bench SOURCES ${bench_sources} LIBRARIES equiv_parts)
  add_labelled_test(bench bench spvreconv-bench --quick)
endif()
