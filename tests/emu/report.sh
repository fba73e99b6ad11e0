#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --report: bad paths, what must not be on the page, its size; and in headless Chromium, that it shows the
# figures of --json of the same run.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
# shellcheck source=tests/page.sh.inc
. tests/page.sh.inc
probe=$(dirname "$0")/report_probe.js
page=$WORK/page.html
MOST=3000000 # bytes

# branched CONDITION: the module, in which lanes for which %51, which CONDITION computes, is true add 1
branched() {
  sed -e 's/^%2 = OpTypeVoid/&\n%5 = OpTypeBool/' -e 's/^%8 = .*/&\n%70 = OpConstant %6 1627/' \
    -e "s/^OpStore %13 %15/$1\nOpSelectionMerge %61 None\nOpBranchConditional %51 %60 %61\n%60 = OpLabel\n%52 = OpIAdd %6 %15 %8\nOpBranch %61\n%61 = OpLabel\n%53 = OpPhi %6 %15 %10 %52 %60\nOpStore %13 %53/" \
    "$WORK/module.spvasm"
}

# ---- usage, bad paths ------------------------------------------------------------------------------

case=$WORK/case.amber
run 2 --report=- "$case" && says "--report expects a file, not '-'"
run 2 --report= "$case" && says "--report expects a file, not ''"
run 2 --report="$page" --sweep=N:1..2 "$case" && says "--sweep reports figures; --report cannot be used with it"
run 1 --report="$WORK/no/where.html" "$case" && says "where.html: No such file or directory"
echo old >"$page"
run 1 --report="$page" missing.spv && says "missing.spv: No such file"
[ "$(cat "$page")" = old ] || fail "a run that failed has changed the page"
run 1 --report="$page" --buffers=given "$WORK/module.spvasm" && says "the buffer at set 0, binding 5 is not given"
[ "$(cat "$page")" = old ] || fail "an incomplete module has changed the page"
[ "$(find "$WORK" -name 'page*' | wc -l)" = 1 ] || fail "a draft is left: $(ls "$WORK")"
run 2 --before=a --report="$page" && says "--before needs --after=FILE: the module to compare with"
run 2 --before=a --after=b c && says "--before and --after name the inputs; 'c' is one too many"
run 2 --subgroup-size=8,8 a && says "--subgroup-size names 8 twice"
run 2 --subgroup-size=8,16 --profile=p.json a && says "--profile is for one module, list of transforms and subgroup size"
run 1 --before="$case" --after=missing.spv && says "missing.spv: No such file"
run 0 --report="$page" "$case" && prints "tf-sandy" && prints "scalar"
grep -q "Graphviz is not installed" "$page" && fail "the page says that Graphviz is missing"

# shellcheck disable=SC2123 # a path without Graphviz is what is tested
(
  PATH=/nowhere
  "$EMU" --report="$page" "$case" >/dev/null
) || fail "without Graphviz there is no page"
grep -q "The graph is not drawn: Graphviz is not installed." "$page" || fail "the page does not say that Graphviz is missing"

# ---- what must not be on it ------------------------------------------------------------------------

# Names that could end the script, or begin one.
sed -e 's|OpName %4 "main"|OpName %4 "</script><script>x()</script><!--"\nOpName %10 "<b onclick=x()>"|' \
  "$WORK/module.spvasm" >"$WORK/hostile.spvasm"
run 0 --report="$page" "$WORK/hostile.spvasm" --buffer=0:5:u32[8]=0..
alone "$page"
[ "$(grep -c '</script>' "$page")" = 2 ] || fail "a name has ended the script"
grep -q '<b onclick\|<script>x' "$page" && fail "a name has become markup"

