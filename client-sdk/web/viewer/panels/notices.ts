/** Sentences for whoever looks on: for a while, or as long as the server is away. */
import type { App } from '../app.js';
import { el, slot } from '../dom.js';

const shownForMs = 5000;

/** Shows what `app.notify` says, and that the server doesn't answer. */
export function openNotices(app: App): void {
  const place = slot('notices');
  app.on('notice', (text) => {
    for (const old of place.querySelectorAll('div:not(.away)')) old.remove();
    const notice = el('div', { test: 'notice' }, text);
    place.append(notice);
    window.setTimeout(() => notice.remove(), shownForMs);
  });
  const away = el(
    'div',
    { className: 'away', test: 'server-away' },
    'The server does not answer. Trying again …',
  );
  app.on('server', (isThere) => {
    if (isThere) {
      away.remove();
      app.notify('The server is back.');
    } else {
      place.append(away);
    }
  });
}
