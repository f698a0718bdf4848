import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  ClampToEdgeWrapping,
  CustomBlending,
  DataTexture,
  Group,
  LinearFilter,
  LinearMipmapNearestFilter,
  Mesh,
  OneFactor,
  OneMinusSrcAlphaFactor,
  RGBAFormat,
  ShaderMaterial,
  Sphere,
  SrcAlphaFactor,
  Vector3,
} from 'three';
import { noWater } from '../../src/index.js';
import type { AirUniforms } from './air.js';
import { skirtDepth, type PatchGrid, type Quarters } from './patch_grid.js';
import { terrainFragment, terrainVertex, waterFragment } from './shaders/terrain.js';
import type { Surface } from './surface.js';

const farFrom = 2; // level from which the finest grain of the land does not show

/** What a tile has on the graphics card: land, water, and whatever stands there. */
export interface TileMeshes {
  readonly group: Group;
  readonly land: Mesh;
  readonly water?: Mesh;
  /** Relative to the group. */
  readonly box: Box3;
  step: number;
  quarters: Quarters;
  readonly textures: DataTexture[];
}

/** The meshes of all steps, finest first, that tiles of one size share. */
export type PatchGrids = readonly PatchGrid[];

/** Of water: every second sample is enough, and every eighth where it is level. */
function waterGrid(surface: Surface, grids: PatchGrids): PatchGrid {
  return grids[surface.calm ? grids.length - 1 : 1];
}

function texture(data: Uint8Array, edge: number): DataTexture {
  const made = new DataTexture(data, edge, edge, RGBAFormat);
  made.wrapS = made.wrapT = ClampToEdgeWrapping;
  made.magFilter = LinearFilter;
  made.minFilter = LinearMipmapNearestFilter;
  made.generateMipmaps = true;
  made.needsUpdate = true;
  return made;
}

/** Makes the meshes of a surface; land has no triangles until `drawLand`. */
export function makeTileMeshes(
  surface: Surface,
  lod: number,
  size: number,
  merged: boolean,
  grids: PatchGrids,
  air: AirUniforms,
): TileMeshes {
  const spacing = 2 ** lod;
  const textures = [texture(surface.color, size + 1), texture(surface.shape, size + 1)];
  const uniforms = {
    ...air,
    uColor: { value: textures[0] },
    uShape: { value: textures[1] },
    uSpacing: { value: spacing },
    uSkirt: { value: 0 },
    uTexel: { value: 1 / (size + 1) },
    uMerged: { value: merged ? 1 : 0 },
  };
  const width = size * spacing;
  const box = new Box3(
    new Vector3(0, surface.lowest, 0),
    new Vector3(width, surface.highest + (lod < 2 ? 30 : 1), width),
  );
  const land = new Mesh(
    new BufferGeometry(),
    new ShaderMaterial({
      vertexShader: terrainVertex,
      fragmentShader: terrainFragment,
      uniforms,
      defines: lod >= farFrom ? { FAR: '' } : {},
    }),
  );
  const group = new Group();
  group.add(land);
  let water: Mesh | undefined;
  if (surface.water) {
    water = makeWater(surface.water, waterGrid(surface, grids), uniforms);
    group.add(water);
  }
  for (const mesh of [land, ...(water ? [water] : [])]) {
    mesh.frustumCulled = false;
    mesh.geometry.boundingSphere = box.getBoundingSphere(new Sphere());
  }
  return { group, land, water, box, step: 0, quarters: 0, textures };
}

function makeWater(
  levels: Float32Array,
  grid: PatchGrid,
  uniforms: ShaderMaterial['uniforms'],
): Mesh {
  const geometry = new BufferGeometry();
  geometry.setAttribute('grid', grid.grid);
  geometry.setAttribute('h', new BufferAttribute(grid.heights(levels), 1));
  const water = new Mesh(
    geometry,
    new ShaderMaterial({
      vertexShader: terrainVertex,
      fragmentShader: waterFragment,
      uniforms,
      transparent: true,
      depthWrite: false,
      blending: CustomBlending,
      blendSrc: SrcAlphaFactor,
      blendDst: OneMinusSrcAlphaFactor,
      blendSrcAlpha: OneFactor,
    }),
  );
  water.renderOrder = 1;
  return water;
}

/** Draws some quarters of a tile's water. */
function drawWater(
  water: Mesh,
  levels: Float32Array,
  grid: PatchGrid,
  quarters: Quarters,
): void {
  const { step, cells } = grid;
  const edge = cells * step + 1;
  const known = (i: number, j: number): boolean => levels[(j * edge + i) * step] > noWater;
  const half = cells / 2;
  water.geometry.setIndex(
    grid.indexWhere(
      (i, j) =>
        (quarters & (1 << ((i < half ? 0 : 1) + (j < half ? 0 : 2)))) !== 0 &&
        known(i, j) &&
        known(i + 1, j) &&
        known(i, j + 1) &&
        known(i + 1, j + 1),
    ),
  );
}

/** Draws some quarters of a tile: its land with every `step`-th sample, and its water. */
export function drawLand(
  meshes: TileMeshes,
  surface: Surface,
  grids: PatchGrids,
  step: number,
  quarters: Quarters,
): void {
  const grid = grids.find((one) => one.step === step) ?? grids[0];
  const { geometry } = meshes.land;
  if (meshes.step !== grid.step) {
    const material = meshes.land.material as ShaderMaterial;
    release(geometry, true);
    geometry.setAttribute('grid', grid.grid);
    geometry.setAttribute('h', new BufferAttribute(grid.heights(surface.height), 1));
    const spacing = material.uniforms['uSpacing'].value as number;
    material.uniforms['uSkirt'].value = skirtDepth(surface.edgeError, spacing);
    meshes.step = grid.step;
    meshes.quarters = -1;
  }
  if (meshes.quarters !== quarters) {
    geometry.setIndex(grid.index(quarters));
    if (meshes.water && surface.water) {
      drawWater(meshes.water, surface.water, waterGrid(surface, grids), quarters);
    }
    meshes.quarters = quarters;
  }
  meshes.land.visible = quarters !== 0;
}

/** Frees a geometry's own buffers: those of the shared grids must stay. */
function release(geometry: BufferGeometry, sharedIndex: boolean): void {
  geometry.deleteAttribute('grid');
  if (sharedIndex) geometry.setIndex(null);
  geometry.dispose();
}

/** Gives back what the graphics card holds for it. */
export function disposeTileMeshes(meshes: TileMeshes): void {
  release(meshes.land.geometry, true);
  if (meshes.water) release(meshes.water.geometry, false);
  for (const mesh of [meshes.land, meshes.water]) {
    (mesh?.material as ShaderMaterial | undefined)?.dispose();
  }
  for (const one of meshes.textures) one.dispose();
  meshes.group.removeFromParent();
}
