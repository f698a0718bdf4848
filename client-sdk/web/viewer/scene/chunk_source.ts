import { Explorer, type ExploreEvent, type ExplorerStats, type Pose } from '../../src/index.js';
import type { App } from '../app.js';

/** Where the scene's chunks come from, as the viewer moves. */
export interface ChunkSource {
  move(pose: Pose): void;
  poll(): ExploreEvent[];
  stats(): ExplorerStats;
  close(): void;
}

/** How far each level of detail reaches, in tiles of that level, from lod 0. */
export function viewDistances(maxLod: number): number[] {
  return Array.from({ length: Math.min(maxLod, 5) + 1 }, () => 6);
}

/** A stream from the server that the app looks at. */
export function openSource(app: App): ChunkSource {
  const { choice } = app.state;
  const world = app.world;
  if (!world) throw new Error('no world is chosen');
  const { fingerprint } = world;
  return new Explorer({
    url: `${app.baseUrl.replace(/^http/, 'ws')}/v1/explore`,
    world: 'realm' in choice ? { realm: choice.realm } : { ...choice, fingerprint },
    viewDistances: viewDistances(world.maxLod),
    token: () => app.token(),
  });
}
