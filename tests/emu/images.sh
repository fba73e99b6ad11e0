#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Pictures of compute shaders: PNG files as contents of images and of buffers, also of an AmberScript's, and
# --image of storage images and of buffers seen as pictures. tests/messages has the errors.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

cat >"$WORK/png.py" <<'END'
"""png.py write FILE WIDTH HEIGHT BITS TYPE: a picture whose numbers differ from pixel to pixel
png.py same A B DX DY: is pixel x, y of B what pixel x + DX, y + DY of A is, for all that both have?"""
import struct, sys, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
def write(name, w, h, bits, kind):
    n = {0: 1, 2: 3, 4: 2, 6: 4}[kind]
    rows = b"".join(b"\0" + b"".join((((x * 37 + y * 11 + c * 101) % 256) * (257 if bits == 16 else 1)).to_bytes(bits // 8, "big")
                                     for x in range(w) for c in range(n)) for y in range(h))
    open(name, "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, bits, kind, 0, 0, 0)) +
                           chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
def read(name):
    data, at, idat = open(name, "rb").read(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR": w, h, bits, color = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT": idat += body
        at += size + 12
    n = {0: 1, 2: 3, 6: 4}[color]
    raw, last, rows = zlib.decompress(idat), bytes(w * n), []
    for y in range(h):
        f, row = raw[y * (w * n + 1)], bytearray(raw[y * (w * n + 1) + 1:(y + 1) * (w * n + 1)])
        for i in range(w * n):
            a, b, c = row[i - n] if i >= n else 0, last[i], last[i - n] if i >= n else 0
            p = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            row[i] = (row[i] + [0, a, b, (a + b) // 2, p][f]) % 256
        rows.append([tuple((row[x * n:x * n + 3] if n > 2 else bytes([row[x]]) * 3)) for x in range(w)])
        last = bytes(row)
    return w, h, rows
if sys.argv[1] == "write":
    write(sys.argv[2], *map(int, sys.argv[3:]))
else:
    (w, h, a), (v, g, b) = read(sys.argv[2]), read(sys.argv[3])
    dx, dy = map(int, sys.argv[4:])
    pairs = [(a[y + dy][x + dx], b[y][x]) for y in range(g) for x in range(v) if 0 <= x + dx < w and 0 <= y + dy < h]
    assert pairs and all(p == q for p, q in pairs), [p for p in pairs if p[0] != p[1]][:3]
END

# same A B DX DY
same() {
  python3 "$WORK/png.py" same "$WORK/$1" "$WORK/$2" "${3:-0}" "${4:-0}" || fail "$1 and $2 differ"
}

# Moves a picture by (-2, 1), and writes it to a buffer, too.
cat >"$WORK/move.comp" <<'END'
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 0, rgba8) uniform readonly image2D src;
layout(binding = 1, rgba8) uniform writeonly image2D dst;
layout(binding = 2) buffer Pixels { uint pixels[]; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  vec4 c = imageLoad(src, (at + ivec2(2, 15)) % imageSize(src));
  imageStore(dst, at, c);
  pixels[at.y * 24 + at.x] = packUnorm4x8(c);
}
END
python3 "$WORK/png.py" write "$WORK/in.png" 24 16 8 2
echo "--dispatch=3,4 --buffers=auto" >"$WORK/at"
run 0 @"$WORK/at" "$WORK/move.comp" --image=src=@"$WORK/in.png" --image="$WORK/out.png" --image=0:0="$WORK/src.png" \
  --image=Pixels:R8G8B8A8_UNORM:24x16="$WORK/buffer.png"
same in.png src.png
same in.png out.png 2 -1
cmp "$WORK/out.png" "$WORK/buffer.png" || fail "the buffer is another picture"
grep -q -- '--buffer=0:0' "$WORK/err" && fail "contents are made up for a picture"

# The size is taken or checked; the format may be stated; 8 and 16 bits, grey, with alpha.
for kind in "8 0" "8 6" "16 2" "16 4"; do
  # shellcheck disable=SC2086 # two words
  python3 "$WORK/png.py" write "$WORK/kind.png" 24 16 $kind
  run 0 @"$WORK/at" "$WORK/move.comp" --buffer=0:0:R8G8B8A8_UNORM[24x16]=@"$WORK/kind.png" --image=0:0="$WORK/back.png"
  run 0 @"$WORK/at" "$WORK/move.comp" --buffer=0:0:R8G8B8A8_UNORM[]=@"$WORK/kind.png" --image=0:0="$WORK/other.png"
  cmp "$WORK/back.png" "$WORK/other.png" || fail "$kind: the sizes differ"
  case $kind in "8 "*) same kind.png back.png ;; esac
done

# Formats: a sampled image without one; integers; floats; a buffer of pixels.
cat >"$WORK/kinds.comp" <<'END'
#version 450
layout(binding = 0) uniform sampler2D tex;
layout(binding = 1, rgba8ui) uniform readonly uimage2D whole;
layout(binding = 2, rgba32f) uniform readonly image2D real;
layout(binding = 3) buffer Texels { uint texels[]; };
layout(binding = 4) buffer Out { uint result[]; };
void main() {
  result[0] = uint(texelFetch(tex, ivec2(1, 0), 0).r * 255.0 + 0.5);
  result[1] = imageLoad(whole, ivec2(1, 0)).r;
  result[2] = uint(imageLoad(real, ivec2(1, 0)).r * 255.0 + 0.5);
  result[3] = texels[1];
}
END
run 0 "$WORK/kinds.comp" --buffers=auto --dispatch=1 --image=0:0=@"$WORK/in.png" --image=0:1=@"$WORK/in.png" \
  --image=0:2=@"$WORK/in.png" --image=Texels:R8G8B8A8_UNORM=@"$WORK/in.png" --buffer=0:4:u32[4]=0 --dump-buffer=Out
# Pixel (1, 0) of the picture is 37, 138, 239, opaque.
[ "$(grep -Eo ' (37|4293888549)( |$)' "$WORK/out" | tr -d ' \n')" = 3737374293888549 ] ||
  grep -Eq '37 *37 *37 *4293888549' "$WORK/out" || fail "other numbers: $(tail -6 "$WORK/out")"

# ---- heat maps of dispatches -------------------------------------------------------------------------

# Workgroups of 6 x 3 x 2 invocations in subgroups that are not full; x and y decide how long each runs.
cat >"$WORK/turns.comp" <<'END'
#version 450
layout(local_size_x = 6, local_size_y = 3, local_size_z = 2) in;
layout(binding = 0) buffer B { uint b[]; };
void main() {
  uvec3 at = gl_GlobalInvocationID;
  uint n = at.x == 4u && at.y == 2u ? 100u : 1u, x = at.x;
  for (uint i = 0u; i < n; i++) x = x * 5u + 1u;
  b[at.x + 12u * at.y] = x;
}
END
for threads in 1 3; do
  run 0 --json --policy=all --transform=reconverge --subgroup-size=8 --dispatch=2,3,2 --threads=$threads \
    --heat-map="$WORK/heat.csv" --lost-map="$WORK/lost.png" "$WORK/turns.comp" --buffer=0:0:u32[108]=0
  python3 - "$WORK" <<'END' || fail "$threads threads: the maps do not add up"
import csv, json, os, sys
work, count = sys.argv[1], 0
for r in json.load(open(work + "/out"))["results"]:
    name = "%s/heat-%s.csv" % (work, r["policy"])
    if not os.path.exists(name):
        assert r["policy"] == "opt" or r["status"] != "ok", r["policy"]
        continue
    rows = [{k: int(v) for k, v in row.items()} for row in csv.DictReader(open(name))]
    issues, lost = sum(p["issues"] for p in rows), sum(p["lost"] for p in rows)
    assert len(rows) == 12 * 9 and (rows[-1]["x"], rows[-1]["y"]) == (11, 8)
    assert issues - lost == r["lane_instructions"], (r["policy"], issues, lost, r["lane_instructions"])
    hot = max(rows, key=lambda p: p["issues"] - p["lost"])
    assert (hot["x"], hot["y"]) == (4, 2), (r["policy"], hot)
    slots = r["issued"] * (1 if r["policy"] == "scalar" else 8)
    assert (r["pixels"]["issues"], r["pixels"]["lost"]) == (issues, lost) and issues + r["pixels"]["unused"] == slots, r["policy"]
    packed = r["policy"] in ("dwf", "tbc", "tbc-lcp", "scalar")
    # 36 invocations of a workgroup are 4 subgroups of 8 and one of 4.
    assert lost == 0 if packed else lost > 0 and issues <= 8 * r["issued"], r["policy"]
    if r["policy"] == "pdom":  # the subgroup of invocation 16, (4, 2), has 17, (5, 2), but not 12, (0, 2)
        at = {(p["x"], p["y"]): p["lost"] for p in rows}
        assert at[5, 2] > 200 and at[0, 2] < 50 and at[6, 2] < 50, r["policy"]
    count += 1
assert count >= 12, count
END
done
run 0 --policy=pdom --heat-map="$WORK/heat.png" --lost-map="$WORK/lost.png" --dispatch=2,3,2 "$WORK/turns.comp" --buffer=0:0:u32[108]=0
grep -q "heat.png: black is 0, light yellow [0-9]* issues an invocation" "$WORK/err" || fail "no scale: $(cat "$WORK/err")"

# ---- a case ------------------------------------------------------------------------------------------

cat >"$WORK/case.amber" <<'CASE'
#!amber
SHADER compute s GLSL
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 0, rgba8) uniform readonly image2D src;
layout(binding = 1, rgba8) uniform writeonly image2D dst;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  imageStore(dst, at, imageLoad(src, at));
}
END
IMAGE in FORMAT R8G8B8A8_UNORM DIM_2D FILE PNG in.png
IMAGE out FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 24 HEIGHT 16 FILL 0
BUFFER raw FORMAT R8G8B8A8_UNORM FILE PNG in.png
PIPELINE compute p
  ATTACH s
  BIND BUFFER in AS storage_image DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER out AS storage_image DESCRIPTOR_SET 0 BINDING 1
END
RUN p 3 4 1
EXPECT out EQ_BUFFER in
CASE
run 0 "$WORK/case.amber" --image=out="$WORK/case.png"
same in.png case.png
run 0 "$WORK/case.amber" --heat-map="$WORK/case.csv"
[ "$(wc -l <"$WORK/case.csv")" = $((24 * 16 + 1)) ] || fail "the heat map of a case has another size"
run 1 "$WORK/case.amber" --image="$WORK/case.png" && says "--image: several images are written, 0:0 (in), 0:1 (out)"
if "$HARNESS" list-devices | grep -q '^lavapipe .*llvmpipe'; then
  "$HARNESS" run --device=lavapipe --transform=none "$WORK/case.amber" >"$WORK/out" || fail "lavapipe: $(cat "$WORK/out")"
fi
finish
