import {
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  type BufferGeometry,
} from 'three';
import type { DecodedChunk, World } from '../../src/index.js';
import type { AirUniforms } from './air.js';
import { hash } from './ground_paint.js';
import { drawPlant, shapeOf, swayOf, type PlantShape } from './plant_shapes.js';
import { plantFragment, plantVertex } from './shaders/objects.js';

interface Kind {
  shape: PlantShape;
  /** Square roots of linear values. */
  hue: [number, number, number];
  /** Blocks, at scale 100. */
  radius: number;
  height: number;
}

/** The colour 0xRRGGBB as square roots of linear values, made a little calmer. */
export function hueOf(color: number, calm = 0.12): [number, number, number] {
  const part = (shift: number): number => ((color >> shift) & 255) / 255;
  const [r, g, b] = [part(16) ** 1.1, part(8) ** 1.1, part(0) ** 1.1];
  const grey = 0.3 * r + 0.6 * g + 0.1 * b;
  return [r + (grey - r) * calm, g + (grey - g) * calm, b + (grey - b) * calm];
}

/** Something that stands at a block of a tile; blocks, turns in radians. */
export interface Plant {
  x: number;
  y: number;
  z: number;
  kind: number;
  turn: number;
  /** 1 is the kind's own height and radius. */
  scale: number;
}

/** Draws what placements say. One for the scene. */
export class Plants {
  readonly kinds: Kind[];
  readonly #near = new Map<PlantShape, BufferGeometry>();
  readonly #far = new Map<PlantShape, BufferGeometry>();
  readonly #material: ShaderMaterial;

  constructor(world: World, air: AirUniforms) {
    this.kinds = world.placementKinds.map(({ name, color, radius, height }) => ({
      shape: shapeOf(name, radius, height),
      hue: hueOf(color),
      radius: Math.max(radius / 16, 0.2),
      height: Math.max(height / 16, 0.2),
    }));
    this.#material = new ShaderMaterial({
      vertexShader: plantVertex,
      fragmentShader: plantFragment,
      uniforms: air,
    });
  }

  /** A group with all plants, relative to their tile; undefined: there are none. */
  draw(plants: Plant[], near: boolean): Group | undefined {
    const byShape = new Map<PlantShape, Plant[]>();
    for (const plant of plants) {
      const shape = this.kinds[plant.kind]?.shape;
      if (!shape) continue;
      const list = byShape.get(shape);
      if (list) list.push(plant);
      else byShape.set(shape, [plant]);
    }
    if (byShape.size === 0) return undefined;
    const group = new Group();
    for (const [shape, list] of byShape) group.add(this.#instances(shape, list, near));
    return group;
  }

  #shape(shape: PlantShape, near: boolean): BufferGeometry {
    const shapes = near ? this.#near : this.#far;
    let geometry = shapes.get(shape);
    if (!geometry) shapes.set(shape, (geometry = drawPlant(shape, near)));
    return geometry;
  }

  #instances(shape: PlantShape, plants: Plant[], near: boolean): Mesh {
    const geometry = new InstancedBufferGeometry();
    const base = this.#shape(shape, near);
    geometry.setIndex(base.getIndex());
    for (const name of ['position', 'normal', 'tint']) {
      geometry.setAttribute(name, base.getAttribute(name));
    }
    const spot = new Float32Array(3 * plants.length);
    const facing = new Float32Array(2 * plants.length);
    const sort = new Float32Array(4 * plants.length);
    const hue = new Float32Array(3 * plants.length);
    plants.forEach((plant, k) => {
      const kind = this.kinds[plant.kind];
      spot.set([plant.x + 0.5, plant.z - 0.15, plant.y + 0.5], 3 * k);
      facing.set([Math.cos(plant.turn), Math.sin(plant.turn)], 2 * k);
      const { radius, height } = kind;
      const number = hash(plant.x * 31 + 7, plant.y * 17 + plant.kind);
      sort.set([radius * plant.scale, height * plant.scale, near ? swayOf(shape) : 0, number], 4 * k);
      hue.set(kind.hue, 3 * k);
    });
    geometry.setAttribute('spot', new InstancedBufferAttribute(spot, 3));
    geometry.setAttribute('facing', new InstancedBufferAttribute(facing, 2));
    geometry.setAttribute('sort', new InstancedBufferAttribute(sort, 4));
    geometry.setAttribute('hue', new InstancedBufferAttribute(hue, 3));
    geometry.instanceCount = plants.length;
    const mesh = new Mesh(geometry, this.#material);
    mesh.frustumCulled = false;
    return mesh;
  }

  /** Frees what `draw` has made; the shapes stay. */
  release(group: Group): void {
    for (const mesh of group.children) {
      const { geometry } = mesh as Mesh;
      for (const name of ['position', 'normal', 'tint']) geometry.deleteAttribute(name);
      geometry.setIndex(null);
      geometry.dispose();
    }
    group.removeFromParent();
  }

  dispose(): void {
    for (const geometry of [...this.#near.values(), ...this.#far.values()]) geometry.dispose();
    this.#material.dispose();
  }
}

/** What a chunk's placements say, on the ground of that chunk. */
export function plantsOf(chunk: DecodedChunk): Plant[] {
  const height = chunk.layers.height;
  return chunk.placements.map((placement) => ({
    x: placement.x,
    y: placement.y,
    z: height ? height[placement.y * chunk.size + placement.x] / 16 : 0,
    kind: placement.kind,
    turn: (placement.turn / 256) * 2 * Math.PI,
    scale: placement.scale / 100,
  }));
}
