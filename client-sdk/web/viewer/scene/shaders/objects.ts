import { airGlsl } from './common.js';

/**
 * Trees and boulders. `bearing`: normal, and in w how far the wind carries it; `tint.a`: how much
 * of the sky it sees.
 */
export const plantVertex = /* glsl */ `
attribute vec4 tint;
attribute vec4 bearing;
uniform float uTime;
varying vec3 vAt;
varying vec3 vNormal;
varying vec4 vColor;

void main() {
  vec4 at = modelMatrix * vec4(position, 1.0);
  if (bearing.w > 0.0) at.xz += 0.42 * bearing.w * sin(uTime * 1.3 + at.xz * 0.13);
  vAt = at.xyz;
  vNormal = bearing.xyz;
  vColor = tint;
  gl_Position = projectionMatrix * viewMatrix * at;
}
`;

export const plantFragment = /* glsl */ `
${airGlsl}
varying vec3 vAt;
varying vec3 vNormal;
varying vec4 vColor;

void main() {
  vec4 clumps = texture2D(uNoise, vec2(vAt.x + 0.6 * vAt.z, vAt.y * 0.8 + 0.5 * vAt.z) / 8.0);
  vec3 n = normalize(normalize(vNormal) + 1.3 * (clumps.xyz - 0.5));
  vec3 albedo = vColor.rgb * vColor.rgb * (0.45 + 1.1 * clumps.w);
  vec3 light = litBy(albedo, n, 0.5 + 0.5 * vColor.a, 1.1 * vColor.a);
  // Some sun comes through leaves.
  light += albedo * uSunColor * 0.10 * max(0.4 - dot(n, uSun), 0.0) * vColor.a;
  gl_FragColor = vec4(film(throughAir(light, vAt)), 1.0);
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
