/** What the viewer shows, all of it, as it stands in the link (location.hash). */

/** A variant to look at: a world and a seed (decimal, 64 bits), or a realm. */
export type Choice = { world: string; seed: string } | { realm: string };

/** What the map is painted by. */
export type MapLayer =
  'relief' | 'biome' | 'height' | 'temperature' | 'humidity' | 'water' | 'forest' | 'rocks';

/** In the order in which they are offered. */
export const mapLayers: readonly MapLayer[] = [
  'relief',
  'biome',
  'height',
  'temperature',
  'humidity',
  'water',
  'forest',
  'rocks',
];

/** Where the eye of the 3-D view is. z is up; all in blocks. */
export interface Eye {
  x: number;
  y: number;
  z: number;
  /** Radians: 0 looks towards -y (north), growing clockwise as seen from above (east is pi/2). */
  yaw: number;
  /** Radians: 0 is level, pi/2 straight up. */
  pitch: number;
}

/** Everything that a link says. Plain, and never changed in place: App.update makes a new one. */
export interface ViewState {
  choice: Choice;
  mode: '2d' | '3d';
  /** The middle of the map, in blocks; y grows south. */
  x: number;
  y: number;
  /** Of the map: a block is 2^zoom pixels wide. */
  zoom: number;
  layer: MapLayer;
  /** Name of the biome that is shown among paler ones. */
  highlight?: string;
  /** The variant on the right-hand side, when two are compared. */
  compare?: Choice;
  grid: boolean;
  structures: boolean;
  /** Of the 3-D view; absent until it has been opened once. */
  eye?: Eye;
  movement: 'fly' | 'walk';
}

/** What is shown when a link says nothing: `choice` is then up to the server's list of worlds. */
export const defaultState: ViewState = {
  choice: { world: '', seed: '1' },
  mode: '2d',
  x: 0,
  y: 0,
  zoom: -4,
  layer: 'relief',
  grid: false,
  structures: true,
  movement: 'fly',
};

const maxSeed = 2n ** 64n - 1n;
/** No block lies beyond: chunks reach to 2^40, and are 128 blocks wide at most. */
const farthestBlock = 2 ** 48;

/** A seed as the server wants it, decimal and without leading zeros; undefined: it is none. */
export function parseSeed(text: string): string | undefined {
  const digits = text.trim();
  if (!/^[0-9]{1,20}$/.test(digits)) return undefined;
  const seed = BigInt(digits);
  return seed <= maxSeed ? seed.toString() : undefined;
}

/** Whether two choices are of the same land. */
export function sameChoice(a: Choice | undefined, b: Choice | undefined): boolean {
  return a === b || (!!a && !!b && formatChoice(a) === formatChoice(b));
}

/** As it stands in links: 'WORLD:SEED' or 'realm:REALM' (no world may be called so: see below). */
export function formatChoice(choice: Choice): string {
  // a colon stands in no name, so that '::' can't begin a world's
  return 'realm' in choice ? `::${choice.realm}` : `${choice.world}:${choice.seed}`;
}

function parseChoice(text: string): Choice | undefined {
  if (text.startsWith('::')) return text.length > 2 ? { realm: text.slice(2) } : undefined;
  const [world, digits] = text.split(':');
  const seed = parseSeed(digits ?? '');
  return world !== undefined && /^[a-z0-9_]{1,64}$/.test(world) && seed !== undefined
    ? { world, seed }
    : undefined;
}

/** So many numbers with commas between them; undefined where one is none. */
function parseNumbers(text: string | null, count: number): number[] | undefined {
  const numbers = (text ?? '').split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
  return numbers.length === count && numbers.every(Number.isFinite) ? numbers : undefined;
}

function parseEye(values: URLSearchParams): Eye | undefined {
  const at = parseNumbers(values.get('eye'), 3);
  const look = parseNumbers(values.get('look'), 2) ?? [0, 0];
  if (!at) return undefined;
  return { x: within(at[0]!), y: within(at[1]!), z: at[2]!, yaw: look[0]!, pitch: look[1]! };
}

function within(block: number): number {
  return Math.min(Math.max(block, -farthestBlock), farthestBlock);
}

/** Reads a link's hash, with or without '#'. What it does not say, or says wrongly, is default. */
export function parseState(hash: string): ViewState {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const state: ViewState = { ...defaultState };
  const choice = parseChoice(values.get('land') ?? '');
  if (choice) state.choice = choice;
  if (values.get('mode') === '3d') state.mode = '3d';
  const at = parseNumbers(values.get('at'), 2);
  if (at) [state.x, state.y] = [within(at[0]!), within(at[1]!)];
  const zoom = parseNumbers(values.get('zoom'), 1);
  if (zoom) state.zoom = Math.min(Math.max(zoom[0]!, -20), 8);
  const layer = mapLayers.find((name) => name === values.get('layer'));
  if (layer) state.layer = layer;
  const highlight = values.get('biome');
  if (highlight) state.highlight = highlight;
  const compare = parseChoice(values.get('beside') ?? '');
  if (compare) state.compare = compare;
  const overlays = values.get('show');
  if (overlays !== null) {
    state.grid = overlays.split(',').includes('grid');
    state.structures = overlays.split(',').includes('structures');
  }
  const eye = parseEye(values);
  if (eye) state.eye = eye;
  if (values.get('move') === 'walk') state.movement = 'walk';
  return state;
}

/** The hash of a link that shows this, with '#'. `parseState` reads it back. */
export function formatState(state: ViewState): string {
  const parts: string[] = [];
  const put = (name: string, value: string): void => {
    // colons and commas may stand in a hash as they are, and are easier to read so
    const text = encodeURIComponent(value).replace(/%3A/g, ':').replace(/%2C/g, ',');
    parts.push(`${name}=${text}`);
  };
  put('land', formatChoice(state.choice));
  put('at', `${rounded(state.x, 1)},${rounded(state.y, 1)}`);
  put('zoom', String(rounded(state.zoom, 2)));
  if (state.layer !== defaultState.layer) put('layer', state.layer);
  if (state.highlight !== undefined) put('biome', state.highlight);
  if (state.compare) put('beside', formatChoice(state.compare));
  const overlays = [state.grid && 'grid', state.structures && 'structures'].filter(Boolean);
  if (state.grid || !state.structures) put('show', overlays.join(',') || 'none');
  if (state.mode === '3d') put('mode', '3d');
  if (state.eye) {
    const { x, y, z, yaw, pitch } = state.eye;
    put('eye', [x, y, z].map((part) => rounded(part, 2)).join(','));
    put('look', [yaw, pitch].map((part) => rounded(part, 4)).join(','));
  }
  if (state.movement !== defaultState.movement) put('move', state.movement);
  return `#${parts.join('&')}`;
}

function rounded(value: number, digits: number): number {
  const unit = 10 ** digits;
  return Math.round(value * unit) / unit + 0; // no -0
}
