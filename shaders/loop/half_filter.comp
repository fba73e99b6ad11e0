// What:  a 5-tap filter in half precision
// Idea:  an unrolled loop over float16_t vectors
// Watch: the Unroll hint and 16-bit types must survive
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { f16vec2 source[]; };
layout(std430, binding = 1) writeonly buffer Out { f16vec2 target[]; };
layout(push_constant) uniform Size { int count; } size;

void main() {
  int i = int(gl_GlobalInvocationID.x);
  f16vec2 sum = f16vec2(0.0hf);
  [[unroll]] for (int tap = -2; tap <= 2; tap++) {
    int at = clamp(i + tap, 0, size.count - 1);
    sum += source[at] * float16_t(3 - abs(tap));
  }
  target[i] = sum / 9.0hf;
}
