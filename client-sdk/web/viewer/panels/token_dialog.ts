/** Asks for a bearer token when the server wants one. */
import type { App } from '../app.js';
import { button, el } from '../dom.js';
import { storeToken } from '../token.js';

/** @param onToken  called when one has been given */
export function openTokenDialog(app: App, onToken: () => void): void {
  const field = el('input', { type: 'password', test: 'token', autocomplete: 'off' });
  field.id = 'token';
  const form = el(
    'form',
    { method: 'dialog' },
    el('h2', {}, 'This server asks who you are'),
    el('p', {}, 'Paste a token. It is kept until this tab is closed, and is in no link.'),
    el('label', { htmlFor: 'token' }, 'Token'),
    field,
    el(
      'div',
      { className: 'buttons' },
      button('Continue', { className: 'primary', type: 'submit', test: 'token-ok' }, () => {}),
    ),
  );
  const dialog = el('dialog', { test: 'token-dialog' }, form);
  document.body.append(dialog);
  dialog.addEventListener('close', () => {
    const token = field.value.trim();
    field.value = '';
    if (token === '') return;
    storeToken(token);
    onToken();
  });
  app.on('unauthenticated', () => {
    if (!dialog.open) dialog.showModal();
  });
}