# A graph of many blocks and schedules of many steps: bounded, with a note on the page.
run 0 --policy=pdom,tf-stack --subgroup-size=64 --report="$WORK/large.html" shaders/render/julia.amber
alone "$WORK/large.html"
grep -q 'The graph is too large to draw.' "$WORK/large.html" || fail "the page of julia does not say that its graph is too large"
# Of many subgroups some have a schedule, at equal distances, and the one that wastes most.
branched '%51 = OpIEqual %5 %12 %70' >"$WORK/one_lane.spvasm"
run 0 --policy=pdom --subgroup-size=8 --report="$page" --dispatch=402 "$WORK/one_lane.spvasm" --buffer=0:5:u32[3216]=0..
for subgroup in 0 6 100 201 301 395; do
  grep -q "\"subgroup\":${subgroup}[,}]" "$page" || fail "subgroup $subgroup of 402 has no schedule"
done
[ "$(grep -o '"steps":' "$page" | wc -l)" = 65 ] || fail "$(grep -o '"steps":' "$page" | wc -l) subgroups of 402 have a schedule"
worst=$(grep -o '"worst":[0-9]*' "$page" | head -n 1 | cut -d : -f 2)
grep -qE "\"slot\":$worst,\"subgroup\":203\b" "$page" || fail "slot $worst is not the subgroup of the lane alone"

# Threads change nothing.
run 0 --policy=pdom,tf-stack --report="$page" shaders/loop/collatz.amber
run 0 --policy=pdom,tf-stack --threads=4 --report="$WORK/threads.html" shaders/loop/collatz.amber
cmp "$page" "$WORK/threads.html" || fail "four threads make another page"

# ---- in a browser ----------------------------------------------------------------------------------

if ! command -v chromium >/dev/null; then
  echo "skipped: what the page shows and does: chromium is not installed"
  finish
  exit
fi

# json_figures: "VARIANT:POLICY FIGURE NUMBER" of the JSON in the file out
json_figures() {
  awk -F '[":, ]+' '
    function value(line) { sub(/^[^:]*: "?/, "", line); sub(/"?,?$/, "", line); return line }
    $2 == "variant" { variant = value($0) }
    $2 == "policy" { policy = variant ":" $3 }
    $2 == "status" { skipped = $3 == "skip"; completed = $3 == "ok" }
    $2 == "transactions" { transactions = $3 }
    skipped { next }
    $2 == "issued" && completed && variant == "" { issued[policy] = $3; least = least == 0 || $3 < least ? $3 : least }
    $2 ~ /^(issued|lane_instructions|divergent_branches|reconvergences|max_depth|overhead|cycles)$/ &&
      !($2 == "cycles" && !model) { printf "%s %s %d\n", policy, $2, $3 }
    $2 == "cost_model" { model = 1 }
    $2 == "activity_factor" { printf "%s %s %.3f\n", policy, $2, $3 }
    $2 == "efficiency" && transactions { printf "%s %s %.3f\n", policy, $2, $3 }
    END { for (policy in issued) printf "%s ratio %.3f\n", policy, issued[policy] / least }' "$WORK/out" | sort
}

# page_figures: the same of the table on the page in the file dom
page_figures() {
  sed -e 's/<tr /\n&/g' -e 's/<td /\n&/g' -e 's/<\/tbody>/\n/' "$WORK/dom" | awk '
    function attribute(name) {
      return match($0, name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 3) : ""
    }
    /<tr .*data-policy=/ { policy = attribute("data-variant") ":" attribute("data-policy") }
    match($0, /data-figure="[^"]*">[^<]+</) {
      split(substr($0, RSTART + 13, RLENGTH - 14), part, /">/)
      gsub(/[,≥ ]/, "", part[2])
      if (part[1] != "ratio" || policy ~ /^:/)
        print policy, part[1], part[2]
    }' | sort
}

# several_pipelines: a result of the JSON then has the blocks of each
several_pipelines() {
  [ "$(sed -n 's/^ *"pipeline": //p' "$WORK/out" | sort -u | wc -l)" -gt 1 ]
}

# json_results: "INDEX NAME VALUE" of the results in the JSON, for some names
json_results() {
  awk -F '[":, ]+' '$2 == "policy" { at = at == "" ? 0 : at + 1 }
    $2 ~ /^(policy|issued|lane_instructions|status)$/ { print at, $2, $3 }' "$WORK/out"
}

