/** Asks for a bearer token when the server wants one. */
import type { App } from '../app.js';
import { button, el, slot } from '../dom.js';
import { storeToken } from '../token.js';

/** @param onToken  called when one has been given */
export function openTokenDialog(app: App, onToken: () => void): void {
  const field = el('input', { type: 'password', test: 'token', autocomplete: 'off' });
  field.id = 'token';
  field.required = true;
  const why = el('p', { className: 'refusal', test: 'token-refused', hidden: true });
  why.setAttribute('role', 'alert');
  const form = el(
    'form',
    { method: 'dialog' },
    el('h2', {}, 'This server asks who you are'),
    el('p', {}, 'Paste a token. It is kept until this tab is closed, and is in no link.'),
    el('label', { htmlFor: 'token' }, 'Token'),
    field,
    why,
    el(
      'div',
      { className: 'buttons' },
      button('Continue', { className: 'primary', type: 'submit', test: 'token-ok' }, () => {}),
    ),
  );
  const dialog = el('dialog', { test: 'token-dialog' }, form);
  document.body.append(dialog);
  // whoever closes it has a blank map, and a way back
  const later = el('div', { className: 'away' }, 'This server wants a token. ');
  const open = (): void => {
    later.remove();
    if (!dialog.open) dialog.showModal();
  };
  later.append(button('Enter one', { className: 'plain', test: 'token-again' }, open));
  let isGiven = false; // Escape closes it, too
  form.addEventListener('submit', () => {
    isGiven = true;
  });
  dialog.addEventListener('close', () => {
    const token = isGiven ? field.value.trim() : '';
    isGiven = false;
    field.value = '';
    if (token === '') {
      slot('notices').append(later);
      return;
    }
    storeToken(token);
    onToken();
  });
  app.on('unauthenticated', (refusal) => {
    if (dialog.open || later.isConnected) return;
    why.hidden = refusal === undefined;
    why.textContent = `That token was not taken: ${refusal ?? ''}`;
    open();
  });
}
