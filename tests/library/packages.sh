#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Debian packages: built, installed by dpkg into a scratch root in which the packages of this
# machine count as installed (so that dependencies must resolve), used from there, and purged.
# Usage: packages.sh BUILD-DIRECTORY
set -eu
# shellcheck source=tests/library/common.sh.inc
. tests/library/common.sh.inc

# Not compressed: xz takes twenty seconds, and is not under test.
quietly cpack --config "$build/CPackConfig.cmake" -D CPACK_DEBIAN_COMPRESSION_TYPE=none -B "$work/packages"
set -- "$work"/packages/*.deb
[ $# = 3 ] || fail "not three packages: $*"

# field PACKAGE FIELD
field() {
  dpkg-deb -f "$work"/packages/"$1"_*.deb "$2"
}

version=$(sed -n 's/^#define SPVRECONV_VERSION "\(.*\)"/\1/p' passes/include/spvreconv/spvreconv.h)
runtime=libspvreconv${version%%.*}
for package in spvreconv "$runtime" libspvreconv-dev; do
  [ "$(field "$package" Version)" = "$version" ] || fail "$package has another version"
done
head -n 1 debian/changelog | grep -qF "($version)" || fail "debian/changelog has another version"
field spvreconv Depends | grep -q 'libc6 .*libsleef3 .*libsqlite3-0 ' || fail "$(field spvreconv Depends)"
field spvreconv Recommends | grep -qF 'mesa-vulkan-drivers | vulkan-icd' || fail 'no Vulkan driver'
field libspvreconv-dev Depends | grep -qF "$runtime (= $version), spirv-tools" || fail 'libspvreconv-dev'
dpkg-deb -I "$work/packages/${runtime}_"*.deb shlibs |
  grep -qF "libspvreconv ${version%%.*} $runtime (>= $version)" || fail 'no shlibs'
if apt-cache show libsleef3 >"$work/log" 2>&1; then
  # On an empty machine, all dependencies are installed with them.
  : >"$work/nothing"
  quietly apt-get install -s --no-install-recommends -o Dir::State::status="$work/nothing" "$@"
  for package in libc6 libsleef3 libsqlite3-0 spirv-tools; do
    grep -q "^Inst $package " "$work/log" || fail "$package would not be installed"
  done
else
  echo "skipped the dependencies on an empty machine: apt has no lists of packages here"
  quietly apt-get install -s --no-install-recommends "$@"
fi

root=$work/root
if [ "$(id -u)" -eq 0 ]; then
  mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/triggers"
  cp /var/lib/dpkg/status "$root/var/lib/dpkg"
  # dpkg_there ARGUMENTS…: as on a separate machine, except for /bin/sh
  dpkg_there() {
    quietly dpkg --root="$root" --force-script-chrootless --no-triggers "$@"
  }
  dpkg_there -i "$@"
else
  echo "skipped dpkg itself, which needs root; unpacked only"
  for package; do
    dpkg-deb -x "$package" "$root"
  done
fi

lib=$root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
in=$work/in.spv
quietly spirv-as --preserve-numeric-ids shaders/irreducible/two_entries.spvasm -o "$in"
quietly "$root/usr/bin/spvreconv" --transform=structurize "$in" -o "$work/expected.spv"
quietly spirv-val --target-env vulkan1.3 "$work/expected.spv"
quietly "$root/usr/bin/spv-emu" --policy=pdom shaders/frontier/figure1.amber
quietly "$root/usr/bin/spv-harness" run --device=emu shaders/frontier/figure1.amber
grep -q ' 0 failed' "$work/log" || fail "$(cat "$work/log")"
gunzip -c "$root/usr/share/man/man1/spvreconv.1.gz" | grep -q '^\.TH SPVRECONV 1'

# The example as a user of libspvreconv-dev builds it, in that root.
cp "$root"/usr/share/spvreconv/examples/structurize/* "$work"
quietly env PKG_CONFIG_PATH="$lib/pkgconfig" make -C "$work" structurize
quietly env LD_LIBRARY_PATH="$lib" "$work/structurize" "$in" "$work/out.spv"
cmp "$work/expected.spv" "$work/out.spv" || fail 'the example writes another module'
if [ "$(id -u)" -eq 0 ]; then
  dpkg_there -P spvreconv libspvreconv-dev "$runtime"
  [ -z "$(find "$root" -path "*/usr/*" -type f)" ] || fail "left: $(find "$root" -path "*/usr/*" -type f)"
fi
echo ok
