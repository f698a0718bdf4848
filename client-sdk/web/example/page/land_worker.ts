/** The page's worker: makes land, and paints it. */
import { type LocalWorld, TerraneCore } from '@terrane/client';
import type { Answer, Request } from './messages.js';
import { TilePainter } from './tile_painter.js';

/** A worker's global scope, as far as this script uses it. */
interface Scope {
  onmessage: ((event: { data: Request }) => void) | null;
  postMessage(answer: Answer, transfer: Transferable[]): void;
}

const scope = self as unknown as Scope;
let world: LocalWorld;
let painter: { seed: string; tiles: TilePainter } | undefined;

const say = (answer: Answer, transfer: Transferable[] = []): void =>
  scope.postMessage(answer, transfer);

/** What is at a block. */
function textAt(seed: string, x: number, y: number): string {
  const { height, water, biome } = world.points(seed, [{ x, y }]);
  const depth = ((water[0] ?? height[0]) - height[0]) / 16;
  const wet = depth > 0 ? `, ${depth.toFixed(1)} deep` : '';
  const name = world.info.biomes[biome[0]]?.name ?? '';
  return `${x}, ${y}: ${(height[0] / 16).toFixed(1)} high${wet}, ${name}`;
}

async function answer(request: Request): Promise<void> {
  switch (request.type) {
    case 'open': {
      const core = await TerraneCore.load(request.core as Uint8Array<ArrayBuffer>);
      world = core.openWorld(request.file);
      return say({ type: 'opened', title: world.info.title, maxLod: world.info.maxLod });
    }
    case 'paint': {
      const { seed, tile } = request;
      if (painter?.seed !== seed) painter = { seed, tiles: new TilePainter(world, seed) };
      const pixels = painter.tiles.paint(tile);
      return say({ type: 'painted', seed, tile, pixels }, [pixels.buffer]);
    }
    case 'tell':
      return say({ type: 'told', text: textAt(request.seed, request.x, request.y) });
  }
}

scope.onmessage = ({ data }) => {
  answer(data).catch((error: unknown) => say({ type: 'failed', message: String(error) }));
};
