// SPDX-License-Identifier: Apache-2.0
// SPIR-V as naga writes it for a Vulkan program: no coordinate is turned over, no depth clamped.
const options = { flags: { adjustCoordinateSpace: false, clampFragDepth: false } };

// The bytes of the module that naga writes for its own module and what its validation found.
export function writeForVulkan(naga, module, info) {
  const words = naga.writeSpirv(module, info, options);
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

// The same for a program in WGSL.
export function wgslForVulkan(naga, wgsl) {
  const module = naga.parseWgsl(wgsl);
  return writeForVulkan(naga, module, naga.validate(module));
}
