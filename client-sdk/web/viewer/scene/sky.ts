import { BackSide, BoxGeometry, Mesh, ShaderMaterial, Vector2 } from 'three';
import type { AirUniforms } from './air.js';
import { skyFragment, skyVertex } from './shaders/sky.js';

const cloudMeasure = 3000; // blocks to one unit of the clouds
const cloudPeriod = 20; // units after which all of their layers repeat

/** The sky, drawn behind everything. */
export function makeSky(air: AirUniforms): Mesh<BoxGeometry, ShaderMaterial> {
  const sky = new Mesh(
    new BoxGeometry(2, 2, 2),
    new ShaderMaterial({
      vertexShader: skyVertex,
      fragmentShader: skyFragment,
      uniforms: air,
      side: BackSide,
      depthWrite: false,
    }),
  );
  sky.frustumCulled = false;
  // After the land: then only what shows of it is painted.
  sky.renderOrder = 0.5;
  return sky;
}

/** Lets the clouds stay where they are while the eye moves. */
export function placeClouds(air: AirUniforms, eye: { x: number; y: number }): void {
  const at = (blocks: number): number => (blocks / cloudMeasure) % cloudPeriod;
  (air.uCloudAt.value as Vector2).set(at(eye.x), at(eye.y));
}
