import { Box3, Group, Mesh, Sphere, type Frustum, type Object3D, type Vector3 } from 'three';
import type { AirUniforms } from './air.js';
import type { Buildings } from './buildings.js';
import { distantForest, type ForestLore } from './distant_forest.js';
import { plantsOf, type Plants } from './plants.js';
import type { Surface } from './surface.js';
import {
  disposeTileMeshes,
  drawLand,
  makeTileMeshes,
  type PatchGrids,
  type TileMeshes,
} from './tile_meshes.js';
import type { SceneTile } from './tiles.js';

const nearPlants = 80; // blocks within which plants have all their leaves
const forestLevels = 2; // coarsest level on which forests are more than a colour
const slack = 1.25; // by how much things must change before a mesh does

/** All that is drawn of one tile. */
export class TileContents {
  readonly #group = new Group();
  readonly #box = new Box3();
  #meshes: TileMeshes | undefined;
  #grids: PatchGrids = [];
  #plants: Mesh | undefined;
  #plantsNear: boolean | undefined;
  readonly #forest = new Map<number, Mesh | undefined>();
  readonly #building: Mesh | undefined;

  constructor(
    private readonly one: SceneTile,
    parent: Object3D,
    private readonly plants: Plants,
    private readonly lore: ForestLore,
    buildings: Buildings,
  ) {
    this.#building = buildings.draw(one.chunk);
    if (this.#building) this.#group.add(this.#building);
    this.#group.matrixAutoUpdate = false;
    parent.add(this.#group);
  }

  /** Takes its surface, or a better one. */
  setSurface(surface: Surface, merged: boolean, grids: PatchGrids, air: AirUniforms): void {
    const before = this.#meshes;
    const { tile, chunk } = this.one;
    this.#grids = grids;
    this.#meshes = makeTileMeshes(surface, tile.lod, chunk.size, merged, grids, air);
    this.#group.add(this.#meshes.group);
    if (before) disposeTileMeshes(before);
  }

  /** Puts it where it belongs, as seen from the scene's origin. */
  place(origin: { x: number; y: number }): void {
    const { tile, chunk } = this.one;
    const width = chunk.size * 2 ** tile.lod;
    this.#group.position.set(tile.x * width - origin.x, 0, tile.y * width - origin.y);
    this.#group.updateMatrix();
    if (this.#meshes) this.#box.copy(this.#meshes.box).translate(this.#group.position);
  }

  /** Chooses how much of it is drawn. @param tolerance blocks of error allowed a block away */
  update(eye: Vector3, frustum: Frustum, tolerance: number): void {
    const { surface, quarters } = this.one;
    const meshes = this.#meshes;
    this.#group.visible = !!meshes && quarters !== 0 && frustum.intersectsBox(this.#box);
    if (!meshes || !surface || !this.#group.visible) return;
    const away = this.#box.distanceToPoint(eye);
    drawLand(meshes, surface, this.#grids, this.#step(surface, away * tolerance), quarters);
    if (this.one.tile.lod === 0) this.#updatePlants(away);
    else if (this.one.tile.lod <= forestLevels) this.#updateForest(quarters);
  }

  #step(surface: Surface, allowed: number): number {
    const now = this.#meshes?.step ?? 0;
    const fits = (error: number, step: number): boolean =>
      error <= allowed * (now >= step ? slack : 1 / slack);
    // Triangles of less than two errors' width show nothing, however rough the land.
    const finest = (2 * allowed) / 2 ** this.one.tile.lod;
    if (finest >= 8 || fits(surface.errors[2], 8)) return 8;
    if (finest >= 4 || fits(surface.errors[1], 4)) return 4;
    return finest >= 2 || fits(surface.errors[0], 2) ? 2 : 1;
  }

  #updatePlants(away: number): void {
    const near = away < nearPlants * (this.#plantsNear ? slack : 1);
    if (near === this.#plantsNear) return;
    this.#plantsNear = near;
    this.#dropPlants();
    this.#plants = this.plants.draw(plantsOf(this.one.chunk), near ? 'near' : 'far');
    if (!this.#plants) return;
    this.#plants.geometry.boundingSphere = this.#sphere();
    this.#group.add(this.#plants);
  }

  /** What three sorts by: nearest first. */
  #sphere(): Sphere {
    return this.#meshes?.box.getBoundingSphere(new Sphere()) ?? new Sphere();
  }

  /** Trees that may stand there, in the quarters that are drawn. */
  #updateForest(quarters: number): void {
    for (let quarter = 0; quarter < 4; ++quarter) {
      const shown = (quarters & (1 << quarter)) !== 0;
      if (shown && !this.#forest.has(quarter)) {
        const trees = distantForest(this.one.chunk, quarter, this.lore);
        const mesh = this.plants.draw(trees, 'distant');
        this.#forest.set(quarter, mesh);
        if (mesh) {
          mesh.geometry.boundingSphere = this.#sphere();
          this.#group.add(mesh);
        }
      }
      const mesh = this.#forest.get(quarter);
      if (mesh) mesh.visible = shown;
    }
  }

  #dropPlants(): void {
    this.#plants?.geometry.dispose();
    this.#plants?.removeFromParent();
  }

  /** Frees it. */
  dispose(): void {
    if (this.#meshes) disposeTileMeshes(this.#meshes);
    this.#dropPlants();
    for (const mesh of this.#forest.values()) mesh?.geometry.dispose();
    this.#building?.geometry.dispose();
    this.#group.removeFromParent();
  }
}
