/** Which land: world, seed, and what it is compared with. */
import type { World } from '../../src/index.js';
import type { App } from '../app.js';
import { button, el, iconButton } from '../dom.js';
import { parseSeed, sameChoice } from '../state.js';
import type { Choice } from '../state.js';

/** Adds the section to the side panel. */
export function openLandPanel(app: App, side: HTMLElement): void {
  const about = el('p', { className: 'quiet', test: 'about' });
  const main = choiceFields(
    app,
    'world',
    'Seed',
    () => app.state.choice,
    (choice) => app.update({ choice }),
  );
  const beside = choiceFields(
    app,
    'beside',
    'Seed',
    () => app.state.compare ?? app.state.choice,
    (compare) => app.update({ compare }),
  );
  const compare = button('Compare …', { className: 'plain', test: 'compare' }, () =>
    app.update({ compare: nextChoice(app.state.choice) }),
  );
  const close = button('Close', { className: 'plain', test: 'compare-close' }, () =>
    app.update({ compare: undefined }),
  );
  const besideBox = el(
    'div',
    { className: 'beside' },
    el('h2', {}, 'Beside it', close),
    beside.element,
  );
  side.append(el('section', {}, el('h2', {}, 'World', compare), main.element, about, besideBox));
  const tell = (): void => {
    const { state, world } = app;
    about.textContent = world?.description ?? '';
    about.hidden = !world?.description;
    besideBox.hidden = !state.compare;
    compare.hidden = state.compare !== undefined;
    about.hidden ||= state.compare !== undefined;
    main.tell();
    beside.tell();
  };
  app.on('state', (now, before) => {
    if (!sameChoice(now.choice, before.choice) || !sameChoice(now.compare, before.compare)) tell();
  });
  app.on('world', tell);
  tell();
}

/** Something else of the same kind, to begin with. */
function nextChoice(choice: Choice): Choice {
  if ('realm' in choice) return choice;
  const seed = BigInt.asUintN(64, BigInt(choice.seed) + 1n).toString();
  return { world: choice.world, seed };
}

/** A list of worlds and a field for the seed. */
function choiceFields(
  app: App,
  name: string,
  label: string,
  now: () => Choice,
  choose: (choice: Choice) => void,
): { element: HTMLElement; tell: () => void } {
  const worlds = el('select', { test: `${name}-select`, aria: { label: 'World' } });
  const seed = el('input', {
    type: 'text',
    inputMode: 'numeric',
    autocomplete: 'off',
    spellcheck: false,
    test: `${name}-seed`,
  });
  seed.id = `${name}-seed`;
  const chosen = (): void => {
    const [kind, which] = [worlds.value.slice(0, 2), worlds.value.slice(2)];
    const current = now();
    if (kind === 'r:') choose({ realm: which });
    else choose({ world: which, seed: 'seed' in current ? current.seed : '1' });
  };
  const typed = (): void => {
    const current = now();
    const parsed = parseSeed(seed.value);
    seed.setAttribute('aria-invalid', String(parsed === undefined));
    if (parsed === undefined) {
      app.notify('A seed is a whole number from 0 to 18446744073709551615.');
    } else if ('world' in current && parsed !== current.seed) {
      choose({ world: current.world, seed: parsed });
    }
  };
  worlds.addEventListener('change', chosen);
  seed.addEventListener('change', typed);
  const dice = iconButton('dice', 'A random seed', `${name}-dice`, () => {
    const current = now();
    const random = crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
    if ('world' in current) choose({ world: current.world, seed: random.toString() });
  });
  const seedRow = el(
    'div',
    { className: 'row' },
    el('label', { htmlFor: seed.id }, label),
    seed,
    dice,
  );
  const tell = (): void => {
    const current = now();
    worlds.replaceChildren(...options(app));
    worlds.value = 'realm' in current ? `r:${current.realm}` : `w:${current.world}`;
    seedRow.hidden = 'realm' in current;
    seed.value = 'seed' in current ? current.seed : '';
    seed.removeAttribute('aria-invalid');
  };
  return { element: el('div', {}, worlds, seedRow), tell };
}

/** With its name, where the title does not say it: several worlds may have one title. */
function titleOf({ title, name }: World): string {
  if (title === '' || title.toLowerCase().replace(/ /g, '_') === name) return title || name;
  return `${title} (${name})`;
}

function options(app: App): HTMLElement[] {
  const worlds = (app.worlds?.worlds ?? []).map((world) =>
    el('option', { value: `w:${world.name}` }, titleOf(world)),
  );
  const realms = (app.worlds?.realms ?? []).map((realm) =>
    el('option', { value: `r:${realm.name}` }, realm.name),
  );
  if (realms.length === 0) return worlds;
  const group = (label: string, all: HTMLElement[]): HTMLElement =>
    el('optgroup', { label }, ...all);
  return worlds.length === 0 ? realms : [group('Worlds', worlds), group('Realms', realms)];
}
