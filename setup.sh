#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything from a fresh Debian 12 or 13, as root or with sudo; see usage below.
set -euo pipefail
cd "$(dirname "$0")"

usage() {
  cat >&2 <<'END'
usage: ./setup.sh COMMAND
  build      install the packages that building needs and that are missing, and build the tools into build/
  build-all  install what the tests need, too, and build tools and tests
  quick      build what changed, and run unit, golden and command-line tests and those of the folders that
             changed since main (two minutes)
  demo       install and build only what this needs, then show two shaders before and after spvreconv,
             run them on the installed drivers, and show the emulator with its HTML report
  test       build-all, then run the whole test suite
  test-long  build, then 10,000 random graphs in either order and through every transform, 5,000 in
             the emulator under every policy, 100,000 mutated modules, 2,000 random cases on
             lavapipe and, with ten kills, under Slurm, 100,000 mutated cases, 200,000 modules
             through the layer; an hour of fuzzing; then the test suite on Debian 13, with test-in
             (five hours)
  test-in SUITE [COMMAND...]
             demo and test, or COMMAND, in a chroot of its own: bookworm (Debian 12) or trixie (13);
             needs root and debootstrap
  package    build, then Debian packages: build/packages/*.deb
  windows    build the tools for 64-bit Windows with Debian's mingw-w64, and their libraries from Debian's source
             packages: build-windows/spvreconv-VERSION-windows.zip (docs/platforms.md)
  cross arm64|i386
             build for another machine with Linux, into build-arm64/ or build-i386/
  web        build, then the same for WebAssembly: the page build-web/site/index.html and the npm package
             build-web/spvreconv-VERSION.tgz, and test both (fifteen minutes; the next time seconds)
  corpus     build, then fetch, compile and structurize darktable's OpenCL kernels; then compare the
             code that reconverge and struct-copy add to them
  kernels    build, then run darktable's OpenCL kernels in the emulator, as written and after every transform,
             and on PoCL, convert each to a Vulkan shader, and those of two more packages; write the tables of
             docs/corpus.md and docs/kernel-to-shader.md, and print one of the shaders on drivers (half an hour)
  experiments [--graphs DIR | --lists | --schemes]
             build, then measure the corpus under all policies, transforms and subgroup sizes, and
             write docs/results.md, and its pages and pictures (eight minutes); with --graphs also the
             control-flow graphs in DIR, a folder, or tools/experiments/graphs/kernels.txt (docs/graph.md),
             whose numbers stay otherwise; with --lists only
             the lists of transforms, and with --schemes only the schemes, each with its pages
  survey FOLDER
             build, then count the functions with unstructured control flow in the modules below FOLDER
  programs   build, then programs of Debian through the Vulkan layer: their pictures compared, and the table of
             docs/layer.md
  survey-table
             build, then fetch the modules of docs/survey.md from Debian's packages and write its table
  consumers  build, then give what structurize writes to readers of other projects (naga and Tint, which npm
             fetches, and SPIRV-Cross), run their output, on Debian 13's lavapipe in the chroot of test-in run shaders/ after
             mangling and structurize, and write the tables of docs/consumers.md (an hour)
  check FOLDER
             build, then run every transform on every module below FOLDER, and compare each output with
             its input without running either (docs/check.md)
  fuzz [TARGET] [SECONDS]
             build the fuzzers with clang into build-fuzz/, and fuzz module, transform, emu, amber or
             all (default) for SECONDS (180); docs/testing.md
  fuzz-table write the counts of all runs of fuzz and differ into docs/testing.md
  differ [COUNT] [SEED]
             build, then run COUNT (1,000) random programs from SEED (1) on, as written and transformed,
             on two drivers and the emulator, and compare the results; with PROGRAMS=fragment in
             the environment these are draws with a fragment shader; docs/testing.md
  mutants [--apply | --compile] [NAME[=TESTS]...]
             plant the errors of tests/mutants/, one at a time, in a copy below build-mutants/ and report
             which test finds each, and whether the checker alone does; --apply, --compile: only check
             that each applies, or applies and compiles; docs/testing.md
  mutants --random[=COUNT[:SEED]] [FOLDER...]
             plant COUNT (20) errors by program at random lines of the sources, and report which test finds
             each
  hostile    build, then measure time and memory of both tools on adversarial modules of 200 MB
  format     check the sources' format and the scripts
  lint       static analysis: clang-tidy and cppcheck over all sources (docs/testing.md)
  coverage   build for coverage into build-coverage/, run the test suite, and write which lines it runs to
             build-coverage/coverage/index.html and the figures to docs/testing.md
END
  exit 2
}

# newest_line LABEL: shows, on a terminal, only the newest of the lines that it reads
newest_line() {
  local line
  if [ -t 1 ]; then
    while IFS= read -r line; do
      printf '\r%s ... %.50s\033[K' "$1" "$line"
    done
    printf '\r%s ...\033[K' "$1"
  else
    cat >/dev/null
  fi
}

# progress LABEL COMMAND...: one line for a command that prints many: at its end how long it took or, if it
# fails, all its output
progress() {
  local label=$1 start=$SECONDS log
  shift
  log=$(mktemp)
  printf '%s ...' "$label"
  if "$@" 2>&1 | tee "$log" | newest_line "$label"; then
    echo " $((SECONDS - start)) s"
    rm "$log"
  else
    echo " failed"
    cat "$log" >&2
    rm "$log"
    exit 1
  fi
}

apt_install() {
  local sudo=()
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  "${sudo[@]}" apt-get update -q &&
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
}

# install LIST [MARK]: installs the packages that the file LIST names and this machine lacks; with
# MARK, only those with "# MARK". Those with "# Debian N" are only for that release.
install() {
  local missing=() package status release
  release=$(sed -n 's/^VERSION_ID="\{0,1\}\([0-9]*\).*/\1/p' /etc/os-release 2>/dev/null || true)
  while read -r package; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
  done < <(grep -e "${2:+# $2}" "$1" | awk -v own="# Debian $release" '!/# Debian / || index($0, own)' |
    sed 's/#.*//' | awk 'NF { print $1 }')
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || {
    echo "setup.sh: this system is not Debian; third_party/README.md says what to install and how to build" >&2
    exit 1
  }
  echo "missing packages: ${missing[*]}"
  progress "installing them" apt_install "${missing[@]}"
}

