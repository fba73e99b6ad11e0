// SPDX-License-Identifier: Apache-2.0
/* share: the source and the options in the URL's fragment, which browsers do not send: JSON, deflated, in base64url. */
"use strict";

async function throughStream(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function packState(state) {
  const packed = await throughStream(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return `#s=${btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

/* Null if the fragment has no source, or none that can be read. */
async function unpackState(fragment) {
  const found = /^#s=([\w-]+)$/.exec(fragment);
  if (!found) return null;
  try {
    const packed = Uint8Array.from(atob(found[1].replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await throughStream(packed, new DecompressionStream("deflate-raw"))));
  } catch (error) {
    return null;
  }
}
