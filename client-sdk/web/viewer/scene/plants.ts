import {
  BufferAttribute,
  BufferGeometry,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  type Object3D,
} from 'three';
import type { World } from '../../src/index.js';
import type { AirUniforms } from './air.js';
import { inGround, lightOf, type Kind, type Plant } from './plant.js';
import { drawPlant, shapeOf, swayOf, type Detail, type PlantShape } from './plant_shapes.js';
import { PlantInstances, disposeInstances } from './plant_instances.js';
import { plantFragment, plantVertex } from './shaders/objects.js';
import { Specks } from './specks.js';

/** The colour 0xRRGGBB as square roots of linear values, made a little calmer. */
export function hueOf(color: number, calm = 0.3): [number, number, number] {
  const part = (shift: number): number => (0.77 * ((color >> shift) & 255)) / 255;
  const [r, g, b] = [part(16), part(8), part(0)];
  const grey = 0.3 * r + 0.6 * g + 0.1 * b;
  return [r + (grey - r) * calm, g + (grey - g) * calm, b + (grey - b) * calm];
}

/** A shape as plain arrays, to be copied for each plant. */
interface Template {
  position: Float32Array;
  normal: Float32Array;
  tint: Float32Array;
  index: ArrayLike<number>;
}

/**
 * Draws what placements say. One for the scene. Graphics cards get instances. For renderers that
 * run on the processor the plants of a tile are one mesh: each instance costs those like a draw of
 * its own, half as much again as its triangles.
 */
export class Plants {
  readonly kinds: Kind[];
  readonly #shapes = new Map<string, BufferGeometry>();
  readonly #material: ShaderMaterial;
  readonly #specks: Specks;
  readonly #instances: PlantInstances | undefined;

  /** @param isSoftware whether the processor draws: pixels have one sample, instances are dear */
  constructor(world: World, air: AirUniforms, isSoftware: boolean) {
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
    this.#specks = new Specks(this.kinds, air, !isSoftware);
    const shapeMesh = this.#shapeMesh.bind(this);
    this.#instances = isSoftware ? undefined : new PlantInstances(this.kinds, shapeMesh, air);
  }

  /** All plants at once, relative to their tile; undefined: there are none. */
  draw(plants: Plant[], detail: Detail): Object3D | undefined {
    const known = plants.filter((plant) => this.kinds[plant.kind]);
    if (known.length === 0) return undefined;
    if (detail === 'speck') return this.#specks.draw(known);
    if (this.#instances) return this.#instances.draw(known, detail === 'near');
    const templates = known.map((plant) => {
      return templateOf(this.#shapeMesh(this.kinds[plant.kind].shape, detail === 'near'));
    });
    const mesh = new Mesh(this.#merge(known, templates), this.#material);
    mesh.frustumCulled = false;
    return mesh;
  }

  #shapeMesh(shape: PlantShape, near: boolean): BufferGeometry {
    const key = `${shape}/${near}`;
    let mesh = this.#shapes.get(key);
    if (!mesh) this.#shapes.set(key, (mesh = drawPlant(shape, near)));
    return mesh;
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
    const light = lightOf(plant);
    const sway = swayOf(kind.shape) * Math.min(height, 20);
    for (let v = 0; v < template.position.length / 3; ++v) {
      const to = first + v;
      const { position, normal } = template;
      const x = position[3 * v];
      const y = position[3 * v + 1];
      const z = position[3 * v + 2];
      out.position[3 * to] = plant.x + 0.5 + radius * (cos * x - sin * z);
      out.position[3 * to + 1] = plant.z - inGround + height * y;
      out.position[3 * to + 2] = plant.y + 0.5 + radius * (sin * x + cos * z);
      const a = normal[3 * v] / radius;
      const b = normal[3 * v + 1] / height;
      const c = normal[3 * v + 2] / radius;
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
    this.#specks.dispose();
    this.#instances?.dispose();
    for (const shape of this.#shapes.values()) shape.dispose();
  }
}

function templateOf(shape: BufferGeometry): Template {
  const arrayOf = (name: string): Float32Array => shape.getAttribute(name).array as Float32Array;
  return {
    position: arrayOf('position'),
    normal: arrayOf('normal'),
    tint: arrayOf('tint'),
    index: shape.getIndex()?.array ?? [],
  };
}

/** Frees what `draw` made. */
export function disposePlants(plants: Object3D): void {
  plants.traverse((part) => {
    if (!(part instanceof Mesh)) return;
    if (part.geometry instanceof InstancedBufferGeometry) disposeInstances(part.geometry);
    else part.geometry.dispose();
  });
  plants.removeFromParent();
}
