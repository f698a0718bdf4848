/** The keys, in a dialog. */
import { button, el } from '../dom.js';

const keys: readonly (readonly [string, string])[] = [
  ['arrows', 'move; with Shift, farther'],
  ['+  −', 'nearer, farther'],
  ['g', 'go to a block'],
  ['s', 'type a seed'],
  ['l', 'next layer'],
  ['c', 'chunk grid'],
  ['m', 'measure: Enter sets a point at the cross-hair'],
  ['Enter', 'the structure at the cross-hair'],
  ['3', 'walk or fly there in 3-D, and back'],
  ['?', 'this help'],
  ['Esc', 'close, or stop measuring'],
];

/** @returns what opens it */
export function makeHelpDialog(): () => void {
  const list = el('dl', { className: 'keys' });
  for (const [key, what] of keys) {
    list.append(el('dt', {}, el('kbd', {}, key)), el('dd', {}, what));
  }
  const dialog = el('dialog', { test: 'help-dialog' }, el('h2', {}, 'Keys'), list);
  dialog.append(
    el(
      'div',
      { className: 'buttons' },
      button('Close', { test: 'help-close' }, () => dialog.close()),
    ),
  );
  document.body.append(dialog);
  return () => dialog.showModal();
}
