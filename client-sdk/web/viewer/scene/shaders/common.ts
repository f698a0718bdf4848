/**
 * What all shaders share: the light of the hour, the sky, and the air between here and there.
 * In three's axes: x east, y up, z south, blocks from the floating origin.
 */
export const airGlsl = /* glsl */ `
uniform vec3 uSun;        // towards it
uniform vec3 uSunColor;
uniform vec3 uSkyLight;   // from above
uniform vec3 uGroundLight; // from below
uniform vec3 uZenith;
uniform vec3 uHorizon;
uniform vec3 uGlow;       // around the sun
uniform float uHaze;      // share of light lost on a block at the eye's height
uniform float uHazeHeight; // blocks in which the air thins to a third
uniform float uRange;     // blocks to where the land ends
uniform float uTime;      // seconds
uniform sampler2D uNoise;

vec3 skyColor(vec3 d) {
  float up = max(d.y, 0.0);
  vec3 color = mix(uZenith, uHorizon, exp(-5.5 * up));
  float t = max(dot(d, uSun), 0.0);
  float t2 = t * t, t4 = t2 * t2, t16 = t4 * t4 * t4 * t4;
  return color + uGlow * (0.22 * t4 * t * (1.0 - 0.6 * up) + 0.35 * t16 * t16 * t16);
}

// The share of light that comes through the air from p to the eye, and what the air adds to it.
void airBetween(vec3 p, out vec3 left, out vec3 added) {
  vec3 way = p - cameraPosition;
  float dist = length(way);
  vec3 d = way / max(dist, 1e-3);
  float rise = way.y / uHazeHeight;
  float mean = abs(rise) < 1e-3 ? 1.0 : (1.0 - exp(-rise)) / rise;
  // Blue is lost, and added, sooner than red.
  left = exp(-uHaze * mean * dist * vec3(0.85, 1.0, 1.2));
  left *= 1.0 - smoothstep(0.62, 0.97, length(way.xz) / uRange);
  added = (1.0 - left) * skyColor(normalize(vec3(d.x, max(d.y, 0.0) + 0.015, d.z)));
}

vec3 throughAir(vec3 light, vec3 p) {
  vec3 left, added;
  airBetween(p, left, added);
  return light * left + added;
}

// Light to what a screen shows.
vec3 film(vec3 c) {
  c = (c * (2.2 * c + 0.03)) / (c * (2.13 * c + 0.55) + 0.14);
  return sqrt(clamp(c, 0.0, 1.0));
}

vec3 litBy(vec3 albedo, vec3 n, float sunlight, float open) {
  float facing = max(dot(n, uSun), 0.0);
  vec3 sky = mix(uGroundLight, uSkyLight, 0.5 + 0.5 * n.y);
  return albedo * (uSunColor * (facing * sunlight) + sky * open);
}
`;

/** Water's own light, to lay over what is under it: premultiplied colour and alpha. */
export const waterGlsl = /* glsl */ `
vec3 ripples(vec2 at, float dist) {
  vec2 a = texture2D(uNoise, at / 32.0 + uTime * vec2(0.011, 0.017)).xy - 0.5;
  vec2 c = texture2D(uNoise, at / 128.0 - uTime * vec2(0.004, 0.003)).xy - 0.5;
  float calm = 1.0 / (1.0 + dist * 0.004);
  vec2 slope = 0.30 * a + 0.22 * c;
#ifndef FAR
  vec2 b = texture2D(uNoise, at / 8.0 + uTime * vec2(-0.031, 0.023)).xy - 0.5;
  slope += 0.22 * b * calm;
#endif
  slope *= mix(0.35, 1.0, calm);
  return normalize(vec3(slope.x, 1.0, slope.y));
}

vec4 waterOver(vec3 p, float depth, float sunlight) {
  vec3 way = cameraPosition - p;
  float dist = length(way);
  vec3 view = way / dist;
  vec3 n = ripples(p.xz, dist);
  float facing = clamp(dot(n, view), 0.0, 1.0);
  float flat1 = 1.0 - facing, flat2 = flat1 * flat1;
  float mirror = 0.02 + 0.78 * flat2 * flat2 * flat1;
  vec3 clear = exp(-max(depth, 0.0) * vec3(0.42, 0.17, 0.13));
  float through = dot(clear, vec3(0.25, 0.4, 0.35));
  vec3 deep = mix(vec3(0.030, 0.150, 0.160), vec3(0.006, 0.045, 0.090), 1.0 - exp(-depth / 18.0));
  vec3 body = deep * (uSunColor * max(uSun.y, 0.0) * mix(0.35, 1.0, sunlight) + 1.3 * uSkyLight);
  vec3 r = reflect(-view, n);
  r.y = abs(r.y);
  vec3 shine = skyColor(r);
  float glint = max(dot(r, uSun), 0.0);
  for (int k = 0; k < 8; ++k) glint *= glint; // to the power of 256
  float edge = smoothstep(0.0, 0.25, depth);
  vec3 color = body * (1.0 - through) * (1.0 - mirror) + shine * mirror;
  glint *= sunlight * 0.8;
  color += uSunColor * glint;
  float alpha = mix(1.0 - through * (1.0 - mirror), 1.0, min(2.0 * glint, 1.0));
  if (depth < 0.7) {
    float foam = 0.35 * (1.0 - smoothstep(0.05, 0.7, depth)) *
        smoothstep(0.35, 0.75, texture2D(uNoise, p.xz / 8.0 + uTime * 0.02).z + 0.25 * edge);
    vec3 white = 0.55 * (uSunColor * max(uSun.y, 0.0) + uSkyLight);
    color = mix(color, white, foam);
    alpha = mix(alpha, 1.0, foam);
  }
  return vec4(color, alpha) * edge;
}

float depthOf(float byte) {
  float s = (byte * 255.0 - 128.0) / 127.0;
  return 8.0 * s / max(1.0 - abs(s), 0.01);
}
`;
