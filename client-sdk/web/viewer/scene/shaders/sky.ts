import { airGlsl } from './common.js';

export const skyVertex = /* glsl */ `
varying vec3 vWay;

void main() {
  vWay = position;
  vec4 at = projectionMatrix * mat4(mat3(viewMatrix)) * vec4(position, 1.0);
  gl_Position = at.xyww;
}
`;

/** A clear sky with the sun and a thin layer of clouds, which the wind carries on. */
export const skyFragment = /* glsl */ `
${airGlsl}
uniform float uClouds; // share of the sky
uniform vec2 uCloudAt; // where the eye is under them, in their own measure
varying vec3 vWay;

void main() {
  vec3 d = normalize(vWay);
  vec3 color = skyColor(normalize(vec3(d.x, max(d.y, 0.0) + 0.015, d.z)));
  float toSun = dot(d, uSun);
  color += uSunColor * (smoothstep(0.99955, 0.9998, toSun) * 9.0);
  if (d.y > 0.01) {
    vec2 at = uCloudAt + d.xz / (d.y + 0.12) * 0.23;
    vec2 wind = uTime * vec2(0.0011, 0.0004);
    float puff = texture2D(uNoise, at * 0.55 + wind).x * 0.55 +
        texture2D(uNoise, at * 1.9 + wind * 1.7).y * 0.28 +
        texture2D(uNoise, at * 6.1 + wind * 2.6).z * 0.17;
    float thick = smoothstep(0.62 - 0.4 * uClouds, 0.86 - 0.3 * uClouds, puff);
    float shade = smoothstep(0.3, 1.0, thick);
    vec3 cloud = mix(uSunColor * 0.42 + uSkyLight * 0.9, uSkyLight * 1.1 + uSunColor * 0.12, shade);
    float t = max(toSun, 0.0), t2 = t * t, t4 = t2 * t2;
    cloud += uGlow * (t4 * t4 * t * 0.4);
    color = mix(color, cloud, thick * 0.85 * smoothstep(0.01, 0.22, d.y));
  }
  gl_FragColor = vec4(film(color), 1.0);
}
`;