configure() {
  cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release | { grep -e '^-- Not built' || true; }
}

# The packages for building and for the tests
install_all() {
  install third_party/packages.txt
  install third_party/packages-test.txt
}

# The tools, and the tests where what they need is installed
build() {
  configure
  cmake --build build
}

build_all() {
  install_all
  build
}

install_npm() {
  command -v npm >/dev/null || progress "installing npm" apt_install nodejs npm
}

# The page and the npm package, compared with the native tools
web() {
  tools/cross/web.sh build-web
  tests/web/npm.sh build-web/spvreconv-*.tgz build/bin
  tests/web/math.sh build-web/package build/bin
  sh tests/web/dot.sh build/bin
  tests/web/page.sh build-web/site build/bin
}

# fuzz TARGET SECONDS
fuzz() {
  cmake --preset fuzz -DSPVRECONV_COUNTERS=ON >/dev/null
  cmake --build build-fuzz --target fuzzers
  tests/fuzz/fuzz.sh build-fuzz "$1" "$2" tests/fuzz/log.csv
}

# Gives the readers of docs/consumers.md what structurize writes; its tables in build/consumers.md and
# build/consumers-drivers.md
consumers() {
  install_npm
  tests/consumers/install_naga.sh
  tests/consumers/install_tint.sh
  rm -rf build/consumers
  tests/consumers/run.sh build build/consumers
  awk -v known=tests/consumers/known.txt -f tests/consumers/table.awk build/consumers/rows.csv >build/consumers.md
  if [ "$(id -u)" -eq 0 ] && command -v debootstrap >/dev/null; then
    tools/test_in.sh trixie bash -c './setup.sh build-all >&2 && tests/consumers/mesa.sh build' |
      sed -n '/^|/p' >build/consumers-drivers.md
  else
    echo "skipped Debian 13's lavapipe: its chroot needs root and debootstrap (apt-get install debootstrap)"
  fi
}

# Runs the suite; at its end prints what was skipped, and why. One test more than processors, since some mostly wait.
run_tests() {
  local status=0
  ctest --test-dir build --output-on-failure -j "$(($(nproc) + 1))" || status=$?
  awk '/^[0-9]+\/[0-9]+ Test: / { name = $3 }
       /^skipped/ { print "  " name ": " $0 }' build/Testing/Temporary/LastTest.log
  return "$status"
}