# json_blocks: "RESULT BLOCK EXECUTIONS LANES" of the blocks in the JSON that ran, lanes on average
json_blocks() {
  awk -F '[":, ]+' '$2 == "policy" { at = at == "" ? 0 : at + 1 }
    $2 == "block" { block = $3 }
    $2 == "executions" { executions = $3 }
    $2 == "lanes" && executions { print at, block, executions, $3 / executions; executions = 0 }' "$WORK/out"
}

# json_lines: "RESULT NUMBER ISSUES LANES" of the source lines in the JSON
json_lines() {
  awk -F '[":, ]+' '$2 == "policy" { at = at == "" ? 0 : at + 1; lines = 0 }
    $2 == "lines" { lines = 1 }
    lines && $2 == "line" { line = $3 }
    lines && $2 == "issues" { issues = $3 }
    lines && $2 == "lanes" && issues { print at, line, issues, $3 / issues }' "$WORK/out"
}

# near KIND FILE TOLERANCE: each line of that kind of the probe is one of the file; its last number may be rounded
near() {
  awk -v kind="$1" -v most="$3" '
    function off(a, b) { return a > b ? a - b : b - a }
    NR == FNR { wanted[$1 " " $2 " " $3] = $4; next }
    $1 == kind && (!($2 " " $3 " " $4 in wanted) || off(wanted[$2 " " $3 " " $4], $5) > most * (1 + $5)) { print; bad = 1 }
    $1 == kind { seen++ }
    END { exit bad || !seen }' "$2" "$WORK/probe"
}

# agrees ARGUMENTS…: the page of this run shows what its JSON has, and behaves
agrees() {
  run 0 --json --report="$page" "$@"
  alone "$page"
  use "$page" "$probe" 1600,1000
  # Without the figures of single functions and calls, which have the names of those of all.
  sed -i '/^      "\(functions\|calls\|loops\|branches\)": \[$/,/^      \]/d' "$WORK/out"
  json_figures >"$WORK/json"
  page_figures >"$WORK/seen"
  [ -s "$WORK/seen" ] || fail "$*: the page has no figures"
  diff -u "$WORK/json" "$WORK/seen" || fail "$*: the table is not the JSON's"
  json_blocks >"$WORK/blocks"
  several_pipelines || near tip "$WORK/blocks" 0.005 || fail "$*: tooltips are not the JSON's"
  json_results >"$WORK/results"
}

# json_of RESULT FIGURE
json_of() {
  awk -v at="$1" -v figure="$2" '$1 == at && $2 == figure { print $3 }' "$WORK/results"
}

# told KIND RESULT COLUMN: the sum of a column of the probe
told() {
  awk -v kind="$1" -v at="$2" -v column="$3" '$1 == kind && $2 == at { sum += $column } END { print sum + 0 }' "$WORK/probe"
}

# whole WHAT: one subgroup, or a few, that are all on the page: schedules, bars, blocks and lines add up to
# the figures of the JSON, except for instructions of the policies' own, which are in no line
whole() {
  awk '$1 == "blocks" { print $2 }' "$WORK/probe" >"$WORK/shown"
  while read -r at; do
    issued=$(json_of "$at" issued)
    [ "$(told schedule "$at" 4) $(told schedule "$at" 5)" = "$issued $(json_of "$at" lane_instructions)" ] ||
      fail "$1: the schedule of result $at has $(told schedule "$at" 4) issues, not $issued"
    grep -q "^blocks $at agree" "$WORK/probe" || fail "$1: the blocks of result $at differ"
    ! grep -q "^bars $at " "$WORK/probe" || [ "$(told bars "$at" 3)" = "$issued" ] ||
      fail "$1: the bars of result $at have $(told bars "$at" 3) issues, not $issued"
    grep -q "^lines $at " "$WORK/probe" || continue
    own=$(told schedule "$at" 6) lines=$(told lines "$at" 3)
    [ "$lines" = $((issued - own)) ] || fail "$1: the lines of result $at have $lines issues, not $issued"
  done <"$WORK/shown"
}

