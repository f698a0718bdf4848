import { airGlsl, waterGlsl } from './common.js';

/** `grid`: sample (x, y), and 1 where it hangs down as a skirt. `h`: height there, blocks. */
export const terrainVertex = /* glsl */ `
${airGlsl}
attribute vec4 grid;
attribute float h;
uniform float uSpacing;
uniform float uSkirt;
uniform float uTexel;
varying vec3 vAt;
varying vec2 vUv;
varying vec3 vLeft;
varying vec3 vAdded;

void main() {
  vec4 at = modelMatrix * vec4(grid.x * uSpacing, h - grid.z * uSkirt, grid.y * uSpacing, 1.0);
  vAt = at.xyz;
  vUv = (grid.xy + 0.5) * uTexel;
  airBetween(at.xyz, vLeft, vAdded);
  gl_Position = projectionMatrix * viewMatrix * at;
}
`;

export const terrainFragment = /* glsl */ `
${airGlsl}
${waterGlsl}
uniform sampler2D uColor;
uniform sampler2D uShape;
uniform float uMerged;
varying vec3 vAt;
varying vec2 vUv;
varying vec3 vLeft;
varying vec3 vAdded;

void main() {
  vec4 color = texture2D(uColor, vUv);
  vec4 shape = texture2D(uShape, vUv);
  vec3 albedo = color.rgb * color.rgb;
  vec2 slope = (shape.xy * 255.0 - 128.0) / 127.0;
  vec3 n = vec3(slope.x, sqrt(max(1.0 - dot(slope, slope), 0.02)), slope.y);
  float dist = distance(vAt, cameraPosition);
  float depth = depthOf(shape.w);

  // Grain that gives the eye something to hold on to where samples are large on the screen.
  vec4 coarse = texture2D(uNoise, vAt.xz / 128.0);
  vec4 middle = texture2D(uNoise, vAt.xz / 16.0);
  float far = 1.0 / (1.0 + dist * 0.006);
  float grain = (coarse.x - 0.5) * 0.30 + (middle.y - 0.5) * 0.34 * far;
  if (dist < 60.0) {
    vec4 fine = texture2D(uNoise, vAt.xz / 2.0);
    float close = 1.0 - dist / 60.0;
    grain += (fine.z - 0.5) * 0.45 * close;
    n = normalize(n + vec3(fine.x - 0.5, 0.0, fine.y - 0.5) * 0.35 * close);
  }
  albedo *= 1.0 + grain;
  // Dry patches are warmer.
  albedo *= mix(vec3(1.0), vec3(1.10, 1.01, 0.82), smoothstep(0.45, 0.8, coarse.z) * 0.55);
  albedo *= 1.0 - 0.45 * smoothstep(-0.9, -0.05, depth) * step(0.004, shape.w);

  vec3 light = litBy(albedo, n, color.a, shape.z * 1.12);
  if (uMerged > 0.5 && depth > 0.0) {
    vec4 water = waterOver(vAt, depth, color.a);
    light = light * (1.0 - water.a) + water.rgb;
  }
  gl_FragColor = vec4(film(light * vLeft + vAdded), 1.0);
}
`;

/** The surface of water near by: what lies under it is drawn before. */
export const waterFragment = /* glsl */ `
${airGlsl}
${waterGlsl}
uniform sampler2D uColor;
uniform sampler2D uShape;
varying vec3 vAt;
varying vec2 vUv;
varying vec3 vLeft;
varying vec3 vAdded;

void main() {
  float depth = depthOf(texture2D(uShape, vUv).w);
  if (depth <= 0.0) discard;
  vec4 water = waterOver(vAt, depth, texture2D(uColor, vUv).a);
  vec3 opaque = water.rgb / max(water.a, 0.02);
  gl_FragColor = vec4(film(opaque * vLeft + vAdded), water.a);
}
`;
