/* Counts words and finds the length of the longest, as a scanner generator would write it: a state machine of
 * gotos. The blocks `space` and `word` are one cycle with two entries. */
kernel void words(global const uchar *text, uint length, global uint *out) {
  uint self = get_global_id(0), i = self * length, end = i + length;
  uint count = 0, longest = 0, at = 0;
  if (i < end && text[i] != ' ')
    goto word;
space:
  if (i == end)
    goto done;
  if (text[i++] == ' ')
    goto space;
  i--;
word:
  if (at == 0)
    count++;
  at++;
  if (at > longest)
    longest = at;
  if (++i == end)
    goto done;
  if (text[i] != ' ')
    goto word;
  at = 0;
  goto space;
done:
  out[2 * self] = count;
  out[2 * self + 1] = longest;
}
