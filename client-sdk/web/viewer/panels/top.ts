/** The bar at the top: the name, what is shown, the link; on phones the way to the settings. */
import type { App } from '../app.js';
import { el, iconButton, slot } from '../dom.js';
import { formatChoice } from '../state.js';

/** @param side  the settings, which the menu button shows on narrow screens */
export function openTop(app: App, side: HTMLElement): void {
  const where = el('span', { className: 'where', test: 'where' });
  const copy = iconButton(
    'link',
    'Copy a link to this view',
    'copy-link',
    () => void copyLink(app),
  );
  const menu = iconButton('menu', 'Settings', 'menu', () => {
    const isOpen = side.classList.toggle('open');
    menu.setAttribute('aria-expanded', String(isOpen));
  });
  menu.classList.add('menu');
  menu.setAttribute('aria-controls', 'side');
  menu.setAttribute('aria-expanded', 'false');
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && side.classList.contains('open')) menu.click();
  });
  slot('top').append(el('h1', { className: 'word' }, 'Terrane'), where, copy, menu);
  const tell = (): void => {
    const { choice } = app.state;
    where.textContent =
      'realm' in choice ? `realm ${choice.realm}` : `${choice.world} · ${choice.seed}`;
    document.title = `Terrane – ${formatChoice(choice).replace(/^::/, '')}`;
  };
  app.on('state', tell);
  tell();
}

async function copyLink(app: App): Promise<void> {
  const link = app.link();
  try {
    await navigator.clipboard.writeText(link);
    app.notify('Link copied.');
  } catch {
    // only pages of https and of this machine may write there
    window.prompt('The link to this view:', link);
  }
}
