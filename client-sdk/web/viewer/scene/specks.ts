import {
  BufferAttribute,
  BufferGeometry,
  CustomBlending,
  Mesh,
  NoBlending,
  OneFactor,
  ShaderMaterial,
  ZeroFactor,
} from 'three';
import type { AirUniforms } from './air.js';
import type { PlantShape } from './plant_shapes.js';
import { inGround, lightOf, type Kind, type Plant } from './plant.js';
import { speckFragment, speckVertex } from './shaders/objects.js';

/** The part of a plant that shows from far away: shares of its height, and of its radius. */
interface Crown {
  low: number;
  wide: number;
  cone: boolean;
}

/** What has no trunk begins at 0. */
function crownOf(shape: PlantShape): Crown {
  switch (shape) {
    case 'conifer':
      return { low: 0.08, wide: 1, cone: true };
    case 'umbrella':
    case 'palm':
      return { low: 0.62, wide: 1, cone: false };
    case 'dead':
    case 'cactus':
      return { low: 0, wide: 0.3, cone: true };
    case 'broadleaf':
    case 'slender':
      return { low: 0.24, wide: 1, cone: false };
    default:
      return { low: 0, wide: 0.8, cone: false };
  }
}

const deadWood = [0.53, 0.47, 0.39];

/** Draws plants as rectangles that face the eye, for where they are small. One for the scene. */
export class Specks {
  readonly #material: ShaderMaterial;

  /** @param smooth whether pixels have several samples, for soft edges */
  constructor(
    private readonly kinds: readonly Kind[],
    air: AirUniforms,
    smooth: boolean,
  ) {
    this.#material = new ShaderMaterial({
      vertexShader: speckVertex,
      fragmentShader: speckFragment,
      uniforms: air,
      alphaToCoverage: smooth,
      // Alpha is for the edges alone: the picture itself stays opaque.
      blending: smooth ? CustomBlending : NoBlending,
      blendSrc: OneFactor,
      blendDst: ZeroFactor,
      blendSrcAlpha: ZeroFactor,
      blendDstAlpha: OneFactor,
    });
  }

  /** Rectangles for plants of known kinds, relative to their tile. */
  draw(plants: readonly Plant[]): Mesh {
    const count = plants.length;
    const position = new Float32Array(12 * count);
    const size = new Float32Array(16 * count);
    const tint = new Uint8Array(16 * count);
    const corner = new Int8Array(8 * count);
    const index = new Uint16Array(6 * count); // a tile has less than a quarter of 65536
    plants.forEach((plant, k) => {
      const { shape, hue, radius, height } = this.kinds[plant.kind];
      const { low, wide, cone } = crownOf(shape);
      const high = height * plant.scale;
      const light = 255 * lightOf(plant);
      const color = (shape === 'dead' ? deadWood : hue).map((part) => Math.min(part * light, 255));
      for (let at = 4 * k; at < 4 * k + 4; ++at) {
        position.set([plant.x + 0.5, plant.z - inGround + high / 2, plant.y + 0.5], 3 * at);
        size.set([radius * plant.scale * wide, high, low, cone ? 1 : 0], 4 * at);
        tint.set(color, 4 * at);
      }
      corner.set([-1, -1, 1, -1, -1, 1, 1, 1], 8 * k);
      index.set([0, 1, 2, 2, 1, 3].map((at) => 4 * k + at), 6 * k);
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(position, 3));
    geometry.setAttribute('size', new BufferAttribute(size, 4));
    geometry.setAttribute('tint', new BufferAttribute(tint, 4, true));
    geometry.setAttribute('corner', new BufferAttribute(corner, 2));
    geometry.setIndex(new BufferAttribute(index, 1));
    const mesh = new Mesh(geometry, this.#material);
    mesh.frustumCulled = false;
    return mesh;
  }

  dispose(): void {
    this.#material.dispose();
  }
}
