/** The land as a layer of a Leaflet map: tiles that are painted here, from bundles. */
import * as L from 'leaflet';
import { spacingOf } from './bundle.js';
import type { Bundle, BundleKey } from './bundle.js';
import type { Bundles } from './bundles.js';
import { gather } from './gather.js';
import type { Legend, Look } from './legend.js';
import { levelFor, reliefApron, tilePixels } from './level.js';
import type { Level } from './level.js';
import type { Painters } from './paint/painters.js';
import { bundlesOfTile, wantsOf } from './wants.js';
import type { TilePlace } from './wants.js';

/** How well a tile is painted. */
enum Stage {
  blank,
  /** From coarser land, or in part. */
  preview,
  /** All of it, but for light that depends on neighbours that haven't come. */
  whole,
  final,
}

interface Tile extends TilePlace {
  canvas: HTMLCanvasElement;
  stage: Stage;
  /** Which look it was painted in. */
  look: Look | undefined;
  isPainting: boolean;
  /** Tells Leaflet that there is something to see. */
  done: (() => void) | undefined;
}

/** What a layer shows. */
export interface Land {
  bundles: Bundles;
  legend: Legend;
}

export class LandLayer extends L.GridLayer {
  private readonly tiles = new Map<HTMLElement, Tile>();
  private frame = 0;
  private land: Land | undefined;
  private look: Look = { style: 'relief', highlight: undefined, structures: true };

  constructor(
    private readonly painters: Painters,
    private readonly onPainted: () => void,
  ) {
    super({
      tileSize: tilePixels,
      minZoom: -20,
      maxNativeZoom: 0,
      updateWhenIdle: false,
      updateWhenZooming: false,
      updateInterval: 100,
      keepBuffer: 1,
      className: 'land',
    });
    this.on('tileunload', (event) => {
      this.tiles.delete((event as L.TileEvent).tile);
      this.refresh();
    });
  }

  /** Shows other land. @param keep  leave what is painted until there is something new */
  setLand(land: Land, keep: boolean): void {
    if (this.land) this.land.bundles.onBundle = () => {};
    this.land = land;
    land.bundles.onBundle = (bundle) => this.take(bundle);
    for (const tile of this.tiles.values()) tile.stage = Stage.blank;
    if (!keep && this.isOnMap()) this.redraw();
    this.refresh();
  }

  /** Paints what is at hand in another way: nothing is asked for. */
  setLook(look: Look): void {
    const { style, highlight, structures } = this.look;
    const isSame =
      style === look.style && highlight === look.highlight && structures === look.structures;
    if (isSame) return;
    this.look = look;
    this.refresh();
  }

  /** Whether all that can be seen is painted as well as it can be. */
  get isSettled(): boolean {
    const { land } = this;
    if (!land || this.frame || !this.painters.isIdle) return false;
    const visible = this.visible();
    return visible.length > 0 && visible.every(({ tile }) => this.isDone(tile, land.bundles));
  }

  private isDone(tile: Tile, bundles: Bundles): boolean {
    const keys = this.keysOf(tile, true);
    if (keys.some((key) => bundles.isPending(key))) return false;
    // beyond the world's edge there is nothing to paint
    if (tile.stage === Stage.blank && !keys.some((key) => bundles.get(key))) return true;
    // Leaflet lets tiles appear slowly
    return tile.look === this.look && tile.canvas.style.opacity === '1' && !tile.isPainting;
  }

  override createTile(coords: L.Coords, done: L.DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas');
    canvas.width = tilePixels;
    canvas.height = tilePixels;
    this.tiles.set(canvas, {
      ...{ canvas, zoom: coords.z, x: coords.x, y: coords.y },
      ...{ stage: Stage.blank, look: undefined, isPainting: false },
      done: () => done(undefined, canvas),
    });
    this.refresh();
    return canvas;
  }