case ${1:-} in
survey | check | cross) [ $# -eq 2 ] || usage ;;
fuzz | differ) [ $# -le 3 ] || usage ;;
mutants | test-in) ;;
experiments) [ $# -eq 1 ] || [ "${*:2}" = --lists ] || [ "${*:2}" = --schemes ] || { [ $# -eq 3 ] && [ "$2" = --graphs ]; } || usage ;;
*) [ $# -eq 1 ] || usage ;;
esac
case $1 in
build)
  install third_party/packages.txt
  build
  echo "The tools are in build/bin; to type only their names: export PATH=$PWD/build/bin:\$PATH"
  ;;
demo)
  install third_party/packages.txt
  install third_party/packages-test.txt demo
  configure >/dev/null
  progress "building the three tools" cmake --build build --target spvreconv spv-emu spv-harness
  tools/demo.sh build
  ;;
web)
  install third_party/packages.txt
  install third_party/packages-web.txt
  install_npm
  configure
  cmake --build build --target spvreconv spv-emu spv-graph
  web
  ;;
quick)
  install_all
  tools/quick.sh build
  ;;
build-all)
  build_all
  ;;
test)
  build_all
  run_tests
  ;;
test-long)
  build_all
  build/bin/test_equiv --count=10000 --validate-all
  build/bin/test_equiv --count=10000 --validate-all --reverse
  build/bin/test_orders --count=10000 --max-blocks=200
  build/bin/test_copies --count=10000 --max-blocks=60
  build/bin/test_equiv --count=10000 --max-blocks=80 --transform=structurize:portable
  build/bin/test_portable --count=2000
  build/bin/test_portable --count=500 --rich --max-blocks=40
  build/bin/test_lists --count=5000 --transform=structurize,phi-variables
  build/bin/test_policies --count=2000 --max-blocks=40 --transform=structurize:portable
  build/bin/test_undispatch --count=1000
  build/bin/test_repair --count=20000
  build/bin/test_equiv --count=20000 --max-blocks=40 --steers --transform=undispatch
  build/bin/test_equiv --count=10000 --max-blocks=40 --steers
  tests/pass_lists.sh | while read -r _ _ list modules; do
    [ "$modules" != - ] || continue
    # shellcheck disable=SC2086 # a word each
    build/bin/test_equiv --count=10000 --max-blocks=120 $modules --transform="$list"
    # shellcheck disable=SC2086
    build/bin/test_policies --count=10000 --max-blocks=40 $modules --transform="$list"
  done
  build/bin/test_equiv --count=10000 --max-blocks=120 --calls --once --transform=inline,share-calls:all,structurize
  build/bin/test_policies --count=5000 --max-blocks=30
  build/bin/test_policies --count=50000 --max-blocks=24 --tangles
  if build/bin/spv-emu --version | grep -q "native: LLVM"; then
    build/bin/test_native --count=20000 --max-blocks=40
    build/bin/test_native --count=5000 --max-blocks=40 --auto
    tests/native_loops.sh build/bin/test_native_loops 5000
  fi
  build/bin/opencl_math code 1000000
  for device in emu lavapipe swiftshader; do
    # 77: the device is not there
    build/bin/opencl_math $device 100000 || [ $? = 77 ]
    build/bin/opencl_integer $device 4096 || [ $? = 77 ]
  done
  build/bin/test_equiv --count=10000 --max-blocks=120 --rich
  build/bin/test_check --count=1000 --rich
  build/bin/test_policies --count=2000 --max-blocks=30 --rich
  build/bin/test_lists --count=50000
  build/bin/test_lists --count=50000 --kernel
  build/bin/test_check --count=350 --seed=4000000 # 2,100 errors that show
  build/bin/test_check --count=50000 --seed=2000000 --untouched
  TEST_SEED=random ctest --test-dir build -R "^test_(alu|decode|memory|atomics|image|opencl_rows)"
  tests/mutate.sh build/bin/test_mutate --count=100000
  tests/emu_mutate.sh build/bin/test_emu_mutate --count=20000
  sh tests/harness/random.sh build/bin/spv-harness 2000
  sh tests/harness/converge.sh build/bin/spv-harness 2000
  tests/cluster/slurm.sh build/bin/spv-harness 2000 8 2
  build/bin/test_amber_mutate --count=100000
  ALL=1 sh tests/emu/graphics.sh build/bin/spv-emu build/bin/spv-harness
  PROGRAMS=kernel tools/differential.sh build 1000 1
  build/bin/app_many --count=100000 --distinct=100000 --no-cache
  build/bin/app_many --count=100000 --distinct=2000
  find shaders -name '*.amber' -exec build/bin/app_pictures {} +
  tests/layer/corpus.sh build shaders
  tests/layer/programs.sh build --table >/dev/null
  tests/packaging/debian.sh build --lintian
  tests/packaging/meson.sh build --build
  consumers
  install third_party/packages-windows.txt
  tools/cross/windows.sh tests
  tests/windows.sh build build-windows/spvreconv-*-windows.zip build-windows/tests/bin
  install third_party/packages-cross.txt
  for machine in arm64 i386; do
    tools/cross/linux.sh "$machine"
    tests/cross.sh build "build-$machine/bin"
  done
  install third_party/packages-web.txt
  web
  fuzz all 3600
  tools/test_in.sh trixie
  ;;
