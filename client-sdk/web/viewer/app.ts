/** What all parts of the viewer share: the state of the link, the world, the way to the server. */
import { DecoderPool, TerraneError, TerraneHttp } from '../src/index.js';
import type { Limits, NamedPlace, Variant, World, WorldList } from '../src/index.js';
import { formatChoice, formatState, parseState } from './state.js';
import type { Choice, ViewState } from './state.js';
import { forgetToken, storedToken } from './token.js';

declare const TERRANE_WORKER_URL: string;

/** What listeners are told. */
export interface AppEvents {
  /** The state is another one. */
  state: (now: ViewState, before: ViewState) => void;
  /** `App.world` is another one: chosen anew, or changed on the server. */
  world: (world: World) => void;
  /** `App.places` are others. */
  places: (places: readonly NamedPlace[]) => void;
  /** Whether the server answers. */
  server: (isThere: boolean) => void;
  /** A short sentence for whoever looks on. */
  notice: (text: string) => void;
  /** The server asks who this is. @param refusal  why it does not take the token it was shown */
  unauthenticated: (refusal: string | undefined) => void;
}

type Listeners = { [K in keyof AppEvents]: Set<AppEvents[K]> };

/** The viewer's heart. One for the page. */
export class App {
  readonly http: TerraneHttp;
  readonly decoder: DecoderPool;
  /** Without a slash at its end: the server's address. */
  readonly baseUrl: string;
  worlds: WorldList | undefined;
  private stateNow: ViewState;
  private worldNow: World | undefined;
  private placesNow: { of: string; places: readonly NamedPlace[] } = { of: '', places: [] };
  private isServerThereNow = true;
  private readonly listeners: Listeners = {
    state: new Set(),
    world: new Set(),
    places: new Set(),
    server: new Set(),
    notice: new Set(),
    unauthenticated: new Set(),
  };

  /**
   * @param baseUrl  the server's address, like 'http://127.0.0.1:4151'
   * @param hash     of the link
   */
  constructor(baseUrl: string, hash: string) {
    this.baseUrl = baseUrl.replace(/\/$/, '');
    this.http = new TerraneHttp(this.baseUrl, { token: () => this.token() });
    const cores = navigator.hardwareConcurrency || 2;
    this.decoder = new DecoderPool(
      new URL(TERRANE_WORKER_URL, document.baseURI),
      Math.min(Math.max(cores - 1, 1), 4),
    );
    this.stateNow = parseState(hash);
  }

  /** What is shown. Never changed in place. */
  get state(): ViewState {
    return this.stateNow;
  }

  /** The world that is looked at; undefined until the server has said it. */
  get world(): World | undefined {
    return this.worldNow;
  }

  /** What its designer has named there; comes a moment after the world. */
  get places(): readonly NamedPlace[] {
    return this.placesNow.of === this.world?.name ? this.placesNow.places : [];
  }

  get limits(): Limits | undefined {
    return this.worlds?.limits;
  }

  get isServerThere(): boolean {
    return this.isServerThereNow;
  }

  /** The bearer token to show, if one has been given. */
  token(): string | undefined {
    return storedToken();
  }

  /** Changes the state, tells the listeners, and writes the link. */
  update(patch: Partial<ViewState>): void {
    const before = this.stateNow;
    this.stateNow = { ...before, ...patch };
    const isOther = this.findWorld(); // who is told of the state may ask for its world
    for (const listener of this.listeners.state) listener(this.stateNow, before);
    if (isOther) this.tellWorld();
    this.writeLink();
  }

  /** A link to what is shown. */
  link(): string {
    return new URL(formatState(this.state), location.href).href;
  }

  /** The variant that is looked at; undefined until its world is known. */
  variant(): Variant | undefined {
    return this.variantOf(this.state.choice);
  }

  /** A choice with its world's fingerprint; undefined where there is no such world. */
  variantOf(choice: Choice): Variant | undefined {
    const world = this.worldOf(choice);
    if (!world) return undefined;
    if ('realm' in choice) return { realm: choice.realm };
    return { world: choice.world, seed: choice.seed, fingerprint: world.fingerprint };
  }

