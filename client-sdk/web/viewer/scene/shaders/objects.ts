import { airGlsl } from './common.js';

/**
 * Trees and boulders: a shape of radius 1 and height 1, instanced. `tint`: rgb of the part, or
 * with a > 0.5 the instance's own colour times rgb. `spot`: place in the tile, z: height.
 */
export const plantVertex = /* glsl */ `
uniform float uTime;
attribute vec4 tint;
attribute vec3 spot;   // x, y up, z
attribute vec2 facing; // cosine and sine of the turn
attribute vec4 sort;   // radius, height, sway, number between 0 and 1
attribute vec3 hue;
varying vec3 vAt;
varying vec3 vNormal;
varying vec3 vColor;
varying float vOpen;

void main() {
  float c = facing.x, s = facing.y;
  vec3 p = vec3(position.x * sort.x, position.y * sort.y, position.z * sort.x);
  p = vec3(c * p.x - s * p.z, p.y, s * p.x + c * p.z);
  vec3 n = vec3(normal.x / sort.x, normal.y / sort.y, normal.z / sort.x);
  n = normalize(vec3(c * n.x - s * n.z, n.y, s * n.x + c * n.z));
  if (sort.z > 0.0) {
    float bend = sort.z * position.y * position.y * sort.y;
    p.xz += bend * 0.02 * sin(uTime * 1.3 + sort.w * 40.0 + vec2(0.0, 1.7));
  }
  vec4 at = modelMatrix * vec4(p + spot, 1.0);
  vAt = at.xyz;
  vNormal = n;
  float own = step(0.5, tint.a);
  vColor = mix(tint.rgb, tint.rgb * hue * (0.82 + 0.36 * sort.w), own);
  vOpen = mix(0.8, 0.45 + 0.65 * position.y, own);
  gl_Position = projectionMatrix * viewMatrix * at;
}
`;

export const plantFragment = /* glsl */ `
${airGlsl}
varying vec3 vAt;
varying vec3 vNormal;
varying vec3 vColor;
varying float vOpen;

void main() {
  vec3 n = normalize(vNormal);
  vec3 albedo = vColor * vColor;
  vec3 light = litBy(albedo, n, 0.55 + 0.45 * vOpen, vOpen);
  // Some sun comes through leaves.
  light += albedo * uSunColor * 0.10 * max(0.4 - dot(n, uSun), 0.0) * vOpen;
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
