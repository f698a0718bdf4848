/** Keeps an eye on the server: whether it answers, and whether the world has been changed. */
import { TerraneError } from '../src/index.js';
import { type WorldJson, worldInfoOf } from '../src/json.js';
import { isSameWorld } from './app.js';
import type { App } from './app.js';

const retryMs = 1000;
/** Designers see what they have changed within two seconds, of which the server takes a quarter. */
const watchMs = 500;

const answerMs = 10000;
const needsToken = new Set<string>(['UNAUTHENTICATED', 'PERMISSION_DENIED']);

/** Loads the list of worlds, however long that takes. */
export async function loadWorlds(app: App): Promise<void> {
  for (;;) {
    try {
      const list = await app.http.worlds();
      app.setServerThere(true);
      app.setWorlds(list);
      return;
    } catch (error) {
      const mayHelp = app.heed(error);
      if (!mayHelp && error instanceof Error) app.notify(error.message);
      if (error instanceof TerraneError && needsToken.has(error.status)) {
        return; // it is loaded again once there is a token
      }
    }
    await new Promise((resolve) => window.setTimeout(resolve, retryMs));
  }
}

/** Asks twice a second for the world that is shown and its places, while anybody looks. */
export function watchWorld(app: App): void {
  let etag: string | undefined;
  let etagOf = '';
  let isAsking = false;
  const ask = async (): Promise<void> => {
    const name = app.world?.name;
    if (name === undefined || document.hidden || isAsking) return;
    isAsking = true;
    try {
      const headers = new Headers();
      const token = app.token();
      if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
      if (etag !== undefined && etagOf === name) headers.set('If-None-Match', etag);
      const answer = await fetch(`${app.baseUrl}/v1/worlds/${encodeURIComponent(name)}`, {
        headers,
        cache: 'no-store',
        signal: AbortSignal.timeout(answerMs),
      });
      app.setServerThere(answer.status < 500);
      if (!answer.ok) return;
      [etag, etagOf] = [answer.headers.get('ETag') ?? undefined, name];
      const { world, places } = worldInfoOf((await answer.json()) as WorldJson);
      if (world.name !== app.world?.name) return;
      app.setPlaces(places);
      if (isSameWorld(world, app.world)) return;
      // all of them: others may be new as well
      app.setWorlds(await app.http.worlds());
      app.notify(`The world ${world.name} has changed.`);
    } catch {
      app.setServerThere(false);
    } finally {
      isAsking = false;
    }
  };
  window.setInterval(() => void ask(), watchMs);
  document.addEventListener('visibilitychange', () => void ask());
}
