# SPDX-License-Identifier: Apache-2.0
# From the answers of one reader in one language, MODULE,LANGUAGE,taken|refused,CAUSE, sorted, and what running showed
# (the file `verdicts`: CASE,OUTCOME,DEVICES), a row for each case, after the fields `rows`: a case is refused if one of
# its modules (CASE@SHADER.STAGE) is. The file `given` has the verdicts of the modules that were given.
BEGIN {
  while ((getline line < given) > 0) {
    name = line
    sub(/,.*/, "", name)
    invalid[name] = line ~ /invalid/
  }
  while ((getline line < verdicts) > 0) {
    name = line
    sub(/,.*/, "", name)
    outcome[name] = substr(line, length(name) + 2)
    sub(/,/, ";", outcome[name])
    ran = 1
  }
}
{
  name = $0
  sub(/@.*/, "", name)
  if (name != last)
    put()
  last = name
  if (/^[^,]*,[^,]*,refused,/) {
    refused = $0
    sub(/^[^,]*,[^,]*,/, "", refused)
    gsub(/;/, ":", refused)
    sub(/,/, ";", refused)
  }
}
function put() {
  if (last != "")
    print rows ";" last ";" (refused != "" ? refused : invalid[last] ? "unstructured;" : last in outcome ? outcome[last] : ran ? "differs;no result" : "written;")
  refused = ""
}
END { put() }
