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

/** With FAR, without what is smaller than a pixel where coarse tiles are drawn. */
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
  float steep = 1.0 - n.y;
  float grain = (coarse.x - 0.5) * 0.26;
  vec2 bumps = (coarse.yw - 0.5) * (0.14 + 0.7 * steep);
#ifndef FAR
  float far = 1.0 / (1.0 + dist * 0.006);
  vec4 middle = texture2D(uNoise, vAt.xz / 16.0);
  grain += (middle.y - 0.5) * 0.26 * far;
  bumps += (middle.xz - 0.5) * (0.2 + 0.6 * steep) * far;
  if (dist < 160.0) {
    vec4 fine = texture2D(uNoise, vAt.xz / 2.0);
    float close = 1.0 - dist / 160.0;
    grain += (fine.z - 0.5) * 0.5 * close * close;
    bumps += (fine.xy - 0.5) * 0.4 * close * close;
  }
#endif
  if (steep > 0.12) {
    // Layers of rock come to light on cliffs.
    float layer = texture2D(uNoise, vec2((vAt.x + vAt.z) / 256.0, vAt.y / 32.0)).x - 0.5;
    grain += layer * min(steep - 0.12, 0.3) * 2.2;
  }
  n = normalize(n + vec3(bumps.x, 0.0, bumps.y));
  albedo *= 1.0 + grain;
  // Dry patches are warmer.
  albedo *= mix(vec3(1.0), vec3(1.10, 1.0, 0.84), smoothstep(0.35, 0.8, coarse.z) * 0.55);
  albedo *= 1.0 - 0.45 * smoothstep(-0.4, -0.02, depth) * step(0.004, shape.w);

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
