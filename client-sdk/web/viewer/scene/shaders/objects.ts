import { airGlsl } from './common.js';

/**
 * Trees and boulders. Merged: `bearing` is the normal, and in w how far the wind carries it;
 * `tint.a`: how much of the sky it sees. INSTANCED: a shape of radius and height 1, `tint.a`:
 * whether it has the instance's `hue`; `place`: where it stands, and its turn; `size`: radius,
 * height, and how far the wind carries its top.
 */
export const plantVertex = /* glsl */ `
${airGlsl}
attribute vec4 tint;
#ifdef INSTANCED
attribute vec4 place;
attribute vec3 size;
attribute vec4 hue;
#else
attribute vec4 bearing;
#endif
varying vec3 vAt;
varying vec3 vNormal;
varying vec4 vColor;
varying vec3 vLeft;
varying vec3 vAdded;

void main() {
#ifdef INSTANCED
  mat2 turn = mat2(cos(place.w), sin(place.w), -sin(place.w), cos(place.w));
  vec3 spot = position * size.xyx;
  spot.xz = turn * spot.xz;
  spot += place.xyz;
  vec4 bearing = vec4(normalize(normal / size.xyx), 0.0);
  bearing.xz = turn * bearing.xz;
  float up = max(position.y, 0.0);
  bearing.w = 0.047 * size.z * up * up;
  bool own = tint.a > 0.5;
  vColor = vec4(tint.rgb * (own ? hue.rgb : vec3(1.0)), own ? 0.42 + 0.58 * position.y : 0.7);
  vColor = min(vColor, 1.0);
#else
  vec3 spot = position;
  vColor = tint;
#endif
  vec4 at = modelMatrix * vec4(spot, 1.0);
  if (bearing.w > 0.0) at.xz += 0.42 * bearing.w * sin(uTime * 1.3 + at.xz * 0.13);
  vAt = at.xyz;
  vNormal = bearing.xyz;
  airBetween(at.xyz, vLeft, vAdded);
  gl_Position = projectionMatrix * viewMatrix * at;
}
`;

const leavesGlsl = /* glsl */ `
varying vec3 vAt;
varying vec4 vColor;
varying vec3 vLeft;
varying vec3 vAdded;

vec4 leaves(vec3 n, vec4 clumps, float open) {
  vec3 albedo = vColor.rgb * vColor.rgb * (0.45 + 1.1 * clumps.w);
  n = normalize(n + 1.3 * (clumps.xyz - 0.5));
  vec3 light = litBy(albedo, n, 0.5 + 0.5 * open, 1.1 * open);
  // Some sun comes through leaves.
  light += albedo * uSunColor * 0.10 * max(0.4 - dot(n, uSun), 0.0) * open;
  return vec4(film(light * vLeft + vAdded), 1.0);
}
`;

export const plantFragment = /* glsl */ `
${airGlsl}
${leavesGlsl}
varying vec3 vNormal;

void main() {
  vec4 clumps = texture2D(uNoise, vec2(vAt.x + 0.6 * vAt.z, vAt.y * 0.8 + 0.5 * vAt.z) / 8.0);
  gl_FragColor = leaves(normalize(vNormal), clumps, vColor.a);
}
`;

/**
 * Plants far away: a rectangle each that faces the eye, which the fragments cut an outline from.
 * `corner`: of it, -1 or 1. `size`: radius and height in blocks, the share of the height where the
 * crown begins, and 1 where that is a cone.
 */
export const speckVertex = /* glsl */ `
${airGlsl}
attribute vec4 tint;
attribute vec4 size;
attribute vec2 corner;
varying vec3 vAt;
varying vec4 vColor;
varying vec3 vLeft;
varying vec3 vAdded;
varying vec2 vOn;
varying vec2 vShape; // size.zw

void main() {
  vec4 at = modelMatrix * vec4(position, 1.0);
  vAt = at.xyz;
  vOn = corner;
  vColor = tint;
  vShape = size.zw;
  airBetween(at.xyz, vLeft, vAdded);
  vec4 seen = viewMatrix * at;
  seen.xy += corner * vec2(size.x, 0.5 * size.y);
  gl_Position = projectionMatrix * seen;
}
`;

export const speckFragment = /* glsl */ `
${airGlsl}
${leavesGlsl}
varying vec2 vOn;
varying vec2 vShape;

void main() {
  vec2 on = vOn;
  float up = 0.5 + 0.5 * on.y;
  float y = 2.0 * (up - vShape.x) / (1.0 - vShape.x) - 1.0; // of the crown, from -1 to 1
  vec4 clumps = texture2D(uNoise, vAt.xz / 13.0 + on * 0.2);
  float isCone = vShape.y;
  // Branches of a cone hang in tiers.
  float wide = mix(1.0, (0.5 - 0.5 * y) * (0.78 + 0.44 * fract(-1.5 * y)), isCone);
  float beyond = on.x * on.x / max(wide * wide, 1e-3) + (1.0 - isCone) * y * y;
  float most = 0.62 + 0.5 * clumps.y;
  bool isTrunk = beyond > most && up < vShape.x + 0.2 && abs(on.x) < 0.1 && vShape.x > 0.01;
  if (y < -1.0) beyond = 9.0;
  float alpha = 1.0;
#ifdef ALPHA_TO_COVERAGE
  alpha = clamp((most - beyond) / max(fwidth(on.x) * 2.0, 1e-3) + 0.5, 0.0, 1.0);
  if (isTrunk) alpha = 1.0;
  if (alpha <= 0.0) discard;
#else
  if (beyond > most && !isTrunk) discard;
#endif
  vec3 n = vec3(on.x / max(wide, 0.1), mix(y, 0.35, isCone), sqrt(max(1.0 - beyond, 0.04)));
  n = normalize(n * mat3(viewMatrix));
  if (isTrunk) {
    vec3 light = litBy(vec3(0.17, 0.115, 0.07), n, 0.7, 0.7);
    gl_FragColor = vec4(film(light * vLeft + vAdded), alpha);
    return;
  }
  gl_FragColor = vec4(leaves(n, clumps, 0.42 + 0.58 * up).rgb, alpha);
}
`;

/** Buildings: `tint` is the colour; walls have grain and darken towards the ground. */
export const buildingVertex = /* glsl */ `
attribute vec4 tint; // a: how far up the wall, 0 to 1
varying vec3 vAt;
varying vec3 vNormal;
varying vec4 vColor;

void main() {
  vec4 at = modelMatrix * vec4(position, 1.0);
  vAt = at.xyz;
  vNormal = normal;
  vColor = tint;
  gl_Position = projectionMatrix * viewMatrix * at;
}
`;

export const buildingFragment = /* glsl */ `
${airGlsl}
varying vec3 vAt;
varying vec3 vNormal;
varying vec4 vColor;

void main() {
  vec3 n = normalize(vNormal);
  vec2 side = abs(n.y) > 0.5 ? vAt.xz : vec2(vAt.x + vAt.z, vAt.y * 2.0);
  float grain = texture2D(uNoise, side / 8.0).y + texture2D(uNoise, side / 2.5).z - 1.0;
  vec3 albedo = vColor.rgb * vColor.rgb * (1.0 + 0.35 * grain);
  vec3 light = litBy(albedo, n, 1.0, 0.55 + 0.45 * vColor.a);
  gl_FragColor = vec4(film(throughAir(light, vAt)), 1.0);
}
`;
