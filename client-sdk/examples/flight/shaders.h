// The shaders. Colours are linear until finish(); places are blocks from the eye on.
#pragma once
#include <string>

namespace flight::shaders {

inline const std::string kCommon = R"(#version 330 core
layout(std140) uniform Frame {
  mat4 view_projection;
  mat4 shadow_projection;
  vec4 right, up, forward;  // right and up as long as half the picture at distance 1
  vec4 sun;                 // where it stands; w: how far one sees
  vec4 also;                // seconds, how far things are seen, 1: the plain colours of a check
};
vec3 sunlight() {
  vec3 color = mix(vec3(1.3, .5, .18), vec3(2.05, 1.85, 1.55), smoothstep(.0, .4, sun.z));
  return color * smoothstep(-.08, .1, sun.z);
}
vec3 sky(vec3 to) {
  float day = smoothstep(-.15, .3, sun.z), high = pow(max(to.z, 0.), .55);
  vec3 low = mix(vec3(.75, .38, .22), vec3(.56, .70, .86), smoothstep(.0, .35, sun.z));
  vec3 color = mix(low, vec3(.05, .19, .56), high) * (.03 + .97 * day);
  float near_sun = max(dot(to, sun.xyz), 0.);
  return color + sunlight() * (.06 * pow(near_sun, 6.) + .12 * pow(near_sun, 48.));
}
vec3 ambient(vec3 normal) {
  return mix(vec3(.10, .09, .07), vec3(.21, .27, .38), normal.z * .5 + .5) *
         (.06 + .94 * smoothstep(-.15, .3, sun.z));
}
float hash(vec2 cell) {
  uvec2 q = uvec2(ivec2(cell)) * uvec2(1597334673u, 3812015801u);
  return float((q.x ^ q.y) * 1597334673u >> 8) / 16777216.;
}
// Smooth from 0 to 1; repeats every 4,096 blocks, so that places may be told modulo that.
float noise(vec2 at, float wide) {
  vec2 cell = floor(at / wide), part = at / wide - cell, s = part * part * (3. - 2. * part);
  float period = 4096. / wide;
  vec2 a = mod(cell, period), b = mod(cell + 1., period);
  return mix(mix(hash(a), hash(vec2(b.x, a.y)), s.x),
             mix(hash(vec2(a.x, b.y)), hash(b), s.x), s.y);
}
vec3 hazy(vec3 color, vec3 place) {
  float share = length(place) / sun.w, thick = 1. - exp(-2.6 * share * share * share);
  return mix(color, sky(normalize(place)), min(thick * 1.0803, 1.));
}
vec4 finish(vec3 color, float alpha) {
  color *= .78;
  color = color * (2.51 * color + .03) / (color * (2.43 * color + .59) + .14);
  color = mix(vec3(dot(color, vec3(.3, .59, .11))), color, .86);
  return vec4(pow(clamp(color, 0., 1.), vec3(1. / 2.2)), alpha);
}
)";

/// Sunlight that comes through: what is near has a shadow map.
inline const std::string kShadow = R"(
uniform sampler2DShadow shadows;
float lit(vec3 place) {
  vec3 at = (shadow_projection * vec4(place, 1.)).xyz;
  float edge = smoothstep(1., .8, max(abs(at.x), abs(at.y)));
  if (edge == 0. || also.z > 0.) return 1.;
  at = at * .5 + .5;
  float sum = 0.;
  for (int k = 0; k < 4; ++k)
    sum += texture(shadows, vec3(at.xy + vec2(k & 1, k >> 1) / 2048. - .25 / 2048., at.z - .0012));
  return mix(1., sum * .25, edge);
}
)";

inline const std::string kGroundVertex = R"(
layout(location = 0) in vec3 vertex;
layout(location = 1) in vec3 vertex_normal;
layout(location = 2) in uvec4 biomes;
layout(location = 3) in vec4 weights;
uniform vec3 origin;
uniform vec2 origin_4096;
uniform sampler2D colors;  // of the biomes, in a row
out vec3 place, normal, color;
out vec2 at;
void main() {
  place = vertex + origin;
  normal = vertex_normal;
  at = vertex.xy + origin_4096;
  color = vec3(0.);
  for (int k = 0; k < 4; ++k)
    color += weights[k] * texelFetch(colors, ivec2(biomes[k], 0), 0).rgb;
  gl_Position = view_projection * vec4(place, 1.);
}
)";
inline const std::string kGroundFragment = R"(
in vec3 place, normal, color;
in vec2 at;
out vec4 pixel;
void main() {
  if (also.z > 0.) { pixel = vec4(color * .5, 1.); return; }
  vec3 n = normalize(normal);
  float distance = length(place), fine = exp(-distance / 90.);
  float wide = noise(at, 64.), mid = noise(at, 8.);
  float grain = mix(.5, noise(at, .5) * .5 + noise(at, 2.) * .5, fine);
  vec3 ground = color * (.50 + .24 * wide + .16 * mid + .22 * grain);
  vec3 rock = vec3(.20, .175, .155) * (.65 + .5 * noise(vec2(place.z + sun.w, at.x * .05), 2.) +
                                       .4 * mid);
  ground = mix(ground, rock, smoothstep(.80, .64, n.z + (mid - .5) * .14 + (grain - .5) * .1));
  float light = max(dot(n, sun.xyz), 0.) * lit(place + n * .3);
  pixel = finish(hazy(ground * (sunlight() * light + ambient(n)), place), 1.);
}
)";