  /** The world of a choice. */
  worldOf(choice: Choice): World | undefined {
    const name =
      'realm' in choice
        ? this.worlds?.realms?.find((realm) => realm.name === choice.realm)?.world
        : choice.world;
    return this.worlds?.worlds.find((world) => world.name === name);
  }

  /** Takes the server's list, or a newer one. Chooses a world where the link names none. */
  setWorlds(list: WorldList): void {
    const old = this.worlds?.worlds ?? [];
    const worlds = list.worlds.map(
      (world) => old.find((one) => isSameWorld(one, world)) ?? world, // nothing is drawn anew
    );
    this.worlds = { ...list, worlds };
    const { choice } = this.state;
    if (this.worldOf(choice)) {
      if (this.findWorld()) this.tellWorld();
      return;
    }
    const isNamed = 'realm' in choice || choice.world !== '';
    if (isNamed) this.notify(`This server has no ${formatChoice(choice)}.`);
    this.update({ choice: firstChoice(list, 'seed' in choice ? choice.seed : '1') });
  }

  /** Takes the places of the world that is looked at. */
  setPlaces(places: readonly NamedPlace[]): void {
    const isSame = JSON.stringify(places) === JSON.stringify(this.places);
    this.placesNow = { of: this.world?.name ?? '', places };
    if (isSame) return;
    for (const listener of this.listeners.places) listener(places);
  }

  setServerThere(isThere: boolean): void {
    if (isThere === this.isServerThere) return;
    this.isServerThereNow = isThere;
    for (const listener of this.listeners.server) listener(isThere);
  }

  /** Shows a sentence for a while. */
  notify(text: string): void {
    for (const listener of this.listeners.notice) listener(text);
  }

  /**
   * Takes note of what a request has ended with: that the server is gone, or wants a token.
   * @returns whether it is worth asking again by itself
   */
  heed(error: unknown): boolean {
    if (!(error instanceof TerraneError)) return false;
    if (error.status === 'UNAUTHENTICATED') {
      const refusal = this.token() === undefined ? undefined : error.message;
      forgetToken();
      for (const listener of this.listeners.unauthenticated) listener(refusal);
      return true;
    }
    if (error.status === 'UNAVAILABLE') this.setServerThere(false);
    return ['UNAVAILABLE', 'RESOURCE_EXHAUSTED', 'DEADLINE_EXCEEDED', 'CANCELLED'].includes(
      error.status,
    );
  }

  /** @returns what ends it */
  on<K extends keyof AppEvents>(event: K, listener: AppEvents[K]): () => void {
    this.listeners[event].add(listener);
    return () => void this.listeners[event].delete(listener);
  }

  /** @returns whether the state's world is another one than before */
  private findWorld(): boolean {
    const world = this.worldOf(this.stateNow.choice);
    if (!world || world === this.worldNow) return false;
    this.worldNow = world;
    return true;
  }

  private tellWorld(): void {
    const world = this.worldNow;
    if (world) for (const listener of this.listeners.world) listener(world);
  }

  private linkTimer = 0;

  /** A little later: browsers refuse more than a hundred changes in ten seconds. */
  private writeLink(): void {
    if (this.linkTimer) return;
    this.linkTimer = window.setTimeout(() => {
      this.linkTimer = 0;
      history.replaceState(null, '', formatState(this.state));
    }, 200);
  }
}

/** Whether nothing of a world has changed, its colours and names included. */
export function isSameWorld(a: World, b: World): boolean {
  return a.fingerprint === b.fingerprint && JSON.stringify(a) === JSON.stringify(b);
}

/** A realm, where there are any: other seeds may not be for everybody. Else the default world. */
function firstChoice(list: WorldList, seed: string): Choice {
  const names = list.worlds.map((world) => world.name);
  const realm = list.realms?.[0];
  const world = names.includes('continents') ? 'continents' : names[0];
  if (realm) return { realm: realm.name };
  return { world: world ?? 'continents', seed };
}
