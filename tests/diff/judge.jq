# judge: what spv-harness --json says of each case, in one line: CASE, class, detail, runs; tabs
# between.
#
#   agree           every device computes the expected contents in every variant
#   ours            the emulator does not, or a transform's module is invalid, or two drivers differ
#                   from it in the same way
#   driver:NAME     ours agree and so does the other driver; this one does not
#   drivers         ours agree; both drivers differ, each in its own way
#
# A variant that the transform refuses counts nowhere; refusals are listed as `refused` lines with
# the reason. All this for both devices that are drivers; their names are free.
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