test-in)
  exec tools/test_in.sh "${@:2}"
  ;;
package)
  build_all
  cpack --config build/CPackConfig.cmake -B build/packages
  rm -r build/packages/_CPack_Packages
  ;;
windows)
  install third_party/packages.txt
  install third_party/packages-windows.txt
  tools/cross/windows.sh
  ;;
cross)
  install third_party/packages.txt
  install third_party/packages-cross.txt
  tools/cross/linux.sh "$2"
  ;;
corpus)
  build_all
  install third_party/packages-corpus.txt
  tools/corpus_opencl.sh build
  tools/compare_copies.sh build
  ;;
kernels)
  build_all
  install third_party/packages-corpus.txt
  tools/corpus_opencl.sh build
  tools/corpus_kernels.sh build >build/kernels.md
  tools/insert_table.sh kernels docs/corpus.md <build/kernels.md
  tools/corpus_opencl.sh build ufo-filters-data
  tools/corpus_opencl.sh build hashcat-data
  tools/corpus_shaders.sh build >build/shaders.md
  tools/insert_table.sh shaders docs/kernel-to-shader.md <build/shaders.md
  tools/corpus_drivers.sh build >build/drivers.md
  tools/insert_table.sh drivers docs/kernel-to-shader.md <build/drivers.md
  tools/corpus_converted.sh build >build/converted.md
  tools/insert_table.sh converted docs/survey.md <build/converted.md
  ;;
experiments)
  build_all
  only=
  case ${2:-} in
  --lists | --schemes) only=${2#--} ;;
  esac
  ONLY=$only GRAPHS=${3:-} tools/experiments/run.sh build docs build/experiments
  ;;
survey)
  build_all >&2
  tools/survey.sh build "$2"
  ;;
programs)
  build_all
  sh tests/layer/programs.sh build --table >build/programs.md
  tools/insert_table.sh programs docs/layer.md <build/programs.md
  ;;
survey-table)
  build_all
  install third_party/packages-corpus.txt
  tools/corpus_survey.sh build >build/survey.md
  tools/insert_table.sh survey docs/survey.md <build/survey.md
  ;;
consumers)
  build_all
  consumers
  tools/insert_table.sh consumers docs/consumers.md <build/consumers.md
  [ ! -s build/consumers-drivers.md ] || tools/insert_table.sh drivers docs/consumers.md <build/consumers-drivers.md
  ;;
check)
  build_all >&2
  tools/check_corpus.sh build "$2"
  ;;
fuzz)
  install_all
  fuzz "${2:-all}" "${3:-180}"
  ;;
fuzz-table)
  tests/fuzz/table.sh
  tests/diff/table.sh
  ;;
differ)
  build_all
  tools/differential.sh build "${2:-1000}" "${3:-1}" tests/diff/log.csv
  ;;
mutants)
  install_all
  tests/mutants/run.sh "${@:2}"
  ;;
hostile)
  build_all
  sh tests/limits/hostile.sh build/bin/spvreconv build/bin/spv-emu 200000000 60
  ;;
format)
  install_all
  tools/format_check.sh
  ;;
lint)
  install_all
  install third_party/packages-analysis.txt
  cmake -G Ninja -S . -B build-lint -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug >/dev/null
  tools/lint.sh build-lint
  ;;
coverage)
  install_all
  cmake -G Ninja -S . -B build-coverage -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG='-O0 -g' -DSPVRECONV_COVERAGE=ON >/dev/null
  cmake --build build-coverage
  find build-coverage -name '*.gcda' -delete
  # Left out: tests of the library's symbols, to which gcov adds its own.
  ctest --test-dir build-coverage --output-on-failure -j "$(nproc)" -LE 'slow|bench' \
    -E '^library_(install|symbols)$'
  tools/coverage.sh build-coverage
  ;;
*)
  usage
  ;;
esac
