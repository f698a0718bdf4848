import {
  Box3,
  Group,
  Mesh,
  Sphere,
  type Frustum,
  type Object3D,
  type Vector3,
} from 'three';
import type { AirUniforms } from './air.js';
import type { Buildings } from './buildings.js';
import { distantForest, type ForestLore } from './distant_forest.js';
import { allQuarters, type Quarters } from './patch_grid.js';
import { detailAt } from './plant_detail.js';
import type { Detail } from './plant_shapes.js';
import { plantsOf, type Plant } from './plant.js';
import { disposePlants, type Plants } from './plants.js';
import type { Surface } from './surface.js';
import {
  disposeTileMeshes,
  drawLand,
  makeTileMeshes,
  type PatchGrids,
  type TileMeshes,
} from './tile_meshes.js';
import type { SceneTile } from './tiles.js';

const forestLevels = 2; // coarsest level on which forests are more than a colour
const slack = 1.25; // by how much things must change before a mesh does

/** Plants as they are drawn; `plants` is undefined where none stand. */
interface Drawn {
  detail: Detail;
  quarters: Quarters;
  plants?: Object3D;
}

/** All that is drawn of one tile. */
export class TileContents {
  readonly #group = new Group();
  readonly #box = new Box3();
  #meshes: TileMeshes | undefined;
  #grids: PatchGrids = [];
  #plants: Drawn | undefined;
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
    this.#group.updateMatrixWorld(true);
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
    if (this.one.tile.lod <= forestLevels) this.#updatePlants(quarters, away, tolerance);
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

  #updatePlants(shown: Quarters, away: number, tolerance: number): void {
    const { lod } = this.one.tile;
    const before = this.#plants;
    const detail = lod > 0 ? 'speck' : detailAt(away, tolerance, before?.detail);
    const quarters = lod > 0 ? shown : allQuarters;
    if (detail === before?.detail && quarters === before.quarters) return;
    this.#dropPlants();
    const plants = this.plants.draw(this.#standing(quarters), detail);
    this.#plants = { detail, quarters, plants };
    if (!plants) return;
    const sphere = this.#sphere();
    for (const part of [plants, ...plants.children] as Mesh[]) {
      if (part.geometry) part.geometry.boundingSphere = sphere;
    }
    this.#group.add(plants);
    plants.updateMatrixWorld();
  }

  /** What grows there; on coarser levels trees that may, in the quarters that are drawn. */
  #standing(quarters: Quarters): Plant[] {
    const { chunk, tile } = this.one;
    if (tile.lod === 0) return plantsOf(chunk);
    return [0, 1, 2, 3]
      .filter((quarter) => quarters & (1 << quarter))
      .flatMap((quarter) => distantForest(chunk, quarter, this.lore));
  }

  /** What the stage sorts by: nearest first. */
  #sphere(): Sphere {
    return this.#meshes?.box.getBoundingSphere(new Sphere()) ?? new Sphere();
  }

  #dropPlants(): void {
    if (this.#plants?.plants) disposePlants(this.#plants.plants);
  }

  /** Frees it. */
  dispose(): void {
    if (this.#meshes) disposeTileMeshes(this.#meshes);
    this.#dropPlants();
    this.#building?.geometry.dispose();
    this.#group.removeFromParent();
  }
}