  /** Looks anew, once before the next frame, at what is wanted and what can be painted. */
  refresh(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (!this.land || !this.isOnMap()) return;
      this.ask(this.land);
      this.paintNext();
    });
  }

  private isOnMap(): boolean {
    return Boolean((this as unknown as { _map: L.Map | null })._map);
  }

  private level(tile: Tile): Level {
    return levelFor(this.land!.legend.world, tile.zoom);
  }

  /** The tiles that can be seen, and how far they are from the middle, in tiles. */
  private visible(): { tile: Tile; distance: number }[] {
    const map = (this as unknown as { _map: L.Map | null })._map;
    if (!map) return [];
    const zoom = Math.min(Math.round(map.getZoom()), 0);
    const scale = map.getZoomScale(map.getZoom(), zoom) * tilePixels;
    const bounds = map.getPixelBounds();
    const min = bounds.min!.divideBy(scale);
    const max = bounds.max!.divideBy(scale);
    const middle = min.add(max).divideBy(2);
    const found: { tile: Tile; distance: number }[] = [];
    for (const tile of this.tiles.values()) {
      const { x, y } = tile;
      if (tile.zoom !== zoom || x + 1 < min.x || y + 1 < min.y || x > max.x || y > max.y) continue;
      found.push({ tile, distance: Math.hypot(x + 0.5 - middle.x, y + 0.5 - middle.y) });
    }
    return found.sort((a, b) => a.distance - b.distance);
  }

  private keysOf(tile: Tile, withApron: boolean): BundleKey[] {
    return bundlesOfTile(this.land!.legend, tile, withApron);
  }

  private ask({ bundles, legend }: Land): void {
    const seen = this.visible().map(({ tile, distance }) => {
      const { zoom, x, y, stage } = tile;
      return { zoom, x, y, distance, isBlank: stage === Stage.blank };
    });
    bundles.want(wantsOf(legend, seen, (key) => bundles.get(key) !== undefined));
  }

  /** What a tile could be painted as now. */
  private attainable(tile: Tile, bundles: Bundles): Stage {
    if (this.keysOf(tile, true).every((key) => bundles.get(key))) return Stage.final;
    return this.keysOf(tile, false).every((key) => bundles.get(key)) ? Stage.whole : Stage.preview;
  }

  private paintNext(): void {
    const { land } = this;
    if (!land) return;
    for (const { tile } of this.visible()) {
      if (!this.painters.hasRoom) return;
      if (tile.isPainting) continue;
      const stage = this.attainable(tile, land.bundles);
      if (tile.look === this.look && stage <= tile.stage) continue;
      this.paint(tile, land, stage);
    }
  }

  private paint(tile: Tile, land: Land, stage: Stage): void {
    const { look } = this;
    const level = this.level(tile);
    const { bundles } = land;
    const gathered = gather(land.legend, level, look, tile.x, tile.y, (key) => bundles.get(key));
    if (!gathered) return;
    tile.isPainting = true;
    void this.painters.paint(gathered.job).then((pixels) => {
      tile.isPainting = false;
      if (this.land === land && pixels) {
        const image = new ImageData(pixels as Uint8ClampedArray<ArrayBuffer>, tilePixels);
        tile.canvas.getContext('2d')?.putImageData(image, 0, 0);
        tile.stage = stage;
        tile.look = look;
        tile.done?.();
        tile.done = undefined;
      }
      this.refresh();
      this.onPainted();
    });
  }

  /** A bundle has come. */
  private take(bundle: Bundle): void {
    const spacing = spacingOf(bundle);
    const reach = bundle.size * spacing;
    const x = bundle.x * reach;
    const y = bundle.y * reach;
    for (const tile of this.tiles.values()) {
      const level = this.level(tile);
      const apron = reliefApron * level.spacing;
      const width = tilePixels * level.spacing;
      const left = tile.x * width - apron;
      const top = tile.y * width - apron;
      const beyond = width + 2 * apron;
      if (x + reach <= left || y + reach <= top || x >= left + beyond || y >= top + beyond)
        continue;
      if (spacing === level.spacing) {
        // one that came in part before may be whole now
        if (tile.stage === Stage.final) tile.stage = Stage.whole;
      } else if (spacing < level.spacing || tile.stage > Stage.preview) {
        continue;
      }
      if (tile.stage === Stage.preview) tile.stage = Stage.blank;
    }
    this.refresh();
    this.onPainted();
  }
}
