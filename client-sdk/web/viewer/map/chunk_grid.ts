/** The borders of chunks, with their coordinates, at the level of detail that is shown. */
import * as L from 'leaflet';
import type { World } from '../../src/index.js';

const tileSize = 512;
const roomForText = 60; // pixels

export class ChunkGrid extends L.GridLayer {
  private world: World | undefined;

  constructor() {
    super({ tileSize, minZoom: -20, className: 'chunk-grid', updateWhenZooming: false });
  }

  setWorld(world: World): void {
    this.world = world;
    if ((this as unknown as { _map: L.Map | null })._map) this.redraw();
  }

  override onAdd(map: L.Map): this {
    // Leaflet may forget the tiles of the zoom before, which are seen through these
    map.on('zoomend', this.redraw, this);
    return super.onAdd(map);
  }

  override onRemove(map: L.Map): this {
    map.off('zoomend', this.redraw, this);
    return super.onRemove(map);
  }

  override createTile(coords: L.Coords): HTMLElement {
    const canvas = document.createElement('canvas');
    const ratio = window.devicePixelRatio || 1;
    canvas.width = tileSize * ratio;
    canvas.height = tileSize * ratio;
    const pen = canvas.getContext('2d');
    if (pen && this.world) {
      pen.scale(ratio, ratio);
      drawGrid(pen, this.world, coords);
    }
    return canvas;
  }
}

function drawGrid(pen: CanvasRenderingContext2D, world: World, { x, y, z }: L.Coords): void {
  const lod = Math.min(Math.max(-z, 0), world.maxLod);
  const width = world.chunkSize * 2 ** (lod + z); // pixels
  const first = (tile: number): number => Math.floor((tile * tileSize) / width);
  const past = (tile: number): number => Math.ceil(((tile + 1) * tileSize) / width);
  pen.strokeStyle = 'rgba(255,255,255,0.28)';
  pen.lineWidth = 1;
  pen.beginPath();
  for (let column = first(x); column <= past(x); column += 1) {
    const at = Math.round(column * width - x * tileSize) + 0.5;
    pen.moveTo(at, 0);
    pen.lineTo(at, tileSize);
  }
  for (let row = first(y); row <= past(y); row += 1) {
    const at = Math.round(row * width - y * tileSize) + 0.5;
    pen.moveTo(0, at);
    pen.lineTo(tileSize, at);
  }
  pen.stroke();
  if (width < roomForText) return;
  pen.font = '10px system-ui, sans-serif';
  pen.textBaseline = 'top';
  pen.lineWidth = 2.5;
  pen.strokeStyle = 'rgba(0,0,0,0.65)';
  pen.fillStyle = 'rgba(255,255,255,0.9)';
  for (let row = first(y); row < past(y); row += 1) {
    for (let column = first(x); column < past(x); column += 1) {
      const at = [column * width - x * tileSize + 4, row * width - y * tileSize + 4] as const;
      const text = `${column}, ${row}`;
      pen.strokeText(text, ...at);
      pen.fillText(text, ...at);
    }
  }
}
