/** What the painting worker is told, and answers. Plain values: they are posted. */
import type { MapLayer } from '../../state.js';

/** A disc or a rectangle that stands on the map, in samples from the grid's first one. */
export interface Mark {
  x: number;
  y: number;
  /** Of a disc: its radius. Of a rectangle: 0. */
  radius: number;
  /** Of a rectangle. */
  width: number;
  height: number;
  /** 0xRRGGBB. */
  color: number;
}

/** A square of samples to paint: `width` squared, of which the outer `apron` only help. */
export interface PaintJob {
  style: MapLayer;
  width: number;
  apron: number;
  /** Blocks between samples. */
  spacing: number;
  /** Of slopes in relief. */
  exaggeration: number;
  /** The first sample's place, in samples: specks of trees keep to theirs. */
  x: number;
  y: number;
  /** 1 where samples are known; the others stay transparent. */
  known: Uint8Array;
  /** Blocks above the sea. */
  height?: Float32Array;
  /** Blocks of water above the ground; 0 or less: dry. Absent: below the sea is water. */
  depth?: Float32Array;
  biome?: Uint8Array;
  /** Degrees or percent, as the style has it. */
  values?: Float32Array;
  /** Percent of trees, in relief. */
  forest?: Uint8Array;
  /** Specks for trees, where they are not drawn themselves. */
  specks: boolean;
  /** 0xRRGGBB by biome id. */
  palette: Uint32Array;
  /** What the world can hold, in blocks from the sea: at most 0, at least 0. */
  deepest: number;
  highest: number;
  marks: Mark[];
  /** By biome id: 1 is shown as it is, 0 paler. Absent: all as they are. */
  highlight?: Uint8Array;
}

/** RGBA, (width - 2 * apron) squared. */
export type PaintedTile = Uint8ClampedArray;
