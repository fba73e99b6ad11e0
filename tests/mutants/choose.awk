# SPDX-License-Identifier: Apache-2.0
# Lines of places.awk in random order, one for each line of the source: of its kinds of error each is as
# probable as any other, and so is each place of the kind. -v seed=N; the same for every awk.

function draw(most) { # 1..most
  state = state * 16807 % 2147483647
  return int(state / 2147483647 * most) + 1
}

BEGIN {
  FS = "\t"
  state = seed * 7919 % 2147483646 + 1
  for (i = 0; i < 10; i++) draw(1)
}

{
  line = $1 FS $2
  if (!(line in kinds)) lines[++count] = line
  if (!((line, $3) in places)) kind[line, ++kinds[line]] = $3
  place[line, $3, ++places[line, $3]] = $0
}

END {
  for (; count; lines[i] = lines[count--]) {
    i = draw(count)
    line = lines[i]
    k = kind[line, draw(kinds[line])]
    print place[line, k, draw(places[line, k])]
  }
}
