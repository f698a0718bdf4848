/** What is said of a measured way: its length, and how high the land is along it. */
import type { Block } from '../../src/index.js';
import type { App } from '../app.js';
import { button, el, slot } from '../dom.js';
import { drawProfile, profileAlong } from './height_profile.js';
import type { Profile } from './height_profile.js';
import type { MapStage } from './index.js';

/** @param onClear  the way is to begin anew */
export function makeRulerPanel(
  app: App,
  stage: MapStage,
  onClear: () => void,
): {
  show(isOn: boolean): void;
  tell(way: readonly Block[]): void;
  /** What is drawn. */
  profile(): Profile | undefined;
} {
  const panel = slot('profile');
  panel.dataset['testid'] = 'profile';
  const canvas = el('canvas', {});
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'Height along the way');
  const text = el('span', { test: 'distance' });
  const clear = button('Clear', { test: 'ruler-clear' }, onClear);
  panel.append(el('div', { className: 'line' }, text, clear), canvas);
  let latest: AbortController | undefined;
  let drawn: Profile | undefined;

  const tell = (way: readonly Block[]): void => {
    latest?.abort();
    drawn = undefined;
    canvas.hidden = way.length < 2;
    clear.hidden = way.length === 0;
    if (way.length < 2) {
      const how = 'Click the map, or press Enter, where the way begins.';
      text.textContent = way.length === 0 ? how : 'And where it goes.';
      return;
    }
    const abort = new AbortController();
    latest = abort;
    const length = Math.round(lengthOf(way)).toLocaleString('en');
    text.replaceChildren(el('strong', {}, `${length} blocks`));
    void profileAlong(app, stage, way, abort.signal).then((profile) => {
      if (abort.signal.aborted || !profile) return;
      const words = drawProfile(canvas, profile);
      text.append(el('span', { className: 'quiet' }, `  ${words}`));
      canvas.setAttribute('aria-label', `Height along the way: ${words}`);
      drawn = profile;
    });
  };
  const show = (isOn: boolean): void => {
    panel.hidden = !isOn;
    if (!isOn) latest?.abort();
  };
  return { show, tell, profile: () => drawn };
}

function lengthOf(way: readonly Block[]): number {
  let length = 0;
  way.forEach(({ x, y }, i) => {
    const before = way[i - 1];
    if (before) length += Math.hypot(x - before.x, y - before.y);
  });
  return length;
}
