import { Frustum, Group, Matrix4, Vector3, type Camera } from 'three';
import type { DecoderPool, ExploreEvent, Tile, World } from '../../src/index.js';
import type { AirUniforms } from './air.js';
import { Buildings } from './buildings.js';
import { castersAround } from './casters.js';
import { ForestLore } from './distant_forest.js';
import { SampleReader, farHeights, paddedGrid } from './grid.js';
import { PatchGrid } from './patch_grid.js';
import { placeAt, type Place } from './place.js';
import { Plants } from './plants.js';
import { SolidFinder } from './solids.js';
import type { Sun, Surface } from './surface.js';
import { SurfaceWorker } from './surface_worker.js';
import { TileContents } from './tile_contents.js';
import { TileSet, tileKey, type SceneTile } from './tiles.js';
import type { Solid } from './walk.js';
import { groundColors } from './world_colors.js';

const originStep = 4096; // blocks; the noise of all shaders repeats within
const mergedFrom = 2; // level from which land and water are one surface
const quiet = 500; // milliseconds without a chunk, and without a move
const atOnce = 2; // surfaces that the worker is asked for

/** The land that is drawn: chunks in, meshes out. */
export class Landscape {
  readonly group = new Group();
  /** The block that the scene's (0, 0) is. */
  readonly origin = { x: 0, y: 0 };
  readonly tiles: TileSet;
  readonly #contents = new Map<string, TileContents>();
  readonly #decoding = new Map<string, AbortController>();
  readonly #worker: SurfaceWorker;
  readonly #grids: PatchGrid[];
  readonly #plants: Plants;
  readonly #lore: ForestLore;
  readonly #buildings: Buildings;
  readonly #solids: SolidFinder;
  #shared = true;
  #closed = false;
  /** When the latest chunk came; 0: what it changes has been seen to. */
  #news = 0;
  #eye = { x: 0, y: 0 };
  /** When the eye was elsewhere. */
  #moved = 0;
  /** Pixels by which a mesh may miss the land. */
  tolerance = 1.5;