# Every policy that applies except scalar, whose subgroups are single lanes.
agrees --policy=none,pdom,tf-stack,tf-sandy,structured,maximal,ssy,opt --subgroup-size=64 \
  shaders/frontier/mandelbrot.amber
whole mandelbrot
[ "$(wc -l <"$WORK/shown")" = 6 ] || fail "$(wc -l <"$WORK/shown") policies of mandelbrot have a schedule"
awk -v more="$(json_of 1 issued)" -v less="$(json_of 2 issued)" -v all="$(json_of 1 lane_instructions)" '
  function grouped(n) { return n >= 1000 ? int(n / 1000) "," sprintf("%03d", n % 1000) : n }
  BEGIN {
    printf ">pdom costs %.2f× what tf-stack costs.<\n", more / less
    printf ">%s issues instead of %s, for the same %s lane instructions: ", grouped(more), grouped(less), grouped(all)
    printf "on average %.1f of 64 lanes are active (pdom), %.1f of 64 (tf-stack).<\n", all / more, all / less
  }' >"$WORK/headline"
while read -r line; do
  grep -qF "$line" "$WORK/dom" || fail "mandelbrot: the page does not say '$line'"
done <"$WORK/headline"
sed -n 's/.*data-ready="\([0-9]*\)".*/mandelbrot: drawn \1 ms after it was opened/p' "$WORK/dom" | head -n 1
use "$page" "$probe" 400,800

# Calls cut blocks into parts; a wave-level program issues instructions of its own; several pipelines,
# dispatches and subgroups; a source; a cost model.
agrees --policy=pdom,tf-stack,maximal shaders/call/split_merge.amber
whole split_merge
agrees --policy=scalar,none,exec,ssy --cost=kepler --transform=reconverge shaders/frontier/figure1.amber
whole figure1
agrees --policy=all shaders/loop/life.amber
agrees --policy=pdom,none "$case" # three dispatches

