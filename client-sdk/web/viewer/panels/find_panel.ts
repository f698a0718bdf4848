/** Ways to get somewhere: a block, a place to stand, the nearest biome or structure. */
import { noWater } from '../../src/index.js';
import type { LocateTarget, NamedPlace, World } from '../../src/index.js';
import type { App } from '../app.js';
import { button, el } from '../dom.js';
import { findNearest } from '../find/nearest.js';
import { makeSearchStatus } from '../find/search_status.js';
import type { Say } from '../find/search_status.js';
import { findSpawn } from '../find/spawn.js';

const nowhereToBegin = 'A place to stand near 0, 0';

/** Adds the section to the side panel. */
export function openFindPanel(app: App, side: HTMLElement): void {
  const status = makeSearchStatus(app);
  const spawn = button(nowhereToBegin, { test: 'spawn', className: 'grow' }, () => {
    const named = app.places.find((place) => place.spawn);
    void status.run((signal, say) => (named ? toPlace(app, named) : toSpawn(app, signal, say)));
  });
  const targets = el('select', { test: 'find-select', aria: { label: 'What to look for' } });
  const find = button('Find', { test: 'find' }, () => {
    const place = app.places[Number(/^place:(\d+)$/.exec(targets.value)?.[1] ?? NaN)];
    if (place) void status.run(() => toPlace(app, place));
    const target = parseTarget(targets.value);
    if (target) void status.run((signal, say) => toNearest(app, target, signal, say));
  });
  side.append(
    el(
      'section',
      {},
      el('h2', {}, 'Find'),
      goToRow(app),
      el('div', { className: 'row' }, targets, find),
      el('div', { className: 'row' }, spawn),
      status.element,
    ),
  );
  const tell = (): void => {
    if (!app.world) return;
    targets.replaceChildren(...options(app.world, app.places));
    const begin = app.places.find((place) => place.spawn);
    spawn.textContent = begin ? `Where players begin: ${begin.name}` : nowhereToBegin;
  };
  app.on('world', tell);
  app.on('places', tell);
  tell();
}

/** Shows a place from near enough to see it. */
async function goTo(app: App, x: number, y: number, zoom: number): Promise<void> {
  document.querySelector('.side')?.classList.remove('open');
  const place = { x: x + 0.5, y: y + 0.5 };
  const { mode, eye } = app.state;
  const variant = app.variant();
  if (mode === '2d' || !variant) {
    app.update({ ...place, zoom: Math.max(zoom, app.state.zoom) });
    return;
  }
  const { height, water } = await app.http.points(variant, [{ x, y }]);
  const surface = Math.max(height[0] ?? 0, water[0] ?? noWater) / 16;
  const look = { yaw: eye?.yaw ?? 0, pitch: eye?.pitch ?? 0 };
  app.update({ ...place, eye: { ...place, z: surface + 30, ...look } });
}

function goToRow(app: App): HTMLElement {
  const field = el('input', {
    type: 'text',
    placeholder: 'x, y',
    autocomplete: 'off',
    spellcheck: false,
    test: 'goto',
    aria: { label: 'Go to block x, y' },
  });
  const form = el(
    'form',
    { className: 'row' },
    field,
    el('button', { type: 'submit', test: 'goto-ok' }, 'Go'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const numbers = field.value.replace(/−/g, '-').match(/-?\d+(\.\d+)?/g) ?? [];
    const [x, y] = numbers.map(Number);
    const isWrong = numbers.length !== 2 || x === undefined || y === undefined;
    field.setAttribute('aria-invalid', String(isWrong));
    if (isWrong) {
      app.notify('Write two numbers, like 120, -340.');
      return;
    }
    field.blur();
    const low = Number(app.world?.minBlockCoordinate ?? 0);
    const high = Number(app.world?.maxBlockCoordinate ?? 0);
    const within = (at: number): number => Math.min(Math.max(Math.floor(at), low), high);
    goTo(app, within(x), within(y), app.state.zoom).catch((error: unknown) => app.heed(error));
  });
  return form;
}

function options(world: World, places: readonly NamedPlace[]): HTMLElement[] {
  const group = (label: string, kind: string, names: string[]): HTMLElement | undefined => {
    if (names.length === 0) return undefined;
    const all = [...new Set(names)].map((name) => el('option', { value: `${kind}:${name}` }, name));
    return el('optgroup', { label }, ...all);
  };
  const structures = group(
    'Nearest structure',
    'structure',
    (world.structureKinds ?? []).map(({ name }) => name),
  );
  const biomes = group(
    'Nearest biome',
    'biome',
    world.biomes.map(({ name }) => name),
  );
  const named = places.map(({ name }, i) => el('option', { value: `place:${i}` }, name));
  const first = named.length > 0 ? el('optgroup', { label: 'Place' }, ...named) : undefined;
  return [first, structures, biomes].flatMap((one) => one ?? []);
}

function parseTarget(value: string): LocateTarget | undefined {
  const at = value.indexOf(':');
  const name = value.slice(at + 1);
  if (at < 0 || value.startsWith('place:')) return undefined;
  return value.startsWith('biome:') ? { biome: name } : { structure: name };
}

async function toPlace(app: App, { name, block }: NamedPlace): Promise<string> {
  await goTo(app, block.x, block.y, 0);
  return `${name}: ${block.x}, ${block.y}`;
}

async function toSpawn(app: App, signal: AbortSignal, say: Say): Promise<string> {
  const variant = app.variant();
  const { world } = app;
  if (!variant || !world) return '';
  const found = await findSpawn(
    world,
    { x: 0, y: 0 },
    (points) => app.http.points(variant, points, signal),
    (distance) => say(`Nothing within ${blocks(distance)} …`, 0.05 + distance / 4096),
  );
  if (!found) return 'There is no such place within 4,096 blocks of 0, 0.';
  await goTo(app, found.x, found.y, 0);
  return `Dry and level: ${found.x}, ${found.y}`;
}

async function toNearest(
  app: App,
  target: LocateTarget,
  signal: AbortSignal,
  say: Say,
): Promise<string> {
  const variant = app.variant();
  const { world } = app;
  if (!variant || !world) return '';
  const name = Object.values(target)[0] as string;
  // biomes are looked for on a grid, no farther than 2048 of its steps
  const step = Math.min(32, 2 ** world.maxLod);
  const limit = app.limits?.maxLocateRadius ?? 65536;
  const most = 'biome' in target ? Math.min(limit, 2048 * step) : limit;
  const origin = { x: Math.floor(app.state.x), y: Math.floor(app.state.y) };
  const onProgress = (searched: number): void =>
    say(`No ${name} within ${blocks(searched)} …`, searched / most);
  const located = await findNearest(app.http, variant, target, origin, most, onProgress, signal);
  if (!located.found) return `There is no ${name} within ${blocks(located.radius)}.`;
  const { x, y } = located.block;
  await goTo(app, x, y, 'biome' in target ? -2 : 0);
  return `${name}: ${x}, ${y}, ${blocks(located.distance)} away`;
}

function blocks(distance: number): string {
  return `${Math.round(distance).toLocaleString('en')} blocks`;
}
