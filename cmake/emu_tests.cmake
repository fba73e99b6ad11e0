# SPDX-License-Identifier: Apache-2.0
# Tests of the emulator, and the fuzz targets, of which some run it.

# tests/emu/FOLDER/test_*.c: each folder is one program.
file(GLOB emu_helpers CONFIGURE_DEPENDS tests/emu/*.c tests/emu/*/*.c)
list(FILTER emu_helpers EXCLUDE REGEX "/test_[^/]*$")
add_test_parts(emu_parts SOURCES ${emu_helpers}
               LIBRARIES unit_parts spv_emu_core spv_emu_front)
file(GLOB emu_folders CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/tests tests/emu/*/test_*.c)
list(TRANSFORM emu_folders REPLACE "/[^/]*$" "")
list(REMOVE_DUPLICATES emu_folders)
foreach(folder ${emu_folders})
  add_test_folder(${folder} emu ALONE test_programs LIBRARIES emu_parts spvreconv_core spv_emu_core)
endforeach()

# Random modules under every policy; needs the generator of tests/equiv.
file(GLOB policies_sources CONFIGURE_DEPENDS tests/equiv/policies/*.c)
add_test_parts(policies_parts SOURCES ${policies_sources} LIBRARIES equiv_parts spv_emu_core)
foreach(name policies promises lists bound native)
  add_program(test_${name} SOURCES tests/equiv/test_${name}.c LIBRARIES policies_parts)
endforeach()
add_program(test_native_loops SOURCES tests/equiv/test_native_loops.c LIBRARIES policies_parts)
# Without kept_tangles.h, six of these fail.
add_labelled_test(promises property test_promises --count=60 --seed=430)
# A cycle that is entered below its header, and left from it, was thought to bring all lanes by one way.
foreach(list reconverge,speculative:all share-calls:all,best)
  string(REGEX REPLACE "[^a-z]" "_" name promises_entries_${list})
  add_labelled_test(${name} property test_promises --count=1 --seed=2000241 --transform=${list})
endforeach()
# `best` keeps tangles that nothing promises.
add_labelled_test(promises_best property test_promises --count=40 --seed=20 --mode=0
                  --transform=best --lists=1)
add_labelled_test(policies property test_policies --count=32)
# Machine code and the interpreter leave the same values after each block.
add_labelled_test(native property test_native --count=60)
add_labelled_test(native_loops property tests/native_loops.sh $<TARGET_FILE:test_native_loops> 4)
set_tests_properties(native native_loops PROPERTIES SKIP_RETURN_CODE 77)
add_labelled_test(policies_tangles property test_policies --count=64 --max-blocks=24 --tangles)
# Lanes that leave a loop in different iterations, and a ballot in its break block.
add_labelled_test(policies_break_blocks property test_policies --count=50 --max-blocks=30 --tangles
                  --family=structured)
# meld leaves structure that is not portable, and a ballot in a break block.
add_labelled_test(policies_melded property test_policies --count=1 --seed=2015113 --max-blocks=24 --tangles
                  --transform=meld:0,structurize)
add_pass_tests(policies --count=64 --max-blocks=40)
add_labelled_test(policies_inline_all property test_policies --count=32 --max-blocks=40 --calls
                  --transform=inline:all,structurize)
add_labelled_test(policies_portable property test_policies --count=32 --max-blocks=40
                  --transform=structurize:portable)
# Random modules half of whose branches lead the other way, so that many do not end.
add_labelled_test(bound_loops property test_bound --count=100)
# With all that rich.h lists; kernels; every transform and lists of two.
add_labelled_test(policies_rich property test_policies --count=6 --max-blocks=30 --rich)
add_labelled_test(lists_kernel property test_lists --count=40 --kernel)
# Two loops of a kernel leave for one block, which is the merge block of one of them.
add_labelled_test(lists_kept_hint property test_lists --count=1 --seed=3000909 --kernel
                  --transform=guard,speculative:all)
# linearize: an unused instruction, both operands of another one that is not used, was dropped twice.
add_labelled_test(lists_dropped property test_lists --count=1 --seed=899 --kernel
                  --transform=unstructure:3,linearize)
# For these gen_modules compiles the shaders.
add_labelled_test(shaders cli tests/shaders.sh $<TARGET_FILE:spvreconv>)
add_labelled_test(mutate property tests/mutate.sh $<TARGET_FILE:test_mutate> --count=5000)
add_program(test_emu_mutate SOURCES tests/fuzz/test_emu_mutate.c
            LIBRARIES mutate_parts spv_emu_core)
add_labelled_test(emu_mutate property tests/emu_mutate.sh $<TARGET_FILE:test_emu_mutate>
                  --count=150)

# ---- fuzzers --------------------------------------------------------------------------------------

include(cmake/fuzz.cmake)

# ---- the layout of graphs in the page and the npm package, which is JavaScript ------------------------

find_program(NODE_PROGRAM NAMES node nodejs)
if(NODE_PROGRAM)
  add_labelled_test(web_dot cli tests/web/dot.sh ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
endif()

# ---- other languages, through the shared library and the commands; packages -------------------------

if(NOT SPVRECONV_SANITIZE) # whose library only a program with the same sanitizers can load
  foreach(folder languages packaging)
    file(GLOB folder_tests CONFIGURE_DEPENDS tests/${folder}/*.sh)
    foreach(source ${folder_tests})
      get_filename_component(name ${source} NAME_WE)
      add_labelled_test(${folder}_${name} ${folder} ${source} ${CMAKE_BINARY_DIR})
    endforeach()
  endforeach()
endif()
