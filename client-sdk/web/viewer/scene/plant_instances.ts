import {
  BufferAttribute,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  type BufferGeometry,
} from 'three';
import type { AirUniforms } from './air.js';
import { swayOf, type PlantShape } from './plant_shapes.js';
import { inGround, lightOf, type Kind, type Plant } from './plant.js';
import { plantFragment, plantVertex } from './shaders/objects.js';

/** Draws plants as instances of their shapes, as graphics cards like it. One for the scene. */
export class PlantInstances {
  readonly #material: ShaderMaterial;

  /** @param shapeMesh the mesh of a shape, of radius and height 1: the same one each time */
  constructor(
    private readonly kinds: readonly Kind[],
    private readonly shapeMesh: (shape: PlantShape, near: boolean) => BufferGeometry,
    air: AirUniforms,
  ) {
    this.#material = new ShaderMaterial({
      vertexShader: plantVertex,
      fragmentShader: plantFragment,
      uniforms: air,
      defines: { INSTANCED: '' },
    });
  }

  /** Plants of known kinds, relative to their tile: a mesh for each shape. */
  draw(plants: readonly Plant[], near: boolean): Group {
    const byShape = new Map<PlantShape, Plant[]>();
    for (const plant of plants) {
      const { shape } = this.kinds[plant.kind];
      const others = byShape.get(shape);
      if (others) others.push(plant);
      else byShape.set(shape, [plant]);
    }
    const group = new Group();
    for (const [shape, list] of byShape) {
      const geometry = this.#instances(list, this.shapeMesh(shape, near));
      const mesh = new Mesh(geometry, this.#material);
      mesh.frustumCulled = false;
      group.add(mesh);
    }
    return group;
  }

  #instances(plants: readonly Plant[], shape: BufferGeometry): InstancedBufferGeometry {
    const place = new Float32Array(4 * plants.length);
    const size = new Float32Array(3 * plants.length);
    const hue = new Uint8Array(4 * plants.length);
    plants.forEach((plant, k) => {
      const kind = this.kinds[plant.kind];
      place.set([plant.x + 0.5, plant.z - inGround, plant.y + 0.5, plant.turn], 4 * k);
      const high = kind.height * plant.scale;
      size.set([kind.radius * plant.scale, high, swayOf(kind.shape) * Math.min(high, 20)], 3 * k);
      const light = 255 * lightOf(plant);
      hue.set(kind.hue.map((part) => Math.min(part * light, 255)), 4 * k);
    });
    const geometry = new InstancedBufferGeometry();
    geometry.instanceCount = plants.length;
    geometry.setIndex(shape.getIndex());
    for (const name of sharedNames) {
      geometry.setAttribute(name, shape.getAttribute(name) as BufferAttribute);
    }
    geometry.setAttribute('place', new InstancedBufferAttribute(place, 4));
    geometry.setAttribute('size', new InstancedBufferAttribute(size, 3));
    geometry.setAttribute('hue', new InstancedBufferAttribute(hue, 4, true));
    return geometry;
  }

  dispose(): void {
    this.#material.dispose();
  }
}

const sharedNames = ['position', 'normal', 'tint'];

/** Frees what a geometry alone has: shapes are shared, and must stay. */
export function disposeInstances(geometry: BufferGeometry): void {
  for (const name of sharedNames) geometry.deleteAttribute(name);
  geometry.setIndex(null);
  geometry.dispose();
}
