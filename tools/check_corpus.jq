# SPDX-License-Identifier: Apache-2.0
# A row for check_corpus.awk from the JSON of one run. $said are the run's messages; the first that is
# not a note counts.
def milliseconds(chosen): [.passes[]? | select(chosen) | .milliseconds] | add // 0;

(.check // {}) as $check
| ($said | split("\n") | map(select(test(": note: ") | not))[0] // ""
   | sub("^[a-z-]+: "; "") | ltrimstr($file + ": "))
  as $message
| [$list, $outcome,
   ($check | .functions, .edges, .edges_covered, .pairs, .pairs_covered | . // 0),
   milliseconds(.name != "compare"), milliseconds(.name == "compare"), $status,
   $name, $message]
| @tsv