# Two sources are compared by the lines that are in both.
julia="-DLIMIT=40 --dispatch=1,2 --policy=pdom,tf-stack"
# shellcheck disable=SC2086 # words
agrees $julia examples/tutorial/julia.comp
whole julia
json_lines >"$WORK/lines"
near line "$WORK/lines" 0.06 || fail "the lines on the page are not the JSON's"
# The first sentence: what is wasted, and the loop or branch by which most is, from the lines of --advise.
# shellcheck disable=SC2086
"$EMU" --advise --json ${julia%,tf-stack} examples/tutorial/julia.comp >"$WORK/advice" 2>/dev/null || fail "no advice"
awk -v issued="$(json_of 0 issued)" -v lanes="$(json_of 0 lane_instructions)" '
  /"idle_lanes":/ { idle = $2 + 0 }
  /"causes": \[$/ { getline; if (match($0, /(loop|branch|switch) in line [0-9]+/)) sums[substr($0, RSTART, RLENGTH)] += idle }
  END {
    for (place in sums) if (sums[place] > most) { most = sums[place]; by = place }
    all = issued * 32 - lanes
    part = most / all
    share = part > 0.95 ? "nearly all" : part > 0.5 ? "most" : sprintf("%.1f %%", 100 * part)
    sub("switch", "branch", by)
    printf "<h1 id=\"headline\">%.1f %% of the work is wasted, %s of it by the %s<", 100 * all / (issued * 32), share, by
  }' "$WORK/advice" >"$WORK/sentence"
grep -qFf "$WORK/sentence" "$WORK/dom" || fail "the page does not begin with '$(cat "$WORK/sentence")': $(grep '<h1' "$WORK/dom")"
grep -q '<button type="button" class="place">Line [0-9]*: ' "$WORK/dom" || fail "the page does not show the line"
grep -q '>spv-emu --advise -DLIMIT=40 --dispatch=1,2 examples/tutorial/julia.comp measures which' "$WORK/dom" ||
  fail "not the command for advice: $(grep -o 'class="hint">[^<]*' "$WORK/dom")"
run 0 --report="$page" --policy=pdom --subgroup-size=8 --buffer=0:5:u32[8]=0.. "$WORK/module.spvasm"
browse "$page"
grep -q '<h1 id="headline">Nothing to speak of is wasted' "$WORK/dom" || fail "$(grep '<h1' "$WORK/dom")"
! grep -q 'class="hint">spv-emu --advise' "$WORK/dom" || fail "advice where nothing is wasted"
# shellcheck disable=SC2086
agrees $julia --before=examples/tutorial/julia.comp --after=examples/tutorial/julia_after.comp
whole "two sources"
grep -q '>line 20 (22), shade = shade \* 33 + i; ([a-z]* %[0-9]*)<' "$WORK/dom" || fail "line 20 is not compared with line 22"
grep -q '>line 8, return vec2[^<]*<' "$WORK/dom" || fail "line 8 is in both sources"

# Schedules too long to show step by step are summed, and nothing is lost.
cat >"$WORK/long.comp" <<'END'
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() {
  uint x = gl_LocalInvocationIndex, sum = x;
  for (uint i = 0; i < 4000 * (x % 4 + 1); i++) {
    if ((sum & 1) != 0) sum = 3 * sum + i;
    else sum >>= 1;
  }
  data[x] = sum;
}
END
agrees --policy=none,tf-stack --buffer=0:0:u32[32]=0 "$WORK/long.comp"
whole long.comp
grep -q '"bins":' "$page" || fail "the schedules of long.comp are not summed"

# Two modules, and two subgroup sizes.
branched '%50 = OpBitwiseAnd %6 %12 %8\n%51 = OpIEqual %5 %50 %7' >"$WORK/before.spvasm"
"$(dirname "$EMU")/spvreconv" --transform=linearize "$WORK/before.spvasm" -o "$WORK/after.spv" || fail "there is no second module"
run 0 --before="$WORK/before.spvasm" --after="$WORK/after.spv" --buffer=0:5:u32[8]=0.. && prints "before  structured"
agrees --before="$WORK/before.spvasm" --after="$WORK/after.spv" --policy=pdom,tf-stack --buffer=0:5:u32[8]=0..
whole "two modules"
grep -q '>After costs [0-9.]* % more than before under pdom, and computes the same<' "$WORK/dom" || fail "the headline of two modules: $(grep '<h1' "$WORK/dom")"
grep -q 'The number on the right is after minus before\.' "$WORK/dom" || fail "no sign: $(grep -o 'The number on[^<]*' "$WORK/dom")"
grep -q '<div class="extra">+' "$WORK/dom" || fail "what after has more is not positive"
grep -q '>[^<"]*paired by their labels' "$WORK/dom" && fail "neither module has lines"
# Modules that compute something else.
sed 's/%15 %10 %52 %60$/%15 %10 %8 %60/' "$WORK/before.spvasm" >"$WORK/wrong.spvasm"
run 1 --before="$WORK/before.spvasm" --after="$WORK/wrong.spvasm" --policy=pdom --report="$page" --buffer=0:5:u32[8]=0.. && prints "results: differ"
browse "$page"
grep -q '<h1 id="headline">[^<]*, but computes something else<' "$WORK/dom" || fail "other results: $(grep '<h1' "$WORK/dom")"
grep -q '<li>pdom, [^<]*buffer[^<]*</li>' "$WORK/dom" || fail "the page does not say what differs: $(grep -o '<div id="reasons">.*' "$WORK/dom" | head -c 600)"
glslangValidator -V --target-env vulkan1.1 -DLIMIT=9 examples/tutorial/julia.comp -o "$WORK/bare.spv" >/dev/null || fail "glslangValidator"
run 0 --report="$page" --policy=pdom -DLIMIT=9 --dispatch=1 --before=examples/tutorial/julia.comp --after="$WORK/bare.spv"
browse "$page"
grep -q '>[^<"]*so blocks are paired by their labels' "$WORK/dom" || fail "no note about lines"
agrees --subgroup-size=2,8 --policy=pdom,tf-stack "$WORK/before.spvasm" --buffer=0:5:u32[8]=0..
whole "two subgroup sizes"
grep -q '>.*lanes: the same 96 lane slots under pdom<' "$WORK/dom" || fail "the headline of two sizes: $(grep '<h1' "$WORK/dom")"
# The optimum of each, in the unit of the comparison.
agrees --subgroup-size=2,8 --policy=pdom,opt "$WORK/before.spvasm" --buffer=0:5:u32[8]=0..
least="is $((2 * $(json_of 1 issued))) lane slots (2 lanes), $((8 * $(json_of 3 issued))) (8 lanes), by opt."
grep -qF "$least" "$WORK/dom" || fail "not '$least': $(grep -o '>The least[^<]*<' "$WORK/dom")"
# What each side has on the page.
run 0 --subgroup-size=8,32 --policy=pdom --report="$page" shaders/loop/collatz.amber
browse "$page"
grep -q ">[0-9]* of 128 subgroups on the left and 32 on the right have a schedule" "$WORK/dom" ||
  fail "not the subgroups of each: $(grep -o '>[^<]*at equal distances[^<]*<' "$WORK/dom")"

# Draws: heat maps are those of --heat-map, and their sums those of the JSON. Where a policy breaks quads, the picture
# is another one.
maps="--policy=none,pdom,tf-stack,opt shaders/graphics/ray_marcher.amber"
# shellcheck disable=SC2086 # words
agrees $maps
awk -F '[":, ]+' '$2 == "policy" { at = at == "" ? 0 : at + 1 }
  $2 == "pixels" { pixels = 1 }
  pixels && ($2 == "issues" || $2 == "lost") { print at, $2, $3; pixels = $2 == "issues" }' "$WORK/out" >"$WORK/sums"
sed -n 's/^sum //p' "$WORK/probe" | sort >"$WORK/told"
[ "$(wc -l <"$WORK/told")" = 4 ] || fail "two maps have $(wc -l <"$WORK/told") sums"
while read -r line; do
  grep -qxF "$line" "$WORK/sums" || fail "the sum of a map is not the JSON's: $line"
done <"$WORK/told"
# shellcheck disable=SC2086
run 0 --heat-map="$WORK/heat.csv" $maps
[ -e "$WORK/heat-opt.csv" ] && fail "opt has a heat map"
at=0
for policy in none pdom tf-stack; do
  sed -n "s/^pixel $at //p" "$WORK/probe" | tr ' ' ',' >"$WORK/told"
  [ "$at" = 0 ] || [ -s "$WORK/told" ] || fail "no pixel of $policy has been told"
  grep -qvxFf "$WORK/heat-$policy.csv" "$WORK/told" && fail "$policy: a pixel is not that of the file: $(head -n 1 "$WORK/told")"
  at=$((at + 1))
done
grep -q '>What is drawn, 128 × 128 pixels, under pdom; under none it differs<' "$WORK/dom" ||
  fail "what is drawn: $(grep -o '>What is drawn[^<]*<' "$WORK/dom")"
grep -q 'The table includes the shaders that run before the fragment shader.' "$WORK/dom" || fail "the page does not say what the table has"
grep -q '[0-9] pipelines ran\|among the first [0-9]' "$WORK/dom" && fail "a draw of two shaders is said to be two pipelines, or long"
# More pixels than cells, and quads of several batches.
run 0 --policy=pdom,none --report="$page" --framebuffer=500x300 "$WORK/rings.frag"
alone "$page"
use "$page" "$probe" 1600,1000
grep -q '>6[456] of 4,[0-9]* subgroups have a schedule' "$WORK/dom" ||
  fail "not the subgroups of a long draw: $(grep -o '>[^<]*at equal distances[^<]*<' "$WORK/dom")"
grep -q '"side":2,"columns":250,"rows":150' "$page" || fail "500 x 300 pixels are not in cells of 2 x 2"

# A policy that does not complete is not compared.
run 1 --policy=pdom,tf-stack --report="$page" shaders/frontier/barrier_exit.amber
browse "$page"
grep -q '<h1 id="headline">pdom: deadlock; tf-stack issues 66 instructions<' "$WORK/dom" ||
  fail "the headline of a deadlock: $(grep '<h1' "$WORK/dom")"
finish
