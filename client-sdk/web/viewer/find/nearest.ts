/** Looks for the nearest biome or structure, in ever wider circles, so that one sees it go on. */
import type { Block, Located, LocateTarget, TerraneHttp, Variant } from '../../src/index.js';

const firstRadius = 1024;
const growth = 4;

/**
 * @param most        how far the server looks at all, in blocks
 * @param onProgress  is told how far it is known that there is nothing, in blocks
 * @returns what the last search says. Errors: the server's, or the signal's reason.
 */
export async function findNearest(
  http: TerraneHttp,
  variant: Variant,
  target: LocateTarget,
  origin: Block,
  most: number,
  onProgress: (searched: number) => void,
  signal: AbortSignal,
): Promise<Located> {
  for (let radius = firstRadius; ; radius *= growth) {
    const reach = Math.min(radius, most);
    const located = await http.locate(variant, target, origin, reach, signal);
    if (located.found || reach >= most) return located;
    onProgress(reach);
  }
}
