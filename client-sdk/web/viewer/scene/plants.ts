import { BufferAttribute, BufferGeometry, Mesh, ShaderMaterial } from 'three';
import type { DecodedChunk, World } from '../../src/index.js';
import type { AirUniforms } from './air.js';
import { hash } from './ground_paint.js';
import { drawPlant, shapeOf, swayOf, type Detail, type PlantShape } from './plant_shapes.js';
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
export function hueOf(color: number, calm = 0.3): [number, number, number] {
  const part = (shift: number): number => (0.77 * ((color >> shift) & 255)) / 255;
  const [r, g, b] = [part(16), part(8), part(0)];
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

/** A shape as plain arrays, to be copied for each plant. */
interface Template {
  position: Float32Array;
  normal: Float32Array;
  tint: Float32Array;
  index: ArrayLike<number>;
}

/**
 * Draws what placements say. One for the scene. All plants of a tile are one mesh: renderers that
 * run on the processor take each instance of an instanced one for a draw of its own.
 */
export class Plants {
  readonly kinds: Kind[];
  readonly #templates = new Map<string, Template>();
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

  /** A mesh of all plants, relative to their tile; undefined: there are none. */
  draw(plants: Plant[], detail: Detail): Mesh | undefined {
    const known = plants.filter((plant) => this.kinds[plant.kind]);
    if (known.length === 0) return undefined;
    const templates = known.map((plant) => this.#template(this.kinds[plant.kind].shape, detail));
    const mesh = new Mesh(this.#merge(known, templates), this.#material);
    mesh.frustumCulled = false;
    return mesh;
  }

  #template(shape: PlantShape, detail: Detail): Template {
    const key = `${shape}/${detail}`;
    let template = this.#templates.get(key);
    if (!template) {
      const geometry = drawPlant(shape, detail);
      template = {
        position: geometry.getAttribute('position').array as Float32Array,
        normal: geometry.getAttribute('normal').array as Float32Array,
        tint: geometry.getAttribute('tint').array as Float32Array,
        index: geometry.getIndex()?.array ?? [],
      };
      this.#templates.set(key, template);
    }
    return template;
  }

  #merge(plants: Plant[], templates: Template[]): BufferGeometry {
    const vertices = templates.reduce((sum, one) => sum + one.position.length / 3, 0);
    const corners = templates.reduce((sum, one) => sum + one.index.length, 0);
    const position = new Float32Array(3 * vertices);
    const normal = new Int8Array(4 * vertices);
    const color = new Uint8Array(4 * vertices);
    const index = vertices > 65535 ? new Uint32Array(corners) : new Uint16Array(corners);
    let vertex = 0;
    let corner = 0;
    plants.forEach((plant, k) => {
      const template = templates[k];
      for (let c = 0; c < template.index.length; ++c) index[corner++] = vertex + template.index[c];
      this.#place(plant, template, vertex, { position, normal, color });
      vertex += template.position.length / 3;
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(position, 3));
    geometry.setAttribute('bearing', new BufferAttribute(normal, 4, true));
    geometry.setAttribute('tint', new BufferAttribute(color, 4, true));
    geometry.setIndex(new BufferAttribute(index, 1));
    return geometry;
  }

  /** Copies one plant's vertices: turned, scaled, coloured, on its spot. */
  #place(
    plant: Plant,
    template: Template,
    first: number,
    out: { position: Float32Array; normal: Int8Array; color: Uint8Array },
  ): void {
    const kind = this.kinds[plant.kind];
    const [radius, height] = [kind.radius * plant.scale, kind.height * plant.scale];
    const [cos, sin] = [Math.cos(plant.turn), Math.sin(plant.turn)];
    const light = 0.84 + 0.32 * hash(plant.x * 31 + 7, plant.y * 17 + plant.kind);
    const sway = swayOf(kind.shape) * Math.min(height, 20);
    for (let v = 0; v < template.position.length / 3; ++v) {
      const to = first + v;
      const [x, y, z] = template.position.subarray(3 * v, 3 * v + 3);
      out.position[3 * to] = plant.x + 0.5 + radius * (cos * x - sin * z);
      out.position[3 * to + 1] = plant.z - 0.15 + height * y;
      out.position[3 * to + 2] = plant.y + 0.5 + radius * (sin * x + cos * z);
      const [p, q, r] = template.normal.subarray(3 * v, 3 * v + 3);
      const [a, b, c] = [p / radius, q / height, r / radius];
      const unit = 127 / (Math.hypot(a, b, c) || 1);
      out.normal[4 * to] = unit * (cos * a - sin * c);
      out.normal[4 * to + 1] = unit * b;
      out.normal[4 * to + 2] = unit * (sin * a + cos * c);
      out.normal[4 * to + 3] = 6 * sway * Math.max(y, 0) ** 2;
      const own = template.tint[4 * v + 3] > 0.5;
      for (let part = 0; part < 3; ++part) {
        const tint = template.tint[4 * v + part] * (own ? kind.hue[part] * light : 1);
        out.color[4 * to + part] = Math.min(tint * 255, 255);
      }
      out.color[4 * to + 3] = 255 * Math.min(own ? 0.42 + 0.58 * y : 0.7, 1);
    }
  }

  dispose(): void {
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
