/** What is said of a search that is under way, with a button to stop it. */
import type { App } from '../app.js';
import { button, el } from '../dom.js';

/** Says something; `share` is how much of the way is done, undefined when it is over. */
export type Say = (text: string, share?: number) => void;

export interface SearchStatus {
  readonly element: HTMLElement;
  /** Runs a search, which ends with a sentence. The one before is stopped. */
  run(search: (signal: AbortSignal, say: Say) => Promise<string>): Promise<void>;
}

/** Makes the status. Other land ends what is looked for. */
export function makeSearchStatus(app: App): SearchStatus {
  let running: AbortController | undefined;
  const text = el('p', { className: 'quiet', test: 'find-status' });
  text.setAttribute('role', 'status');
  const bar = el('i');
  const progress = el('div', { className: 'progress', hidden: true }, bar);
  const cancel = button('Cancel', { test: 'find-cancel', hidden: true }, () => running?.abort());
  const row = el('div', { className: 'row status', hidden: true }, text, cancel);

  const say: Say = (words, share) => {
    row.hidden = words === '';
    text.textContent = words;
    progress.hidden = share === undefined;
    cancel.hidden = share === undefined;
    bar.style.width = `${Math.min(share ?? 0, 1) * 100}%`;
  };
  const run = async (search: Parameters<SearchStatus['run']>[0]): Promise<void> => {
    running?.abort();
    const abort = new AbortController();
    running = abort;
    say('Looking …', 0.02);
    let words = '';
    try {
      words = await search(abort.signal, (now, share) => {
        if (running === abort) say(now, share);
      });
    } catch (error) {
      app.heed(error);
      words = error instanceof Error ? error.message : String(error);
      if (abort.signal.aborted) words = 'Stopped.';
    }
    if (running === abort) say(words);
  };
  app.on('state', (now, before) => {
    if (now.choice === before.choice) return;
    running?.abort();
    running = undefined;
    say('');
  });
  return { element: el('div', {}, progress, row), run };
}