inline const std::string kWaterVertex = R"(
layout(location = 0) in vec4 vertex;  // w: depth
uniform vec3 origin;
uniform vec2 origin_4096;
out vec3 place;
out vec2 at;
out float depth;
void main() {
  place = vertex.xyz + origin;
  at = vertex.xy + origin_4096;
  depth = vertex.w;
  gl_Position = view_projection * vec4(place, 1.);
}
)";
inline const std::string kWaterFragment = R"(
in vec3 place;
in vec2 at;
in float depth;
out vec4 pixel;
float waves(vec2 p) {
  float t = also.x;
  return noise(p + t * vec2(1.1, .6), 4.) * .6 + noise(p - t * vec2(.9, -1.3), 2.) * .3 +
         noise(p + t * vec2(-3., 2.), 16.) * 1.2;
}
void main() {
  float distance = length(place);
  vec3 to = place / distance;
  float calm = exp(-distance / 400.);
  vec2 slope = vec2(waves(at + vec2(.5, 0.)) - waves(at - vec2(.5, 0.)),
                    waves(at + vec2(0., .5)) - waves(at - vec2(0., .5))) * (.03 + .17 * calm);
  vec3 n = normalize(vec3(-slope, 1.)), back = reflect(to, n);
  back.z = abs(back.z);
  float mirror = .03 + .97 * pow(1. - clamp(-dot(to, n), 0., 1.), 5.);
  vec3 body = mix(vec3(.05, .22, .24), vec3(.012, .06, .12), 1. - exp(-max(depth, 0.) * .12));
  vec3 color = mix(body * (sunlight() * max(sun.z, 0.) * .5 + ambient(n)), sky(back), mirror * .85);
  color += sunlight() * pow(max(dot(back, sun.xyz), 0.), 220.) * 3.;
  float foam = smoothstep(.5, .0, depth) * smoothstep(.45, .7, noise(at + also.x * .4, 1.)) * calm;
  color = mix(color, vec3(.8) * sunlight() * .4, foam * .6);
  float alpha = max(1. - exp(-max(depth, 0.) * .55), mirror * smoothstep(0., .3, depth));
  alpha = clamp(alpha + foam * .4, 0., 1.) * smoothstep(-.05, .1, depth);
  pixel = finish(hazy(color, place), alpha);
}
)";

inline const std::string kThingVertex = R"(
layout(location = 0) in vec4 vertex;  // w: 1 for what has the colour of its kind, 0 for wood
layout(location = 1) in vec3 vertex_normal;
layout(location = 2) in vec4 stands;  // from the chunk's origin; w: turn
layout(location = 3) in vec4 size;    // w: colour
uniform vec3 origin;
out vec3 place, normal, color;
void main() {
  vec3 base = stands.xyz + origin;
  bool shrinks = stands.w >= 0. && stands.w < 50.;  // boulders: trees have forests behind them
  float grown = shrinks ? 1. - smoothstep(.85, 1., length(base.xy) / also.y) : 1.;
  float s = stands.w < 0. ? 0. : sin(stands.w), c = stands.w < 0. ? 1. : cos(stands.w);
  mat2 turn = mat2(c, s, -s, c);
  vec3 shape = vertex.xyz * size.xyz * grown, n = vertex_normal / size.xyz;
  place = base + vec3(turn * shape.xy, shape.z);
  normal = normalize(vec3(turn * n.xy, n.z));
  uint rgb = uint(size.w);
  vec3 kind = pow(vec3(rgb >> 16u, rgb >> 8u & 255u, rgb & 255u) / 255., vec3(2.2));
  float shade = stands.w < 0. ? 1. : mix(.7, 1.15, vertex.z) * (.8 + .5 * fract(stands.w * 7.3));
  color = mix(vec3(.09, .06, .04), kind * shade, vertex.w);
  gl_Position = view_projection * vec4(place, 1.);
}
)";
inline const std::string kThingFragment = R"(
in vec3 place, normal, color;
out vec4 pixel;
void main() {
  vec3 n = normalize(normal);
  float light = max(dot(n, sun.xyz) * .8 + .2, 0.) * lit(place + n * .4);
  pixel = finish(hazy(color * (sunlight() * light + ambient(n)), place), 1.);
}
)";

inline const std::string kSkyVertex = R"(
out vec3 ray;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4. - 1.;
  ray = forward.xyz + right.xyz * corner.x + up.xyz * corner.y;
  gl_Position = vec4(corner, 1., 1.);
}
)";
inline const std::string kSkyFragment = R"(
in vec3 ray;
out vec4 pixel;
void main() {
  vec3 to = normalize(ray), color = sky(to);
  color += sunlight() * 8. * smoothstep(.9998, .9999, dot(to, sun.xyz));
  if (to.z > .02) {
    vec2 at = to.xy / (to.z + .12) * 90. + also.x * .25;
    float sum = 0., share = .5, wide = 64.;
    for (int k = 0; k < 5; ++k, share *= .5, wide *= .5) sum += share * noise(at + 700., wide);
    float cloud = smoothstep(.5, .78, sum) * smoothstep(.02, .22, to.z);
    color = mix(color, sunlight() * .5 + ambient(vec3(0., 0., 1.)) * .9, cloud * .9);
  }
  pixel = finish(color, 1.);
}
)";

}  // namespace flight::shaders
