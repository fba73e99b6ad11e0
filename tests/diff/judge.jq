# SPDX-License-Identifier: Apache-2.0
# judge: a line for each case of spv-harness --json: CASE, class, detail, runs, with tabs
# between.
#
#   agree           every device computes the expected contents in every variant
#   ours            the emulator is wrong, or a transform's module is invalid, or two drivers differ
#                   from it in the same way
#   driver:NAME     the emulator and the other driver agree; this driver does not
#   drivers         the emulator agrees; both drivers differ, in different ways
#
# A variant that the transform refuses is not counted; refusals are listed as `refused` lines with
# the reason. Written for two drivers of any name.
def refused: .outcome == "fail" and ((.message // "") | startswith("shader "));
def ran: .outcome | IN("pass", "fail", "crash", "timeout");
def wrong: (.outcome | IN("fail", "crash", "timeout")) and (refused | not)
           or .outcome == "invalid" and .variant != "none";
def first_words: .outcome + ": " + ((.message // "") | gsub("\t"; " "));

[.results[]] | group_by(.case)[] |
  .[0].case as $case |
  ([.[] | select(wrong)]) as $wrong |
  ([$wrong[].device] | unique) as $devices |
  ([.[] | select(ran and (refused | not))] | length) as $runs |
  (if $wrong == [] then ["agree", ""]
   elif any($wrong[]; .device == "emu" or .outcome == "invalid") then ["ours", ""]
   elif ($devices | length) == 1 then ["driver:" + $devices[0], ""]
   elif ([$wrong | group_by(.device)[] | .[0].message] | unique | length) == 1 then ["ours", ""]
   else ["drivers", ""] end) as [$class, $_] |
  ([$wrong[] | .device + " " + .variant + " " + first_words] | join("; ")) as $detail |
  ([$case, $class, $detail, ($runs | tostring)] | join("\t")),
  (.[] | select(refused and .device == "emu") |
    [$case, "refused", .variant + ": " + .message, "0"] | join("\t"))