  /** @param isSoftware whether the processor draws, and not a graphics card */
  constructor(
    readonly world: World,
    private readonly decoder: DecoderPool,
    private readonly air: AirUniforms,
    private sun: Sun,
    isSoftware: boolean,
  ) {
    const size = world.chunkSize;
    this.tiles = new TileSet(world.maxLod + 1);
    this.#worker = new SurfaceWorker(groundColors(world));
    this.#grids = [1, 2, 4, 8].map((step) => new PatchGrid(size, step));
    this.#plants = new Plants(world, air, isSoftware);
    this.#lore = new ForestLore(this.#plants);
    this.#buildings = new Buildings(world, air);
    this.#solids = new SolidFinder(
      world,
      this.#plants.kinds,
      (x, y) => this.tiles.get(0, x, y)?.chunk,
    );
  }

  /** Whether nothing is on its way from bytes to the screen. */
  get settled(): boolean {
    const waits = this.#decoding.size > 0 || this.#worker.busy > 0 || this.#news > 0;
    if (waits || !this.#shared) return false;
    for (const one of this.tiles.tiles.values()) if (one.stale || one.busy) return false;
    return this.tiles.tiles.size > 0;
  }

  /** Takes what the source says of chunks; `failed` is called with bytes that are none. */
  take(event: ExploreEvent, failed: (error: unknown) => void): void {
    if (event.type === 'chunk') this.#decode(event.tile, event.bytes, failed);
    if (event.type === 'outOfRange') this.#drop(event.tile);
  }

  #decode(tile: Tile, bytes: Uint8Array, failed: (error: unknown) => void): void {
    const key = tileKey(tile.lod, tile.x, tile.y);
    this.#decoding.get(key)?.abort();
    const abort = new AbortController();
    this.#decoding.set(key, abort);
    const over = (): boolean => {
      if (this.#decoding.get(key) === abort) this.#decoding.delete(key);
      return abort.signal.aborted || this.#closed;
    };
    this.decoder.decode(bytes, abort.signal).then(
      (chunk) => {
        if (over()) return;
        this.tiles.add(tile, chunk);
        this.#news = performance.now();
        if (tile.lod === 0) this.#lore.learn(chunk);
      },
      (error: unknown) => {
        if (!over()) failed(error);
      },
    );
  }

  #drop(tile: Tile): void {
    const key = tileKey(tile.lod, tile.x, tile.y);
    this.#decoding.get(key)?.abort();
    this.#decoding.delete(key);
    if (!this.tiles.remove(tile)) return;
    this.#contents.get(key)?.dispose();
    this.#contents.delete(key);
    this.#shared = false;
  }

  /** Lets the sun stand elsewhere: all shadows are made anew. */
  setSun(sun: Sun): void {
    this.sun = sun;
    for (const one of this.tiles.tiles.values()) one.stale = true;
  }

  /** Makes meshes of what has come, and chooses what to draw for this eye (world's blocks). */
  update(eye: { x: number; y: number; z: number }, camera: Camera, pixelAngle: number): void {
    this.#rebase(eye);
    if (eye.x !== this.#eye.x || eye.y !== this.#eye.y) this.#moved = performance.now();
    this.#eye = eye;
    this.#reviseWhenQuiet();
    this.#build();
    if (!this.#shared) this.tiles.share();
    this.#shared = true;
    const frustum = new Frustum().setFromProjectionMatrix(
      new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    );
    const local = new Vector3(eye.x - this.origin.x, eye.z, eye.y - this.origin.y);
    for (const contents of this.#contents.values()) {
      contents.update(local, frustum, pixelAngle * this.tolerance);
    }
  }

  /** What was made without all of the land around it is made again, once chunks have come. */
  #reviseWhenQuiet(): void {
    if (!this.#news || performance.now() - Math.max(this.#news, this.#moved) < quiet) return;
    this.#news = 0;
    this.tiles.revise();
  }

  #rebase(eye: { x: number; y: number }): void {
    const far = (a: number, b: number): boolean => Math.abs(a - b) > originStep;
    if (!far(eye.x, this.origin.x) && !far(eye.y, this.origin.y)) return;
    this.origin.x = Math.round(eye.x / originStep) * originStep;
    this.origin.y = Math.round(eye.y / originStep) * originStep;
    for (const contents of this.#contents.values()) contents.place(this.origin);
  }

  #reader(): SampleReader {
    return new SampleReader((lod, x, y) => this.tiles.get(lod, x, y)?.chunk, this.world.chunkSize, {
      level: this.world.seaLevel,
    });
  }

  /** Keeps the worker busy. */
  #build(): void {
    while (this.#worker.busy < atOnce) {
      const next = this.#mostMissed(this.#eye);
      if (!next) break;
      this.#buildOne(next);
    }
  }

  #mostMissed(eye: { x: number; y: number }): SceneTile | undefined {
    let best: SceneTile | undefined;
    let least = Infinity;
    for (const one of this.tiles.tiles.values()) {
      if (!one.stale || one.busy) continue;
      const width = one.chunk.size * 2 ** one.tile.lod;
      const away = Math.hypot(
        (one.tile.x + 0.5) * width - eye.x,
        (one.tile.y + 0.5) * width - eye.y,
      );
      const urgency = away / width + (one.surface ? 7 : 0);
      if (urgency < least) [best, least] = [one, urgency];
    }
    return best;
  }

  #buildOne(one: SceneTile): void {
    const { tile, chunk } = one;
    const reader = this.#reader();
    const merged = tile.lod >= mergedFrom;
    one.stale = false;
    one.busy = true;
    one.context = this.tiles.context(tile);
    const grid = paddedGrid(reader, chunk, tile.x, tile.y);
    const far = farHeights(reader, chunk.size, tile.lod, tile.x, tile.y);
    one.complete = grid.complete && far.complete;
    const input = {
      size: chunk.size,
      lod: tile.lod,
      grid,
      far,
      casters: tile.lod === 0 ? castersAround(this.tiles, tile, this.#plants) : [],
      sun: this.sun,
      merged,
    };
    this.#worker.build(input, (surface) => {
      one.busy = false;
      this.#build();
      if (this.tiles.get(tile.lod, tile.x, tile.y) === one) this.#show(one, surface, merged);
    });
  }

  #show(one: SceneTile, surface: Surface, merged: boolean): void {
    const key = tileKey(one.tile.lod, one.tile.x, one.tile.y);
    one.surface = surface;
    let contents = this.#contents.get(key);
    if (!contents) {
      contents = new TileContents(one, this.group, this.#plants, this.#lore, this.#buildings);
      this.#contents.set(key, contents);
    }
    contents.setSurface(surface, merged, this.#grids, this.air);
    contents.place(this.origin);
    this.#shared = false;
  }

  /** Ground, water and climate at a place, from the finest chunk; undefined: nothing is loaded. */
  placeAt(x: number, y: number): Place | undefined {
    return placeAt(this.tiles, this.#reader(), x, y, this.world.chunkSize);
  }

  /** What stands within a few blocks. */
  solidsNear(x: number, y: number): readonly Solid[] {
    return this.#solids.near(x, y);
  }

  /** How many tiles of each level are drawn, from lod 0. */
  shownByLevel(): number[] {
    const shown = new Array<number>(this.world.maxLod + 1).fill(0);
    for (const one of this.tiles.tiles.values()) if (one.quarters) ++shown[one.tile.lod];
    return shown;
  }

  /** Ends it, and frees what the graphics card holds for it. */
  close(): void {
    this.#closed = true;
    for (const abort of this.#decoding.values()) abort.abort();
    for (const contents of this.#contents.values()) contents.dispose();
    this.#worker.close();
    this.#plants.dispose();
    this.#buildings.dispose();
    this.group.removeFromParent();
  }
}

